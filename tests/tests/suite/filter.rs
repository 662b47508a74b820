use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use monotable::expr::{AttributeType, Condition, Reading, all, any, raw_condition};
use monotable::{Bytes, Document, Entity, Error, ItemCollection, Set, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{Bench, eventually, on_table};
use tests::models::shop::{OrderLine, OrderPage, OrderSummary, Shop, date, summary};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", type_attribute = "_et", entities(Article, Review))]
#[gsi(by_kind, pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(by_maker, pk = "GSI2PK", projection = include("price"))]
#[lsi(by_price, sk = ("price", N))]
struct Depot;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Depot, pk = "SHELF#<shelf>", sk = "ARTICLE#<id:4>", null(nick))]
#[index(by_kind, pk = "KIND#<kind>#<shard>", sk = "<id:4>", shard(by = id, count = 3), name = "by_kind")]
#[index(by_maker, pk = "MAKER#<shelf>#<id>", name = "by_maker")]
#[index(by_price, sk = "<price>", name = "by_price")]
struct Article {
    shelf: String,
    id: u32,
    kind: String,
    price: i64,
    name: String,
    #[serde(rename = "net.price-per_unit")]
    net: f64,
    note: Option<String>,
    nick: Option<String>,
    tags: Set<String>,
    sizes: Vec<u32>,
    data: Bytes,
    origin: Place,
    maker: Option<Place>,
    stock: BTreeMap<String, u32>,
    sold_out: bool,
    #[serde(with = "chrono::serde::ts_seconds")]
    since: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Document)]
#[serde(rename_all = "kebab-case")]
struct Place {
    city_name: String,
    zip: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Depot, pk = "SHELF#<shelf>", sk = "REVIEW#<id:4>", type_alias("Opinion"))]
struct Review {
    shelf: String,
    id: u32,
    name: String,
}

#[derive(Debug, PartialEq, ItemCollection)]
#[collection(table = Depot, pk = "SHELF#<shelf>")]
struct Shelf {
    articles: Vec<Article>,
    reviews: Vec<Review>,
}

fn second(id: u32) -> DateTime<Utc> {
    DateTime::from_timestamp(1_700_000_000 + i64::from(id), 0).unwrap()
}

/// Differ in every attribute, by the remainder of their number.
fn article(id: u32) -> Article {
    let place = |n: u32| Place { city_name: format!("city {n}"), zip: (n > 0).then_some(n) };
    let text = |n: u32| (n > 0).then(|| format!("text {n}"));
    Article {
        shelf: "s1".into(),
        id,
        kind: "lamp".into(),
        price: i64::from(id) - 5,
        name: format!("{}{id}", if id.is_multiple_of(2) { "even " } else { "odd " }),
        net: f64::from(id) / 2.0,
        note: text(id % 3),
        nick: text(id % 4),
        tags: (0..id % 3).map(|n| format!("tag {n}")).collect(),
        sizes: (0..id % 4).collect(),
        data: Bytes::from(vec![u8::try_from(id).unwrap(); 3]),
        origin: place(id % 3),
        maker: (id % 2 == 1).then(|| place(id % 3)),
        stock: (0..id % 3).map(|n| (format!("hall.{n}"), n)).collect(),
        sold_out: id.is_multiple_of(5),
        since: second(id),
    }
}

const COUNT: u32 = 12;

async fn fill(table: &Table<Depot>) {
    for id in 0..COUNT {
        table.put(&article(id)).send().await.unwrap();
    }
}

