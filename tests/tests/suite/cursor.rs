//! Cursors: what they carry, and what they are refused for, before a request.

use std::collections::BTreeSet;

use monotable::{Bytes, Cursor, Entity, KeyPart, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{Bench, on_table};
use tests::models::library::{Library, Loan, book};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", entities(Event, Reading))]
#[gsi(by_kind, pk = "KIND", sk = "KIND_AT")]
struct Log;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
enum Kind {
    Info,
    Error,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Log, pk = "DEVICE#<device>", sk = "EVENT#<at:4>")]
#[index(by_kind, pk = "KIND#<kind>#<shard>", sk = "<at:4>#<device>", shard(by = (device, at), count = 3))]
struct Event {
    device: String,
    at: u16,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Log, pk = "DEVICE#<device>", sk = "READING#<at:4>")]
struct Reading {
    device: String,
    at: u16,
}

/// The same items, read in more shards.
mod later {
    use super::{Deserialize, Entity, Kind, Serialize, Table};

    #[derive(Debug, Table)]
    #[table(pk = "PK", sk = "SK", entities(Event))]
    #[gsi(by_kind, pk = "KIND", sk = "KIND_AT")]
    pub(super) struct Log;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
    #[entity(table = Log, pk = "DEVICE#<device>", sk = "EVENT#<at:4>")]
    #[index(by_kind, pk = "KIND#<kind>#<shard>", sk = "<at:4>#<device>",
            shard(by = (device, at), count = 3, read = 4))]
    pub(super) struct Event {
        pub(super) device: String,
        pub(super) at: u16,
        pub(super) kind: Kind,
    }
}

async fn events(bench: &Bench<Log>, device: &str, times: impl IntoIterator<Item = u16>) {
    let mut batch = bench.table.batch_write();
    for at in times {
        let kind = if at % 2 == 0 { Kind::Info } else { Kind::Error };
        batch = batch.put(&Event { device: device.into(), at, kind });
    }
    batch.send().await.unwrap();
    bench.recorder.take();
}

#[tokio::test]
async fn a_cursor_of_another_query_is_refused_before_a_request() {
    on_table::<Log, _>("cursor-foreign", |bench| async move {
        let log = &bench.table;
        events(&bench, "d1", 0..10).await;
        let page = log.query(Event::by_device("d1")).limit(4).send().await.unwrap();
        let cursor = || page.next.clone().unwrap();
        let on_index = log.query(Event::by_kind(Kind::Info)).limit(2).send().await.unwrap();
        bench.recorder.take();

        let refused = |error: monotable::Error, word: &str| {
            assert!(error.is_invalid_cursor(), "{error}");
            assert!(error.to_string().contains(word), "{error}");
            assert!(bench.recorder.take().is_empty());
        };
        let other = "belongs to another query";
        // Another partition, entity, direction, index, table.
        let query = log.query(Event::by_device("d2")).cursor(cursor());
        refused(query.send().await.unwrap_err(), other);
        let query = log.query(Reading::by_device("d1")).cursor(cursor());
        refused(query.all().await.unwrap_err(), other);
        let query = log.query(Event::by_device("d1")).descending().cursor(cursor());
        refused(query.first().await.unwrap_err(), other);
        let query = log.query(Event::by_kind(Kind::Error)).cursor(on_index.next.clone());
        refused(query.count().await.unwrap_err(), other);
        let query = log.query(Event::by_kind(Kind::Info).shard(0)).cursor(on_index.next.clone());
        refused(query.stream().try_next().await.unwrap_err(), "3 partitions");
        let elsewhere = Table::<Log>::new(log.client().clone(), "elsewhere");
        let query = elsewhere.query(Event::by_device("d1")).cursor(cursor());
        refused(query.explain().unwrap_err(), other);
        // Another number of shards.
        let later = Table::<later::Log>::new(log.client().clone(), log.name());
        let query = later.query(later::Event::by_kind(Kind::Info)).cursor(on_index.next.clone());
        refused(
            query.send().await.unwrap_err(),
            "made by a query of 3 partitions, and this one reads 4",
        );
    })
    .await;
}

