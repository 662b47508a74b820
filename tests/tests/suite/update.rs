use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_dynamodb::types::AttributeValue;
use chrono::{DateTime, Utc};
use monotable::expr::{ByItem, ByKey, Change};
use monotable::{Bytes, Document, Entity, Item, KeyPart, Set, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{eventually, on_table};
use tests::models::shop::{Order, Shop, Status, order};

#[tokio::test]
async fn an_update_moves_the_item_in_its_index() {
    on_table::<Shop, _>("update", |bench| async move {
        let shop = &bench.table;
        shop.put(&order("o1", Status::Pending, 0)).send().await.unwrap();
        bench.recorder.take();
        shop.update(Order::key("o1"))
            .change(|o| o.status.set(Status::Shipped))
            .condition(|o| o.status.eq(Status::Pending))
            .send()
            .await
            .unwrap();
        assert_eq!(bench.recorder.operations(), ["UpdateItem"]);
        eventually(0, || async {
            shop.query(Order::by_status(Status::Pending)).count().await.unwrap()
        })
        .await;
        let found = shop.get(Order::key("o1")).send().await.unwrap().unwrap();
        assert_eq!(found.status, Status::Shipped);
    })
    .await;
}

#[derive(Debug, Table)]
#[table(pk = "PK", entities(Tool))]
struct Tools;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Tools, pk = "TOOL#<id>", null(nick))]
struct Tool {
    id: u32,
    #[serde(rename = "the.name-of it")]
    name: String,
    uses: u32,
    price: Option<i64>,
    ratio: f64,
    nick: Option<String>,
    note: Option<String>,
    tags: Set<String>,
    marks: Option<Set<u32>>,
    blobs: Set<Bytes>,
    steps: Vec<String>,
    extra: Option<Vec<u32>>,
    #[serde(with = "chrono::serde::ts_seconds")]
    since: DateTime<Utc>,
    size: Size,
    case: Option<Size>,
    stock: BTreeMap<String, u32>,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Document)]
#[serde(rename_all = "kebab-case")]
struct Size {
    full_width: u32,
    depth: Option<u32>,
    colors: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Document)]
struct Part {
    count: i32,
    label: Option<String>,
}

fn second(n: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_700_000_000 + n, 0).unwrap()
}

fn size() -> Size {
    Size { full_width: 3, depth: None, colors: vec!["red".into()] }
}

/// Has nothing that can be left out.
fn bare(id: u32) -> Tool {
    Tool {
        id,
        name: "saw".into(),
        uses: 7,
        price: None,
        ratio: 0.5,
        nick: None,
        note: None,
        tags: Set::new(),
        marks: None,
        blobs: Set::new(),
        steps: vec![],
        extra: None,
        since: second(0),
        size: size(),
        case: None,
        stock: BTreeMap::new(),
        parts: vec![Part { count: 1, label: None }],
    }
}

/// Has everything.
fn full(id: u32) -> Tool {
    let texts = ["a", "b"].map(String::from);
    Tool {
        price: Some(-3),
        nick: Some("n".into()),
        note: Some("note".into()),
        tags: texts.iter().cloned().collect(),
        marks: Some([1, 2].into_iter().collect()),
        blobs: [Bytes::from(vec![0])].into_iter().collect(),
        steps: texts.to_vec(),
        extra: Some(vec![1]),
        size: Size { depth: Some(2), ..size() },
        case: Some(size()),
        stock: BTreeMap::from([("hall.1".into(), 4), ("#x".into(), 5)]),
        parts: vec![
            Part { count: 1, label: Some("l".into()) },
            Part { count: -5, label: None },
            Part { count: 9, label: None },
        ],
        ..bare(id)
    }
}

async fn raw<E: Entity>(table: &Table<E::Table>, key: &monotable::Key<E>) -> Item {
    let get = table.client().get_item().table_name(table.name()).consistent_read(true);
    get.set_key(Some(key.to_item().unwrap())).send().await.unwrap().item.unwrap()
}

