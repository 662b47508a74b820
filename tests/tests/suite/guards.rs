use std::time::{Duration, UNIX_EPOCH};

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::join_all;
use monotable::{Entity, Item, ItemCollection, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{Bench, on_table};

/// Version, time to live and unique fields at once.
#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", type_attribute = "_et", ttl = "ttl", entities(Login, Log))]
#[gsi(by_team, pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "LOGIN#<id>", sk = "INFO", version = version, ttl = until, unique(name, mail))]
#[index(by_team, pk = "TEAM#<team>", sk = "<name>", name = "by_team")]
struct Login {
    id: u32,
    name: String,
    mail: Option<String>,
    team: String,
    until: Option<i64>,
    hits: u32,
    version: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "LOGIN#<id>", sk = "LOG#<at:10>")]
struct Log {
    id: u32,
    at: u32,
}

#[derive(Debug, PartialEq, ItemCollection)]
#[collection(table = App, pk = "LOGIN#<id>")]
struct Account {
    login: Login,
    logs: Vec<Log>,
}

const NOW: i64 = 1_900_000_000;

fn login(id: u32, name: &str) -> Login {
    Login {
        id,
        name: name.into(),
        mail: Some(format!("{name}@x")),
        team: "red".into(),
        until: Some(NOW + 10),
        hits: 0,
        version: 0,
    }
}

fn at(bench: &Bench<App>, second: i64) -> Table<App> {
    let second = u64::try_from(second).unwrap();
    bench.table.with_clock(move || UNIX_EPOCH + Duration::from_secs(second))
}

/// The guards, by partition key, with their owner and the second at which they expire.
async fn guards(table: &Table<App>) -> Vec<(String, String, Option<i64>)> {
    let scan = table.client().scan().table_name(table.name()).consistent_read(true);
    let items = scan.send().await.unwrap().items.unwrap_or_default();
    let text = |item: &Item, name: &str| item[name].as_s().unwrap().clone();
    let mut found = Vec::new();
    for item in items.iter().filter(|item| text(item, "PK").starts_with('$')) {
        assert_eq!((&*text(item, "SK"), &*text(item, "_et")), ("$unique", "$unique"));
        let until = item.get("ttl").map(|until| until.as_n().unwrap().parse().unwrap());
        found.push((text(item, "PK"), text(item, "_of"), until));
    }
    found.sort();
    found
}

fn guards_of(login: &Login) -> Vec<(String, String, Option<i64>)> {
    let guard = |field: &str, value: &str| {
        let owner = format!("LOGIN#{} + INFO", login.id);
        (format!("$unique#Login#{field}#{value}"), owner, login.until)
    };
    let mut found: Vec<_> = login.mail.iter().map(|mail| guard("mail", mail)).collect();
    found.push(guard("name", &login.name));
    found
}

async fn stored(table: &Table<App>, id: u32) -> Login {
    table.get(Login::key(id)).consistent().send().await.unwrap().unwrap()
}

