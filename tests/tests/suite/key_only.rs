//! Fields that live in the key alone: no item has them as attributes, and every read has them.

use aws_sdk_dynamodb::types::AttributeValue;
use chrono::{DateTime, NaiveDate, Utc};
use monotable::change::Change;
use monotable::op::{Created, Fetched};
use monotable::{Entity, Item, ItemCollection, KeyPart, Projection, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{eventually, on_table};
use tests::streams::on_stream;
use tests::tape::{Tape, cases};
use uuid::Uuid;

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", type_attribute = "_et", entities(Order, Customer))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(gsi2, pk = "GSI2PK", projection = keys_only)]
#[lsi(lsi1, sk = "LSI1SK")]
struct Shop;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer_id>", sk = "ORDER#<date>#<order_id>",
         key_only(customer_id, date))]
#[index(gsi1, pk = "STATE#<state>", sk = "<date>#<customer_id>")]
#[index(gsi2, pk = "DAY#<date>#<customer_id>", name = "by_day")]
#[index(lsi1, sk = "TOTAL#<total:6>", name = "by_total")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Order {
    customer_id: Id,
    date: NaiveDate,
    order_id: String,
    state: String,
    total: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
struct Id(String);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer_id>", sk = "PROFILE", key_only(customer_id))]
struct Customer {
    customer_id: Id,
    name: String,
    #[serde(flatten)]
    rest: std::collections::BTreeMap<String, String>,
}

#[derive(Debug, PartialEq, ItemCollection)]
#[collection(table = Shop, pk = "CUST#<customer_id>")]
struct Account {
    customer: Customer,
    orders: Vec<Order>,
}

#[derive(Debug, PartialEq, ItemCollection)]
#[collection(table = Shop, pk = "CUST#<customer_id>")]
enum Entry {
    Customer(Customer),
    Order(Order),
}

#[derive(Debug, PartialEq, Deserialize, Projection)]
#[projection(entity = Order)]
#[serde(rename_all = "camelCase")]
struct Due {
    customer_id: Id,
    total: u32,
}

/// What the key alone tells: an index of keys has it.
#[derive(Debug, PartialEq, Deserialize, Projection)]
#[projection(entity = Order)]
#[serde(rename_all = "camelCase")]
struct Owner {
    customer_id: Id,
    date: NaiveDate,
}

fn day(day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 9, day).unwrap()
}

fn id() -> Id {
    Id("c#4%2".into())
}

fn order(at: u32) -> Order {
    Order {
        customer_id: id(),
        date: day(at),
        order_id: format!("o{at}"),
        state: "open".into(),
        total: at * 10,
    }
}

fn ana() -> Customer {
    Customer {
        customer_id: id(),
        name: "Ana".into(),
        rest: [("city".to_owned(), "Graz".to_owned())].into(),
    }
}

/// Every stored item, none with a field of the key alone.
async fn raw(shop: &Table<Shop>) -> Vec<Item> {
    let items = shop.full_scan().consistent().all().await.unwrap();
    let items: Vec<Item> = items.into_iter().map(|found| found.item().clone()).collect();
    for item in &items {
        for name in ["customerId", "customer_id", "date"] {
            assert!(!item.contains_key(name), "{name} in {item:?}");
        }
    }
    items
}

