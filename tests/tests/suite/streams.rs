//! Records of a stream as changes.

use std::collections::HashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_sdk_dynamodb::types::{AttributeValue, StreamViewType};
use aws_sdk_dynamodbstreams::primitives::{Blob, DateTime};
use aws_sdk_dynamodbstreams::types::{
    AttributeValue as StreamValue, Identity, OperationType, Record, StreamRecord,
};
use monotable::change::{Change, Event, EventName};
use monotable::{Entity, Item, ItemCollection, ItemKind, Table};
use proptest::test_runner::{Config, TestRunner};
use serde::{Deserialize, Serialize};
use tests::models::library::{Book, Library, Loan, Note, book};
use tests::streams::on_stream;
use tests::tape::{Tape, cases};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", ttl = "gone_at", entities(Order, Line, User))]
struct Shop;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META", ttl = until)]
struct Order {
    id: String,
    total: u32,
    until: Option<SystemTime>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "LINE#<line:2>")]
struct Line {
    id: String,
    line: u8,
    qty: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "USER#<id>", sk = "META", unique(email))]
struct User {
    id: String,
    email: String,
}

#[derive(Debug, Clone, PartialEq, ItemCollection)]
#[collection(table = Shop)]
enum OrderItem {
    Order(Order),
    Line(Line),
}

#[derive(Debug, Clone, PartialEq, ItemCollection)]
#[collection(table = Shop)]
enum Kept {
    Line(Line),
    #[collection(other)]
    Other(Item),
}

fn order(id: &str, total: u32) -> Order {
    Order { id: id.into(), total, until: None }
}

fn line(line: u8, qty: u32) -> Line {
    Line { id: "o1".into(), line, qty }
}

fn changes<K: ItemKind>(records: &[Record]) -> Vec<Change<K>> {
    records.iter().map(|record| record.try_into().unwrap()).collect()
}

/// Inserts, modifies and removes an order, on a stream of that view.
async fn every_event(view: StreamViewType, check: impl FnOnce(Vec<Change<Order>>)) {
    on_stream::<Shop, _>("stream-view", view.clone(), |shop, feed| async move {
        let before = SystemTime::now() - Duration::from_secs(60);
        shop.create(&order("o1", 1)).send().await.unwrap();
        shop.update(Order::key("o1")).change(|o| o.total.add(1)).send().await.unwrap();
        shop.delete(Order::key("o1")).send().await.unwrap();
        let changes: Vec<Change<Order>> = changes(&feed.records(3).await);
        let names: Vec<_> = changes.iter().map(|change| change.event.name()).collect();
        assert_eq!(names, [EventName::Insert, EventName::Modify, EventName::Remove]);
        for change in &changes {
            assert_eq!(change.view, Some(view.clone()));
            assert_eq!(change.entity(), Some("Order"));
            assert_eq!(change.key::<Order>(), Some(Order::key("o1")));
            assert_eq!(change.key::<Line>(), None);
            assert_eq!(change.keys, Order::key("o1").to_item().unwrap());
            assert!(change.created_at.unwrap() > before);
        }
        assert!(changes.windows(2).all(|pair| pair[0].sequence_number < pair[1].sequence_number));
        assert!(changes.windows(2).all(|pair| pair[0].event_id != pair[1].event_id));
        assert!(changes.iter().all(|change| change.event_id.is_some()));
        check(changes);
    })
    .await;
}

fn events(changes: Vec<Change<Order>>) -> [Event<Order>; 3] {
    let events: Vec<_> = changes.into_iter().map(|change| change.event).collect();
    events.try_into().unwrap()
}

#[tokio::test]
async fn both_images() {
    every_event(StreamViewType::NewAndOldImages, |changes| {
        assert_eq!(changes[1].images(), (Some(&order("o1", 1)), Some(&order("o1", 2))));
        let expected = [
            Event::Insert { new: Some(order("o1", 1)) },
            Event::Modify { old: Some(order("o1", 1)), new: Some(order("o1", 2)) },
            Event::Remove { old: Some(order("o1", 2)) },
        ];
        assert_eq!(events(changes), expected);
    })
    .await;
}