#[tokio::test]
async fn the_life_of_an_item() {
    on_table::<App, _>("guards-life", |bench| async move {
        let table = at(&bench, NOW);
        let mut ana = login(1, "ana");
        table.create(&mut ana).send().await.unwrap();
        assert_eq!((ana.version, guards(&table).await), (1, guards_of(&ana)));

        // Each change alone, and what is left alone.
        table.update(&mut ana).change(|l| l.hits.add(1)).send().await.unwrap();
        table.update(&mut ana).change(|l| l.team.set("blue")).send().await.unwrap();
        assert_eq!((ana.version, guards(&table).await), (3, guards_of(&ana)));
        table.update(&mut ana).change(|l| l.name.set("anna")).send().await.unwrap();
        assert_eq!((&*ana.name, ana.version, guards(&table).await), ("anna", 4, guards_of(&ana)));
        assert_eq!(stored(&table, 1).await, ana);
        table.update(&mut ana).change(|l| l.until.set(NOW + 99)).send().await.unwrap();
        assert_eq!(guards(&table).await, guards_of(&ana));
        let update = table.update(&mut ana).change(|l| (l.until.remove(), l.mail.remove()));
        update.send().await.unwrap();
        assert_eq!((ana.version, guards(&table).await), (6, guards_of(&ana)));
        let update = table.update(&mut ana).change(|l| (l.mail.set("n@x"), l.until.set(NOW + 5)));
        update.send().await.unwrap();
        assert_eq!((ana.version, guards(&table).await), (7, guards_of(&ana)));
        assert_eq!(stored(&table, 1).await, ana);

        let found = table.query(Login::by_team("blue")).filter(|l| l.hits.eq(1));
        tests::bench::eventually(1, || async {
            table.query(Login::by_team("blue")).count().await.unwrap()
        })
        .await;
        assert_eq!(found.all().await.unwrap(), std::slice::from_ref(&ana));
        let fresh = ana.to_item().unwrap();
        let get = table.client().get_item().table_name(table.name()).consistent_read(true);
        let raw = get.set_key(Some(Login::key(1).to_item().unwrap())).send().await.unwrap().item;
        assert_eq!(raw, Some(fresh));

        table.put(&Log { id: 1, at: 5 }).send().await.unwrap();
        let account = table.collection(Account::by_id(1)).consistent().send().await.unwrap();
        assert_eq!(account, Some(Account { login: ana.clone(), logs: vec![Log { id: 1, at: 5 }] }));
        let kinds: Vec<_> = table.full_scan().consistent().all().await.unwrap();
        assert_eq!(kinds.len(), 2);

        let stale = Login { version: 6, ..ana.clone() };
        assert!(table.delete(&stale).send().await.unwrap_err().is_conflict());
        assert_eq!(guards(&table).await.len(), 2);
        table.delete(&ana).send().await.unwrap();
        assert!(guards(&table).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn nothing_is_left_behind_by_a_failure() {
    on_table::<App, _>("guards-failure", |bench| async move {
        let table = at(&bench, NOW);
        let (mut ana, mut ben) = (login(1, "ana"), login(2, "ben"));
        table.create(&mut ana).send().await.unwrap();
        table.create(&mut ben).send().await.unwrap();
        let all = [guards_of(&ana), guards_of(&ben)].concat();
        let unchanged = async |context: &str| {
            let mut all = all.clone();
            all.sort();
            assert_eq!(guards(&table).await, all, "{context}");
            assert_eq!(stored(&table, 1).await, login_at(1, "ana", 1), "{context}");
            assert_eq!(stored(&table, 2).await, login_at(2, "ben", 1), "{context}");
        };
        let login_of = |name| Login { version: 7, ..login(3, name) };

        let mut other = login_of("ana");
        let error = table.create(&mut other).send().await.unwrap_err();
        assert!(error.taken_field().is_some() && !error.is_conflict(), "{error}");
        assert_eq!(other, login_of("ana"));
        unchanged("create").await;
        let before = ben.clone();
        let error =
            table.update(&mut ben).change(|l| l.mail.set("ana@x")).send().await.unwrap_err();
        assert_eq!((error.taken_field(), &ben), (Some("mail"), &before));
        unchanged("update").await;
        let mut stale = Login { version: 9, ..ben.clone() };
        let error = table.update(&mut stale).change(|l| l.name.set("x")).send().await.unwrap_err();
        assert!(error.is_conflict() && error.taken_field().is_none(), "{error}");
        assert_eq!(error.current::<Login>(), Some(ben.clone()));
        unchanged("version").await;
        let update = table.update(&mut ben).change(|l| l.name.set("x")).condition(|l| l.hits.gt(0));
        let error = update.send().await.unwrap_err();
        assert!(error.is_condition_failed() && !error.is_conflict(), "{error}");
        unchanged("condition").await;
        let error = table.modify(Login::key(2), |login| {
            login.name = "x".into();
            Err("no")
        });
        assert!(error.send().await.unwrap_err().is_aborted());
        unchanged("aborted").await;
        let transaction = table.transact().add(table.update(&mut ben).change(|l| l.name.set("x")));
        let transaction = transaction.add(table.check(Log::key(1, 1)));
        assert!(transaction.send().await.unwrap_err().is_item_missing());
        assert_eq!(ben, before);
        unchanged("transaction").await;
    })
    .await;
}

fn login_at(id: u32, name: &str, version: u32) -> Login {
    Login { version, ..login(id, name) }
}

#[tokio::test]
async fn modify_does_all_of_it() {
    on_table::<App, _>("guards-modify", |bench| async move {
        let table = at(&bench, NOW);
        table.create(&mut login(1, "ana")).send().await.unwrap();
        let modified = table.modify(Login::key(1), |login: &mut Login| {
            login.name = "anna".into();
            login.mail = None;
            login.until = Some(NOW + 50);
            login.team = "blue".into();
            login.hits += 1;
        });
        let modified = modified.send().await.unwrap();
        assert_eq!(modified.version, 2);
        assert_eq!(stored(&table, 1).await, modified);
        assert_eq!(guards(&table).await, guards_of(&modified));
        let renewed = table.modify(Login::key(1), |login| login.until = None).send().await.unwrap();
        assert_eq!((renewed.version, guards(&table).await), (3, guards_of(&renewed)));

        if !tests::engine::is_atomic() {
            return;
        }
        // Writers of one item wait for each other, and each name ends with one owner.
        let writers = (0..4).map(|n| {
            let modify = table.modify(Login::key(1), move |login: &mut Login| {
                login.hits += 1;
                login.name = format!("name {n}");
            });
            modify.max_attempts(50).send()
        });
        for done in join_all(writers).await {
            done.unwrap();
        }
        let last = stored(&table, 1).await;
        assert_eq!((last.hits, last.version), (5, 7));
        assert_eq!(guards(&table).await, guards_of(&last));
    })
    .await;
}

#[tokio::test]
async fn the_values_of_an_expired_item_are_free() {
    on_table::<App, _>("guards-expired", |bench| async move {
        let (early, late) = (at(&bench, NOW), at(&bench, NOW + 10));
        let mut ana = login(1, "ana");
        early.create(&mut ana).send().await.unwrap();
        let mut other = Login { until: Some(NOW + 100), ..login(2, "ana") };
        let error = early.create(&mut other).send().await.unwrap_err();
        assert!(error.taken_field().is_some());

        late.create(&mut other).send().await.unwrap();
        assert_eq!(guards(&late).await, guards_of(&other));
        // The expired item is still stored; nothing done to it touches the guards of the other.
        for error in [
            late.delete(&ana).send().await.unwrap_err(),
            late.update(&mut ana.clone()).change(|l| l.name.set("x")).send().await.unwrap_err(),
            late.update(&mut ana.clone())
                .change(|l| l.until.set(NOW + 500))
                .send()
                .await
                .unwrap_err(),
            late.modify(Login::key(1), |login| login.name = "x".into()).send().await.unwrap_err(),
            late.update(Login::key(1)).change(|l| l.hits.add(1)).send().await.unwrap_err(),
        ] {
            assert!(error.is_item_missing(), "{error}");
        }
        assert_eq!(guards(&late).await, guards_of(&other));
        let mut again = Login { until: Some(NOW + 100), ..login(1, "ana") };
        let error = late.create(&mut again).send().await.unwrap_err();
        assert!(error.taken_field().is_some(), "{error}");
        (again.name, again.mail) = ("anna".into(), None);
        late.create(&mut again).send().await.unwrap();
        assert_eq!(again.version, 1);
        let mut all = [guards_of(&other), guards_of(&again)].concat();
        all.sort();
        assert_eq!(guards(&late).await, all);
        // The item in the place of the expired one has a life of its own.
        late.update(&mut again).change(|l| l.mail.set("anna@x")).send().await.unwrap();
        late.delete(&other).send().await.unwrap();
        assert_eq!(guards(&late).await, guards_of(&again));
    })
    .await;
}

#[tokio::test]
async fn a_transaction_of_guarded_items() {
    on_table::<App, _>("guards-transact", |bench| async move {
        let table = at(&bench, NOW);
        let (mut ana, mut ben) = (login(1, "ana"), login(2, "ben"));
        let transaction = table.transact().add(table.create(&mut ana));
        transaction.add(table.create(&mut ben)).send().await.unwrap();
        assert_eq!((ana.version, ben.version), (1, 1));

        let transaction = table.transact();
        let transaction = transaction.add(table.update(&mut ana).change(|l| l.name.set("anna")));
        let transaction = transaction.add(table.delete(&ben));
        transaction.add(table.put(&Log { id: 1, at: 1 })).send().await.unwrap();
        assert_eq!((ana.version, &*ana.name), (2, "anna"));
        assert_eq!(guards(&table).await, guards_of(&ana));

        // A value that one operation gives up is not free for another of the same transaction.
        let mut cleo = login(3, "anna");
        cleo.mail = None;
        let transaction = table.transact();
        let transaction = transaction.add(table.update(&mut ana).change(|l| l.name.set("ana")));
        let error = transaction.add(table.create(&mut cleo)).send().await.unwrap_err();
        assert!(error.to_string().contains("have the same `name`, which is unique"), "{error}");
        assert_eq!((ana.version, cleo.version), (2, 0));
        let found = table.full_scan().filter::<Login, _>(|l| l.name.exists()).all().await.unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].item()["_et"], AttributeValue::S("Login".into()));
    })
    .await;
}
