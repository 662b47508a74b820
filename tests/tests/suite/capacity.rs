//! What operations cost: as the engine tells, by DynamoDB's arithmetic written out here, and never more
//! than `explain` says.

use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::TryStreamExt;
use monotable::op::{Created, Explanation, Warning};
use monotable::{Consumed, Entity, ItemCollection, Table, Units};
use serde::{Deserialize, Serialize};
use tests::bench::on_table;
use tests::canned::{Answer, Canned};
use tests::engine;
use tests::models::library::{Book, Library, book};
use tests::models::shop::{Order, Shop, Status};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", entities(Doc, Folder))]
#[gsi(by_tag, pk = "TAGPK", sk = "TAGSK")]
#[gsi(by_owner, pk = "OWNERPK", projection = keys_only)]
struct Docs;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Docs, pk = "FOLDER#<folder>", sk = "DOC#<name>")]
#[index(by_tag, pk = "TAG#<tag>", sk = "<name>")]
#[index(by_owner, pk = "OWNER#<owner>")]
struct Doc {
    folder: String,
    name: String,
    tag: String,
    owner: Option<String>,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Docs, pk = "FOLDER#<folder>", sk = "META")]
struct Folder {
    folder: String,
    title: String,
}

#[derive(Debug, PartialEq, ItemCollection)]
#[collection(table = Docs, pk = "FOLDER#<folder>")]
struct Contents {
    meta: Option<Folder>,
    docs: Vec<Doc>,
}

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", ttl = "until", entities(Session))]
struct Sessions;

#[derive(Debug, Serialize, Deserialize, Entity)]
#[entity(table = Sessions, pk = "USER#<user>", sk = "SESSION#<id>", ttl = until)]
struct Session {
    user: String,
    id: String,
    until: u64,
}

/// A document of exactly so many bytes.
fn doc(name: &str, bytes: usize) -> Doc {
    let mut doc = Doc {
        folder: "f".into(),
        name: name.into(),
        tag: "red".into(),
        owner: Some("ana".into()),
        text: String::new(),
    };
    doc.text = "x".repeat(bytes - size(&doc));
    assert_eq!(size(&doc), bytes);
    doc
}

/// Names and texts in UTF-8.
fn size(doc: &Doc) -> usize {
    let item = doc.to_item().unwrap();
    let text = |value: &AttributeValue| value.as_s().unwrap().len();
    item.iter().map(|(name, value)| name.len() + text(value)).sum()
}

/// Write units of the table, of `by_tag` and of `by_owner`.
fn writes(consumed: &Consumed) -> [f64; 3] {
    let (name, table) = consumed.tables().next().unwrap();
    assert_eq!(consumed.table(name).unwrap().units(), consumed.units());
    let parts = [table.table(), consumed.index("by_tag"), consumed.index("by_owner")];
    assert_eq!(parts.into_iter().sum::<Units>(), consumed.units());
    assert_eq!(consumed.units().read, 0.0);
    parts.map(|units| units.write)
}

/// Sends the operation, whose cost is within the maximum that it explains.
macro_rules! measured {
    ($operation:expr) => {{
        let operation = $operation;
        let explained = operation.explain().unwrap();
        let (output, cost) = operation.with_capacity().send().await.unwrap();
        within(&explained, &cost);
        (output, cost)
    }};
}

fn within(explained: &Explanation, cost: &Consumed) {
    let units = cost.units();
    assert!(units.read <= explained.max_read_units(), "{cost} of {explained}");
    assert!(units.write <= explained.max_write_units(), "{cost} of {explained}");
    assert_eq!(cost.unmeasured(), 0);
}