#[tokio::test]
async fn damaged_text_is_refused() {
    on_table::<Log, _>("cursor-damaged", |bench| async move {
        events(&bench, "d1", 0..10).await;
        let page = bench.table.query(Event::by_device("d1")).limit(4).send().await.unwrap();
        let text = page.next.unwrap().to_string();
        for damaged in [
            "",
            "x",
            "AQ",
            &text[1..],
            &text[..text.len() - 1],
            &format!("{text}A"),
            &format!("{text}="),
        ] {
            let error = damaged.parse::<Cursor>().unwrap_err();
            assert!(
                error.is_invalid_cursor() && error.to_string().contains("damaged"),
                "{damaged}"
            );
        }
        // As a part of a document, with the same words.
        #[derive(Debug, Serialize, Deserialize)]
        struct Query {
            cursor: Option<Cursor>,
        }
        let json = serde_json::to_string(&Query { cursor: text.parse().ok() }).unwrap();
        assert_eq!(json, format!("{{\"cursor\":\"{text}\"}}"));
        let back: Query = serde_json::from_str(&json).unwrap();
        assert_eq!(back.cursor.map(|cursor| cursor.to_string()), Some(text));
        let error = serde_json::from_str::<Query>("{\"cursor\":\"abc\"}").unwrap_err();
        assert!(error.to_string().contains("the cursor is damaged"), "{error}");
    })
    .await;
}

