//! Keys by a query, items by a batch.

use std::time::{Duration, UNIX_EPOCH};

use monotable::op::Fetched;
use monotable::{Entity, Error, Projection, Table};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tests::bench::{eventually, on_table};
use tests::canned::{Answer, Canned, Request};
use tests::faults::{Fault, Faults};
use tests::models::library::{Book, Library, book};
use tests::recorder::Recorder;

fn shelved(id: u32) -> Book {
    Book { shelf: Some(7), ..book(id, &format!("book {id}")) }
}

fn found(ids: impl IntoIterator<Item = u32>) -> Vec<Fetched<Book>> {
    ids.into_iter().map(|id| Fetched::Found(shelved(id))).collect()
}

async fn put(library: &Table<Library>, ids: std::ops::RangeInclusive<u32>) {
    let books: Vec<_> = ids.clone().map(shelved).collect();
    library.batch_write().put_all(&books).send().await.unwrap();
    let count = u64::try_from(books.len()).unwrap();
    eventually(count, || async { library.query(Book::by_shelf(7)).count().await.unwrap() }).await;
}

#[derive(Debug, Clone, PartialEq, Deserialize, Projection)]
#[projection(entity = Book)]
struct Pages {
    id: u32,
    pages: u32,
}

#[tokio::test]
async fn every_item_in_the_order_of_the_query() {
    on_table::<Library, _>("hydrate", |bench| async move {
        let library = &bench.table;
        put(library, 1..=120).await;
        bench.recorder.take();
        let query = || library.query(Book::by_shelf(7));
        let all = query().descending().hydrate().consistent_items().all().await.unwrap();
        assert_eq!(all, found((1..=120).rev()));
        let sent = bench.recorder.take();
        if tests::engine::never_throttles() {
            let operations: Vec<_> = sent.iter().map(|sent| sent.operation.as_str()).collect();
            assert_eq!(operations, ["Query", "BatchGetItem", "BatchGetItem"]);
            let batch = &sent[1].body["RequestItems"][library.name()];
            assert_eq!(batch["ConsistentRead"], true);
        }
        let explained = query().hydrate().explain().unwrap();
        assert_eq!(explained, query().keys().explain().unwrap());

        let narrowed = library
            .query(Book::by_shelf(7).id_range(3..=4))
            .hydrate()
            .select::<Pages>()
            .all()
            .await
            .unwrap();
        assert_eq!(narrowed, [3, 4].map(|id| Fetched::Found(Pages { id, pages: 100 })));
        let none = library.query(Book::by_shelf(8)).hydrate().all().await.unwrap();
        assert_eq!(none, []);
        bench.recorder.take();
        query().limit(0).hydrate().send().await.unwrap();
        assert_eq!(bench.recorder.take(), []);
    })
    .await;
}

#[tokio::test]
async fn pages_have_the_cursors_of_the_query() {
    on_table::<Library, _>("hydrate-pages", |bench| async move {
        let library = &bench.table;
        put(library, 1..=5).await;
        let page = || library.query(Book::by_shelf(7)).limit(2);
        let first = page().hydrate().consistent_items().send().await.unwrap();
        assert_eq!(first.items, found(1..=2));
        let second = page().cursor(first.next).hydrate().consistent_items().send().await.unwrap();
        assert_eq!(second.items, found(3..=4));
        let back =
            page().cursor(second.previous).hydrate().consistent_items().send().await.unwrap();
        assert_eq!(back.items, found(1..=2));
        // The cursors are those of the query: it goes on without hydration too.
        let keys = page().cursor(second.next).keys().send().await.unwrap();
        assert_eq!(keys.items, [shelved(5).key()]);
    })
    .await;
}