#[tokio::test]
async fn writes_cost_the_larger_image_and_what_changes_in_an_index() {
    if !engine::counts_capacity() {
        return;
    }
    on_table::<Docs, _>("capacity-writes", |bench| async move {
        let docs = &bench.table;
        // 2500 bytes are 3 KB, on the table and on the index that projects them; keys are 1.
        let (_, cost) = measured!(docs.put(&doc("a", 2500)));
        assert_eq!((writes(&cost), cost.requests()), ([3.0, 3.0, 1.0], 1));
        // Smaller than before. The index of keys does not change.
        let (_, cost) = measured!(docs.put(&doc("a", 1200)));
        assert_eq!(writes(&cost), [3.0, 3.0, 0.0]);
        // The same again changes no index.
        let (_, cost) = measured!(docs.put(&doc("a", 1200)));
        assert_eq!(writes(&cost), [2.0, 0.0, 0.0]);
        let (old, cost) = measured!(docs.put(&doc("a", 1200)).returning_old());
        assert!(old.is_some() && cost.units().write == 2.0);

        // Another index key is a delete and a put: 2 KB each, beside the table's 2 KB.
        let key = || Doc::key("f", "a");
        let (_, cost) = measured!(docs.update(key()).change(|d| d.tag.set("blue")));
        assert_eq!(writes(&cost), [2.0, 4.0, 0.0]);
        let (_, cost) = measured!(docs.update(key()).change(|d| d.text.set("x".repeat(5500))));
        assert_eq!(writes(&cost), [6.0, 6.0, 0.0]);
        // Out of the index of owners.
        let (_, cost) = measured!(docs.update(key()).change(|d| d.owner.remove()));
        assert_eq!(writes(&cost), [6.0, 6.0, 1.0]);
        let (new, cost) =
            measured!(docs.update(key()).change(|d| d.text.set("short")).returning_new());
        assert_eq!((new.text.as_str(), writes(&cost)), ("short", [6.0, 6.0, 0.0]));

        let (_, cost) = measured!(docs.delete(key()));
        assert_eq!(writes(&cost), [1.0, 1.0, 0.0]);
        // Nothing there costs the least.
        let (_, cost) = measured!(docs.delete(key()));
        assert_eq!(writes(&cost), [1.0, 0.0, 0.0]);
        let (_, cost) = measured!(docs.create(&doc("a", 1025)));
        assert_eq!(writes(&cost), [2.0, 2.0, 1.0]);
        let (old, cost) = measured!(docs.delete(&doc("a", 1025)).returning_old());
        assert!(old.is_some() && writes(&cost) == [2.0, 2.0, 1.0]);

        let fresh = doc("u", 1024);
        let upsert = || docs.upsert(&fresh).change(|d| d.text.set("y".repeat(2000)));
        let (_, cost) = upsert().with_capacity().send().await.unwrap();
        // The update of what is not there told nothing.
        assert_eq!((cost.requests(), cost.unmeasured()), (2, 1));
        let (_, cost) = upsert().with_capacity().send().await.unwrap();
        assert_eq!((cost.requests(), cost.unmeasured()), (1, 0));
        let change = |d: &mut Doc| d.text = "z".repeat(100);
        let (after, cost) =
            docs.modify(Doc::key("f", "u"), change).with_capacity().send().await.unwrap();
        assert_eq!((after.text.len(), cost.requests()), (100, 2));
        // A consistent read of about 2 KB, and an update whose larger image is the old one.
        assert_eq!(cost.units(), Units { read: 1.0, write: 6.0 });
    })
    .await;
}

