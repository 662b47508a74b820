//! What each form of read costs, in requests and read capacity units, against the least that DynamoDB
//! could take for the same answer: `cargo test -p tests --test suite read_costs -- --nocapture` shows
//! the table.

// Indexes may have sort keys alike.
#![allow(clippy::print_stdout, clippy::duplicated_attributes)]

use monotable::op::Fetched;
use monotable::{Consumed, Entity, ItemCollection, Projection, Table};
use serde::{Deserialize, Serialize};
use tests::bench::on_table;
use tests::engine;

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", entities(Head, Doc))]
#[lsi(by_rank, sk = "RANK")]
#[gsi(by_tag, pk = "TAG", sk = "TAG_N")]
#[gsi(spread, pk = "SPREAD", sk = "SPREAD_N")]
#[gsi(names, pk = "NAME", projection = keys_only)]
#[gsi(part, pk = "PART", projection = include("number"))]
struct Docs;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Docs, pk = "SHELF#<shelf>", sk = "HEAD")]
struct Head {
    shelf: String,
}

/// About a kilobyte.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Docs, pk = "SHELF#<shelf>", sk = "IDOC#<number:4>")]
#[index(by_rank, sk = "<number:4>", name = "by_rank")]
#[index(by_tag, pk = "TAG#<tag>", sk = "<number:4>")]
#[index(spread, pk = "ALL#<tag>#<shard>", sk = "<number:4>", name = "everywhere", shard(by = (shelf, number), count = 4))]
#[index(names, pk = "NAME#<tag>", name = "names")]
#[index(part, pk = "PART#<tag>", name = "part")]
struct Doc {
    shelf: String,
    number: u16,
    tag: String,
    text: String,
}

#[derive(Debug, Deserialize, Projection)]
#[projection(entity = Doc)]
struct Number {
    #[allow(dead_code)]
    number: u16,
}

#[derive(Debug, ItemCollection)]
#[collection(table = Docs, pk = "SHELF#<shelf>")]
struct Shelf {
    #[allow(dead_code)]
    head: Head,
    docs: Vec<Doc>,
}

#[derive(Debug, ItemCollection)]
#[collection(table = Docs, pk = "SHELF#<shelf>")]
enum Thing {
    #[allow(dead_code)]
    Head(Head),
    #[allow(dead_code)]
    Doc(Doc),
}

fn doc(shelf: u8, number: u16) -> Doc {
    Doc { shelf: format!("s{shelf}"), number, tag: "t".into(), text: "x".repeat(780) }
}

/// One line of the table, and the check: requests are exact, units at most what is stated.
struct Line {
    form: &'static str,
    requests: u64,
    /// Units of an answer that reads what it returns, once, rounded as DynamoDB does.
    least: f64,
    /// What this form costs.
    units: f64,
}

impl Line {
    fn check(&self, cost: &Consumed) {
        let Line { form, requests, least, units } = self;
        let told = cost.units().read;
        println!("| {form} | {} | {told} | {least} |", cost.requests());
        assert_eq!(cost.requests(), *requests, "{form}");
        if engine::counts_capacity() {
            assert!((told - units).abs() < 1e-9, "{form}: {told} units, not {units}");
            assert!(told >= *least, "{form}: {told} units, less than {least}");
        }
    }
}