type Fields = <Article as Entity>::Fields<Reading>;
type Case = (&'static str, Condition, fn(&Article) -> bool);

/// Conditions, and what they say of an article.
#[allow(clippy::too_many_lines)]
fn cases(o: &Fields) -> Vec<Case> {
    let no_one = Vec::<u32>::new;
    // Numbers that no article has, and two that one has.
    let many = |n: u32| (100..).take(n as usize - 2).chain([3, 4]);
    vec![
        ("eq", o.name.eq("odd 3"), |a| a.id == 3),
        ("eq number", o.id.eq(3), |a| a.id == 3),
        ("eq float", o.net.eq(1.5), |a| a.id == 3),
        ("eq bool", o.sold_out.eq(true), |a| a.sold_out),
        ("eq list", o.sizes.eq(vec![0, 1]), |a| a.sizes.len() == 2),
        (
            "eq set",
            o.tags.eq(["tag 1", "tag 0"].map(String::from).into_iter().collect::<Set<_>>()),
            |a| a.tags.len() == 2,
        ),
        ("eq empty set", o.tags.eq(Set::new()), |a| a.tags.is_empty()),
        ("eq bytes", o.data.eq(Bytes::from(vec![3; 3])), |a| a.id == 3),
        ("eq document", o.origin.eq(Place { city_name: "city 0".into(), zip: None }), |a| {
            a.id % 3 == 0
        }),
        ("eq map", o.stock.eq(BTreeMap::from([("hall.0".to_owned(), 0)])), |a| a.id % 3 == 1),
        ("eq none", o.note.eq(None), |a| a.note.is_none()),
        ("eq null", o.nick.eq(None), |a| a.nick.is_none()),
        ("eq some", o.note.eq("text 1"), |a| a.id % 3 == 1),
        ("eq encoded", o.since.eq(second(4)), |a| a.id == 4),
        ("ne", o.name.ne("odd 3"), |a| a.id != 3),
        ("ne none", o.note.ne(None), |a| a.note.is_some()),
        ("ne null", o.nick.ne(None), |a| a.nick.is_some()),
        ("ne of what is absent", o.note.ne("text 1"), |a| a.id % 3 != 1),
        ("lt", o.price.lt(0), |a| a.price < 0),
        ("le", o.price.le(0), |a| a.price <= 0),
        ("gt", o.price.gt(0), |a| a.price > 0),
        ("ge", o.price.ge(0), |a| a.price >= 0),
        ("lt text", o.name.lt("odd"), |a| a.id % 2 == 0),
        ("ge bytes", o.data.ge(Bytes::from(vec![5])), |a| a.id >= 5),
        ("gt float", o.net.gt(2.0), |a| a.id > 4),
        ("le encoded", o.since.le(second(4)), |a| a.id <= 4),
        ("lt of what is absent", o.note.lt("z"), |a| a.note.is_some()),
        ("between", o.price.between(-2, 2), |a| (-2..=2).contains(&a.price)),
        ("between text", o.name.between("even 2", "even 6"), |a| [2, 4, 6].contains(&a.id)),
        ("between nothing", o.price.between(2, -2), |_| false),
        ("not between nothing", !o.price.between(2, -2), |_| true),
        ("in nothing", o.id.in_(no_one()), |_| false),
        ("not in nothing", !o.id.in_(no_one()), |_| true),
        ("in one", o.id.in_([3]), |a| a.id == 3),
        ("in 100", o.id.in_(many(100)), |a| a.id == 3 || a.id == 4),
        ("in 101", o.id.in_(many(101)), |a| a.id == 3 || a.id == 4),
        ("in 250", o.id.in_(many(250)), |a| a.id == 3 || a.id == 4),
        ("not in 250", !o.id.in_(many(250)), |a| a.id != 3 && a.id != 4),
        ("in 250 and more", o.id.in_(many(250)) & o.name.eq("odd 3"), |a| a.id == 3),
        ("in texts", o.name.in_(["odd 3", "even 4"]), |a| a.id == 3 || a.id == 4),
        ("in some", o.note.in_(["text 1", "text 2"]), |a| a.note.is_some()),
        ("in none", o.note.in_([None::<String>]), |a| a.note.is_none()),
        ("in none and some", o.nick.in_([None, Some("text 1".to_owned())]), |a| a.id % 4 < 2),
        ("in encoded", o.since.in_([second(1), second(2)]), |a| a.id == 1 || a.id == 2),
        ("begins_with", o.name.begins_with("even"), |a| a.id % 2 == 0),
        ("begins_with nothing", o.note.begins_with(""), |a| a.note.is_some()),
        ("begins_with some", o.note.begins_with("text 2"), |a| a.id % 3 == 2),
        ("begins_with bytes", o.data.begins_with(Bytes::from(vec![7])), |a| a.id == 7),
        ("contains text", o.name.contains("d 1"), |a| [1, 11].contains(&a.id)),
        ("contains list", o.sizes.contains(2), |a| a.id % 4 == 3),
        ("contains set", o.tags.contains("tag 1"), |a| a.id % 3 == 2),
        ("contains some", o.note.contains("1"), |a| a.id % 3 == 1),
        ("size of text", o.name.size().gt(6), |a| a.name.len() > 6),
        ("size of bytes", o.data.size().eq(3), |_| true),
        ("size of a list", o.sizes.size().between(1, 2), |a| [1, 2].contains(&(a.id % 4))),
        ("size of a set", o.tags.size().ge(1), |a| !a.tags.is_empty()),
        ("size of a map", o.stock.size().lt(2), |a| a.stock.len() < 2),
        ("size of a document", o.origin.size().ne(1), |a| a.origin.zip.is_some()),
        ("size of nothing", o.note.size().le(9), |a| a.note.is_some()),
        ("size between nothing", o.name.size().between(9, 1), |_| false),
        ("exists", o.note.exists(), |a| a.note.is_some()),
        ("missing", o.note.missing(), |a| a.note.is_none()),
        ("null exists", o.nick.exists(), |_| true),
        ("null is not missing", o.nick.missing(), |_| false),
        ("is_none", o.note.is_none(), |a| a.note.is_none()),
        ("is_none of null", o.nick.is_none(), |a| a.nick.is_none()),
        ("is_some", o.note.is_some(), |a| a.note.is_some()),
        ("is_some of null", o.nick.is_some(), |a| a.nick.is_some()),
        ("has_type", o.nick.has_type(AttributeType::Null), |a| a.nick.is_none()),
        ("has_type S", o.nick.has_type(AttributeType::S), |a| a.nick.is_some()),
        ("has_type SS", o.tags.has_type(AttributeType::Ss), |a| !a.tags.is_empty()),
        ("has_type N", o.since.has_type(AttributeType::N), |_| true),
        ("has_type M", o.maker.has_type(AttributeType::M), |a| a.maker.is_some()),
        ("and", o.price.gt(0) & o.sold_out.eq(true), |a| a.price > 0 && a.sold_out),
        ("or", o.price.gt(4) | o.sold_out.eq(true), |a| a.price > 4 || a.sold_out),
        ("not", !o.sold_out.eq(true), |a| !a.sold_out),
        ("not not", !!o.sold_out.eq(true), |a| a.sold_out),
        ("not or", !(o.price.gt(4) | o.sold_out.eq(true)), |a| a.price <= 4 && !a.sold_out),
        ("not and", !(o.price.gt(4) & o.sold_out.eq(true)), |a| a.price <= 4 || !a.sold_out),
        (
            "or inside of and",
            (o.id.eq(1) | o.id.eq(2) | o.id.eq(5)) & (o.sold_out.eq(true) | o.id.eq(1)),
            |a| a.id == 1 || a.id == 5,
        ),
        (
            "and inside of or",
            (o.id.gt(1) & o.id.lt(4)) | (o.id.gt(7) & o.id.lt(9)) | o.id.eq(0),
            |a| [2, 3, 8, 0].contains(&a.id),
        ),
        ("and of ands", (o.id.gt(1) & o.id.gt(2)) & (o.id.lt(6) & o.id.lt(5)), |a| {
            [3, 4].contains(&a.id)
        }),
        ("all", all([o.id.gt(1), o.id.lt(4)]), |a| [2, 3].contains(&a.id)),
        ("all of one", all([o.id.gt(1)]), |a| a.id > 1),
        ("all of none", all([]), |_| true),
        ("not all of none", !all([]), |_| false),
        ("any", any([o.id.eq(1), o.id.eq(4)]), |a| [1, 4].contains(&a.id)),
        ("any of none", any([]), |_| false),
        ("not any of none", !any([]), |_| true),
        ("any of none or more", any([]) | o.id.eq(1), |a| a.id == 1),
        ("all of none and more", all([]) & o.id.eq(1), |a| a.id == 1),
        ("any of none and more", any([]) & o.id.eq(1), |_| false),
        ("all of none or more", all([]) | o.id.eq(1), |_| true),
        ("nested none", all([any([all([]), o.id.eq(1)]), o.id.lt(3)]), |a| a.id < 3),
        ("document", o.origin.city_name.eq("city 1"), |a| a.id % 3 == 1),
        ("none in a document", o.origin.zip.is_none(), |a| a.id % 3 == 0),
        ("option of a document", o.maker.city_name.begins_with("city"), |a| a.maker.is_some()),
        ("none in an option", o.maker.zip.missing(), |a| {
            a.maker.as_ref().is_none_or(|maker| maker.zip.is_none())
        }),
        ("list element", o.sizes.at(1).eq(1), |a| a.sizes.len() > 1),
        ("no list element", o.sizes.at(2).missing(), |a| a.sizes.len() < 3),
        ("map entry", o.stock.entry("hall.1").eq(1), |a| a.id % 3 == 2),
        ("no map entry", o.stock.entry("hall").missing(), |_| true),
        (
            "raw",
            Condition::from(
                raw_condition("size(#raw_name) > :raw_six").name("#raw_name", "name").value(
                    ":raw_six",
                    monotable::aws_sdk_dynamodb::types::AttributeValue::N("6".into()),
                ),
            ) & o.id.gt(10),
            |a| a.name.len() > 6 && a.id > 10,
        ),
    ]
}

fn ids(articles: &[Article]) -> Vec<u32> {
    articles.iter().map(|article| article.id).collect()
}

/// The cases; the closure of a filter is what has the paths.
fn all_cases(table: &Table<Depot>) -> Vec<Case> {
    let mut found = Vec::new();
    let scan = table.full_scan().filter::<Article, _>(|o| {
        found = cases(o);
        None::<Condition>
    });
    drop(scan);
    found
}

#[tokio::test]
async fn every_condition_says_what_rust_says() {
    on_table::<Depot, _>("filter-conditions", |bench| async move {
        let table = &bench.table;
        fill(table).await;
        for (name, condition, holds) in all_cases(table) {
            let is_known = match name {
                "begins_with bytes" => tests::engine::has_binary_prefixes(),
                "size of a set" | "size of nothing" => tests::engine::knows_size_of_nothing(),
                _ => true,
            };
            if !is_known {
                continue;
            }
            let expected: Vec<u32> = (0..COUNT).filter(|id| holds(&article(*id))).collect();
            let mut found = table.full_scan().filter::<Article, _>(|_| condition.clone());
            found = found.consistent();
            let mut found = ids(&found.all_of::<Article>().await.unwrap());
            found.sort_unstable();
            assert_eq!(found, expected, "{name}");

            // The same as the condition of a write.
            let check = table.check(Article::key("s1", 3)).condition(|_| condition);
            let outcome = check.send().await;
            let as_expected = match &outcome {
                Ok(()) => expected.contains(&3),
                Err(error) => error.is_condition_failed() && !expected.contains(&3),
            };
            assert!(as_expected, "{name}: {outcome:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_query_of_the_table_and_of_each_index() {
    on_table::<Depot, _>("filter-indexes", |bench| async move {
        let table = &bench.table;
        fill(table).await;
        let of_table = || table.query(Article::by_shelf("s1")).consistent();
        let found = of_table().filter(|o| o.price.gt(4)).all().await.unwrap();
        assert_eq!(ids(&found), [10, 11]);
        // Given again, both hold, and so do all of a tuple or a `Vec`; `None` asks nothing.
        let found = of_table().filter(|o| o.price.gt(0)).filter(|o| (o.price.lt(4), o.net.gt(3.0)));
        assert_eq!(ids(&found.all().await.unwrap()), [7, 8]);
        let found = of_table().filter(|o| (None::<Condition>, vec![o.price.eq(1), o.net.eq(3.0)]));
        assert_eq!(ids(&found.all().await.unwrap()), [6]);
        let found = of_table().filter(|_| None::<Condition>).all().await.unwrap();
        assert_eq!(found.len(), 12);

        let of_shards = || table.query(Article::by_kind("lamp"));
        eventually(12, || async { of_shards().count().await.unwrap() }).await;
        let found = of_shards().filter(|o| o.price.gt(0) & o.maker.is_some());
        assert_eq!(ids(&found.all().await.unwrap()), [7, 9, 11]);
        let found = of_shards().filter(|o| o.price.gt(0)).limit(2).descending();
        assert_eq!(ids(&found.all().await.unwrap()), [11, 10]);
        let counted = of_shards().filter(|o| o.shelf.eq("s1") & o.price.le(0));
        assert_eq!(counted.count().await.unwrap(), 6);
        // A key attribute of another index is an attribute like others.
        let shard = of_shards().filter(|o| o.kind.eq("lamp"));
        assert_eq!(shard.count().await.unwrap(), 12);

        let by_price = || table.query(Article::by_price("s1")).consistent();
        let found = by_price().filter(|o| o.sold_out.eq(true)).all().await.unwrap();
        assert_eq!(ids(&found), [0, 5, 10]);
        let found = by_price().filter(|o| o.sold_out.eq(true)).descending().limit(2);
        assert_eq!(ids(&found.all().await.unwrap()), [10, 5]);

        let keys = table.query(Article::by_maker("s1", 3)).filter(|o| o.price.lt(0));
        eventually(1, || async {
            table.query(Article::by_maker("s1", 3)).keys().all().await.unwrap().len()
        })
        .await;
        assert_eq!(keys.keys().all().await.unwrap(), [Article::key("s1", 3)]);
        let keys = table.query(Article::by_maker("s1", 3)).filter(|o| o.price.gt(0));
        assert!(keys.keys().all().await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn an_erased_pattern_is_refused_when_it_is_sent() {
    on_table::<Depot, _>("filter-erased", |bench| async move {
        let table = &bench.table;
        fill(table).await;
        let found = table.query(Article::by_shelf("s1").erase()).filter(|o| o.price.gt(4));
        assert_eq!(ids(&found.all().await.unwrap()), [10, 11]);
        bench.recorder.take();

        let refused = |error: Error, name: &str, why: &str| {
            assert!(error.is_invalid_expression(), "{error}");
            let text = error.to_string();
            assert!(text.contains(&format!("`{name}`")) && text.contains(why), "{text}");
        };
        let query = table.query(Article::by_price("s1").erase()).filter(|o| o.price.gt(4));
        refused(query.explain().unwrap_err(), "price", "key attribute");
        refused(query.all().await.unwrap_err(), "price", "key attribute");
        let query = table.query(Article::by_price("s1").erase());
        let query = query.filter(|o| any([o.id.eq(1), !(o.id.gt(5) & o.price.gt(4))]));
        refused(query.count().await.unwrap_err(), "price", "key attribute");
        let query = table.query(Article::by_maker("s1", 3).erase()).filter(|o| o.origin.zip.eq(3));
        refused(query.keys().all().await.unwrap_err(), "origin", "not projected");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_collection_filters_one_kind() {
    on_table::<Depot, _>("filter-collection", |bench| async move {
        let table = &bench.table;
        fill(table).await;
        for id in 0..4 {
            let review = Review { shelf: "s1".into(), id, name: "good".into() };
            table.put(&review).send().await.unwrap();
        }
        // One that is stored under another name of the kind.
        let mut item = Review { shelf: "s1".into(), id: 4, name: "a".into() }.to_item().unwrap();
        item.insert("_et".into(), aws_sdk_dynamodb::types::AttributeValue::S("Opinion".into()));
        let put = table.client().put_item().table_name(table.name());
        put.set_item(Some(item)).send().await.unwrap();

        let shelf = || table.collection(Shelf::by_shelf("s1")).consistent();
        let found = shelf().filter::<Article, _>(|o| o.price.gt(4)).send().await.unwrap().unwrap();
        assert_eq!((ids(&found.articles), found.reviews.len()), (vec![10, 11], 5));
        let found = shelf().filter::<Review, _>(|o| o.name.gt("b")).send().await.unwrap().unwrap();
        assert_eq!((found.articles.len(), found.reviews.len()), (12, 4));
        let both = shelf().filter::<Review, _>(|o| o.name.gt("b") & o.id.lt(2));
        let both =
            both.filter::<Article, _>(|o| o.sold_out.eq(true)).send().await.unwrap().unwrap();
        assert_eq!((ids(&both.articles), both.reviews.len()), (vec![0, 5, 10], 2));
        let none = shelf().filter::<Review, _>(|_| any([])).filter::<Article, _>(|_| any([]));
        assert_eq!(none.send().await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn a_collection_without_a_type_attribute_cannot() {
    on_table::<Shop, _>("filter-untyped", |bench| async move {
        let pattern = OrderPage::by_order_id("o1");
        let page = bench.table.collection(pattern).filter::<OrderLine, _>(|o| o.line.gt(1));
        for error in [page.explain().unwrap_err(), page.send().await.unwrap_err()] {
            assert!(error.is_invalid_expression(), "{error}");
            assert!(error.to_string().contains("`type_attribute = \"_et\"`"), "{error}");
        }
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_scan_of_every_kind() {
    on_table::<Depot, _>("filter-scan", |bench| async move {
        let table = &bench.table;
        fill(table).await;
        table
            .put(&Review { shelf: "s1".into(), id: 1, name: "odd 11".into() })
            .send()
            .await
            .unwrap();
        let scan = || {
            table
                .full_scan()
                .consistent()
                .filter::<Article, _>(|o| o.name.ge("odd 11") & o.name.lt("odd 2"))
        };
        let mut kinds: Vec<_> =
            scan().all().await.unwrap().iter().map(monotable::op::ScannedItem::entity).collect();
        kinds.sort_unstable();
        assert_eq!(kinds, [Some("Article"), Some("Review")]);
        let articles = scan().segments(3).page_size(2).all_of::<Article>().await.unwrap();
        assert_eq!(ids(&articles), [11]);
        // A scan may filter by the keys.
        let scan = scan().filter::<Article, _>(|o| o.shelf.eq("s1") & o.id.eq(1));
        assert_eq!(scan.all().await.unwrap().len(), 1);
    })
    .await;
}

/// Of 100 orders every twentieth has a total of 1.
async fn sparse(bench: &Bench<Shop>) -> Vec<String> {
    let mut batch = bench.table.batch_write();
    let mut matching = Vec::new();
    for n in 0..100 {
        let fits = n % 20 == 7;
        let mut order = summary(date(2026, 9, 1), &format!("o{n:03}"));
        order.total = u32::from(fits);
        matching.extend(fits.then(|| order.order_id.clone()));
        batch = batch.put(&order);
    }
    batch.send().await.unwrap();
    bench.recorder.take();
    matching
}

#[tokio::test]
async fn a_limit_counts_what_fits() {
    on_table::<Shop, _>("filter-limit", |bench| async move {
        let matching = sparse(&bench).await;
        let query = || bench.table.query(OrderSummary::by_customer_id("c42"));
        let query = || query().filter(|o| o.total.eq(1));
        let ids = |orders: Vec<OrderSummary>| -> Vec<String> {
            orders.into_iter().map(|order| order.order_id).collect()
        };
        for limit in [1, 4, 5, 6] {
            let found = ids(query().limit(limit).all().await.unwrap());
            assert_eq!(found, matching[..limit.min(5)], "{limit}");
            // A small `Limit` would be items read before the filter.
            let sent = bench.recorder.take();
            assert!(sent.iter().all(|sent| sent.body.get("Limit").is_none()));
            assert_eq!(sent.len(), 1);
            for page_size in [7, 50] {
                let query = || query().limit(limit).page_size(page_size);
                let found = ids(query().all().await.unwrap());
                assert_eq!(found, matching[..limit.min(5)], "{limit}, pages of {page_size}");
                let page = query().send().await.unwrap();
                assert_eq!(page.len(), limit.min(5));
                let counted = query().count().await.unwrap();
                assert_eq!(counted, limit.min(5) as u64, "{limit}, pages of {page_size}");
            }
            bench.recorder.take();
        }
        let first = query().page_size(3).first().await.unwrap().unwrap();
        assert_eq!(first.order_id, matching[0]);
        assert_eq!(bench.recorder.take().len(), 3);
        let back = ids(query().descending().limit(2).all().await.unwrap());
        assert_eq!(back, [matching[4].clone(), matching[3].clone()]);
    })
    .await;
}

#[tokio::test]
async fn an_empty_page_is_not_the_end() {
    on_table::<Shop, _>("filter-empty", |bench| async move {
        sparse(&bench).await;
        let query = || {
            let query = bench.table.query(OrderSummary::by_customer_id("c42")).page_size(50);
            query.filter(|o| o.total.eq(1)).filter(|o| o.customer_id.eq("c42"))
        };
        let first = query().send().await.unwrap();
        assert_eq!((first.len(), first.next.is_some()), (3, true));
        assert_eq!(query().all().await.unwrap().len(), 5);
        let small = || {
            let query = bench.table.query(OrderSummary::by_customer_id("c42")).page_size(5);
            query.filter(|o| o.total.eq(1))
        };
        // The item is the eighth: a page of five is empty, and there is more.
        let page = small().send().await.unwrap();
        assert!(page.is_empty() && page.next.is_some());
        bench.recorder.take();
        // That nothing follows the last of 20 full pages may take one more to know.
        let pages = 20..=21;
        assert_eq!(small().all().await.unwrap().len(), 5);
        assert!(pages.contains(&bench.recorder.take().len()));
        assert_eq!(small().count().await.unwrap(), 5);
        assert!(pages.contains(&bench.recorder.take().len()));
        let nothing = small().filter(|o| o.total.eq(2));
        assert_eq!(nothing.all().await.unwrap(), []);
        assert!(pages.contains(&bench.recorder.take().len()));
    })
    .await;
}

#[tokio::test]
async fn what_has_no_order_or_no_value_is_refused() {
    on_table::<Depot, _>("filter-refused", |bench| async move {
        let refused = |condition: fn(&Fields) -> Condition, name: &str| {
            let scan = bench.table.full_scan().filter::<Article, _>(condition);
            let error = scan.explain().unwrap_err();
            assert!(error.is_invalid_expression() && error.to_string().contains(name), "{error}");
            let check = bench.table.check(Article::key("s1", 1)).condition(condition);
            assert!(check.explain().unwrap_err().is_invalid_expression());
        };
        refused(|o| o.sold_out.lt(true), "`sold_out`");
        refused(|o| o.sizes.ge(vec![1]), "`sizes`");
        refused(|o| o.tags.between(Set::new(), Set::new()), "`tags`");
        refused(|o| o.origin.gt(Place { city_name: String::new(), zip: None }), "`origin`");
        refused(|o| o.note.lt(None), "`note`");
        refused(|o| o.note.begins_with(None), "`note`");
        refused(|o| o.nick.between("a", None), "`nick`");
        refused(|o| o.net.eq(f64::NAN), "`net.price-per_unit`");
        refused(|o| o.net.in_([1.0, f64::INFINITY]), "`net.price-per_unit`");
        refused(|o| o.net.between(f64::NAN, 1.0), "`net.price-per_unit`");
        // Also where the condition around it says nothing.
        refused(|o| any([all([]), o.net.eq(f64::NAN)]), "`net.price-per_unit`");
        refused(|o| !all([any([]), o.net.eq(f64::NAN)]), "`net.price-per_unit`");
        refused(|_| raw_condition("#n = :v").name("#n", "name").into(), "`#n`");
        refused(
            |_| {
                let value = aws_sdk_dynamodb::types::AttributeValue::Bool(true);
                raw_condition("#raw = :v").name("#raw", "name").value(":v", value).into()
            },
            "`:v`",
        );
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}
