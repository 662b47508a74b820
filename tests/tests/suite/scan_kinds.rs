//! Scans of an entity, of an enum of entities and of an index.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_sdk_dynamodb::types::AttributeValue;
use monotable::expr::raw_condition;
use monotable::{Entity, Item, ItemCollection, Schema, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{eventually, on_table};
use tests::engine;
use tests::models::library::{Book, Library, Loan, Note, book};
use tests::models::plain::{Edge, Graph, edges};
use tests::models::shop::{Customer, Order, OrderLine, Shop, Status, date, line, order};

#[derive(Debug, Clone, PartialEq, ItemCollection)]
#[collection(table = Shop)]
enum OrderItem {
    Order(Order),
    Line(OrderLine),
}

/// One that keeps what it does not know.
#[derive(Debug, Clone, PartialEq, ItemCollection)]
#[collection(table = Shop)]
enum Anything {
    Order(Order),
    #[collection(other)]
    Other(Item),
}

async fn put_raw<T: Schema>(table: &Table<T>, item: Item) {
    let put = table.client().put_item().table_name(table.name());
    put.set_item(Some(item)).send().await.unwrap();
}

fn shared() -> (Order, OrderLine, Customer) {
    let ana = Customer { customer_id: "c1".into(), name: "Ana".into() };
    (order("o1", Status::Pending, 0), line("o1", 1, 3), ana)
}

#[tokio::test]
async fn kinds_are_skipped_refused_or_kept() {
    on_table::<Shop, _>("scan-kinds", |bench| async move {
        let shop = &bench.table;
        let (order, line, ana) = shared();
        shop.put(&order).send().await.unwrap();
        shop.put(&line).send().await.unwrap();
        shop.put(&ana).send().await.unwrap();

        let orders = shop.full_scan().consistent().of::<Order>().all().await.unwrap();
        assert_eq!(orders, std::slice::from_ref(&order));
        let mut both = shop.full_scan().of::<OrderItem>().consistent().all().await.unwrap();
        both.sort_by_key(|found| matches!(found, OrderItem::Line(_)));
        assert_eq!(both, [OrderItem::Order(order.clone()), OrderItem::Line(line)]);
        assert_eq!(shop.full_scan().consistent().all_of::<OrderItem>().await.unwrap().len(), 2);

        let refused = shop.full_scan().consistent().of::<OrderItem>().refuse_unknown();
        let error = refused.all().await.unwrap_err();
        assert!(error.is_decode());
        assert_eq!(
            error.to_string(),
            "the item `CUST#c1 + PROFILE` is no `OrderItem`: it is none of `Order`, `OrderLine`, and unknown items are refused"
        );
        // A filter may leave out what would be refused.
        let filtered = shop.full_scan().consistent().of::<OrderItem>().refuse_unknown();
        let filtered = filtered.filter::<Order, _>(|o| o.order_id.exists());
        assert_eq!(filtered.all().await.unwrap().len(), 2);

        let kept = shop.full_scan().consistent().of::<Anything>().all().await.unwrap();
        let others: BTreeSet<_> = kept
            .iter()
            .filter_map(|found| match found {
                Anything::Other(item) => Some(item["SK"].as_s().unwrap().as_str()),
                Anything::Order(found) => {
                    assert_eq!(*found, order);
                    None
                }
            })
            .collect();
        assert_eq!(others, BTreeSet::from(["LINE#0001", "PROFILE"]));
        let refused = shop.full_scan().consistent().of::<Anything>().refuse_unknown();
        assert!(refused.all().await.unwrap_err().is_decode());

        // An item of the kind that does not decode is an error, wherever it comes.
        put_raw(shop, Order::key("o2").to_item().unwrap()).await;
        let mut lazy = shop.full_scan().consistent().of::<Order>().segments(3).stream();
        let mut errors = 0;
        let mut found = 0;
        loop {
            match lazy.try_next().await {
                Ok(Some(_)) => found += 1,
                Ok(None) => break,
                Err(error) => {
                    assert!(error.to_string().contains("`ORDER#o2 + META` is no `Order`"), "{error}");
                    errors += 1;
                    break;
                }
            }
        }
        assert!(errors == 1 && found <= 1);
    })
    .await;
}

#[tokio::test]
async fn the_type_attribute_is_asked_for_and_what_is_stored_without_is_not_lost() {
    on_table::<Library, _>("scan-types", |bench| async move {
        let library = &bench.table;
        library.put(&book(1, "a")).send().await.unwrap();
        let note = |id| Note { branch: "north".into(), reader: "r".into(), id, text: "t".into() };
        library.put(&note(1)).send().await.unwrap();
        let with_type = |id, ty: Option<AttributeValue>| {
            let mut item = note(id).to_item().unwrap();
            match ty {
                Some(ty) => item.insert("_et".into(), ty),
                None => item.remove("_et"),
            };
            item
        };
        let text = |name: &str| AttributeValue::S(name.into());
        put_raw(library, with_type(2, Some(text("memo")))).await;
        put_raw(library, with_type(3, None)).await;
        put_raw(library, with_type(4, Some(AttributeValue::L(vec![text("note")])))).await;
        put_raw(library, with_type(5, Some(AttributeValue::Ss(vec!["Note".into()])))).await;
        // Not a type at all: the keys decide.
        put_raw(library, with_type(6, Some(AttributeValue::N("6".into())))).await;
        put_raw(library, with_type(7, Some(text("stranger")))).await;

        bench.recorder.take();
        let notes = library.full_scan().consistent().of::<Note>().all().await.unwrap();
        let ids: BTreeSet<_> = notes.iter().map(|note| note.id).collect();
        assert_eq!(ids, BTreeSet::from([1, 2, 3, 4, 5, 6]));
        let sent = bench.recorder.take();
        let values = sent[0].body["ExpressionAttributeValues"].to_string();
        for name in ["note", "Note", "memo"] {
            assert!(values.contains(&format!("\"{name}\"")), "{values}");
        }
        // DynamoDB does not send what has another type.
        let kinds = library.full_scan().consistent().of::<Note>();
        let page = kinds.into_sdk().unwrap().send().await.unwrap();
        assert_eq!((page.count, page.scanned_count), (6, 8));

        // Unknown ones must come back to be refused.
        let refused = library.full_scan().consistent().of::<Note>().refuse_unknown();
        assert!(!refused.explain().unwrap().to_string().contains("FilterExpression"));
        assert!(refused.all().await.is_err());
    })
    .await;
}

#[derive(Debug, Table)]
#[table(
    pk = "PK",
    sk = "SK",
    ttl = "gone_at",
    type_attribute = "_et",
    entities(Session, Visit, User)
)]
struct Web;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Web, pk = "SESSION#<id>", sk = "META", ttl = until)]
struct Session {
    id: u32,
    until: Option<SystemTime>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Web, pk = "SESSION#<id>", sk = "VISIT#<n:4>", ttl = until)]