#[tokio::test]
async fn bounds_may_move_as_long_as_the_position_lies_inside() {
    on_table::<Log, _>("cursor-bounds", |bench| async move {
        let log = &bench.table;
        events(&bench, "d1", 0..10).await;
        let from = |at: u16| log.query(Event::by_device("d1").at_range(at..)).limit(3);
        let times = |events: &[Event]| events.iter().map(|event| event.at).collect::<Vec<_>>();
        let first = from(0).send().await.unwrap();
        assert_eq!(times(&first), [0, 1, 2]);
        // `now - 24h ..`, a little later: the position, 2, is still inside.
        let second = from(2).cursor(first.next.clone()).send().await.unwrap();
        assert_eq!(times(&second), [3, 4, 5]);
        // With a filter that was not there before, and another limit.
        let filtered = from(1).cursor(&first.next).filter(|event| event.kind.eq(Kind::Error));
        assert_eq!(times(&filtered.limit(9).send().await.unwrap()), [3, 5, 7, 9]);
        // Back, where a part of the page before is out of bounds now.
        let back = from(1).cursor(second.previous).send().await.unwrap();
        assert_eq!(times(&back), [1, 2]);
        bench.recorder.take();

        // 2 is not in `5..`, nor in `..2`.
        let query = from(5).cursor(first.next.clone());
        let error = query.send().await.unwrap_err();
        assert!(error.is_invalid_cursor() && error.to_string().contains("begin again"), "{error}");
        let query = log.query(Event::by_device("d1").at_range(..2)).cursor(first.next.clone());
        assert!(query.all().await.unwrap_err().is_invalid_cursor());
        let empty = log.query(Event::by_device("d1").at_range(5..5)).cursor(first.next);
        assert!(empty.all().await.unwrap_err().is_invalid_cursor());
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

/// On shards, a shard that has not been asked for long may be behind the moving bound, while the
/// position of the whole is not.
#[tokio::test]
async fn on_shards_the_bound_may_pass_the_positions_of_some() {
    on_table::<Log, _>("cursor-shards", |bench| async move {
        let log = &bench.table;
        events(&bench, "d1", (0..60).map(|n| n * 2)).await;
        let from = |at: u16| log.query(Event::by_kind(Kind::Info).at_range(at..)).limit(7);
        let (mut found, mut page) = (Vec::new(), from(0).send().await.unwrap());
        loop {
            let last = page.items.last().unwrap().at;
            found.extend(page.items.iter().map(|event| event.at));
            let Some(next) = page.next else { break };
            // Everything in front of the last item has expired meanwhile.
            page = from(last).cursor(next).send().await.unwrap();
        }
        assert_eq!(found, (0..60).map(|n| n * 2).collect::<Vec<u16>>());
    })
    .await;
}

#[tokio::test]
async fn after_takes_an_item_of_the_query() {
    on_table::<Log, _>("cursor-after", |bench| async move {
        let log = &bench.table;
        events(&bench, "d1", 0..10).await;
        let event = |at| Event { device: "d1".into(), at, kind: Kind::Info };
        let times = |events: &[Event]| events.iter().map(|event| event.at).collect::<Vec<_>>();
        // An item that is not there: its place is enough.
        log.delete(Event::key("d1", 4)).send().await.unwrap();
        let query = || log.query(Event::by_device("d1"));
        assert_eq!(times(&query().after(&event(4)).limit(2).send().await.unwrap()), [5, 6]);
        let back = query().after(&event(4)).descending().all().await.unwrap();
        assert_eq!(times(&back), [3, 2, 1, 0]);
        let shards = log.query(Event::by_kind(Kind::Info)).after(&event(2)).all().await.unwrap();
        assert_eq!(times(&shards), [6, 8]);
        bench.recorder.take();

        let mut stranger = event(4);
        stranger.device = "d2".into();
        let error = query().after(&stranger).send().await.unwrap_err();
        assert!(
            error.is_invalid_cursor() && error.to_string().contains("does not read"),
            "{error}"
        );
        let narrow = log.query(Event::by_device("d1").at_range(5..));
        assert!(narrow.after(&event(4)).send().await.unwrap_err().is_invalid_cursor());
        let error = query().after(&event(10_000)).send().await.unwrap_err();
        assert!(error.is_invalid_key(), "{error}");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn an_item_outside_of_an_index_has_no_place_in_it() {
    on_table::<Library, _>("cursor-sparse", |bench| async move {
        let lost = Loan { branch: "north".into(), reader: "r".into(), id: 1, due: None };
        let error = bench.table.query(Loan::by_due_branch("north")).after(&lost).send().await;
        let error = error.unwrap_err();
        assert!(error.is_invalid_cursor() && error.to_string().contains("`by_due`"), "{error}");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_stream_does_not_go_back_and_max_pages_is_for_send() {
    on_table::<Log, _>("cursor-usage", |bench| async move {
        let log = &bench.table;
        events(&bench, "d1", 0..10).await;
        let query = || log.query(Event::by_device("d1"));
        let page = query().after(&Event { device: "d1".into(), at: 4, kind: Kind::Info });
        let previous = page.limit(2).send().await.unwrap().previous;
        let times = |events: &[Event]| events.iter().map(|event| event.at).collect::<Vec<_>>();
        // In front of the position, in the order of the query.
        assert_eq!(times(&query().cursor(previous.clone()).all().await.unwrap()), [0, 1, 2, 3, 4]);
        assert_eq!(query().cursor(previous.clone()).count().await.unwrap(), 5);
        assert_eq!(query().cursor(previous.clone()).first().await.unwrap().unwrap().at, 4);
        bench.recorder.take();
        let error = query().cursor(previous).stream().try_next().await.unwrap_err();
        assert!(error.is_usage() && error.to_string().contains("descending"), "{error}");
        let limited = || query().max_pages(3);
        for error in [
            limited().all().await.unwrap_err(),
            limited().first().await.unwrap_err(),
            limited().one().await.unwrap_err(),
            limited().count().await.unwrap_err(),
            limited().stream().try_next().await.unwrap_err(),
            query().max_pages(0).send().await.unwrap_err(),
        ] {
            assert!(error.is_usage() && error.to_string().contains("max_pages"), "{error}");
        }
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn max_pages_ends_a_send_early_and_its_cursor_goes_on() {
    on_table::<Log, _>("cursor-max-pages", |bench| async move {
        let log = &bench.table;
        events(&bench, "d1", 0..20).await;
        let query = || {
            let query = log.query(Event::by_device("d1")).filter(|event| event.at.ge(13));
            query.page_size(2).limit(3).max_pages(2)
        };
        let (mut found, mut sizes, mut cursor) = (Vec::new(), Vec::new(), None);
        loop {
            let page = query().cursor(cursor).send().await.unwrap();
            assert!(bench.recorder.take().len() <= 2);
            sizes.push(page.len());
            found.extend(page.items.iter().map(|event| event.at));
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(found, (13..20).collect::<Vec<u16>>());
        // Two pages of two items each, of which none, then some, pass the filter.
        assert_eq!(sizes[..3], [0, 0, 0]);
    })
    .await;
}

#[derive(Debug, Table)]
#[table(pk = ("owner", B), sk = ("number", N), entities(Blob))]
#[gsi(by_digest, pk = "name", sk = ("digest", B))]
struct Blobs;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Blobs, pk = "<owner>", sk = "<number>")]
#[index(by_digest, pk = "<name>", sk = "<digest>")]
struct Blob {
    owner: Bytes,
    number: i64,
    name: String,
    digest: Bytes,
}

#[tokio::test]
async fn numbers_and_binary_keys_of_any_content() {
    on_table::<Blobs, _>("cursor-types", |bench| async move {
        let blobs = &bench.table;
        let owner = Bytes::from(vec![0_u8, 255, 10, 0]);
        let numbers = [i64::MIN, -1000, -1, 0, 7, 1000, i64::MAX];
        for (at, number) in numbers.into_iter().enumerate() {
            let at = u8::try_from(at).unwrap();
            let digest = Bytes::from(vec![0, at, 0, 255]);
            let name = "quoted \" \\ \u{0} €".to_owned();
            blobs.put(&Blob { owner: owner.clone(), number, name, digest }).send().await.unwrap();
        }
        // As the engine tells it, not as the struct renders it: 1e3 is 1000.
        let mut cursor: Option<Cursor> = None;
        let mut found = Vec::new();
        loop {
            let query = blobs.query(Blob::by_owner(&owner)).limit(1).cursor(cursor);
            let page = query.send().await.unwrap();
            found.extend(page.items.iter().map(|blob| blob.number));
            cursor = page.next.map(|next| next.to_string().parse().unwrap());
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(found, numbers);
        let on_index = || blobs.query(Blob::by_name("quoted \" \\ \u{0} €")).limit(2);
        let first = on_index().send().await.unwrap();
        let second = on_index().cursor(first.next.clone()).send().await.unwrap();
        assert_eq!(second.items[0].number, -1);
        let back = on_index().cursor(second.previous).send().await.unwrap();
        assert_eq!(back.items, first.items);
        // After an item whose keys are rendered from the struct.
        let after = on_index().after(&first.items[1]).send().await.unwrap();
        assert_eq!(after.items, second.items);
    })
    .await;
}

/// C21: on an index DynamoDB wants the keys of the index and of the table, and no others.
#[tokio::test]
async fn the_start_key_is_that_of_index_and_table() {
    on_table::<Library, _>("cursor-keys", |bench| async move {
        let library = &bench.table;
        for id in 1..=3 {
            library.put(&book(id, "same")).send().await.unwrap();
        }
        let query = || library.query(book_pattern()).keys().limit(1);
        let first = query().send().await.unwrap();
        bench.recorder.take();
        query().cursor(first.next).send().await.unwrap();
        let sent = bench.recorder.take();
        let start = sent[0].body["ExclusiveStartKey"].as_object().unwrap();
        let names: BTreeSet<_> = start.keys().map(String::as_str).collect();
        assert_eq!(names, BTreeSet::from(["PK", "SK", "LSI1SK"]));
    })
    .await;
}

fn book_pattern() -> monotable::Pattern<tests::models::library::Book, monotable::OnLocalIndex> {
    tests::models::library::Book::by_title("north").erase()
}