#[tokio::test]
async fn every_write_leaves_it_out_and_every_read_has_it() {
    on_table::<Shop, _>("key-only", |bench| async move {
        let shop = &bench.table;
        let key = |at: u32| Order::key(id(), day(at), format!("o{at}"));
        // Writes.
        shop.put(&order(1)).send().await.unwrap();
        shop.create(&order(2)).send().await.unwrap();
        shop.batch_write().put(&order(3)).send().await.unwrap();
        shop.transact().add(shop.put(&ana())).add(shop.create(&order(4))).send().await.unwrap();
        let upsert = |at| {
            let initial = order(at);
            let shop = shop.clone();
            async move {
                shop.upsert(&initial).change(|o| o.state.set("open")).send().await.unwrap();
            }
        };
        upsert(5).await;
        upsert(5).await;
        assert_eq!(raw(shop).await.len(), 6);

        // Reads by key.
        assert_eq!(shop.get(key(1)).consistent().send().await.unwrap(), Some(order(1)));
        let found = shop.batch_get((1..=5).map(key)).consistent().send().await.unwrap();
        assert_eq!(found, (1..=5).map(|at| Some(order(at))).collect::<Vec<_>>());
        let found = shop.transact_get((key(5), Customer::key(id()))).send().await.unwrap();
        assert_eq!(found, (Some(order(5)), Some(ana())));

        // Queries of the table and of indexes.
        let all: Vec<_> = (1..=5).map(order).collect();
        let query = shop.query(Order::by_customer_id(id()).date_range(day(1)..)).consistent();
        assert_eq!(query.all().await.unwrap(), all);
        let query = shop.query(Order::by_total(id())).consistent();
        assert_eq!(query.all().await.unwrap(), all);
        let by_state = || Order::by_state("open");
        eventually(all.clone(), || async { shop.query(by_state()).all().await.unwrap() }).await;
        let hydrated =
            || async { shop.query(Order::by_day(day(2), id())).hydrate().all().await.unwrap() };
        eventually(vec![Fetched::Found(order(2))], hydrated).await;

        // Parts of items.
        let due = shop.get(key(2)).select::<Due>().consistent().send().await.unwrap();
        assert_eq!(due, Some(Due { customer_id: id(), total: 20 }));
        let owners = || async {
            shop.query(Order::by_day(day(2), id())).select::<Owner>().all().await.unwrap()
        };
        eventually(vec![Owner { customer_id: id(), date: day(2) }], owners).await;

        // Collections and scans.
        let account = shop.collection(Account::by_customer_id(id())).consistent().send().await;
        let account = account.unwrap().unwrap();
        assert_eq!(account, Account { customer: ana(), orders: all.clone() });
        let entries = shop.collection(Entry::by_customer_id(id())).consistent().all().await;
        let mut expected: Vec<_> = all.iter().cloned().map(Entry::Order).collect();
        expected.push(Entry::Customer(ana()));
        assert_eq!(entries.unwrap(), expected);
        let orders = shop.full_scan().of::<Order>().consistent().all().await.unwrap();
        assert_eq!(orders, all);
        for found in shop.full_scan().consistent().all().await.unwrap() {
            if found.entity() == Some("Order") {
                assert!(all.contains(&found.decode::<Order>().unwrap()));
            }
        }
    })
    .await;
}

