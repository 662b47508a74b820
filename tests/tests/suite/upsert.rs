use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::join_all;
use monotable::{Entity, Set, Table};
use serde::{Deserialize, Serialize};
use tests::bench::on_table;

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", type_attribute = "_et", entities(Page, Job, Draft))]
#[gsi(by_day, pk = "GSI1PK", sk = "GSI1SK")]
struct Site;

/// Every index key follows from the primary key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Site, pk = "PAGE#<path>", sk = "PAGE", attributes("v" = "1"))]
#[index(by_day, pk = "PAGES#<path>", sk = "PAGE", name = "pages")]
struct Page {
    path: String,
    title: String,
    views: u32,
    visitors: Set<u32>,
    log: Vec<String>,
    note: Option<String>,
}

/// An index key depends on another field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Site, pk = "JOB#<id>", sk = "JOB")]
#[index(by_day, pk = "STATE#<state>", sk = "<id:4>", name = "by_state")]
struct Job {
    id: u32,
    state: String,
    runs: u32,
}

/// A stored item may have no `size`, which is not the initial one then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Site, pk = "DRAFT#<id>", sk = "DRAFT")]
struct Draft {
    id: u32,
    text: String,
    #[serde(default)]
    size: u32,
}

fn page() -> Page {
    Page {
        path: "/".into(),
        title: "Home".into(),
        views: 10,
        visitors: Set::new(),
        log: vec!["made".into()],
        note: None,
    }
}

fn job(state: &str, runs: u32) -> Job {
    Job { id: 1, state: state.into(), runs }
}

async fn stored<E: Entity>(table: &Table<E::Table>, item: &E) -> E {
    table.get(item.key()).consistent().send().await.unwrap().unwrap()
}

#[tokio::test]
async fn the_changes_apply_whether_it_was_there_or_not() {
    on_table::<Site, _>("upsert", |bench| async move {
        let table = &bench.table;
        let initial = page();
        let upsert = || {
            let upsert = table.upsert(&initial);
            upsert.change(|p| (p.views.add(1), p.log.append(["seen"]), p.visitors.insert([7])))
        };
        upsert().send().await.unwrap();
        assert_eq!(bench.recorder.operations(), ["UpdateItem"]);
        let first = Page {
            views: 11,
            log: ["made", "seen"].map(String::from).to_vec(),
            visitors: [7].into_iter().collect(),
            ..page()
        };
        assert_eq!(stored(table, &initial).await, first);
        table
            .update(&first)
            .change(|p| (p.title.set("New"), p.note.set("n")))
            .send()
            .await
            .unwrap();
        upsert().send().await.unwrap();
        // What is stored counts, and not the initial item.
        let log = ["made", "seen", "seen"].map(String::from).to_vec();
        let second = Page { title: "New".into(), note: Some("n".into()), views: 12, log, ..first };
        assert_eq!(stored(table, &initial).await, second);

        table.upsert(&initial).send().await.unwrap();
        assert_eq!(stored(table, &initial).await, second);
        table.delete(&second).send().await.unwrap();
        table.upsert(&initial).send().await.unwrap();
        // Keys of indexes, type and constants as well.
        let get = table.client().get_item().table_name(table.name()).consistent_read(true);
        let raw = get.set_key(Some(page().key().to_item().unwrap())).send().await.unwrap().item;
        assert_eq!(raw, Some(page().to_item().unwrap()));
    })
    .await;
}