/// Law 7: what is stored is what a fresh put of `expected` would store.
async fn assert_stored<E>(table: &Table<E::Table>, expected: &E, context: &str)
where
    E: Entity + PartialEq + std::fmt::Debug,
{
    let stored = raw(table, &expected.key()).await;
    let fresh = expected.to_item().unwrap();
    let names = |item: &Item| item.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(names(&stored), names(&fresh), "{context}");
    for name in E::SCHEMA.attributes.iter().filter(|name| !stored.contains_key(**name)) {
        assert!(!fresh.contains_key(*name), "{context}: {name}");
    }
    for (name, value) in &fresh {
        if let AttributeValue::S(_) | AttributeValue::Null(_) = value {
            assert_eq!(stored.get(name), Some(value), "{context}: {name}");
        }
    }
    assert_eq!(&E::from_item(stored).unwrap(), expected, "{context}");
}

type Fields<M> = <Tool as Entity>::Fields<M>;

/// Does a change in every way that there is, on every tool.
async fn check(
    table: &Table<Tools>,
    name: &str,
    by_key: fn(&Fields<ByKey>) -> Change,
    by_item: fn(&Fields<ByItem>) -> Change,
    expected: fn(&mut Tool),
) {
    if name.ends_with("nothing") && !tests::engine::updates_nothing() {
        return;
    }
    for tool in [full(1), bare(1)] {
        let mut after = tool.clone();
        expected(&mut after);

        table.put(&tool).send().await.unwrap();
        let update = table.update(Tool::key(1)).change(by_key).returning_new();
        let outcome = update.send().await;
        assert_eq!(outcome.as_ref().ok(), Some(&after), "{name}: {outcome:?}");
        assert_stored(table, &after, name).await;

        table.put(&tool).send().await.unwrap();
        let mut item = tool.clone();
        table.update(&mut item).change(by_item).send().await.unwrap();
        assert_eq!(item, after, "{name}, the caller's item");
        assert_stored(table, &after, name).await;

        table.put(&tool).send().await.unwrap();
        table.upsert(&tool).change(by_key).send().await.unwrap();
        assert_stored(table, &after, &format!("{name}, upsert")).await;
        table.delete(&tool).send().await.unwrap();
        table.upsert(&tool).change(by_key).send().await.unwrap();
        assert_stored(table, &after, &format!("{name}, upsert of a missing item")).await;

        table.put(&tool).send().await.unwrap();
        let transaction = table.transact().add(table.update(Tool::key(1)).change(by_key));
        transaction.send().await.unwrap();
        assert_stored(table, &after, &format!("{name}, transaction")).await;
    }
}

/// `"name", |fields| change => |tool| the same in Rust;`
macro_rules! check {
    ($table:expr; $($name:literal, |$o:pat_param| $change:expr => |$t:pat_param| $same:expr;)*) => {$(
        check($table, $name, |$o| $change, |$o| $change, |$t| {
            let _ = $same;
        })
        .await;
    )*};
}