#[tokio::test]
async fn reads_are_rounded_one_by_one_or_by_the_page() {
    if !engine::counts_capacity() {
        return;
    }
    on_table::<Docs, _>("capacity-reads", |bench| async move {
        let docs = &bench.table;
        let all: Vec<Doc> = (0..10).map(|n| doc(&format!("d{n}"), 2500)).collect();
        let (_, cost) = measured!(docs.batch_write().put_all(&all));
        assert_eq!((writes(&cost), cost.requests()), ([30.0, 30.0, 10.0], 1));
        let big = doc("big", 9000);
        docs.put(&big).send().await.unwrap();

        let read = |cost: &Consumed| {
            assert_eq!(cost.units().write, 0.0);
            cost.units().read
        };
        // 2500 bytes are one step of 4 KB, 9000 three.
        let small = || Doc::key("f", "d0");
        let (found, cost) = measured!(docs.get(small()));
        assert_eq!((found.as_ref(), read(&cost)), (all.first(), 0.5));
        let (_, cost) = measured!(docs.get(small()).consistent());
        assert_eq!(read(&cost), 1.0);
        let (_, cost) = measured!(docs.get(&big));
        assert_eq!(read(&cost), 1.5);
        assert_eq!(docs.get(&big).explain().unwrap().cost_of(9000), cost.units());
        let (found, cost) = measured!(docs.get(Doc::key("f", "none")));
        assert_eq!((found, read(&cost)), (None, 0.5));
        let (found, cost) = measured!(docs.get(Doc::key("f", "none")).consistent());
        assert_eq!((found, read(&cost)), (None, 1.0));
        // A projection saves nothing.
        let (found, cost) = measured!(docs.exists(&big).consistent());
        assert_eq!((found, read(&cost)), (true, 3.0));

        // Each item of a batch for itself, a missing one too; a transaction twice.
        let batch = || docs.batch_get(&all);
        let (_, cost) = measured!(batch());
        assert_eq!((read(&cost), batch().explain().unwrap().cost_of(2500).read), (5.0, 5.0));
        let (_, cost) = measured!(docs.batch_get([small(), Doc::key("f", "none")]).consistent());
        assert_eq!(read(&cost), 2.0);
        let (_, cost) = batch().consistent().with_capacity().send_partial().await.unwrap();
        assert_eq!(read(&cost), 10.0);
        let (_, cost) = measured!(docs.transact_get((small(), big.key())));
        assert_eq!(read(&cost), 2.0 + 6.0);
        let one = docs.transact_get((big.key(),)).explain().unwrap();
        assert_eq!(one.cost_of(9000).read, 6.0);

        // Ten of 2500 bytes are 25 000 bytes, seven steps of 4 KB.
        let pattern = || Doc::by_folder("f").name_prefix("d");
        let (page, cost) = measured!(docs.query(pattern()));
        assert_eq!((page.len(), read(&cost)), (10, 3.5));
        let (page, cost) = measured!(docs.query(pattern()).consistent());
        assert_eq!((page.len(), read(&cost)), (10, 7.0));
        let explained = docs.query(pattern()).explain().unwrap();
        assert_eq!(explained.cost_of_all(10, 2500).read, 3.5);
        let (page, cost) = measured!(docs.query(pattern()).limit(3));
        assert_eq!((page.len(), read(&cost)), (3, 1.0));
        assert_eq!(docs.query(pattern()).limit(3).explain().unwrap().cost_of(2500).read, 1.0);
        // Three a page: 7500 bytes are one unit each, and one item half a one.
        let (found, cost) = docs.query(pattern()).page_size(3).with_capacity().all().await.unwrap();
        assert_eq!((found.len(), read(&cost), cost.requests()), (10, 3.5, 4));
        let paged = docs.query(pattern()).page_size(3).explain().unwrap();
        assert_eq!(paged.cost_of_all(10, 2500).read, 3.5);
        let (first, cost) = docs.query(pattern()).with_capacity().first().await.unwrap();
        assert_eq!((first.as_ref(), read(&cost)), (all.first(), 0.5));
        let (count, cost) = docs.query(pattern()).with_capacity().count().await.unwrap();
        assert_eq!((count, read(&cost)), (10, 3.5));
        let (keys, cost) = docs.query(pattern()).keys().with_capacity().all().await.unwrap();
        assert_eq!((keys.len(), read(&cost)), (10, 3.5));
        // What a filter leaves out is paid for.
        let filtered = docs.query(pattern()).filter(|d| d.tag.eq("blue"));
        let (page, cost) = measured!(filtered);
        assert_eq!((page.len(), read(&cost)), (0, 3.5));
        let (page, cost) = measured!(docs.query(Doc::by_folder("empty")));
        assert_eq!((page.len(), read(&cost)), (0, 0.5));

        let mut stream = docs.query(pattern()).page_size(6).with_capacity().stream();
        assert_eq!(stream.consumed(), Consumed::default());
        assert!(stream.try_next().await.unwrap().is_some());
        // 15 000 bytes, four steps.
        assert_eq!((read(&stream.consumed()), stream.consumed().requests()), (2.0, 1));
        let rest: Vec<Doc> = (&mut stream).try_collect().await.unwrap();
        assert_eq!((rest.len(), read(&stream.consumed())), (9, 2.0 + 1.5));

        // 25 000 and 9000 bytes; nothing is stored with 1 KB a folder.
        let contents = docs.collection(Contents::by_folder("f"));
        let (contents, cost) = measured!(contents);
        assert_eq!((contents.unwrap().docs.len(), read(&cost)), (11, 4.5));
        let (found, cost) = docs.full_scan().consistent().with_capacity().all().await.unwrap();
        assert_eq!((found.len(), read(&cost)), (11, 9.0));
        let scan = docs.full_scan().with_capacity();
        let (found, cost) = scan.all_of::<Doc>().await.unwrap();
        assert_eq!((found.len(), read(&cost)), (11, 4.5));

        if engine::name() != "aws" {
            let (page, cost) = measured!(docs.query(Doc::by_tag("red").name_prefix("d")));
            assert_eq!((page.len(), cost.index("by_tag").read), (10, 3.5));
            assert_eq!(cost.tables().map(|(_, table)| table.table().read).sum::<f64>(), 0.0);
            let keys = docs.query(Doc::by_owner("ana")).keys().with_capacity().all();
            let (keys, cost) = keys.await.unwrap();
            assert_eq!((keys.len(), cost.index("by_owner").read), (11, 0.5));
        }

        let (deleted, cost) = docs.delete_all(pattern()).with_capacity().send().await.unwrap();
        assert_eq!((deleted, cost.requests()), (10, 2));
        assert_eq!(cost.units(), Units { read: 3.5, write: 70.0 });
    })
    .await;
}