#[tokio::test]
async fn two_requests_where_one_cannot_say_it() {
    on_table::<Site, _>("upsert-two", |bench| async move {
        let table = &bench.table;
        let initial = job("open", 5);
        let upsert = |state: &'static str| {
            table.upsert(&initial).change(move |j| (j.state.set(state), j.runs.add(1)))
        };
        upsert("busy").send().await.unwrap();
        assert_eq!(bench.recorder.operations(), ["UpdateItem", "PutItem"]);
        assert_eq!(stored(table, &initial).await, job("busy", 6));
        upsert("done").send().await.unwrap();
        assert_eq!(stored(table, &initial).await, job("done", 7));
        let keys = |state| table.query(Job::by_state(state)).keys().all();
        tests::bench::eventually(1, || async { keys("done").await.unwrap().len() }).await;
        assert!(keys("busy").await.unwrap().is_empty());

        // Stored without the field, which then counts as its default.
        let initial = Draft { id: 1, text: "a".into(), size: 9 };
        let mut item = initial.to_item().unwrap();
        item.remove("size");
        item.insert("newer".into(), AttributeValue::Bool(true));
        let put = table.client().put_item().table_name(table.name());
        put.set_item(Some(item)).send().await.unwrap();
        table.upsert(&initial).change(|d| d.text.set("b")).send().await.unwrap();
        assert_eq!(stored(table, &initial).await, Draft { text: "b".into(), size: 0, id: 1 });
        table.upsert(&initial).change(|d| d.size.add(1)).send().await.unwrap();
        assert_eq!(stored(table, &initial).await.size, 1);
        let get = table.client().get_item().table_name(table.name()).consistent_read(true);
        let raw = get.set_key(Some(initial.key().to_item().unwrap())).send().await.unwrap().item;
        assert_eq!(raw.unwrap()["newer"], AttributeValue::Bool(true));
    })
    .await;
}

#[tokio::test]
async fn every_one_of_several_writers_counts() {
    if !tests::engine::is_atomic() {
        return;
    }
    on_table::<Site, _>("upsert-writers", |bench| async move {
        let table = &bench.table;
        let initial = page();
        let writers = (0..6).map(|_| table.upsert(&initial).change(|p| p.views.add(1)).send());
        assert!(join_all(writers).await.iter().all(Result::is_ok));
        assert_eq!(stored(table, &initial).await.views, 16);
        let initial = job("open", 0);
        let writers = (0..6).map(|_| table.upsert(&initial).change(|j| j.runs.add(1)).send());
        assert!(join_all(writers).await.iter().all(Result::is_ok));
        assert_eq!(stored(table, &initial).await.runs, 6);
    })
    .await;
}

#[tokio::test]
async fn what_no_item_can_be_is_refused() {
    on_table::<Site, _>("upsert-refused", |bench| async move {
        let table = &bench.table;
        let nameless = Page { path: String::new(), ..page() };
        assert!(table.upsert(&nameless).send().await.unwrap_err().is_invalid_key());
        let stateless = job("", 0);
        assert!(table.upsert(&stateless).send().await.unwrap_err().is_invalid_key());
        let initial = job("open", 0);
        let update = table.upsert(&initial).change(|j| j.state.set(""));
        assert!(update.send().await.unwrap_err().is_invalid_key());
        let negative = table.upsert(&initial).change(|j| j.runs.subtract(1)).send().await;
        let negative = negative.unwrap_err();
        assert!(negative.is_invalid_expression(), "{negative}");
        assert!(negative.to_string().contains("an item that is no `Job`"), "{negative}");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[test]
fn explain_shows_which_requests() {
    let client = monotable::testing::local_client("http://127.0.0.1:1").unwrap();
    let table: Table<Site> = Table::new(client, "site");
    let operations = |explained: Result<monotable::op::Explanation, monotable::Error>| {
        let explained = explained.unwrap();
        explained.requests().iter().map(|request| request.operation()).collect::<Vec<_>>().join(" ")
    };
    let (page, job) = (page(), job("open", 0));
    assert_eq!(operations(table.upsert(&page).explain()), "UpdateItem");
    assert_eq!(operations(table.upsert(&page).change(|p| p.views.add(1)).explain()), "UpdateItem");
    assert_eq!(operations(table.upsert(&job).explain()), "UpdateItem PutItem");
    // The first element of a list that may be the initial one.
    let inside = table.upsert(&page).change(|p| p.log.at(0).set("x"));
    assert_eq!(operations(inside.explain()), "UpdateItem PutItem");
}