#[tokio::test]
async fn changes_keep_it_in_the_key() {
    on_table::<Shop, _>("key-only-change", |bench| async move {
        let shop = &bench.table;
        let key = || Order::key(id(), day(1), "o1");
        shop.put(&order(1)).send().await.unwrap();
        // The index key is made of what the key tells.
        let update = shop.update(key()).change(|o| o.state.set("paid"));
        let paid = Order { state: "paid".into(), ..order(1) };
        assert_eq!(update.returning_new().send().await.unwrap(), paid);
        let item = &raw(shop).await[0];
        assert_eq!(item["GSI1PK"], AttributeValue::S("STATE#paid".into()));
        assert_eq!(item["GSI1SK"], AttributeValue::S("2026-09-01#c%234%252".into()));

        let update = shop.update(&paid).change(|o| (o.state.set("sent"), o.total.set(5)));
        assert_eq!(update.returning_old().send().await.unwrap(), paid);
        let sent = Order { state: "sent".into(), total: 5, ..order(1) };
        let new = shop.modify(key(), |order| order.total += 1).send().await.unwrap();
        assert_eq!(new, Order { total: 6, ..sent.clone() });
        assert_eq!(raw(shop).await[0], new.to_item().unwrap());
        let moved = shop.modify(key(), |order| order.customer_id = Id("other".into()));
        let error = moved.send().await.unwrap_err();
        assert!(error.is_usage() && error.to_string().contains("primary key"), "{error}");

        let error = shop.create(&order(1)).send().await.unwrap_err();
        assert_eq!(error.current::<Order>(), Some(new.clone()));
        let found = shop.create(&order(1)).or_existing().send().await.unwrap();
        assert_eq!(found, Created::Exists(new.clone()));
        let old = shop.put(&order(1)).returning_old().send().await.unwrap();
        assert_eq!(old, Some(new));
        let old = shop.delete(key()).returning_old().send().await.unwrap();
        assert_eq!(old, Some(order(1)));
        assert!(raw(shop).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn changes_of_a_stream_have_it() {
    let view = aws_sdk_dynamodb::types::StreamViewType::NewAndOldImages;
    on_stream::<Shop, _>("key-only-stream", view, |shop, feed| async move {
        shop.create(&order(1)).send().await.unwrap();
        let key = Order::key(id(), day(1), "o1");
        shop.update(key).change(|o| o.total.set(7)).send().await.unwrap();
        let records = feed.records(2).await;
        let changes: Vec<Change<Order>> =
            records.iter().map(|record| Change::try_from(record).unwrap()).collect();
        let new = Order { total: 7, ..order(1) };
        assert_eq!(changes[0].images(), (None, Some(&order(1))));
        assert_eq!(changes[1].images(), (Some(&order(1)), Some(&new)));
    })
    .await;
}

fn stored(item: &impl Entity) -> Item {
    item.to_item().unwrap()
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.into())
}

#[test]
fn the_key_wins_over_an_attribute() {
    let mut item = stored(&order(1));
    item.insert("customerId".into(), text("someone else"));
    item.insert("date".into(), AttributeValue::Bool(true));
    assert_eq!(Order::from_item(item.clone()).unwrap(), order(1));
    assert_eq!(Due::from_item(item.clone()).unwrap(), Due { customer_id: id(), total: 10 });
    // A put would leave them out, and the inspection says so.
    let report = Shop::inspect(&item);
    assert!(!report.is_faithful());
    assert_eq!(report.unknown, ["customerId", "date"]);
    for item in [stored(&order(1)), stored(&ana())] {
        let report = Shop::inspect(&item);
        assert!(report.is_faithful(), "{report}");
    }
}

#[test]
fn a_key_that_does_not_tell_it_is_an_error() {
    let mut item = stored(&order(1));
    item.insert("PK".into(), text("KUNDE#1"));
    let error = Order::from_item(item.clone()).unwrap_err();
    assert!(error.is_decode());
    assert_eq!(
        error.to_string(),
        "the item `KUNDE#1 + ORDER#2026-09-01#o1` is no `Order`: `customerId` lives in the key alone, \
         and `KUNDE#1` is no key that `CUST#<customer_id>` renders"
    );
    let error = Due::from_item(item.clone()).unwrap_err();
    assert!(error.is_decode() && error.to_string().contains("CUST#<customer_id>"), "{error}");

    item.remove("PK");
    let error = Order::from_item(item).unwrap_err();
    assert!(error.is_decode() && error.to_string().contains("came without its key"), "{error}");

    let mut item = stored(&order(1));
    item.insert("SK".into(), text("ORDER#2026-9-1#o1"));
    let error = Order::from_item(item).unwrap_err();
    assert!(error.to_string().contains("`ORDER#<date>#<order_id>`"), "{error}");
}

#[test]
fn the_schema_names_it_apart() {
    assert_eq!(Order::SCHEMA.attributes, ["orderId", "state", "total"]);
    assert_eq!(Order::SCHEMA.key_only, ["customerId", "date"]);
    let layout = Shop::layout();
    assert!(layout.contains("\n  key only customerId\n  key only date\n"), "{layout}");
    let due = Due::from_item(stored(&order(1))).unwrap();
    assert_eq!(due.total, 10);
}

#[tokio::test]
async fn a_projection_asks_for_the_key_and_no_more() {
    on_table::<Shop, _>("key-only-part", |bench| async move {
        let query = bench.table.query(Order::by_customer_id(id())).select::<Due>();
        let explained = format!("{:?}", query.explain().unwrap());
        assert!(!explained.contains("customerId") && explained.contains("total"), "{explained}");
    })
    .await;
}

// --- what a put writes reads back equal ------------------------------------------------------

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "kebab-case")]
enum Level {
    #[key(as = "L1")]
    VeryLow,
    High,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, KeyPart)]
#[serde(transparent)]
struct Number {
    value: i64,
}

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", entities(Everything))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct All;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(
    table = All,
    pk = "<text>|<unsigned>|<signed>|<uuid>|<month:month>",
    sk = "<ordered:ordered>#<raw:raw>#<wide:39><signed8:3><number:19>|<plain:plain>,<level>/<yes>#\
          <date><seconds:s><millis:ms:desc><micros:us><nanos:ns><epoch:epoch_s><epoch_ms:epoch_ms>#<boxed>",
    key_only(text, unsigned, signed, uuid, month, ordered, raw, wide, signed8, number, plain, level,
             yes, date, seconds, millis, micros, nanos, epoch, epoch_ms, boxed)
)]
#[index(gsi1, pk = "<text>", sk = "<nanos:ns>#<number:19>", name = "by_text")]
struct Everything {
    text: Id,
    unsigned: u64,
    signed: i32,
    uuid: Uuid,
    month: NaiveDate,
    ordered: String,
    raw: String,
    wide: u128,
    signed8: i8,
    number: Number,
    plain: i128,
    level: Level,
    yes: bool,
    date: NaiveDate,
    seconds: DateTime<Utc>,
    millis: jiff::Timestamp,
    micros: DateTime<Utc>,
    nanos: DateTime<Utc>,
    epoch: jiff::Timestamp,
    epoch_ms: DateTime<Utc>,
    boxed: Box<str>,
    other: u32,
}