#[tokio::test]
async fn a_local_index_fetches_what_it_does_not_project() {
    if !engine::counts_capacity() {
        return;
    }
    on_table::<Library, _>("capacity-local", |bench| async move {
        let library = &bench.table;
        let books: Vec<Book> = (0..6).map(|id| book(id, &format!("Title {id}"))).collect();
        library.batch_write().put_all(&books).send().await.unwrap();
        let query = library.query(Book::by_title("north"));
        let most = query.explain().unwrap().cost_of_all(6, 300);
        assert_eq!(most.read, 0.5 + 6.0 * 0.5);
        let (page, cost) = query.with_capacity().send().await.unwrap();
        let (_, table) = cost.tables().next().unwrap();
        assert_eq!((page.len(), table.local_indexes().count()), (6, 1));
        assert_eq!(cost.index("by_title").read, 0.5);
        assert_eq!(table.table().read, if engine::rounds_each_fetch() { 3.0 } else { 0.5 });
        let (keys, cost) =
            library.query(Book::by_title("north")).keys().with_capacity().all().await.unwrap();
        assert_eq!((keys.len(), cost.index("by_title")), (6, cost.units()));
    })
    .await;
}

#[tokio::test]
async fn transactions_cost_twice() {
    if !engine::counts_capacity() {
        return;
    }
    on_table::<Docs, _>("capacity-transact", |bench| async move {
        let docs = &bench.table;
        let folder = Folder { folder: "f".into(), title: "x".repeat(1500) };
        docs.put(&folder).send().await.unwrap();
        let (a, b) = (doc("a", 2500), doc("b", 500));
        let transaction = docs
            .transact()
            .add(docs.put(&a))
            .add(docs.create(&b))
            .add(docs.check(Folder::key("f")));
        let (_, cost) = measured!(transaction);
        // 3 KB, 1 KB, and the 2 KB that are checked.
        let [table, by_tag, by_owner] = writes(&cost);
        assert_eq!(table, 2.0 * (3.0 + 1.0 + 2.0));
        assert!(engine::index_writes_in_a_transaction().contains(&(by_tag / 4.0)), "{by_tag}");
        assert!(engine::index_writes_in_a_transaction().contains(&(by_owner / 2.0)), "{by_owner}");
        let (_, cost) = measured!(docs.check(Folder::key("f")));
        assert_eq!(writes(&cost), [4.0, 0.0, 0.0]);
    })
    .await;
}

