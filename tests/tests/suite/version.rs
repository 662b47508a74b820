use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::join_all;
use monotable::{Entity, Error, Table};
use serde::{Deserialize, Serialize};
use tests::bench::on_table;

#[derive(Debug, Table)]
#[table(pk = "PK", entities(Page))]
struct Wiki;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Wiki, pk = "PAGE#<title>", version = revision)]
struct Page {
    title: String,
    text: String,
    views: u32,
    #[serde(rename = "_rev", default)]
    revision: u32,
}

fn page(text: &str) -> Page {
    Page { title: "t".into(), text: text.into(), views: 0, revision: 0 }
}

fn key() -> monotable::Key<Page> {
    Page::key("t")
}

async fn stored(table: &Table<Wiki>) -> Page {
    table.get(key()).consistent().send().await.unwrap().unwrap()
}

fn assert_conflict(error: &Error, versions: &str) {
    assert!(error.is_conflict() && error.is_condition_failed(), "{error}");
    assert!(!error.is_item_missing() && !error.is_outcome_unknown());
    assert!(error.to_string().contains(versions), "{error}");
    assert!(error.current::<Page>().is_some());
}

fn assert_missing(error: &Error) {
    assert!(error.is_item_missing() && error.is_condition_failed(), "{error}");
    assert!(!error.is_conflict() && error.current_item().is_none());
}

#[tokio::test]
async fn create_stores_1_whatever_the_item_says() {
    on_table::<Wiki, _>("version-create", |bench| async move {
        let table = &bench.table;
        let mut first = Page { revision: 9, ..page("a") };
        table.create(&mut first).send().await.unwrap();
        assert_eq!(first, Page { revision: 1, ..page("a") });
        assert_eq!(stored(table).await, first);

        let mut second = Page { revision: 9, ..page("b") };
        let error = table.create(&mut second).send().await.unwrap_err();
        assert!(error.is_condition_failed() && !error.is_conflict(), "{error}");
        assert_eq!(second.revision, 9);
        let found = table.create(&mut second).or_existing().send().await.unwrap();
        assert_eq!(found, monotable::op::Created::Exists(first));
        assert_eq!(second.revision, 9);
    })
    .await;
}

#[tokio::test]
async fn put_requires_the_version_and_counts_it() {
    on_table::<Wiki, _>("version-put", |bench| async move {
        let table = &bench.table;
        let mut item = page("a");
        // Version 1 of an item that is not there.
        item.revision = 1;
        assert_missing(&table.put(&mut item).send().await.unwrap_err());
        assert_eq!(item.revision, 1);

        item.revision = 0;
        table.put(&mut item).send().await.unwrap();
        assert_eq!((item.revision, stored(table).await), (1, item.clone()));
        table.put(&mut item).send().await.unwrap();
        assert_eq!(item.revision, 2);

        for revision in [0, 1, 3] {
            let mut stale = Page { revision, ..page("b") };
            let error = table.put(&mut stale).send().await.unwrap_err();
            assert_conflict(&error, &format!("the stored version is 2, the item's is {revision}"));
            assert_eq!(stale.revision, revision);
        }
        let refused = table.put(&mut item).condition(|p| p.text.eq("x")).send().await;
        let refused = refused.unwrap_err();
        assert!(refused.is_condition_failed() && !refused.is_conflict(), "{refused}");
        assert_eq!(item.revision, 2);
        let old = table.put(&mut item).returning_old().send().await.unwrap();
        assert_eq!((old.unwrap().revision, item.revision), (2, 3));
    })
    .await;
}

/// Items from before the version was there, and one that says 0.
#[tokio::test]
async fn no_version_is_version_0() {
    on_table::<Wiki, _>("version-none", |bench| async move {
        let table = &bench.table;
        for revision in [None, Some("0")] {
            let plant = async || {
                let mut item = page("a").to_item().unwrap();
                item.remove("_rev");
                item.extend(revision.map(|n| ("_rev".to_owned(), AttributeValue::N(n.into()))));
                let put = table.client().put_item().table_name(table.name());
                put.set_item(Some(item)).send().await.unwrap();
            };
            plant().await;
            let mut item = stored(table).await;
            assert_eq!(item.revision, 0);
            table.put(&mut item).send().await.unwrap();
            assert_eq!(stored(table).await.revision, 1);

            plant().await;
            let mut item = stored(table).await;
            table.update(&mut item).change(|p| p.views.add(1)).send().await.unwrap();
            assert_eq!((item.revision, item), (1, stored(table).await));

            plant().await;
            table.update(key()).change(|p| p.views.add(1)).send().await.unwrap();
            assert_eq!(stored(table).await.revision, 1);

            plant().await;
            let item = table.modify(key(), |page| page.views = 5).send().await.unwrap();
            assert_eq!((item.revision, item), (1, stored(table).await));

            plant().await;
            let stale = Page { revision: 1, ..page("a") };
            assert_conflict(&table.delete(&stale).send().await.unwrap_err(), "stored version is 0");
            table.delete(&page("a")).send().await.unwrap();
            assert!(table.get(key()).send().await.unwrap().is_none());
        }
    })
    .await;
}