#[tokio::test]
async fn new_images() {
    every_event(StreamViewType::NewImage, |changes| {
        let expected = [
            Event::Insert { new: Some(order("o1", 1)) },
            Event::Modify { old: None, new: Some(order("o1", 2)) },
            Event::Remove { old: None },
        ];
        assert_eq!(events(changes), expected);
    })
    .await;
}

#[tokio::test]
async fn old_images() {
    every_event(StreamViewType::OldImage, |changes| {
        let expected = [
            Event::Insert { new: None },
            Event::Modify { old: Some(order("o1", 1)), new: None },
            Event::Remove { old: Some(order("o1", 2)) },
        ];
        assert_eq!(events(changes), expected);
    })
    .await;
}

#[tokio::test]
async fn keys_alone() {
    every_event(StreamViewType::KeysOnly, |changes| {
        let expected = [
            Event::Insert { new: None },
            Event::Modify { old: None, new: None },
            Event::Remove { old: None },
        ];
        assert_eq!(events(changes), expected);
    })
    .await;
}

#[tokio::test]
async fn unknown_items_and_guards_are_told() {
    let view = StreamViewType::NewAndOldImages;
    on_stream::<Shop, _>("stream-kinds", view, |shop, feed| async move {
        shop.put(&order("o1", 1)).send().await.unwrap();
        shop.put(&line(1, 2)).send().await.unwrap();
        shop.create(&User { id: "u1".into(), email: "a@b".into() }).send().await.unwrap();
        let records = feed.records(4).await;
        let of = |changes: Vec<Change<OrderItem>>| {
            let tell = |change: Change<OrderItem>| match change.event {
                Event::Insert { new: Some(OrderItem::Order(_)) } => "order",
                Event::Insert { new: Some(OrderItem::Line(_)) } => "line",
                Event::Unknown(raw) => {
                    assert_eq!(raw.name, EventName::Insert);
                    assert_eq!(raw.new.unwrap()["email"], AttributeValue::S("a@b".into()));
                    "unknown"
                }
                Event::Guard(raw) => {
                    assert!(raw.new.is_some() && raw.old.is_none());
                    "guard"
                }
                other => panic!("{other:?}"),
            };
            let mut told: Vec<_> = changes.into_iter().map(tell).collect();
            told.sort_unstable();
            told
        };
        assert_eq!(of(changes(&records)), ["guard", "line", "order", "unknown"]);

        // An unknown item has a key nevertheless.
        let of_user = |change: &Change<OrderItem>| change.key::<User>().is_some();
        assert_eq!(changes(&records).iter().filter(|change| of_user(change)).count(), 1);
        // An enum that keeps the others is given them, and no guards.
        let kept = changes::<Kept>(&records);
        let others = kept
            .iter()
            .filter(|change| matches!(&change.event, Event::Insert { new: Some(Kept::Other(_)) }));
        assert_eq!(others.count(), 2);
        let guards = kept.iter().filter(|change| matches!(change.event, Event::Guard(_)));
        assert_eq!(guards.count(), 1);
    })
    .await;
}

#[tokio::test]
async fn an_item_that_becomes_another_kind() {
    let view = StreamViewType::NewAndOldImages;
    on_stream::<Library, _>("stream-types", view, |library, feed| async move {
        let loan = Loan { branch: "n".into(), reader: "r".into(), id: 1, due: None };
        library.put(&loan).send().await.unwrap();
        let mut item = loan.to_item().unwrap();
        item.insert("_et".into(), AttributeValue::S("Book".into()));
        let put = library.client().put_item().table_name(library.name());
        put.set_item(Some(item)).send().await.unwrap();
        library.put(&book(1, "a")).send().await.unwrap();

        let records = feed.records(3).await;
        let loans = changes::<Loan>(&records);
        assert_eq!(loans[0].event, Event::Insert { new: Some(loan) });
        // The one image is a loan and the other is not.
        assert!(matches!(&loans[1].event, Event::Unknown(raw) if raw.old.is_some()));
        assert!(matches!(loans[2].event, Event::Unknown(_)));
        assert!(
            changes::<Note>(&records)
                .iter()
                .all(
                    |change| matches!(change.event, Event::Unknown(_)) && change.entity().is_none()
                )
        );

        // What has the type but not the attributes is an error of its record alone.
        let books: Vec<Result<Change<Book>, _>> =
            records.iter().map(|record| record.try_into()).collect();
        assert!(matches!(&books[0], Ok(change) if matches!(change.event, Event::Unknown(_))));
        assert!(matches!(&books[1], Ok(change) if matches!(change.event, Event::Unknown(_))));
        assert!(matches!(&books[2], Ok(change) if change.images().1 == Some(&book(1, "a"))));
    })
    .await;
}