#[tokio::test]
async fn failed_operations_tell_what_is_known() {
    on_table::<Docs, _>("capacity-errors", |bench| async move {
        let docs = &bench.table;
        let a = doc("a", 1500);
        docs.put(&a).send().await.unwrap();
        // The answer to a failed condition has no capacity.
        let error = docs.create(&a).with_capacity().send().await.unwrap_err();
        assert!(error.is_condition_failed());
        let cost = error.consumed().unwrap();
        assert_eq!((cost.requests(), cost.unmeasured()), (1, 1));
        assert_eq!(cost.units(), Units::default());
        let create = docs.create(&a).or_existing().with_capacity();
        let (created, cost) = create.send().await.unwrap();
        assert_eq!((created, cost.unmeasured()), (Created::Exists(a.clone()), 1));
        let canceled = docs.transact().add(docs.create(&a)).with_capacity().send().await;
        assert_eq!(canceled.unwrap_err().consumed().unwrap().unmeasured(), 1);
        // Without capacity there is none; before a request there is nothing to tell.
        assert!(docs.create(&a).send().await.unwrap_err().consumed().is_none());
        let error = docs.get(Doc::key("", "a")).with_capacity().send().await.unwrap_err();
        assert_eq!(error.consumed(), Some(&Consumed::default()));

        // The read is paid for, whatever comes of it.
        let modify = docs.modify(a.key(), |_| Err::<(), _>("no")).with_capacity();
        let error = modify.send().await.unwrap_err();
        let cost = error.consumed().unwrap();
        assert!(error.is_aborted() && cost.requests() == 1 && cost.unmeasured() == 0);
        if engine::counts_capacity() {
            assert_eq!(cost.units(), Units { read: 1.0, write: 0.0 });
        }
    })
    .await;
}

#[tokio::test]
async fn pages_before_an_error_and_lost_answers_are_counted() {
    let page = r#"{"Items":[{"PK":{"S":"CUST#c1"},"SK":{"S":"PROFILE"},"customer_id":{"S":"c1"},"name":{"S":"n"}}],
        "Count":1,"ScannedCount":9,"LastEvaluatedKey":{"PK":{"S":"CUST#c1"},"SK":{"S":"PROFILE"}},
        "ConsumedCapacity":{"TableName":"shop","CapacityUnits":12.5,"Table":{"CapacityUnits":12.5}}}"#;
    let throttled = Canned::error(400, "ThrottlingException");
    let canned = Canned::start(vec![Answer::Json(200, page.into()), throttled]).await;
    let shop = Shop::table(canned.client.clone(), "shop");
    let error = shop.full_scan().with_capacity().all().await.unwrap_err();
    let cost = error.consumed().unwrap();
    assert!(error.is_throttled());
    assert_eq!((cost.requests(), cost.unmeasured(), cost.units().read), (2, 1, 12.5));
    let mut stream = {
        let canned = Canned::start(vec![Answer::Json(200, page.into()), Answer::HangUp]).await;
        Shop::table(canned.client.clone(), "shop").full_scan().with_capacity().stream()
    };
    assert!(stream.try_next().await.unwrap().is_some());
    let error = stream.try_next().await.unwrap_err();
    assert_eq!(error.consumed(), Some(&stream.consumed()));
    assert_eq!(stream.consumed().unmeasured(), 1);

    // A replayed transaction is read, not written again.
    let answer = r#"{"ConsumedCapacity":[{"TableName":"shop","CapacityUnits":2.0,"ReadCapacityUnits":2.0,
        "Table":{"CapacityUnits":2.0,"ReadCapacityUnits":2.0}}]}"#;
    let canned = Canned::start(vec![Answer::Json(200, answer.into())]).await;
    let shop = Shop::table(canned.client.clone(), "shop");
    let delete = shop.transact().add(shop.delete(Order::key("o1"))).with_capacity();
    let (_, cost) = delete.send().await.unwrap();
    assert_eq!(cost.units(), Units { read: 2.0, write: 0.0 });

    // An attempt without an answer may have cost something, whatever the next one tells.
    let item = r#"{"ConsumedCapacity":{"TableName":"shop","CapacityUnits":0.5}}"#;
    let canned = Canned::start(vec![Answer::HangUp, Answer::Json(200, item.into())]).await;
    let retries = RetryConfig::standard().with_initial_backoff(Duration::from_millis(1));
    let config = canned.client.config().to_builder().retry_config(retries).build();
    let shop = Shop::table(Client::from_conf(config), "shop");
    let (_, cost) = shop.get(Order::key("o1")).with_capacity().send().await.unwrap();
    assert_eq!((cost.requests(), cost.unmeasured(), cost.units().read), (1, 1, 0.5));
    assert_eq!(canned.requests(), 2);

    // An answer without a word of it is no answer to the question.
    let canned = Canned::start(vec![Answer::Json(200, "{}".into())]).await;
    let shop = Shop::table(canned.client.clone(), "shop");
    let (_, cost) = shop.get(Order::key("o1")).with_capacity().send().await.unwrap();
    assert_eq!((cost.requests(), cost.unmeasured()), (1, 1));
}