#[tokio::test]
async fn an_update_of_the_item_checks_and_one_by_key_counts() {
    on_table::<Wiki, _>("version-update", |bench| async move {
        let table = &bench.table;
        let mut item = page("a");
        assert_missing(
            &table.update(&mut item).change(|p| p.views.add(1)).send().await.unwrap_err(),
        );
        assert_missing(&table.update(key()).change(|p| p.views.add(1)).send().await.unwrap_err());
        table.create(&mut item).send().await.unwrap();

        let mut other = item.clone();
        let update = table.update(&mut item).change(|p| (p.views.add(2), p.text.set("b")));
        update.send().await.unwrap();
        assert_eq!(item, Page { views: 2, revision: 2, ..page("b") });
        assert_eq!(stored(table).await, item);

        let before = other.clone();
        let error = table.update(&mut other).change(|p| p.text.set("c")).send().await.unwrap_err();
        assert_conflict(&error, "the stored version is 2, the item's is 1");
        assert_eq!(other, before);
        assert_eq!(error.current::<Page>(), Some(item.clone()));

        table.update(key()).change(|p| p.views.add(1)).send().await.unwrap();
        assert_eq!(stored(table).await, Page { views: 3, revision: 3, ..page("b") });
        // Without a change it counts all the same.
        table.update(key()).send().await.unwrap();
        assert_eq!(stored(table).await.revision, 4);
        let changed = table.update(key()).returning_changed().send().await.unwrap();
        assert_eq!(changed.get(|p| &p.revision).unwrap(), Some(5));

        // What is returned is what the caller's item holds.
        let mut item = stored(table).await;
        let update = table.update(&mut item).change(|p| p.views.subtract(3)).returning_new();
        let new = update.send().await.unwrap();
        assert_eq!((new.views, new.revision), (0, 6));
        assert_eq!(item, new);
        let update = table.update(&mut item).condition(|p| p.views.gt(0)).send().await;
        assert!(!update.unwrap_err().is_conflict());
        assert_eq!(item, new);
    })
    .await;
}