#[tokio::test]
async fn what_is_left_over_is_unread() {
    if tests::engine::checks_signatures() {
        return;
    }
    on_table::<Library, _>("hydrate-unread", |bench| async move {
        put(&bench.table, 1..=6).await;
        // A query is no batch, and passes.
        let left = Fault::LeftOver(100);
        for (plan, attempts, unread) in [
            (&[left, Fault::LeftOver(2)][..], 10, 0),
            (&[left, Fault::LeftOver(2), left], 1, 2),
            (&[left, left, left], 2, 6),
        ] {
            let (client, faults) = Faults::attach(bench.table.client(), plan);
            let library: Table<Library> = Table::new(client, bench.table.name());
            let query = library.query(Book::by_shelf(7));
            let read = query.hydrate().consistent_items().max_attempts(attempts).all();
            let read = read.await.unwrap();
            let expected: Vec<_> = found(1..=6 - unread)
                .into_iter()
                .chain((0..unread).map(|_| Fetched::Unread))
                .collect();
            assert_eq!(read, expected, "{plan:?}");
            faults.settle().await;
        }
        // Another failure is an error, of the query and of the batch.
        for plan in [&[Fault::ServerError; 3][..], &[left, Fault::WrongJson]] {
            let (client, faults) = Faults::attach(bench.table.client(), plan);
            let library: Table<Library> = Table::new(client, bench.table.name());
            library.query(Book::by_shelf(7)).hydrate().send().await.unwrap_err();
            faults.settle().await;
        }
    })
    .await;
}

#[derive(Debug, Table)]
#[table(pk = "PK", ttl = "expires_at", entities(Session))]
#[gsi(by_user, pk = "GSI1PK", sk = "GSI1SK", projection = keys_only)]
struct App;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "SESSION#<id:2>", ttl = expires_at)]
#[index(by_user, pk = "USER#<user>", sk = "<id:2>", allow(expired))]
struct Session {
    id: u8,
    user: String,
    expires_at: u64,
}

/// A table between two reads: the query finds sessions 1, 2, 3 and 2 again, then session 1 is gone,
/// session 2 is another user's, and session 3 cannot be read.
async fn between_two_reads() -> (Table<App>, Recorder) {
    let canned = Canned::answering(|_, request: &Request| {
        let key = |id: u8| json!({ "PK": { "S": format!("SESSION#{id:02}") } });
        let answer = if request.operation == "Query" {
            let entry = |id: u8| {
                let mut entry = key(id);
                entry["GSI1PK"] = json!({ "S": "USER#ana" });
                entry["GSI1SK"] = json!({ "S": format!("{id:02}") });
                entry
            };
            json!({ "Items": [entry(1), entry(2), entry(3), entry(2)], "Count": 4 })
        } else {
            let keys = request.body["RequestItems"]["app"]["Keys"].as_array().unwrap();
            let asked = |id: u8| keys.contains(&key(id));
            let mut found = Vec::<Value>::new();
            let mut left = json!({});
            if asked(2) {
                let mut moved = key(2);
                moved["id"] = json!({ "N": "2" });
                moved["user"] = json!({ "S": "bob" });
                moved["expires_at"] = json!({ "N": "100" });
                found.push(moved);
            }
            if asked(3) {
                left = json!({ "app": { "Keys": [key(3)] } });
            }
            json!({ "Responses": { "app": found }, "UnprocessedKeys": left })
        };
        Answer::Json(200, answer.to_string())
    })
    .await;
    let (client, recorder) = Recorder::attach(&canned.client);
    let app: Table<App> = Table::new(client, "app");
    (app.with_clock(|| UNIX_EPOCH + Duration::from_secs(50)), recorder)
}

#[tokio::test]
async fn gone_moved_and_unread_items_are_told_apart() -> Result<(), Error> {
    let (app, recorder) = between_two_reads().await;
    let moved = Session { id: 2, user: "bob".into(), expires_at: 100 };
    let expected = [Fetched::Absent, Fetched::Found(moved), Fetched::Unread];
    let query = || app.query(Session::by_user("ana"));
    assert_eq!(query().hydrate().max_attempts(2).all().await?, expected);
    let sent = recorder.take();
    let keys = &sent[1].body["RequestItems"]["app"]["Keys"];
    assert_eq!(keys.as_array().unwrap().len(), 3, "each key once");
    let page = query().hydrate().max_attempts(1).send().await?;
    assert_eq!(page.items, expected);
    assert!(page.items[2].is_unread() && page.next.is_none());

    // Expired by the time of the batch.
    let late = app.with_clock(|| UNIX_EPOCH + Duration::from_secs(100));
    let query = || late.query(Session::by_user("ana"));
    let items = query().hydrate().max_attempts(1).all().await?;
    assert_eq!(items, [Fetched::Absent, Fetched::Absent, Fetched::Unread]);
    let items = query().include_expired().hydrate().max_attempts(1).all().await?;
    assert_eq!(items, expected);
    Ok(())
}