#[tokio::test]
async fn explained_costs_bound_what_any_size_costs() {
    if !engine::counts_capacity() {
        return;
    }
    on_table::<Docs, _>("capacity-bounds", |bench| async move {
        let docs = &bench.table;
        for bytes in [300, 1024, 1025, 4096, 4097, 50_000] {
            let item = doc("a", bytes);
            for write in [docs.put(&item), docs.put(&item)] {
                let most = write.explain().unwrap().cost_of(bytes);
                let (_, cost) = measured!(write);
                assert!(cost.units().write <= most.write, "{cost}, {most}");
                assert!(cost.units().write >= most.write / 5.0, "{cost}, {most}");
            }
            let get = docs.get(&item).consistent();
            let told = get.explain().unwrap().cost_of(bytes);
            let (_, cost) = measured!(get);
            assert_eq!(cost.units(), told);
            let transaction = docs.transact().add(docs.delete(item.key()));
            let most = transaction.explain().unwrap().cost_of(bytes);
            let (_, cost) = measured!(transaction);
            assert!(cost.units().write <= most.write, "{cost}, {most}");
        }
    })
    .await;
}

#[test]
fn explained_costs_are_those_of_each_request() {
    let client = monotable::testing::local_client("http://127.0.0.1:1").unwrap();
    let docs = Docs::table(client.clone(), "docs");
    let item = doc("a", 2500);
    let key = || item.key();
    let cost = |explained: Result<Explanation, monotable::Error>, bytes| {
        let explained = explained.unwrap();
        let requests = explained.requests().iter();
        assert_eq!(requests.map(|it| it.cost_of(bytes)).sum::<Units>(), explained.cost_of(bytes));
        explained.cost_of(bytes)
    };
    let write = |explained, bytes| cost(explained, bytes).write;
    // Into both indexes, once; over another item, a delete and a put in each.
    assert_eq!(write(docs.create(&item).explain(), 2500), 3.0 * 3.0);
    assert_eq!(write(docs.put(&item).explain(), 2500), 3.0 * 5.0);
    assert_eq!(write(docs.delete(key()).explain(), 2500), 3.0 * 3.0);
    // A text is projected by one index, and no key of any.
    let text = docs.update(key()).change(|d| d.text.set("x"));
    assert_eq!(write(text.explain(), 2500), 3.0 * 2.0);
    let tag = docs.update(key()).change(|d| d.tag.set("x"));
    assert_eq!(write(tag.explain(), 2500), 3.0 * 3.0);
    let owner = docs.update(key()).change(|d| d.owner.remove());
    assert_eq!(write(owner.explain(), 2500), 3.0 * 4.0);
    // A folder is in no index; what it replaces might be.
    let folder = Folder { folder: "f".into(), title: "x".into() };
    assert_eq!(write(docs.create(&folder).explain(), 2500), 3.0);
    assert_eq!(write(docs.put(&folder).explain(), 2500), 3.0 * 3.0);
    assert_eq!(write(docs.check(key()).explain(), 2500), 2.0 * 3.0);
    let both = docs.transact().add(docs.create(&item)).add(docs.check(Folder::key("f")));
    assert_eq!(write(both.explain(), 2500), 2.0 * (9.0 + 3.0));
    let batch = docs.batch_write().put(&item).delete(Folder::key("f"));
    assert_eq!(write(batch.explain(), 2500), 15.0 + 9.0);
    let [request] = batch.explain().unwrap().requests().to_vec().try_into().unwrap();
    assert_eq!(request.max_units(), Units { read: 0.0, write: 400.0 * 8.0 });

    let read = |explained, bytes| cost(explained, bytes).read;
    let keys = [key(), Doc::key("f", "b")];
    assert_eq!(read(docs.batch_get(&keys).explain(), 5000), 2.0);
    assert_eq!(read(docs.batch_get(&keys).consistent().explain(), 5000), 4.0);
    assert_eq!(read(docs.transact_get(&keys[..]).explain(), 5000), 8.0);
    // A full page of items of 1 KB is 1 MB.
    let pattern = || docs.query(Doc::by_folder("f"));
    assert_eq!(read(pattern().explain(), 1024), 128.0);
    assert_eq!(read(pattern().page_size(10).explain(), 1024), 1.5);
    let all = |explained: Result<Explanation, monotable::Error>, items| {
        explained.unwrap().cost_of_all(items, 1024).read
    };
    // 2000 items of 1 KB are a page of 1024 and one of 976; 25 at ten a page are 10, 10 and 5.
    assert_eq!(all(pattern().explain(), 2000), 128.0 + 122.0);
    assert_eq!(all(pattern().page_size(10).explain(), 25), 1.5 + 1.5 + 1.0);
    assert_eq!(all(pattern().explain(), 0), 0.5);
    // Shards are asked one by one: a thousand items are a hundred in each, 25 steps; 15 are one or
    // two in each, and none costs as much as one.
    let shop = Shop::table(client, "shop");
    let shards = || shop.query(Order::by_status(Status::Pending)).explain();
    assert_eq!((all(shards(), 1000), all(shards(), 15), all(shards(), 0)), (125.0, 5.0, 5.0));
    assert_eq!(all(docs.full_scan().segments(4).consistent().explain(), 4096), 1024.0);
}

