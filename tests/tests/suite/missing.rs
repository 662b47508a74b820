//! `:none_first` and `:none_last`: items without a value stay in the index.

use chrono::NaiveDate;
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{eventually, on_table};
use tests::models::shop::date;

#[derive(Debug, Table)]
#[table(pk = "PK", entities(Task))]
#[gsi(by_owner, pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(by_list, pk = "GSI2PK", sk = "GSI2SK")]
struct Tasks;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Tasks, pk = "TASK#<id>")]
#[index(by_owner, pk = "OWNER#<owner>", sk = "<due:none_first>#<id>")]
#[index(by_list, pk = "LIST#<list>", sk = "T#<rank:3:desc:none_last>#<id>")]
struct Task {
    id: String,
    owner: String,
    list: String,
    due: Option<NaiveDate>,
    rank: Option<u16>,
}

fn task(id: &str, due: Option<NaiveDate>, rank: Option<u16>) -> Task {
    Task { id: id.into(), owner: "ana".into(), list: "home".into(), due, rank }
}

#[tokio::test]
async fn missing_values_sort_before_or_behind_all_others() {
    on_table::<Tasks, _>("missing", |bench| async move {
        let table = &bench.table;
        let (may, june) = (date(2026, 5, 1), date(2026, 6, 1));
        for task in [
            task("a", Some(june), None),
            task("b", None, Some(7)),
            task("c", Some(may), Some(40)),
            task("d", None, None),
        ] {
            table.put(&task).send().await.unwrap();
        }
        let sent = bench.recorder.take();
        let stored = |at: usize| {
            (&sent[at].body["Item"]["GSI1SK"]["S"], &sent[at].body["Item"]["GSI2SK"]["S"])
        };
        assert_eq!(stored(0), (&"+2026-06-01#a".into(), &"T#~#a".into()));
        assert_eq!(stored(1), (&"!#b".into(), &"T#+992#b".into()));

        let ids = async |query: monotable::op::Query<Task, monotable::OnGlobalIndex>| {
            let items = query.page_size(1).all().await.unwrap();
            items.into_iter().map(|task| task.id).collect::<String>()
        };
        let owner = || Task::by_owner("ana");
        let list = || Task::by_list("home");
        eventually(4, || async { table.query(owner()).count().await.unwrap() }).await;
        assert_eq!(ids(table.query(owner().erase())).await, "bdca");
        assert_eq!(ids(table.query(list().erase()).descending()).await, "dabc");
        assert_eq!(ids(table.query(owner().due_none().erase())).await, "bd");
        assert_eq!(ids(table.query(owner().due_none().id("d").erase())).await, "d");
        assert_eq!(ids(table.query(owner().due_none().id_range("c"..).erase())).await, "d");
        assert_eq!(ids(table.query(owner().due(may).erase())).await, "c");
        assert_eq!(ids(table.query(list().rank_none().erase())).await, "ad");
        // A range and a prefix speak of values, whichever end is open.
        assert_eq!(ids(table.query(owner().due_range(..=may).erase())).await, "c");
        assert_eq!(ids(table.query(owner().due_range(may..).erase())).await, "ca");
        assert_eq!(ids(table.query(owner().due_prefix("2026-06").erase())).await, "a");
        assert_eq!(ids(table.query(list().rank_range(8..).erase())).await, "c");
        assert_eq!(ids(table.query(list().rank_range(..8).erase())).await, "b");
    })
    .await;
}

#[tokio::test]
async fn an_update_to_none_keeps_the_item_in_the_index() {
    on_table::<Tasks, _>("missing-update", |bench| async move {
        let table = &bench.table;
        let dated = task("a", Some(date(2026, 5, 1)), Some(7));
        table.put(&dated).send().await.unwrap();
        table.update(Task::key("a")).change(|t| t.due.remove()).send().await.unwrap();
        let undated = Task { due: None, ..dated };
        eventually(vec![undated.clone()], || async {
            table.query(Task::by_owner("ana").due_none()).all().await.unwrap()
        })
        .await;
        table.update(&undated).change(|t| t.rank.set(None)).send().await.unwrap();
        eventually(1, || async {
            table.query(Task::by_list("home").rank_none()).count().await.unwrap()
        })
        .await;
        let stored = Task { rank: None, ..undated };
        assert!(Tasks::inspect(&stored.to_item().unwrap()).is_faithful());
        let layout = Tasks::layout();
        assert!(layout.contains("    rank: unsigned :3:desc:none_last\n"), "{layout}");
    })
    .await;
}