struct Visit {
    id: u32,
    n: u16,
    until: Option<SystemTime>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Web, pk = "USER#<id>", sk = "META", unique(email))]
struct User {
    id: u32,
    email: String,
}

#[derive(Debug, PartialEq, ItemCollection)]
#[collection(table = Web)]
enum WebItem {
    Session(Session),
    #[collection(other)]
    Other(Item),
}

#[tokio::test]
async fn expired_items_are_left_out_and_guards_stay_hidden() {
    on_table::<Web, _>("scan-expired", |bench| async move {
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        let web = bench.table.clone().with_clock(move || at(1_000));
        let session = |id, until: Option<u64>| Session { id, until: until.map(at) };
        for session in [session(1, None), session(2, Some(1_000)), session(3, Some(1_001))] {
            web.put(&session).send().await.unwrap();
        }
        web.put(&Visit { id: 2, n: 1, until: Some(at(999)) }).send().await.unwrap();
        web.create(&User { id: 1, email: "a@b".into() }).send().await.unwrap();

        let ids = async |scan: monotable::op::FullScan<Web, Session>| {
            let found = scan.all().await.unwrap();
            found.into_iter().map(|session| session.id).collect::<BTreeSet<_>>()
        };
        let scan = || web.full_scan().consistent();
        assert_eq!(ids(scan().of::<Session>()).await, BTreeSet::from([1, 3]));
        assert_eq!(ids(scan().of::<Session>().include_expired()).await, BTreeSet::from([1, 2, 3]));
        assert_eq!(ids(scan().include_expired().of()).await, BTreeSet::from([1, 2, 3]));

        let kinds = async |scan: monotable::op::FullScan<Web>| {
            let found = scan.all().await.unwrap();
            let mut kinds: Vec<_> = found.iter().map(|found| found.entity().unwrap()).collect();
            kinds.sort_unstable();
            kinds
        };
        assert_eq!(kinds(scan()).await, ["Session", "Session", "User"]);
        let all = ["Session", "Session", "Session", "User", "Visit"];
        assert_eq!(kinds(scan().include_expired()).await, all);

        // What an enum keeps as it is has no kind whose time to live could be over, and no guard.
        let kept = scan().of::<WebItem>().all().await.unwrap();
        let others = kept.iter().filter(|found| matches!(found, WebItem::Other(_))).count();
        assert_eq!((kept.len(), others), (4, 2));
    })
    .await;
}