#[tokio::test]
async fn values_are_set_and_removed() {
    on_table::<Tools, _>("update-set", |bench| async move {
        check! { &bench.table;
            "set", |o| o.name.set("axe") => |t| t.name = "axe".into();
            "set a number", |o| o.uses.set(0) => |t| t.uses = 0;
            "set a float", |o| o.ratio.set(-1e-3) => |t| t.ratio = -1e-3;
            "set some", |o| o.note.set("x") => |t| t.note = Some("x".into());
            "set none", |o| o.note.set(None) => |t| t.note = None;
            "remove", |o| o.note.remove() => |t| t.note = None;
            "set null", |o| o.nick.set(None) => |t| t.nick = None;
            "remove null", |o| o.nick.remove() => |t| t.nick = None;
            "set what can be null", |o| o.nick.set("x") => |t| t.nick = Some("x".into());
            "set encoded", |o| o.since.set(second(9)) => |t| t.since = second(9);
            "set an empty set", |o| o.tags.set(Set::new()) => |t| t.tags = Set::new();
            "set some empty set", |o| o.marks.set(Set::new()) => |t| t.marks = None;
            "set a list", |o| o.steps.set(vec![]) => |t| t.steps = vec![];
            "set a document", |o| o.size.set(size()) => |t| t.size = size();
            "set an optional document", |o| o.case.set(size()) => |t| t.case = Some(size());
            "remove a document", |o| o.case.remove() => |t| t.case = None;
            "set inside", |o| o.size.full_width.set(4) => |t| t.size.full_width = 4;
            "set some inside", |o| o.size.depth.set(4) => |t| t.size.depth = Some(4);
            "remove inside", |o| o.size.depth.remove() => |t| t.size.depth = None;
            "set an element", |o| o.parts.at(0).set(Part { count: 0, label: None })
                => |t| t.parts[0] = Part { count: 0, label: None };
            "set beyond the end", |o| o.steps.at(9).set("z") => |t| t.steps.push("z".into());
            "set inside of an element", |o| o.parts.at(0).count.set(5) => |t| t.parts[0].count = 5;
            "set some in an element", |o| o.parts.at(0).label.set("x")
                => |t| t.parts[0].label = Some("x".into());
            "remove in an element", |o| o.parts.at(0).label.remove() => |t| t.parts[0].label = None;
            "remove an element", |o| o.parts.at(0).remove_element() => |t| t.parts.remove(0);
            "remove beyond the end", |o| o.parts.at(7).remove_element() => |_| ();
            "set an entry", |o| o.stock.entry("hall.1").set(9)
                => |t| t.stock.insert("hall.1".into(), 9);
            "remove an entry", |o| o.stock.entry("#x").remove_element()
                => |t| t.stock.remove("#x");
            "set if missing", |o| o.note.set_if_missing("x")
                => |t| t.note.get_or_insert("x".into());
            "set if missing, which NULL is not", |o| o.nick.set_if_missing("x") => |_| ();
            "set if missing what is there", |o| o.uses.set_if_missing(99) => |_| ();
            "set if missing inside", |o| o.size.depth.set_if_missing(8)
                => |t| t.size.depth.get_or_insert(8);
        }
    })
    .await;
}

#[tokio::test]
async fn numbers_lists_and_sets_change() {
    on_table::<Tools, _>("update-add", |bench| async move {
        check! { &bench.table;
            "add", |o| o.uses.add(2) => |t| t.uses += 2;
            "subtract", |o| o.uses.subtract(7) => |t| t.uses -= 7;
            "add to what may be missing", |o| o.price.add(5)
                => |t| t.price = Some(t.price.unwrap_or(0) + 5);
            "subtract from what may be missing", |o| o.price.subtract(-5)
                => |t| t.price = Some(t.price.unwrap_or(0) + 5);
            "add a float", |o| o.ratio.add(0.25) => |t| t.ratio += 0.25;
            "add inside", |o| o.size.full_width.add(1) => |t| t.size.full_width += 1;
            "add inside to what may be missing", |o| o.size.depth.add(1)
                => |t| t.size.depth = Some(t.size.depth.unwrap_or(0) + 1);
            "add in an element", |o| o.parts.at(0).count.subtract(3) => |t| t.parts[0].count -= 3;
            "add to an entry", |o| o.stock.entry("hall.1").add(3)
                => |t| *t.stock.entry("hall.1".into()).or_default() += 3;
            "append", |o| o.steps.append(["x", "y"])
                => |t| t.steps.extend(["x".into(), "y".into()]);
            "prepend", |o| o.steps.prepend(["x", "y"])
                => |t| t.steps.splice(0..0, ["x".into(), "y".into()]);
            "append to what may be missing", |o| o.extra.append([7])
                => |t| t.extra.get_or_insert_default().push(7);
            "prepend to what may be missing", |o| o.extra.prepend([7])
                => |t| t.extra.get_or_insert_default().insert(0, 7);
            "append nothing", |o| o.steps.append(Vec::<String>::new()) => |_| ();
            "append inside", |o| o.size.colors.append(["blue"])
                => |t| t.size.colors.push("blue".into());
            "insert", |o| o.tags.insert(["a", "z"])
                => |t| t.tags.extend(["a".into(), "z".into()]);
            "insert into what may be missing", |o| o.marks.insert([9])
                => |t| t.marks = Some(t.marks.iter().flatten().copied().chain([9]).collect());
            "insert bytes", |o| o.blobs.insert([Bytes::from(vec![1])])
                => |t| t.blobs.insert(Bytes::from(vec![1]));
            "insert nothing", |o| o.tags.insert(Vec::<String>::new()) => |_| ();
            "delete", |o| o.tags.delete(["a", "z"]) => |t| t.tags.remove("a");
            "delete the last", |o| o.tags.delete(["a", "b"]) => |t| t.tags = Set::new();
            "delete the last number", |o| o.marks.delete([1, 2, 3]) => |t| t.marks = None;
            "delete nothing", |o| o.marks.delete(Vec::<u32>::new()) => |_| ();
        }
    })
    .await;
}

