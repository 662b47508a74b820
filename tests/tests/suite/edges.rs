//! Where rules meet: each of these once went wrong.

use std::time::{Duration, UNIX_EPOCH};

use monotable::{Entity, ItemCollection, Table};
use serde::{Deserialize, Serialize};
use tests::bench::on_table;

#[derive(Debug, Table)]
#[table(
    pk = "PK",
    sk = "SK",
    ttl = "ttl",
    type_attribute = "_et",
    entities(Loose, User, Lease, Codes, Page, Member, Other)
)]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Edges;

mod hexes {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        codes: &[u32],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let texts: Vec<_> = codes.iter().map(|code| format!("{code:x}")).collect();
        texts.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u32>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        let codes = texts.iter().map(|text| u32::from_str_radix(text, 16));
        codes.collect::<Result<_, _>>().map_err(serde::de::Error::custom)
    }
}

/// As `User` was before its e-mail address was unique.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Edges, pk = "USER#<id>", sk = "USER", type_name = "old", allow(overlap(User)))]
struct Loose {
    id: String,
    email: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Edges, pk = "USER#<id>", sk = "USER", type_alias("older"), unique(email))]
struct User {
    id: String,
    email: String,
}

fn user(id: &str, email: &str) -> User {
    User { id: id.into(), email: email.into() }
}

#[tokio::test]
async fn an_item_without_a_guard_does_not_free_the_value_of_another() {
    on_table::<Edges, _>("edges-guard", |bench| async move {
        let table = &bench.table;
        // Stored before there were guards.
        let first = user("u1", "a@x");
        let mut item = first.to_item().unwrap();
        item.remove("_et");
        let put = table.client().put_item().table_name(table.name());
        put.set_item(Some(item)).send().await.unwrap();
        table.create(&user("u2", "a@x")).send().await.unwrap();

        let error = table.delete(&first).send().await.unwrap_err();
        assert_eq!(error.taken_field(), Some("email"), "{error}");
        let error = table.create(&user("u3", "a@x")).send().await.unwrap_err();
        assert_eq!(error.taken_field(), Some("email"));

        // Where nobody has it, an update to the same value writes the guard.
        let old = user("u4", "d@x");
        let put = table.client().put_item().table_name(table.name());
        put.set_item(Some(old.to_item().unwrap())).send().await.unwrap();
        table.update(&old).change(|u| u.email.set("d@x")).send().await.unwrap();
        let error = table.create(&user("u5", "d@x")).send().await.unwrap_err();
        assert_eq!(error.taken_field(), Some("email"));
        table.delete(&old).send().await.unwrap();
        table.create(&user("u5", "d@x")).send().await.unwrap();
    })
    .await;
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Edges, pk = "LEASE#<id>", sk = "LEASE", version = version, ttl = until)]
struct Lease {
    id: String,
    until: u64,
    version: u64,
}

#[tokio::test]
async fn a_versioned_put_does_not_count_backwards_over_an_expired_item() {
    on_table::<Edges, _>("edges-version", |bench| async move {
        let at = |second| bench.table.with_clock(move || UNIX_EPOCH + Duration::from_secs(second));
        let mut lease = Lease { id: "l1".into(), until: 100, version: 0 };
        at(1).create(&mut lease).send().await.unwrap();
        for _ in 0..3 {
            at(1).put(&mut lease).send().await.unwrap();
        }
        assert_eq!(lease.version, 4);
        let mut stale = Lease { version: 2, until: 300, ..lease.clone() };
        let error = at(200).put(&mut stale).send().await.unwrap_err();
        assert!(error.is_item_missing(), "{error}");
        assert_eq!(stale.version, 2);
        stale.version = 0;
        at(200).put(&mut stale).send().await.unwrap();
        assert_eq!(stale.version, 1);
    })
    .await;
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Edges, pk = "CODES#<id>", sk = "CODES", null(nick))]
#[index(gsi1, pk = "REGION#<region>#<kind>", sk = "<id>")]
struct Codes {
    id: String,
    #[serde(with = "hexes")]
    codes: Vec<u32>,
    nick: Option<u32>,
    #[serde(default = "eu")]
    region: String,
    kind: String,
}