fn drawn(tape: &mut Tape<'_>, other: u32) -> Everything {
    let mut any = |from: &[&str]| -> String {
        let length = 1 + tape.word() % 5;
        (0..length).map(|_| tape.pick(from)).collect()
    };
    let odd = ["a", "#", "|", "%", "$", "%23", "/", "é", "\u{10ffff}", "\0", " ", "Z", "~", ","];
    let (text, ordered, boxed) = (any(&odd), any(&odd), any(&odd));
    let raw = any(&["a", "|", "%", "é", "$", " "]);
    let numbers = [(); 12].map(|()| tape.wide() >> (tape.word() % 128));
    let small = |at: usize, bound: u128| i64::try_from(numbers[at] % bound).unwrap();
    let days = |at| day(1) + chrono::TimeDelta::days(small(at, 700_000) - 350_000);
    let seconds = |at| small(at, 9_999_999_999);
    let nanos = u32::try_from(numbers[7] % 1_000_000_000).unwrap();
    let date = days(5);
    Everything {
        text: Id(text),
        unsigned: u64::try_from(numbers[0] % (1 << 64)).unwrap(),
        signed: i32::try_from(small(1, 1 << 32) - (1 << 31)).unwrap(),
        uuid: Uuid::from_u128(numbers[2]),
        month: days(3).format("%Y-%m-01").to_string().parse().unwrap(),
        ordered,
        raw,
        // DynamoDB's numbers have 38 digits, in a field that serde writes too.
        wide: numbers[4] % 10_u128.pow(38),
        signed8: i8::try_from(small(6, 256) - 128).unwrap(),
        number: Number { value: small(8, 1 << 62) - (1 << 61) },
        plain: i128::try_from(numbers[9] % 10_u128.pow(37)).unwrap() - (1 << 100),
        level: if numbers[10] % 2 == 0 { Level::VeryLow } else { Level::High },
        yes: numbers[11] % 2 == 0,
        date,
        seconds: DateTime::from_timestamp(seconds(0), 0).unwrap(),
        millis: jiff::Timestamp::from_millisecond(seconds(1) * 1000 + 7).unwrap(),
        micros: DateTime::from_timestamp(seconds(2), nanos / 1000 * 1000).unwrap(),
        nanos: DateTime::from_timestamp(seconds(3), nanos).unwrap(),
        epoch: jiff::Timestamp::from_second(seconds(4)).unwrap(),
        epoch_ms: DateTime::from_timestamp(seconds(5), nanos / 1_000_000 * 1_000_000).unwrap(),
        boxed: boxed.into(),
        other,
    }
}

/// Runs `check` with drawn items.
fn each(count: u32, mut check: impl FnMut(Everything)) {
    let mut state = 7_u32;
    for other in 0..count {
        let words: Vec<u32> = std::iter::repeat_with(|| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        })
        .take(200)
        .collect();
        check(drawn(&mut Tape::new(&words), other));
    }
}

#[test]
fn what_is_written_reads_back_equal() {
    each(cases(10_000), |everything| {
        let item = everything.to_item().unwrap();
        let mut names: Vec<_> = item.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["GSI1PK", "GSI1SK", "PK", "SK", "other"]);
        assert_eq!(Everything::from_item(item).unwrap(), everything);
    });
}

#[tokio::test]
async fn what_is_stored_reads_back_equal() {
    on_table::<All, _>("key-only-all", |bench| async move {
        let table = &bench.table;
        let mut all = Vec::new();
        each(cases(200).min(200), |everything| all.push(everything));
        table.batch_write().put_all(&all).send().await.unwrap();
        for everything in &all {
            let found = table.get(everything.key()).consistent().send().await.unwrap();
            assert_eq!(found.as_ref(), Some(everything));
            let of_index = || Everything::by_text(&everything.text).nanos(everything.nanos);
            eventually(true, || async {
                table.query(of_index()).all().await.unwrap().contains(everything)
            })
            .await;
        }
    })
    .await;
}

#[test]
fn a_value_that_the_key_would_round_is_refused_before_it_is_lost() {
    let mut found = None;
    each(1, |everything| found = Some(everything));
    let mut everything = found.unwrap();
    everything.seconds = DateTime::from_timestamp(1, 5).unwrap();
    let error = everything.to_item().unwrap_err();
    assert!(error.is_invalid_key() && error.to_string().contains("rounded"), "{error}");
    assert!(everything.key().partition_key().is_err());
}