#[tokio::test]
async fn a_failed_transaction_leaves_no_records() {
    let view = StreamViewType::NewAndOldImages;
    on_stream::<Shop, _>("stream-transact", view, |shop, feed| async move {
        shop.put(&order("o1", 1)).send().await.unwrap();
        for fails in 0..3 {
            let (a, b) = (line(1, 1), line(2, 1));
            let taken = order("o1", 9);
            let mut transaction = shop.transact();
            let mut lines = [&a, &b].into_iter();
            for at in 0..3 {
                transaction = if at == fails {
                    transaction.add(shop.create(&taken))
                } else {
                    transaction.add(shop.put(lines.next().unwrap()))
                };
            }
            let error = transaction.send().await.unwrap_err();
            assert!(error.is_condition_failed(), "{error}");
        }
        feed.records(1).await;
        let (a, b) = (line(1, 1), line(2, 1));
        shop.transact().add(shop.put(&a)).add(shop.put(&b)).send().await.unwrap();
        let lines = changes::<Line>(&feed.records(3).await);
        assert_eq!(lines.iter().filter(|change| change.images().1.is_some()).count(), 2);
    })
    .await;
}

/// A record as DynamoDB's documentation shows it.
fn record(name: &str, keys: Values, old: Option<Values>, new: Option<Values>) -> Record {
    let change = StreamRecord::builder()
        .set_keys(Some(keys))
        .set_old_image(old)
        .set_new_image(new)
        .sequence_number("300000000000000499659")
        .approximate_creation_date_time(DateTime::from_secs(1_700_000_000))
        .stream_view_type(aws_sdk_dynamodbstreams::types::StreamViewType::NewAndOldImages);
    Record::builder()
        .event_id("7de3041dd709b024af6f29e4fa13d34c")
        .event_name(OperationType::from(name))
        .dynamodb(change.build())
        .build()
}

type Values = HashMap<String, StreamValue>;

fn text(value: &str) -> StreamValue {
    StreamValue::S(value.into())
}

fn keys(pk: &str, sk: &str) -> Values {
    [("PK".to_owned(), text(pk)), ("SK".to_owned(), text(sk))].into()
}

fn image(total: StreamValue) -> Values {
    let mut image = keys("ORDER#o1", "META");
    image.extend([("id".to_owned(), text("o1")), ("total".to_owned(), total)]);
    image
}