fn eu() -> String {
    "eu".into()
}

fn codes() -> Codes {
    Codes { id: "c1".into(), codes: vec![255], nick: None, region: eu(), kind: "a".into() }
}

#[tokio::test]
async fn parts_of_a_field_that_a_module_writes_are_refused() {
    on_table::<Edges, _>("edges-with", |bench| async move {
        let table = &bench.table;
        table.put(&codes()).send().await.unwrap();
        let key = || Codes::key("c1");
        bench.recorder.take();
        let refused = [
            table.update(key()).change(|c| c.codes.at(0).set(1)).send().await,
            table.update(key()).condition(|c| c.codes.contains(255)).send().await,
            table.update(key()).condition(|c| c.codes.at(0).eq(255)).send().await,
            table.update(key()).change(|c| c.nick.add(1)).send().await,
        ];
        for refused in refused {
            assert!(refused.unwrap_err().is_invalid_expression());
        }
        assert!(bench.recorder.take().is_empty());
        table
            .update(key())
            .change(|c| c.codes.append([16]))
            .condition(|c| c.codes.eq(vec![255]) & c.codes.at(0).exists())
            .send()
            .await
            .unwrap();
        assert_eq!(table.get(key()).send().await.unwrap().unwrap().codes, [255, 16]);
    })
    .await;
}

#[tokio::test]
async fn a_field_that_serde_fills_in_is_no_conflict() {
    on_table::<Edges, _>("edges-default", |bench| async move {
        let table = &bench.table;
        let mut item = codes().to_item().unwrap();
        item.remove("region");
        let put = table.client().put_item().table_name(table.name());
        put.set_item(Some(item)).send().await.unwrap();
        let read = table.get(Codes::key("c1")).send().await.unwrap().unwrap();
        table.update(&read).change(|c| c.kind.set("b")).send().await.unwrap();
        assert_eq!(table.query(Codes::by_region_and_kind("eu", "b")).count().await.unwrap(), 1);

        // Another region is one.
        table
            .update(Codes::key("c1"))
            .change(|c| c.region_and_kind.set("us", "b"))
            .send()
            .await
            .unwrap();
        let error = table.update(&read).change(|c| c.kind.set("c")).send().await.unwrap_err();
        assert!(error.is_conflict(), "{error}");
    })
    .await;
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Pay {
    Card { card: String },
    Iban { iban: String },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Edges, pk = "PAGE#<id>", sk = "PAGE")]
struct Page {
    id: String,
    views: u32,
    #[serde(flatten)]
    pay: Pay,
}

#[tokio::test]
async fn an_upsert_leaves_a_flattened_choice_as_it_is() {
    on_table::<Edges, _>("edges-flatten", |bench| async move {
        let table = &bench.table;
        let stored = Page { id: "p1".into(), views: 1, pay: Pay::Iban { iban: "AT1".into() } };
        table.put(&stored).send().await.unwrap();
        let initial = Page { views: 0, pay: Pay::Card { card: "4".into() }, ..stored.clone() };
        table.upsert(&initial).change(|p| p.views.add(1)).send().await.unwrap();
        let found = table.get(&stored).send().await.unwrap();
        assert_eq!(found, Some(Page { views: 2, ..stored }));
    })
    .await;
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Edges, pk = "TEAM#<team>", sk = "MEMBER#<name>")]
struct Member {
    team: String,
    name: String,
    age: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Edges, pk = "TEAM#<team>", sk = "OTHER#<name>")]
struct Other {
    team: String,
    name: String,
    age: u32,
}

#[derive(Debug, PartialEq, ItemCollection)]
#[collection(table = Edges, pk = "TEAM#<team>")]
struct Team {
    members: Vec<Member>,
}