#[tokio::test]
async fn a_global_index_by_its_name() {
    on_table::<Shop, _>("scan-index", |bench| async move {
        let shop = &bench.table;
        let pending = order("o1", Status::Pending, 0);
        shop.put(&pending).send().await.unwrap();
        shop.put(&order("o2", Status::Shipped, 0)).send().await.unwrap();
        shop.put(&line("o1", 1, 3)).send().await.unwrap();
        let found = async || shop.full_scan().index("gsi1").all_of::<Order>().await.unwrap();
        eventually(vec![pending], found).await;
        bench.recorder.take();
        let entities = async || {
            let found = shop.full_scan().index("gsi2").segments(2).all().await.unwrap();
            found.iter().map(|found| found.entity()).collect::<Vec<_>>()
        };
        eventually(vec![Some("OrderLine")], entities).await;
        let sent = bench.recorder.take();
        assert!(sent.iter().all(|sent| sent.body["IndexName"] == "gsi2"));

        bench.recorder.take();
        let error = shop.full_scan().index("gsi3").all().await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "`Shop` has no index `gsi3`; its indexes are: `gsi1`, `gsi2`"
        );
        let scan = shop.full_scan().index("gsi1").consistent().of::<Order>();
        assert_eq!(
            scan.all().await.unwrap_err().to_string(),
            "the global index `gsi1` has no consistent reads: drop `.consistent()`, or scan the table"
        );
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn an_index_that_holds_a_part_yields_no_entities() {
    on_table::<Library, _>("scan-partial", |bench| async move {
        let library = &bench.table;
        let stored = Book { shelf: Some(3), isbn: Some("i1".into()), ..book(1, "a") };
        library.put(&stored).send().await.unwrap();
        library.put(&book(2, "b")).send().await.unwrap();

        bench.recorder.take();
        let whole = library.full_scan().index("by_shelf").of::<Book>();
        assert_eq!(
            whole.all().await.unwrap_err().to_string(),
            "the index `by_shelf` projects a part of each item, so a `Book` cannot be read from it: scan it without `.of`, or scan the table"
        );
        let filtered = library.full_scan().index("by_shelf").filter::<Book, _>(|b| b.pages.gt(1));
        let error = filtered.all().await.unwrap_err();
        assert!(error.is_invalid_expression(), "{error}");
        assert!(bench.recorder.take().is_empty());

        let names = async || {
            let scan = library.full_scan().index("by_shelf");
            let found = scan.filter::<Book, _>(|b| b.title.eq("a")).all().await.unwrap();
            found.iter().flat_map(|found| found.item().keys().cloned()).collect::<BTreeSet<_>>()
        };
        let expected = ["GSI2PK", "GSI2SK", "PK", "SK", "title"].map(String::from);
        eventually(BTreeSet::from(expected), names).await;
        let found = library.full_scan().index("by_shelf").all().await.unwrap().remove(0);
        // By its keys, as the type attribute is not projected.
        assert!(found.is::<Book>() && found.entity() == Some("Book"));
        let error = found.decode::<Book>().unwrap_err();
        assert!(error.is_decode());
        assert_eq!(
            error.to_string(),
            "the item `BRANCH#north + BOOK#000001` is no `Book`: the index `by_shelf` holds a part of it; read the whole one by its key, or project all"
        );
    })
    .await;
}

#[tokio::test]
async fn a_local_index_is_read_consistently_and_for_what_it_holds() {
    on_table::<Library, _>("scan-local", |bench| async move {
        let library = &bench.table;
        library.put(&book(1, "a")).send().await.unwrap();
        let loan = Loan { branch: "north".into(), reader: "r".into(), id: 1, due: None };
        library.put(&loan).send().await.unwrap();
        let scan = || library.full_scan().index("by_title").consistent();
        let error = scan().of::<Book>().explain().unwrap_err().to_string();
        assert!(error.starts_with("the index `by_title` projects a part of each item"), "{error}");
        let found = scan()
            .filter::<Book, _>(|_| {
                raw_condition("#raw > :raw")
                    .name("#raw", "LSI1SK")
                    .value(":raw", AttributeValue::S(" ".into()))
            })
            .all()
            .await
            .unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].is::<Book>() && found[0].item()["LSI1SK"].is_s());
    })
    .await;
}