#[tokio::test]
async fn a_delete_of_the_item_checks() {
    on_table::<Wiki, _>("version-delete", |bench| async move {
        let table = &bench.table;
        let mut item = page("a");
        assert_missing(&table.delete(&item).send().await.unwrap_err());
        table.create(&mut item).send().await.unwrap();
        for revision in [0, 2] {
            let error = table.delete(&Page { revision, ..item.clone() }).send().await.unwrap_err();
            assert_conflict(&error, "the stored version is 1");
        }
        let error = table.delete(&item).condition(|p| p.text.eq("b")).send().await.unwrap_err();
        assert!(error.is_condition_failed() && !error.is_conflict());
        let old = table.delete(&item).returning_old().send().await.unwrap();
        assert_eq!(old, Some(item.clone()));
        table.create(&mut item).send().await.unwrap();
        table.delete(key()).send().await.unwrap();
        table.delete(key()).send().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_transaction_counts_only_if_it_happens() {
    on_table::<Wiki, _>("version-transact", |bench| async move {
        let table = &bench.table;
        let titled = |title: &str| Page { title: title.into(), ..page("a") };
        let (mut one, mut two, mut three) = (titled("1"), titled("2"), titled("3"));
        let transaction = table.transact();
        let transaction = transaction.add(table.create(&mut one)).add(table.put(&mut two));
        transaction.add(table.create(&mut three)).send().await.unwrap();
        assert_eq!((one.revision, two.revision, three.revision), (1, 1, 1));

        let stale = titled("3");
        let mut transaction = table.transact();
        let handles = [
            transaction.push(table.put(&mut one)),
            transaction.push(table.update(&mut two).change(|p| p.text.set("b"))),
            transaction.push(table.delete(&stale)),
        ];
        let error = transaction.send().await.unwrap_err();
        assert!(error.is_conflict() && error.is_condition_failed(), "{error}");
        let failed = handles.map(|handle| error.reason(handle).unwrap().is_conflict());
        assert_eq!(failed, [false, false, true]);
        assert_eq!(
            (one.clone(), two.clone()),
            (Page { revision: 1, ..titled("1") }, Page { revision: 1, ..titled("2") })
        );

        let transaction = table.transact();
        let transaction = transaction.add(table.put(&mut one));
        let transaction = transaction.add(table.update(&mut two).change(|p| p.text.set("b")));
        transaction.add(table.delete(&three)).send().await.unwrap();
        assert_eq!((one.revision, two.revision, &*two.text), (2, 2, "b"));
        assert_eq!(table.get(&two).send().await.unwrap(), Some(two.clone()));
        table.transact().add(table.update(Page::key("2"))).send().await.unwrap();
        assert_eq!(table.get(&two).send().await.unwrap().unwrap().revision, 3);
    })
    .await;
}

#[tokio::test]
async fn of_two_writers_one_loses() {
    if !tests::engine::is_atomic() {
        return;
    }
    on_table::<Wiki, _>("version-race", |bench| async move {
        let table = &bench.table;
        let mut item = page("a");
        table.create(&mut item).send().await.unwrap();
        let (mut one, mut two) = (item.clone(), item.clone());
        let (first, second) = tokio::join!(
            table.put(&mut one).send(),
            table.update(&mut two).change(|p| p.text.set("b")).send(),
        );
        assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
        let lost = first.and(second).unwrap_err();
        assert_conflict(&lost, "the stored version is 2, the item's is 1");
        assert_eq!(one.revision + two.revision, 3);
    })
    .await;
}

#[tokio::test]
async fn modify_repeats_until_every_change_counts() {
    if !tests::engine::is_atomic() {
        return;
    }
    on_table::<Wiki, _>("version-modify", |bench| async move {
        let table = &bench.table;
        table.create(&mut page("a")).send().await.unwrap();
        let writers = (0..6).map(|_| {
            let modify = table.modify(key(), |page: &mut Page| page.views += 1);
            modify.max_attempts(50).send()
        });
        let mut revisions: Vec<_> =
            join_all(writers).await.into_iter().map(|item| item.unwrap().revision).collect();
        revisions.sort_unstable();
        assert_eq!(revisions, [2, 3, 4, 5, 6, 7]);
        assert_eq!(stored(table).await, Page { views: 6, revision: 7, ..page("a") });

        // The version is the library's, and nothing is written for nothing.
        let item = table.modify(key(), |page| page.revision = 99).send().await.unwrap();
        assert_eq!((item.revision, stored(table).await.revision), (7, 7));
        let item = table.modify(key(), |page| (page.revision, page.views) = (99, 0));
        let item: Result<Page, _> = item.send().await;
        assert_eq!(item.unwrap().revision, 8);
        let missing = table.modify(Page::key("x"), |page| page.views = 1).send().await.unwrap_err();
        assert!(missing.is_item_missing() && !missing.is_conflict(), "{missing}");
    })
    .await;
}

#[tokio::test]
async fn upsert_begins_at_1_and_counts() {
    on_table::<Wiki, _>("version-upsert", |bench| async move {
        let table = &bench.table;
        for n in 1..4 {
            let initial = Page { revision: 40, views: 10, ..page("a") };
            table.upsert(&initial).change(|p| p.views.add(1)).send().await.unwrap();
            assert_eq!(stored(table).await, Page { views: 10 + n, revision: n, ..page("a") });
        }
    })
    .await;
}

#[derive(Debug, Table)]
#[table(pk = "PK", entities(Small))]
struct Smalls;

#[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Smalls, pk = "SMALL#<id>", version = version)]
struct Small {
    id: u32,
    version: u16,
}

#[tokio::test]
async fn a_version_that_its_type_cannot_hold_is_not_stored() {
    on_table::<Smalls, _>("version-full", |bench| async move {
        let table = &bench.table;
        let item = Small { id: 1, version: u16::MAX }.to_item().unwrap();
        let put = table.client().put_item().table_name(table.name());
        put.set_item(Some(item)).send().await.unwrap();
        bench.recorder.take();
        let mut item = Small { id: 1, version: u16::MAX };
        let errors = [
            table.put(&mut item).send().await.unwrap_err(),
            table.update(&mut item).send().await.unwrap_err(),
            table.transact().add(table.put(&mut item)).send().await.unwrap_err(),
        ];
        for error in errors {
            assert!(error.to_string().contains("greatest value"), "{error}");
        }
        assert!(bench.recorder.take().is_empty());
        assert_eq!(item.version, u16::MAX);
        table.delete(&item).send().await.unwrap();
    })
    .await;
}