#[tokio::test]
async fn a_collection_is_filtered_by_its_members_alone() {
    on_table::<Edges, _>("edges-collection", |bench| async move {
        let table = &bench.table;
        for (name, age) in [("ana", 30), ("ben", 40)] {
            let member = Member { team: "t1".into(), name: name.into(), age };
            table.put(&member).send().await.unwrap();
        }
        let team = || table.collection(Team::by_team("t1"));
        let old = team().filter::<Member, _>(|m| m.age.gt(35)).send().await.unwrap().unwrap();
        assert_eq!(old.members.len(), 1);
        bench.recorder.take();
        let error = team().filter::<Other, _>(|o| o.age.gt(35)).send().await.unwrap_err();
        assert!(
            error.is_invalid_expression() && error.to_string().contains("no member"),
            "{error}"
        );
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_batch_deletes_a_versioned_item_by_its_key() {
    on_table::<Edges, _>("edges-batch", |bench| async move {
        let table = &bench.table;
        let mut lease = Lease { id: "l1".into(), until: 9_000_000_000, version: 0 };
        table.create(&mut lease).send().await.unwrap();
        table.batch_write().delete(lease.key()).send().await.unwrap();
        assert!(!table.exists(lease.key()).send().await.unwrap());
    })
    .await;
}

mod filters_of_local_indexes {
    use super::*;
    use tests::models::library::{Book, Library, book};

    /// The index has keys only; every way to read answers the same.
    #[tokio::test]
    async fn ask_for_what_the_index_does_not_project() {
        if !tests::engine::local_indexes_fetch() {
            return;
        }
        on_table::<Library, _>("edges-local-filter", |bench| async move {
            for id in 1..=4 {
                let pages = if id % 2 == 0 { 100 } else { 7 };
                bench.table.put(&Book { pages, ..book(id, "same") }).send().await.unwrap();
            }
            let query =
                || bench.table.query(Book::by_title("north")).filter(|book| book.pages.eq(100));
            assert_eq!(query().all().await.unwrap().len(), 2);
            assert_eq!(query().count().await.unwrap(), 2);
            assert_eq!(query().keys().all().await.unwrap().len(), 2);
        })
        .await;
    }
}

mod streams_of_reads {
    use super::*;

    #[derive(Debug, Table)]
    #[table(pk = "PK", entities(Note))]
    struct Notes;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
    #[entity(table = Notes, pk = "NOTE#<id>")]
    struct Note {
        id: u32,
        text: String,
    }

    /// What comes behind an error would look complete.
    #[tokio::test]
    async fn end_at_an_error() {
        on_table::<Notes, _>("edges-stream-error", |bench| async move {
            let notes = &bench.table;
            for id in 0..20 {
                notes.put(&Note { id, text: "t".into() }).send().await.unwrap();
                let mut damaged = Note { id: 100 + id, text: "t".into() }.to_item().unwrap();
                damaged.remove("text");
                let put = notes.client().put_item().table_name(notes.name());
                put.set_item(Some(damaged)).send().await.unwrap();
            }
            let mut stream = notes.full_scan().of::<Note>().segments(3).stream();
            while stream.try_next().await.is_ok_and(|note| note.is_some()) {}
            assert_eq!(stream.try_next().await.unwrap(), None);
            assert_eq!(stream.try_next().await.unwrap(), None);
        })
        .await;
    }
}

mod counts_with_a_limit {
    use super::*;
    use tests::models::shop::{OrderSummary, Shop, date, summary};

    #[tokio::test]
    async fn read_no_more_than_they_count() {
        on_table::<Shop, _>("edges-count-limit", |bench| async move {
            for day in 1..=9 {
                let order = summary(date(2026, 9, day), "o1");
                bench.table.put(&order).send().await.unwrap();
            }
            bench.recorder.take();
            let query = || bench.table.query(OrderSummary::by_customer_id("c42"));
            assert_eq!(query().limit(4).count().await.unwrap(), 4);
            let sent = bench.recorder.take();
            assert_eq!((sent.len(), &sent[0].body["Limit"]), (1, &serde_json::json!(4)));
            assert_eq!(query().count().await.unwrap(), 9);
        })
        .await;
    }
}