#[test]
fn warnings_name_what_is_dear() {
    let client = monotable::testing::local_client("http://127.0.0.1:1").unwrap();
    let docs = Docs::table(client.clone(), "docs");
    let key = || Doc::key("f", "a");
    let query = || docs.query(Doc::by_folder("f"));
    let none: [Warning; 0] = [];
    assert_eq!(docs.get(key()).explain().unwrap().warnings(), none);
    assert_eq!(docs.put(&doc("a", 500)).explain().unwrap().warnings(), none);
    assert_eq!(docs.batch_get([key()]).explain().unwrap().warnings(), none);
    assert_eq!(query().limit(10).explain().unwrap().warnings(), none);
    assert_eq!(query().explain().unwrap().warnings(), [Warning::Unlimited]);
    // A filter takes the limit out of the request.
    let filtered = query().limit(10).filter(|d| d.tag.eq("red"));
    assert_eq!(filtered.explain().unwrap().warnings(), [Warning::Filter, Warning::Unlimited]);
    let scan = docs.full_scan().filter::<Doc, _>(|d| d.tag.eq("red"));
    assert_eq!(scan.explain().unwrap().warnings(), [Warning::Scan, Warning::Filter]);
    let transaction = [Warning::Transaction];
    assert_eq!(docs.check(key()).explain().unwrap().warnings(), transaction);
    assert_eq!(docs.transact_get((key(),)).explain().unwrap().warnings(), transaction);
    // That expired items are left out is no filter of the caller.
    let sessions = Sessions::table(client.clone(), "sessions");
    let limited = sessions.query(Session::by_user("u")).limit(10).explain().unwrap();
    assert!(limited.to_string().contains("FilterExpression"), "{limited}");
    assert_eq!(limited.warnings(), none);
    let shop = Shop::table(client, "shop");
    let shards = shop.query(Order::by_status(Status::Pending)).limit(10).explain().unwrap();
    assert_eq!(shards.warnings(), [Warning::Partitions(10)]);
    assert!(shards.warnings()[0].to_string().contains("10 partitions are 10 requests"));
    let one = shop.query(Order::by_status(Status::Pending).shard(3)).limit(10).explain().unwrap();
    assert_eq!(one.warnings(), none);
}