#[tokio::test]
async fn a_filter_may_name_key_attributes() {
    on_table::<Graph, _>("scan-keys", |bench| async move {
        let graph = &bench.table;
        for edge in edges() {
            graph.put(&edge).send().await.unwrap();
        }
        let scan = graph.full_scan().consistent().of::<Edge>();
        let found = scan.filter::<Edge, _>(|e| e.from.eq("a") & e.to.begins_with("b")).all().await;
        let found: BTreeSet<_> = found.unwrap().into_iter().map(|edge| edge.to).collect();
        assert_eq!(found, BTreeSet::from(["b".to_owned(), "b + c".to_owned()]));
    })
    .await;
}

#[tokio::test]
async fn a_budget_adapts_the_limits_that_are_sent() {
    on_table::<Shop, _>("scan-adapts", |bench| async move {
        let shop = &bench.table;
        let lines: Vec<_> = (0..400).map(|n| line("o1", n, 900)).collect();
        shop.batch_write().put_all(&lines).send().await.unwrap();
        bench.recorder.take();
        let scan = shop.full_scan().of::<OrderLine>().capacity_per_second(80.0);
        assert_eq!(scan.all().await.unwrap().len(), 400);
        let sent = bench.recorder.take();
        let limits: Vec<_> = sent.iter().map(|sent| sent.body["Limit"].as_u64().unwrap()).collect();
        assert_eq!(limits[0], 1);
        assert!(limits.windows(2).all(|pair| pair[1] <= 4 * pair[0]), "{limits:?}");
        if engine::counts_capacity() {
            // 20 units are 160 KB, about 150 of these items.
            let greatest = *limits.iter().max().unwrap();
            assert!((100..180).contains(&greatest), "{limits:?}");
        }
        // With a page size of its own a scan keeps to it.
        let scan = shop.full_scan().capacity_per_second(10_000.0).page_size(150);
        assert_eq!(scan.all().await.unwrap().len(), 400);
        assert!(bench.recorder.take().iter().all(|sent| sent.body["Limit"] == 150));
    })
    .await;
}

#[tokio::test]
async fn dates_are_what_they_were() {
    on_table::<Shop, _>("scan-line", |bench| async move {
        let stored = OrderLine { order_date: date(2026, 2, 28), ..line("o9", 7, 0) };
        bench.table.put(&stored).send().await.unwrap();
        let mut lazy = bench.table.full_scan().consistent().of::<OrderLine>().stream();
        assert_eq!(lazy.try_next().await.unwrap(), Some(stored));
        assert_eq!(lazy.try_next().await.unwrap(), None);
    })
    .await;
}