#[tokio::test]
async fn several_changes_speak_of_the_item_as_it_was() {
    on_table::<Tools, _>("update-several", |bench| async move {
        let table = &bench.table;
        let expected = Tool {
            name: "axe".into(),
            uses: 8,
            price: None,
            steps: ["a", "b", "c"].map(String::from).to_vec(),
            tags: ["b", "c"].map(String::from).into_iter().collect(),
            marks: Some([2].into_iter().collect()),
            parts: vec![Part { count: -4, label: None }],
            ..full(1)
        };
        let by_item = |item: &mut Tool| {
            let mut copy = item.clone();
            async move {
                let update = table.update(&mut copy);
                let update =
                    update.change(|o| (o.name.set("axe"), o.uses.add(1), o.price.remove()));
                let update = update.change(|o| vec![o.tags.insert(["c"]), o.marks.delete([1])]);
                let update = update.change(|o| Some(o.steps.append(["c"])));
                let update = update.change(|_| None::<Change>);
                // The elements that stay do not move before all is done.
                let update = update.change(|o| {
                    let gone = [0, 2].map(|at| o.parts.at(at).remove_element());
                    (Vec::from(gone), o.parts.at(1).count.add(1))
                });
                update.send().await.map(|()| copy)
            }
        };
        let mut item = Tool { tags: ["b"].map(String::from).into_iter().collect(), ..full(1) };
        table.put(&item).send().await.unwrap();
        let copy = by_item(&mut item).await.unwrap();
        assert_eq!(copy, expected);
        assert_stored(table, &expected, "several").await;
    })
    .await;
}

/// What a client sends that changes a part of a tool.
#[derive(Default)]
struct Patch {
    name: Option<String>,
    note: Option<Option<String>>,
    steps: Vec<String>,
}

#[tokio::test]
async fn a_patch_needs_no_second_builder() {
    on_table::<Tools, _>("update-patch", |bench| async move {
        let table = &bench.table;
        table.put(&full(1)).send().await.unwrap();
        let apply = |patch: Patch| {
            table.update(Tool::key(1)).change(|o| {
                (
                    patch.name.map(|name| o.name.set(name)),
                    patch.note.map(|note| o.note.set(note)),
                    patch
                        .steps
                        .into_iter()
                        .enumerate()
                        .map(|(at, step)| o.steps.at(at).set(step))
                        .collect::<Vec<_>>(),
                )
            })
        };
        if tests::engine::updates_nothing() {
            apply(Patch::default()).send().await.unwrap();
        }
        assert_stored(table, &full(1), "no change").await;
        let patch = Patch { name: Some("axe".into()), note: Some(None), steps: vec!["x".into()] };
        apply(patch).send().await.unwrap();
        let steps = ["x", "b"].map(String::from).to_vec();
        let expected = Tool { name: "axe".into(), note: None, steps, ..full(1) };
        assert_stored(table, &expected, "patch").await;
    })
    .await;
}