#[test]
fn an_expired_item_is_removed_by_the_service() {
    let removed = |ty: Option<&str>, principal: Option<&str>| {
        let old = image(StreamValue::N("5".into()));
        let mut record = record("REMOVE", keys("ORDER#o1", "META"), Some(old), None);
        let identity = Identity::builder().set_type(ty.map(String::from));
        let identity = identity.set_principal_id(principal.map(String::from)).build();
        record.user_identity = Some(identity);
        Change::<Order>::try_from(record).unwrap()
    };
    let dynamodb = Some("dynamodb.amazonaws.com");
    let expired = removed(Some("Service"), dynamodb);
    assert_eq!(expired.event, Event::Expire { old: Some(order("o1", 5)) });
    assert_eq!(expired.created_at, Some(UNIX_EPOCH + Duration::from_secs(1_700_000_000)));
    assert_eq!(expired.event_id.as_deref(), Some("7de3041dd709b024af6f29e4fa13d34c"));
    assert_eq!(expired.sequence_number.to_string(), "300000000000000499659");
    for (ty, principal) in [
        (None, None),
        (Some("Service"), None),
        (None, dynamodb),
        (Some("Service"), Some("replication.dynamodb.amazonaws.com")),
        (Some("User"), dynamodb),
    ] {
        let removed = removed(ty, principal);
        assert_eq!(removed.event, Event::Remove { old: Some(order("o1", 5)) });
    }
    // The identity of an insert says nothing.
    let mut inserted = record("INSERT", keys("ORDER#o1", "META"), None, None);
    inserted.user_identity =
        Some(Identity::builder().r#type("Service").principal_id("dynamodb.amazonaws.com").build());
    let inserted = Change::<Order>::try_from(inserted).unwrap();
    assert_eq!(inserted.event, Event::Insert { new: None });
}

#[test]
fn every_type_of_value() {
    let blob = || Blob::new(vec![0, 255]);
    let sdk = || aws_sdk_dynamodb::primitives::Blob::new(vec![0, 255]);
    let pairs = [
        (text("é"), AttributeValue::S("é".into())),
        (StreamValue::N("1E+2".into()), AttributeValue::N("1E+2".into())),
        (StreamValue::B(blob()), AttributeValue::B(sdk())),
        (StreamValue::Bool(true), AttributeValue::Bool(true)),
        (StreamValue::Null(true), AttributeValue::Null(true)),
        (StreamValue::Ss(vec!["a".into()]), AttributeValue::Ss(vec!["a".into()])),
        (StreamValue::Ns(vec!["1".into()]), AttributeValue::Ns(vec!["1".into()])),
        (StreamValue::Bs(vec![blob()]), AttributeValue::Bs(vec![sdk()])),
        (
            StreamValue::L(vec![StreamValue::Null(true), StreamValue::L(vec![])]),
            AttributeValue::L(vec![AttributeValue::Null(true), AttributeValue::L(vec![])]),
        ),
        (
            StreamValue::M([("m".to_owned(), StreamValue::M(Values::new()))].into()),
            AttributeValue::M([("m".to_owned(), AttributeValue::M(Item::new()))].into()),
        ),
    ];
    let mut new = keys("X", "Y");
    let mut expected = Item::from([
        ("PK".to_owned(), AttributeValue::S("X".into())),
        ("SK".to_owned(), AttributeValue::S("Y".into())),
    ]);
    for (at, (given, wanted)) in pairs.into_iter().enumerate() {
        new.insert(format!("a{at}"), given);
        expected.insert(format!("a{at}"), wanted);
    }
    let change = Change::<Order>::try_from(record("INSERT", keys("X", "Y"), None, Some(new)));
    let Event::Unknown(raw) = change.unwrap().event else { panic!("a kind") };
    assert_eq!(raw.new, Some(expected));
}

#[test]
fn a_record_that_cannot_be_read_says_why() {
    let fails = |record: Record| {
        let error = Change::<Order>::try_from(record).unwrap_err();
        assert!(error.is_decode());
        error.to_string()
    };
    let good = || record("INSERT", keys("ORDER#o1", "META"), None, None);
    let broken = image(text("five"));
    let broken = record("INSERT", keys("ORDER#o1", "META"), None, Some(broken));
    let message = fails(broken);
    assert!(message.starts_with("the item `ORDER#o1 + META` is no `Order`: attribute `total`"));

    let mut unnamed = good();
    unnamed.event_name = None;
    assert_eq!(
        fails(unnamed),
        "the item `ORDER#o1 + META` is no `Order`: its stream record does not say what happened"
    );
    assert_eq!(
        fails(record("MERGE", keys("ORDER#o1", "META"), None, None)),
        "the item `ORDER#o1 + META` is no `Order`: its stream record tells of a `MERGE`, which is none of `INSERT`, `MODIFY` and `REMOVE`"
    );
    let mut empty = good();
    empty.dynamodb = None;
    assert_eq!(fails(empty), "an item without a key is no `Order`: its stream record has no keys");
    let other = [("pk".to_owned(), text("ORDER#o1"))].into();
    assert_eq!(
        fails(record("INSERT", other, None, None)),
        "an item without a key is no `Order`: its stream record does not have the key attributes `PK` and `SK` of `Shop`: it is of another table"
    );
    let mut unordered = good();
    unordered.dynamodb.as_mut().unwrap().sequence_number = Some("x1".into());
    assert_eq!(
        fails(unordered),
        "the item `ORDER#o1 + META` is no `Order`: `x1` is no sequence number, which has at most 40 digits"
    );
    let mut unordered = good();
    unordered.dynamodb.as_mut().unwrap().sequence_number = None;
    assert!(fails(unordered).ends_with("its stream record has no sequence number"));
}

/// One write of the law below.
#[derive(Debug, Clone)]
enum Write {
    Put(OrderItem),
    Add(u8),
    Delete(u8),
}

/// Each write changes something, as one that does not has no record.
fn writes(words: &[u32]) -> Vec<Write> {
    let mut tape = Tape::new(words);
    (0..words.len() / 3)
        .map(|at| {
            let (at, n) = (u32::try_from(at).unwrap(), u8::try_from(tape.below(3)).unwrap());
            match tape.below(4) {
                0 => Write::Put(OrderItem::Order(order(&format!("o{n}"), 10_000 + at))),
                1 => Write::Put(OrderItem::Line(line(n, 10_000 + at))),
                2 => Write::Add(n),
                _ => Write::Delete(n),
            }
        })
        .collect()
}

/// What the stream has to tell, by a model of the table.
fn expected(writes: &[Write]) -> Vec<Event<OrderItem>> {
    let mut stored: HashMap<String, OrderItem> = HashMap::new();
    let mut events = Vec::new();
    for write in writes {
        match write {
            Write::Put(item) => {
                let key = match item {
                    OrderItem::Order(order) => order.key().to_string(),
                    OrderItem::Line(line) => line.key().to_string(),
                };
                events.push(match stored.insert(key, item.clone()) {
                    Some(old) => Event::Modify { old: Some(old), new: Some(item.clone()) },
                    None => Event::Insert { new: Some(item.clone()) },
                });
            }
            Write::Add(n) => {
                let key = Line::key("o1", *n).to_string();
                if let Some(OrderItem::Line(old)) = stored.get(&key).cloned() {
                    let new = OrderItem::Line(Line { qty: old.qty + 1, ..old.clone() });
                    stored.insert(key, new.clone());
                    events.push(Event::Modify { old: Some(OrderItem::Line(old)), new: Some(new) });
                }
            }
            Write::Delete(n) => {
                if let Some(old) = stored.remove(&Order::key(format!("o{n}")).to_string()) {
                    events.push(Event::Remove { old: Some(old) });
                }
            }
        }
    }
    events
}

#[test]
fn changes_are_what_was_written() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let config = Config { cases: cases(24), failure_persistence: None, ..Config::default() };
    let words = proptest::collection::vec(0_u32..u32::MAX, 0..60);
    TestRunner::new(config)
        .run(&words, |words| {
            runtime.block_on(run(writes(&words)));
            Ok(())
        })
        .unwrap();
}

async fn run(writes: Vec<Write>) {
    let view = StreamViewType::NewAndOldImages;
    on_stream::<Shop, _>("stream-law", view, |shop, feed| async move {
        for write in &writes {
            match write {
                Write::Put(OrderItem::Order(order)) => {
                    shop.put(order).send().await.unwrap();
                }
                Write::Put(OrderItem::Line(line)) => {
                    shop.put(line).send().await.unwrap();
                }
                Write::Add(n) => {
                    let add = shop.update(Line::key("o1", *n)).change(|l| l.qty.add(1));
                    if let Err(error) = add.send().await {
                        assert!(error.is_item_missing(), "{error}");
                    }
                }
                Write::Delete(n) => {
                    shop.delete(Order::key(format!("o{n}"))).send().await.unwrap();
                }
            }
        }
        let expected = expected(&writes);
        let records = feed.records(expected.len()).await;
        let told: Vec<_> = changes(&records).into_iter().map(|change| change.event).collect();
        assert_eq!(told, expected, "{writes:?}");
    })
    .await;
}