#[tokio::test]
async fn every_form_of_read() {
    // The engine rounds what a local index fetches as one sum; nothing is fetched here.
    on_table::<Docs, _>("read-costs", |bench| async move {
        let docs = &bench.table;
        let all: Vec<Doc> = (1..=4).flat_map(|shelf| (0..10).map(move |n| doc(shelf, n))).collect();
        docs.batch_write().put_all(&all).put(&Head { shelf: "s1".into() }).send().await.unwrap();
        let line = |form, requests, least, units| Line { form, requests, least, units };
        println!("| read | requests | units | least possible |\n|---|---|---|---|");

        let (_, cost) = docs.get(Doc::key("s1", 0)).with_capacity().send().await.unwrap();
        line("get", 1, 0.5, 0.5).check(&cost);
        let keys = || (0..10).map(|n| Doc::key("s1", n));
        let (_, cost) = docs.batch_get(keys()).with_capacity().send().await.unwrap();
        line("batch_get of 10", 1, 5.0, 5.0).check(&cost);
        let pair = (Doc::key("s1", 0), Doc::key("s1", 1));
        let (_, cost) = docs.transact_get(pair).with_capacity().send().await.unwrap();
        line("transact_get of 2", 1, 4.0, 4.0).check(&cost);

        // Ten items of a kilobyte are three blocks of 4 KB, half a unit each.
        let shelf = || docs.query(Doc::by_shelf("s1"));
        let (found, cost) = shelf().with_capacity().all().await.unwrap();
        assert_eq!(found.len(), 10);
        line("query, all of 10", 1, 1.5, 1.5).check(&cost);
        let (_, cost) = shelf().limit(4).with_capacity().send().await.unwrap();
        line("query, limit 4", 1, 0.5, 0.5).check(&cost);
        let next = shelf().limit(4).send().await.unwrap().next;
        let (_, cost) = shelf().limit(4).cursor(next).with_capacity().send().await.unwrap();
        line("query, the next 4 by cursor", 1, 0.5, 0.5).check(&cost);
        let (_, cost) = shelf().with_capacity().first().await.unwrap();
        line("query, first", 1, 0.5, 0.5).check(&cost);
        let (_, cost) = shelf().with_capacity().count().await.unwrap();
        line("query, count of 10", 1, 1.5, 1.5).check(&cost);
        // What the filter leaves out is read: that is what filters cost.
        let few = shelf().filter(|doc| doc.text.begins_with("y"));
        let (_, cost) = few.with_capacity().all().await.unwrap();
        line("query, a filter that nothing passes", 1, 0.5, 1.5).check(&cost);
        let (_, cost) = docs.query(Doc::by_rank("s1")).with_capacity().all().await.unwrap();
        line("query of a local index", 1, 1.5, 1.5).check(&cost);
        let tagged = docs.query(Doc::by_tag("t").number_range(..3));
        let (_, cost) = tagged.with_capacity().all().await.unwrap();
        line("query of a global index, 12 items", 1, 1.5, 1.5).check(&cost);

        // One request a shard, for its share and one item more; one shard has more than its share of the
        // first items, and is asked again.
        let shards = docs.query(Doc::everywhere("t"));
        let (found, cost) = shards.limit(8).with_capacity().all().await.unwrap();
        assert_eq!(found.len(), 8);
        line("query of 4 shards, limit 8", 5, 2.0, 2.5).check(&cost);
        let shelves = (1..=4).map(|shelf| Doc::by_shelf(format!("s{shelf}")));
        let (_, cost) = docs.query_many(shelves).limit(8).with_capacity().all().await.unwrap();
        line("query_many of 4, limit 8", 4, 2.0, 2.0).check(&cost);

        let (_, cost) = docs.query(Doc::names("t")).keys().with_capacity().all().await.unwrap();
        line("keys of an index of keys, 40", 1, 0.5, 0.5).check(&cost);
        let numbers = docs.query(Doc::part("t")).select::<Number>();
        let (_, cost) = numbers.with_capacity().all().await.unwrap();
        line("a projection from an index of its fields, 40", 1, 0.5, 0.5).check(&cost);
        // Whole items are billed, whatever of them is returned.
        let (_, cost) = shelf().select::<Number>().with_capacity().all().await.unwrap();
        line("a projection from the table, 10", 1, 1.5, 1.5).check(&cost);
        let hydrated = docs.query(Doc::names("t")).limit(10).hydrate();
        let (page, cost) = hydrated.with_capacity().send().await.unwrap();
        assert!(page.iter().all(|fetched| matches!(fetched, Fetched::Found(_))));
        line("hydrate of 10", 2, 5.5, 5.5).check(&cost);

        let read = || docs.collection(Shelf::by_shelf("s1"));
        let (_, cost) = read().with_capacity().send().await.unwrap();
        line("collection of 11", 1, 1.5, 1.5).check(&cost);
        let (found, cost) = read().limit_of::<Doc>(3).with_capacity().send().await.unwrap();
        assert_eq!(found.unwrap().docs.len(), 3);
        line("collection, header and first 3", 1, 0.5, 0.5).check(&cost);
        let latest = read().descending().limit_of::<Doc>(3).with_capacity().send().await.unwrap();
        line("collection, header and latest 3", 2, 0.5, 1.0).check(&latest.1);
        let things = docs.collection(Thing::by_shelf("s1"));
        let (_, cost) = things.with_capacity().all().await.unwrap();
        line("collection of an enum, 11", 1, 1.5, 1.5).check(&cost);
        // 41 items of the table are nine blocks.
        let (_, cost) = docs.full_scan().of::<Doc>().with_capacity().all().await.unwrap();
        line("full_scan of 41", 1, 4.5, 4.5).check(&cost);
    })
    .await;
}