#[tokio::test]
async fn overlapping_changes_are_refused_and_named() {
    on_table::<Tools, _>("update-overlap", |bench| async move {
        let update = || bench.table.update(Tool::key(1));
        let refused = [
            (update().change(|o| (o.uses.add(1), o.uses.add(1))), "`uses` is changed twice"),
            (
                update().change(|o| o.uses.add(1)).change(|o| o.uses.set(1)),
                "`uses` is changed twice",
            ),
            (
                update().change(|o| (o.size.set(size()), o.size.full_width.set(1))),
                "`size` and `size.full-width` overlap",
            ),
            (
                update().change(|o| (o.parts.at(1).count.add(1), o.parts.set(vec![]))),
                "`parts[1].count` and `parts` overlap",
            ),
            (
                update().change(|o| (o.parts.at(1).count.add(1), o.parts.at(1).remove_element())),
                "`parts[1].count` and `parts[1]` overlap",
            ),
            (
                update().change(|o| (o.stock.entry("a").set(1), o.stock.entry("a").add(1))),
                "`stock.a` is changed twice",
            ),
            (
                update().change(|o| o.stock.entry("").set(1)),
                "the path `stock.` has an entry without a name",
            ),
            (
                update().change(|o| o.stock.set(BTreeMap::from([(String::new(), 1)]))),
                "the value for `stock` cannot be stored: the name of an attribute has at least one byte",
            ),
        ];
        for (update, text) in refused {
            for error in [update.explain().unwrap_err(), update.send().await.unwrap_err()] {
                assert!(error.is_invalid_expression(), "{error}");
                assert!(error.to_string().contains(text), "{error}");
            }
        }
        let tool = bare(1);
        let error = bench.table.upsert(&tool).change(|o| (o.uses.add(1), o.uses.set(1)));
        assert!(error.send().await.unwrap_err().is_invalid_expression());
        let beside = update().change(|o| (o.parts.at(1).count.add(1), o.parts.at(10).count.add(1)));
        assert!(beside.explain().is_ok());
        let values = [
            update().change(|o| o.ratio.set(f64::NAN)),
            update().change(|o| o.ratio.add(f64::INFINITY)),
            update().change(|o| o.note.set_if_missing(None)),
        ];
        for update in values {
            let error = update.send().await.unwrap_err();
            assert!(error.is_invalid_expression(), "{error}");
            let item = format!("the item `{}` of `Tool`: ", Tool::key(1));
            assert!(error.to_string().starts_with(&item), "{error}");
        }
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn without_a_change_the_item_is_asked_for_and_left_alone() {
    if !tests::engine::updates_nothing() {
        return;
    }
    on_table::<Tools, _>("update-nothing", |bench| async move {
        let table = &bench.table;
        let update = || table.update(Tool::key(1));
        let error = update().send().await.unwrap_err();
        assert!(error.is_item_missing() && error.is_condition_failed(), "{error}");
        assert!(table.get(Tool::key(1)).send().await.unwrap().is_none());

        table.put(&full(1)).send().await.unwrap();
        bench.recorder.take();
        update().send().await.unwrap();
        update().change(|o| o.tags.insert(Vec::<String>::new())).send().await.unwrap();
        let sent = bench.recorder.take();
        assert!(sent.iter().all(|sent| sent.body.get("UpdateExpression").is_none()));
        assert_eq!(update().returning_new().send().await.unwrap(), full(1));
        assert_eq!(update().returning_old().send().await.unwrap(), full(1));
        let changed = update().returning_changed().send().await.unwrap();
        assert!(changed.item().is_empty());
        assert_stored(table, &full(1), "nothing").await;
        let error = update().condition(|o| o.uses.eq(0)).send().await.unwrap_err();
        assert!(error.is_condition_failed() && !error.is_item_missing());
        // Alone in a transaction it is a check.
        table.transact().add(update()).send().await.unwrap();
        let error = table.transact().add(table.update(Tool::key(2))).send().await.unwrap_err();
        assert!(error.is_item_missing());
    })
    .await;
}

#[tokio::test]
async fn a_missing_item_is_told_from_a_condition_that_does_not_hold() {
    on_table::<Tools, _>("update-missing", |bench| async move {
        let table = &bench.table;
        let update = || table.update(Tool::key(1)).change(|o| o.uses.add(1));
        let missing = [
            update().send().await.unwrap_err(),
            update().condition(|o| o.uses.gt(0)).send().await.unwrap_err(),
            update()
                .condition(|o| o.note.missing())
                .returning_new()
                .send()
                .await
                .map(drop)
                .unwrap_err(),
            table.update(&bare(1)).change(|o| o.uses.add(1)).send().await.unwrap_err(),
            table.transact().add(update()).send().await.unwrap_err(),
        ];
        for error in missing {
            assert!(error.is_item_missing() && error.is_condition_failed(), "{error}");
            assert!(!error.is_conflict() && error.current_item().is_none());
            assert!(error.to_string().contains("there is no such item"), "{error}");
        }
        assert!(table.get(Tool::key(1)).send().await.unwrap().is_none());

        table.put(&full(1)).send().await.unwrap();
        let failed = || update().condition(|o| o.uses.gt(7)).condition(|o| o.note.exists());
        let errors = [
            failed().send().await.unwrap_err(),
            table.transact().add(failed()).send().await.unwrap_err(),
        ];
        for error in errors {
            assert!(error.is_condition_failed() && !error.is_item_missing(), "{error}");
            assert!(!error.is_conflict() && !error.is_outcome_unknown());
            assert_eq!(error.current::<Tool>(), Some(full(1)));
        }
        assert_stored(table, &full(1), "failed").await;
        let held = update().condition(|o| o.uses.gt(6) & o.note.eq("note")).send().await;
        held.unwrap();
    })
    .await;
}

#[tokio::test]
async fn what_is_returned_is_as_asked() {
    on_table::<Tools, _>("update-returning", |bench| async move {
        let table = &bench.table;
        table.put(&full(1)).send().await.unwrap();
        let update = |n| {
            table
                .update(Tool::key(1))
                .change(move |o| (o.uses.add(n), o.note.remove(), o.size.full_width.set(4)))
        };
        let old = update(1).returning_old().send().await.unwrap();
        assert_eq!(old, full(1));
        let new = update(1).returning_new().send().await.unwrap();
        let changed = Size { full_width: 4, ..full(1).size };
        assert_eq!(new, Tool { uses: 9, note: None, size: changed, ..full(1) });
        let changed = update(2).returning_changed().send().await.unwrap();
        assert_eq!(changed.get(|o| &o.uses).unwrap(), Some(11));
        if tests::engine::returns_changed_parts() {
            assert_eq!(changed.get(|o| &o.size.full_width).unwrap(), Some(4));
        }
        assert_eq!(changed.get(|o| &o.size.depth).unwrap(), None);
        // Removed, and not changed.
        assert_eq!(changed.get(|o| &o.note).unwrap(), None);
        assert_eq!(changed.get(|o| &o.name).unwrap(), None);
        assert!(!changed.item().contains_key("PK"));
        let encoded = table.update(Tool::key(1)).change(|o| o.since.set(second(3)));
        let encoded = encoded.returning_changed().send().await.unwrap();
        assert_eq!(encoded.get(|o| &o.since).unwrap(), Some(second(3)));
    })
    .await;
}

async fn put_raw(table: &Table<Tools>, item: Item) {
    let put = table.client().put_item().table_name(table.name());
    put.set_item(Some(item)).send().await.unwrap();
}

#[tokio::test]
async fn numbers_begin_at_zero_where_another_program_left_them_out() {
    on_table::<Tools, _>("update-zero", |bench| async move {
        let table = &bench.table;
        let mut item = full(1).to_item().unwrap();
        for name in ["uses", "steps", "ratio"] {
            item.remove(name);
        }
        put_raw(table, item).await;
        let update = table.update(Tool::key(1));
        let update =
            update.change(|o| (o.uses.add(25), o.steps.append(["x"]), o.ratio.subtract(1.5)));
        let new = update.returning_new().send().await.unwrap();
        assert_eq!((new.uses, &new.steps[..], new.ratio), (25, &["x".to_owned()][..], -1.5));
    })
    .await;
}

#[tokio::test]
async fn an_update_is_done_although_its_image_does_not_decode() {
    on_table::<Tools, _>("update-image", |bench| async move {
        let table = &bench.table;
        let mut item = full(1).to_item().unwrap();
        item.insert("ratio".into(), AttributeValue::S("half".into()));
        put_raw(table, item).await;
        let update = table.update(Tool::key(1)).change(|o| o.uses.set(9));
        let error = update.returning_new().send().await.unwrap_err();
        assert!(error.is_decode(), "{error}");
        assert_eq!(
            error.to_string(),
            format!(
                "the item `{}` is no `Tool`: the update is done, but attribute `ratio`: expected f64, found S",
                Tool::key(1)
            )
        );
    })
    .await;
}

#[tokio::test]
async fn a_path_into_what_is_missing_is_an_error_that_says_so() {
    on_table::<Tools, _>("update-parent", |bench| async move {
        let table = &bench.table;
        let mut item = full(1).to_item().unwrap();
        item.remove("size");
        item.remove("stock");
        put_raw(table, item).await;
        let updates = || {
            [
                table.update(Tool::key(1)).change(|o| o.size.full_width.set(1)),
                table.update(Tool::key(1)).change(|o| o.size.full_width.add(1)),
                table.update(Tool::key(1)).change(|o| o.size.colors.append(["x"])),
                table.update(Tool::key(1)).change(|o| o.stock.entry("a").set(1)),
                table.update(Tool::key(1)).change(|o| o.parts.at(8).count.set(1)),
            ]
        };
        for update in updates() {
            let error = update.send().await.unwrap_err();
            assert!(error.is_parent_missing() && !error.is_condition_failed(), "{error}");
            let text = error.to_string();
            assert!(
                text.contains("`Tool` (TOOL#1)") && text.contains("set that as a whole"),
                "{text}"
            );
        }
        for update in updates() {
            let error = table.transact().add(update).send().await.unwrap_err();
            assert!(error.is_parent_missing() && !error.is_outcome_unknown(), "{error}");
        }
        // In a condition such a path is missing, and no error.
        let update = table.update(Tool::key(1)).change(|o| o.uses.set(0));
        update.condition(|o| o.size.depth.missing()).send().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn attributes_that_the_struct_does_not_know_survive() {
    on_table::<Tools, _>("update-unknown", |bench| async move {
        let table = &bench.table;
        let unknown = AttributeValue::M([("x".to_owned(), AttributeValue::Null(true))].into());
        let mut item = full(1).to_item().unwrap();
        item.insert("newer".into(), unknown.clone());
        put_raw(table, item).await;
        table.update(Tool::key(1)).change(|o| o.uses.set(1)).send().await.unwrap();
        let mut read = table.get(Tool::key(1)).send().await.unwrap().unwrap();
        table.update(&mut read).change(|o| o.note.remove()).send().await.unwrap();
        table.upsert(&read).change(|o| o.uses.set(2)).send().await.unwrap();
        let modified = table.modify(Tool::key(1), |tool| tool.name.push('!')).send().await.unwrap();
        assert_eq!((modified.uses, &*modified.name, modified.note), (2, "saw!", None));
        let stored = raw(table, &Tool::key(1)).await;
        assert_eq!(stored["newer"], unknown);
    })
    .await;
}

#[derive(Debug, Table)]
#[table(pk = "PK", entities(Task))]
#[gsi(by_state, pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(by_owner, pk = "owner", sk = "GSI2SK")]
struct Tasks;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, KeyPart)]
enum State {
    Open,
    Done,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Tasks, pk = "TASK#<id>")]
#[index(
    by_state,
    pk = "STATE#<state>#<region>",
    sk = "<due:sparse>#<id:4>",
    only_when(hidden = false),
    name = "by_state"
)]
#[index(by_owner, pk = "<owner>", sk = "<rank:sparse:3>", name = "by_owner")]
struct Task {
    id: u32,
    state: State,
    region: String,
    due: Option<chrono::NaiveDate>,
    hidden: bool,
    owner: Option<String>,
    rank: Option<u16>,
    note: Option<String>,
}

/// Every combination of what the index keys depend on.
fn tasks() -> Vec<Task> {
    let due = chrono::NaiveDate::from_ymd_opt(2026, 9, 1);
    let mut tasks = Vec::new();
    for state in [State::Open, State::Done] {
        for due in [None, due] {
            for hidden in [false, true] {
                for owner in [None, Some("ana".to_owned())] {
                    let region = if hidden { "north" } else { "south" }.to_owned();
                    let rank = due.map(|_| 7);
                    let owner = owner.clone();
                    tasks.push(Task { id: 1, state, region, due, hidden, owner, rank, note: None });
                }
            }
        }
    }
    tasks
}

#[tokio::test]
async fn keys_are_those_of_a_fresh_put() {
    on_table::<Tasks, _>("update-keys", |bench| async move {
        let table = &bench.table;
        for before in tasks() {
            for after in tasks().into_iter().step_by(3) {
                let context = format!("from {before:?} to {after:?}");
                table.put(&before).send().await.unwrap();
                let to = after.clone();
                let update = table.update(Task::key(1)).change(|o| {
                    let Task { state, region, due, hidden, owner, rank, .. } = to;
                    (
                        o.state_and_region_and_hidden.set(state, region, hidden),
                        (o.due.set(due), o.owner.set(owner), o.rank.set(rank)),
                    )
                });
                update.send().await.unwrap();
                assert_stored(table, &after, &context).await;

                table.put(&before).send().await.unwrap();
                let to = after.clone();
                table.modify(Task::key(1), |task| *task = to.clone()).send().await.unwrap();
                assert_stored(table, &after, &context).await;
            }
            // One field at a time: the others come from the item.
            for after in tasks().into_iter().rev().step_by(7) {
                let mut expected = before.clone();
                table.put(&before).send().await.unwrap();
                let Task { state, region, due, hidden, owner, rank, .. } = after.clone();
                for field in 0..6 {
                    let mut item = expected.clone();
                    let update = table.update(&mut item);
                    let update = match field {
                        0 => update.change(|o| o.state.set(state)),
                        1 => update.change(|o| o.region.set(&region)),
                        2 => update.change(|o| o.due.set(due)),
                        3 => update.change(|o| o.hidden.set(hidden)),
                        4 => update.change(|o| o.owner.set(owner.clone())),
                        _ => update.change(|o| o.rank.set(rank)),
                    };
                    update.send().await.unwrap();
                    match field {
                        0 => expected.state = state,
                        1 => expected.region.clone_from(&region),
                        2 => expected.due = due,
                        3 => expected.hidden = hidden,
                        4 => expected.owner.clone_from(&owner),
                        _ => expected.rank = rank,
                    }
                    assert_eq!(item, expected);
                    let context = format!("field {field} from {before:?} to {after:?}");
                    assert_stored(table, &expected, &context).await;
                }
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_change_that_touches_no_key_leaves_the_keys_alone() {
    on_table::<Tasks, _>("update-untouched", |bench| async move {
        let table = &bench.table;
        for mut task in tasks() {
            table.put(&task).send().await.unwrap();
            bench.recorder.take();
            table.update(Task::key(1)).change(|o| o.note.set("x")).send().await.unwrap();
            let sent = bench.recorder.take();
            assert_eq!(sent[0].body["UpdateExpression"], "SET #a = :a");
            task.note = Some("x".into());
            assert_stored(table, &task, "untouched").await;
        }
    })
    .await;
}

#[tokio::test]
async fn the_parts_of_a_key_that_are_taken_from_the_item_must_still_be_stored() {
    on_table::<Tasks, _>("update-stale", |bench| async move {
        let table = &bench.table;
        let task = tasks().remove(4);
        table.put(&task).send().await.unwrap();
        let stale = task.clone();
        table.update(&task).change(|o| o.region.set("west")).send().await.unwrap();
        // `region` is a part of the key that a new state rewrites.
        let error = table.update(&stale).change(|o| o.state.set(State::Done)).send().await;
        let error = error.unwrap_err();
        assert!(error.is_conflict() && error.is_condition_failed(), "{error}");
        assert!(error.to_string().contains("`region` is not as it was read"), "{error}");
        assert_eq!(error.current::<Task>().unwrap().region, "west");
        // A field that decides about no key changes without it.
        table.update(&stale).change(|o| o.note.set("x")).send().await.unwrap();
    })
    .await;
}
