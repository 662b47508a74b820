use aws_sdk_dynamodb::types::AttributeValue;
use monotable::op::Created;
use monotable::{Entity, Error, Item, Table};
use serde::{Deserialize, Serialize};
use tests::bench::on_table;

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", entities(User, Team))]
struct App;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "USER#<id>", sk = "PROFILE", unique(email, nick))]
struct User {
    id: u32,
    email: String,
    nick: Option<String>,
    visits: u32,
}

/// Has a unique field of the same name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "TEAM#<id>", sk = "PROFILE", unique(email))]
struct Team {
    id: u32,
    email: String,
}

fn user(id: u32, email: &str, nick: Option<&str>) -> User {
    User { id, email: email.into(), nick: nick.map(Into::into), visits: 0 }
}

/// Every item of the table, the guards among them, by their partition keys.
async fn everything(table: &Table<App>) -> Vec<(String, Item)> {
    let scan = table.client().scan().table_name(table.name()).consistent_read(true);
    let items = scan.send().await.unwrap().items.unwrap_or_default();
    let mut found: Vec<_> =
        items.into_iter().map(|item| (item["PK"].as_s().unwrap().to_owned(), item)).collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

async fn guards(table: &Table<App>) -> Vec<String> {
    let all = everything(table).await.into_iter().map(|(pk, _)| pk);
    all.filter(|pk| pk.starts_with("$unique#")).collect()
}

fn guard(field: &str, value: &str) -> String {
    format!("$unique#User#{field}#{value}")
}

async fn all_users(table: &Table<App>) -> Vec<User> {
    let mut users = table.full_scan().consistent().all_of::<User>().await.unwrap();
    users.sort_by_key(|user| user.id);
    users
}

fn assert_taken(error: &Error, field: &str) {
    assert_eq!(error.taken_field(), Some(field), "{error}");
    assert!(error.is_condition_failed() && !error.is_conflict() && !error.is_item_missing());
    assert!(!error.is_outcome_unknown());
    // The guard is not the caller's item.
    assert!(error.current_item().is_none());
    assert!(error.to_string().contains(&format!("`{field}` is taken by another item")), "{error}");
}

#[tokio::test]
async fn of_two_creates_with_one_value_the_second_fails() {
    on_table::<App, _>("unique-create", |bench| async move {
        let table = &bench.table;
        let ana = user(1, "a@x", Some("ana"));
        table.create(&ana).send().await.unwrap();
        assert_eq!(bench.recorder.operations(), ["TransactWriteItems"]);
        assert_eq!(guards(table).await, [guard("email", "a@x"), guard("nick", "ana")]);

        let same_email = user(2, "a@x", Some("ben"));
        assert_taken(&table.create(&same_email).send().await.unwrap_err(), "email");
        assert_taken(&table.create(&same_email).or_existing().send().await.unwrap_err(), "email");
        let same_nick = user(2, "b@x", Some("ana"));
        assert_taken(&table.create(&same_nick).send().await.unwrap_err(), "nick");
        let transaction = table.transact().add(table.create(&same_nick));
        assert_taken(&transaction.send().await.unwrap_err(), "nick");
        // Nothing of them is left behind.
        assert_eq!(everything(table).await.len(), 3);
        let ben = user(2, "b@x", Some("ben"));
        table.create(&ben).send().await.unwrap();

        // The item that exists is told from a value that is taken, and has its own values.
        let again = user(1, "c@x", None);
        let error = table.create(&again).send().await.unwrap_err();
        assert!(error.is_condition_failed() && error.taken_field().is_none(), "{error}");
        assert_eq!(error.current::<User>(), Some(ana.clone()));
        let error = table.create(&ana).send().await.unwrap_err();
        assert!(error.taken_field().is_none(), "{error}");
        let found = table.create(&ana).or_existing().send().await.unwrap();
        assert_eq!(found, Created::Exists(ana.clone()));

        // Another entity has values of its own.
        table.create(&Team { id: 1, email: "a@x".into() }).send().await.unwrap();
        assert_eq!(all_users(table).await, [ana, ben]);
    })
    .await;
}

#[tokio::test]
async fn none_is_not_a_value() {
    on_table::<App, _>("unique-none", |bench| async move {
        let table = &bench.table;
        let mut ana = user(1, "a@x", None);
        table.create(&ana).send().await.unwrap();
        table.create(&user(2, "b@x", None)).send().await.unwrap();
        assert_eq!(guards(table).await, [guard("email", "a@x"), guard("email", "b@x")]);

        table.update(&mut ana).change(|u| u.nick.set("n")).send().await.unwrap();
        assert_eq!(guards(table).await.len(), 3);
        let mut ben = user(2, "b@x", None);
        let error = table.update(&mut ben).change(|u| u.nick.set("n")).send().await.unwrap_err();
        assert_taken(&error, "nick");
        table.update(&mut ana).change(|u| u.nick.remove()).send().await.unwrap();
        assert_eq!(guards(table).await.len(), 2);
        table.update(&mut ben).change(|u| u.nick.set("n")).send().await.unwrap();
        assert_eq!(ben.nick.as_deref(), Some("n"));
    })
    .await;
}

#[tokio::test]
async fn an_empty_value_has_no_guard_key() {
    on_table::<App, _>("unique-empty", |bench| async move {
        let error = bench.table.create(&user(1, "", None)).send().await.unwrap_err();
        assert!(error.is_invalid_key() && error.to_string().contains("email"), "{error}");
        let error = bench.table.create(&user(1, &"e".repeat(2048), None)).send().await.unwrap_err();
        assert!(error.is_invalid_key() && error.to_string().contains("email"), "{error}");
        assert!(bench.recorder.take().is_empty());
        // What stands between the parts of a guard's key may stand in a value.
        for (id, email) in (1..).zip(["a#b", "#", "$unique#User#nick#x", "%", "ü"]) {
            bench.table.create(&user(id, email, None)).send().await.unwrap();
            let error = bench.table.create(&user(99, email, None)).send().await.unwrap_err();
            assert_taken(&error, "email");
        }
    })
    .await;
}

#[tokio::test]
async fn an_update_moves_the_guard_with_the_value() {
    on_table::<App, _>("unique-update", |bench| async move {
        let table = &bench.table;
        let mut ana = user(1, "a@x", Some("ana"));
        table.create(&ana).send().await.unwrap();
        table.create(&user(2, "b@x", Some("ben"))).send().await.unwrap();
        bench.recorder.take();

        // Without a unique field it is an UpdateItem, by key as well.
        table.update(&mut ana).change(|u| u.visits.add(1)).send().await.unwrap();
        table.update(User::key(1)).change(|u| u.visits.add(1)).send().await.unwrap();
        assert_eq!(bench.recorder.operations(), ["UpdateItem", "UpdateItem"]);

        table.update(&mut ana).change(|u| u.email.set("c@x")).send().await.unwrap();
        let sent = bench.recorder.take();
        assert_eq!(sent[0].operation, "TransactWriteItems");
        let actions = sent[0].body["TransactItems"].as_array().unwrap();
        let names: Vec<_> = actions
            .iter()
            .map(|action| action.as_object().unwrap().keys().next().unwrap().as_str())
            .collect();
        assert_eq!(names, ["Update", "Put", "Delete"]);
        assert_eq!(ana.email, "c@x");
        let expected = [
            guard("email", "b@x"),
            guard("email", "c@x"),
            guard("nick", "ana"),
            guard("nick", "ben"),
        ];
        assert_eq!(guards(table).await, expected);

        let before = ana.clone();
        let taken = table.update(&mut ana).change(|u| (u.email.set("b@x"), u.visits.add(1)));
        assert_taken(&taken.send().await.unwrap_err(), "email");
        assert_eq!(ana, before);
        assert_eq!(guards(table).await, expected);
        assert_eq!(
            all_users(table).await[0],
            User { visits: 2, email: "c@x".into(), ..before.clone() }
        );

        // The same value again writes its guard again, which an older item may not have.
        bench.recorder.take();
        table.update(&mut ana).change(|u| u.email.set("c@x")).send().await.unwrap();
        assert_eq!(bench.recorder.operations(), ["TransactWriteItems"]);
        table.update(&mut ana).change(|u| u.visits.add(1)).send().await.unwrap();
        assert_eq!(bench.recorder.operations(), ["UpdateItem"]);

        // One who knows another value than is stored would leave its guard behind.
        let mut stale = user(1, "a@x", Some("ana"));
        let error =
            table.update(&mut stale).change(|u| u.email.set("d@x")).send().await.unwrap_err();
        assert!(error.is_conflict() && error.taken_field().is_none(), "{error}");
        assert_eq!(stale.email, "a@x");
        assert_eq!(guards(table).await, expected);
        let mut missing = user(9, "z@x", None);
        let error =
            table.update(&mut missing).change(|u| u.email.set("y@x")).send().await.unwrap_err();
        assert!(error.is_item_missing(), "{error}");
        assert_eq!(guards(table).await, expected);

        let both = table.update(&mut ana).change(|u| (u.email.set("d@x"), u.nick.set("anna")));
        both.send().await.unwrap();
        let expected = [
            guard("email", "b@x"),
            guard("email", "d@x"),
            guard("nick", "anna"),
            guard("nick", "ben"),
        ];
        assert_eq!(guards(table).await, expected);
    })
    .await;
}

#[tokio::test]
async fn what_a_transaction_does_not_return_is_refused() {
    on_table::<App, _>("unique-returning", |bench| async move {
        let table = &bench.table;
        let mut ana = user(1, "a@x", None);
        table.create(&ana).send().await.unwrap();
        bench.recorder.take();
        let error =
            table.update(&mut ana).change(|u| u.email.set("b@x")).returning_new().send().await;
        assert!(error.unwrap_err().to_string().contains("returns no item"));
        let error = table.delete(&ana).returning_old().send().await.unwrap_err();
        assert!(error.to_string().contains("returns no item"), "{error}");
        let error = table.create(&ana).into_sdk().unwrap_err();
        assert!(error.to_string().contains("TransactWriteItems"), "{error}");
        assert!(bench.recorder.take().is_empty());
        let new = table.update(&mut ana).change(|u| u.visits.add(1)).returning_new().send().await;
        assert_eq!(new.unwrap().visits, 1);
    })
    .await;
}

#[tokio::test]
async fn modify_moves_the_guard_too() {
    on_table::<App, _>("unique-modify", |bench| async move {
        let table = &bench.table;
        table.create(&user(1, "a@x", Some("ana"))).send().await.unwrap();
        table.create(&user(2, "b@x", None)).send().await.unwrap();
        let moved =
            table.modify(User::key(1), |user| user.email = "c@x".into()).send().await.unwrap();
        assert_eq!(moved.email, "c@x");
        assert_eq!(
            guards(table).await,
            [guard("email", "b@x"), guard("email", "c@x"), guard("nick", "ana")]
        );
        bench.recorder.take();
        // A value that is taken does not come free by trying again.
        let taken = table.modify(User::key(1), |user| user.email = "b@x".into()).send().await;
        assert_taken(&taken.unwrap_err(), "email");
        assert_eq!(bench.recorder.operations(), ["GetItem", "TransactWriteItems"]);
        let none = table.modify(User::key(1), |user| (user.nick, user.visits) = (None, 3));
        none.send().await.unwrap();
        assert_eq!(guards(table).await, [guard("email", "b@x"), guard("email", "c@x")]);
        bench.recorder.take();
        table.modify(User::key(1), |user| user.visits += 1).send().await.unwrap();
        assert_eq!(bench.recorder.operations(), ["GetItem", "UpdateItem"]);
    })
    .await;
}

#[tokio::test]
async fn a_delete_frees_the_values() {
    on_table::<App, _>("unique-delete", |bench| async move {
        let table = &bench.table;
        let ana = user(1, "a@x", Some("ana"));
        table.create(&ana).send().await.unwrap();
        let stale = User { email: "z@x".into(), ..ana.clone() };
        let error = table.delete(&stale).send().await.unwrap_err();
        assert!(error.is_conflict(), "{error}");
        let error = table.delete(&ana).condition(|u| u.visits.gt(0)).send().await.unwrap_err();
        assert!(error.is_condition_failed() && !error.is_conflict(), "{error}");
        assert_eq!(everything(table).await.len(), 3);
        // What is not unique may differ.
        table.delete(&User { visits: 9, ..ana.clone() }).send().await.unwrap();
        assert!(everything(table).await.is_empty());
        let error = table.delete(&ana).send().await.unwrap_err();
        assert!(error.is_item_missing(), "{error}");
        table.create(&user(2, "a@x", Some("ana"))).send().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn transactions_with_guards() {
    on_table::<App, _>("unique-transact", |bench| async move {
        let table = &bench.table;
        let (one, other) = (user(1, "a@x", None), user(2, "a@x", None));
        let transaction = table.transact().add(table.create(&one)).add(table.create(&other));
        let error = transaction.send().await.unwrap_err();
        assert!(error.to_string().contains("have the same `email`, which is unique"), "{error}");
        assert!(bench.recorder.take().is_empty());

        let ben = user(2, "b@x", Some("ben"));
        let team = Team { id: 1, email: "a@x".into() };
        let transaction = table.transact().add(table.create(&one)).add(table.create(&ben));
        transaction.add(table.create(&team)).send().await.unwrap();
        assert_eq!(everything(table).await.len(), 7);

        // Reasons are those of the operations, guards or not.
        let mut transaction = table.transact();
        let first = transaction.push(table.update(User::key(1)).change(|u| u.visits.add(1)));
        let created = transaction.push(table.create(&User { id: 3, ..ben.clone() }));
        let last = transaction.push(table.delete(&team));
        let error = transaction.send().await.unwrap_err();
        assert!(error.reason(first).unwrap().is_none() && error.reason(last).unwrap().is_none());
        assert_eq!(error.reason(created).unwrap().taken_field(), Some("email"));
        assert_eq!(error.reasons().len(), 3);
        assert_eq!(everything(table).await.len(), 7);

        // 34 items with two guards each are more than 100 actions.
        let users: Vec<_> =
            (10..44).map(|id| user(id, &format!("{id}"), Some(&format!("n{id}")))).collect();
        let transaction =
            table.transact().add(users.iter().map(|user| table.create(user)).collect::<Vec<_>>());
        let error = transaction.send().await.unwrap_err();
        assert!(error.to_string().contains("34 operations and 68 guards"), "{error}");
    })
    .await;
}

#[tokio::test]
async fn guards_are_hidden() {
    on_table::<App, _>("unique-hidden", |bench| async move {
        let table = &bench.table;
        table.create(&user(1, "a@x", Some("ana"))).send().await.unwrap();
        assert_eq!(table.full_scan().consistent().all().await.unwrap().len(), 1);
        let guarded = everything(table).await;
        assert_eq!(guarded.len(), 3);
        for (pk, item) in guarded {
            let inspected = App::inspect(&item);
            assert_eq!(inspected.entity.is_some(), !pk.starts_with('$'), "{pk}: {inspected:?}");
            if pk.starts_with('$') {
                assert_eq!(item["_of"], AttributeValue::S("USER#1 + PROFILE".into()));
                assert_eq!(item["SK"], AttributeValue::S("$unique".into()));
            }
        }
    })
    .await;
}

#[test]
fn explain_shows_the_guards() {
    let client = monotable::testing::local_client("http://127.0.0.1:1").unwrap();
    let table: Table<App> = Table::new(client, "app");
    let ana = user(1, "a@x", Some("ana"));
    let actions = |explained: Result<monotable::op::Explanation, Error>| -> Vec<String> {
        let explained = explained.unwrap();
        let [request] = explained.requests() else { unreachable!("one request") };
        let body: serde_json::Value = serde_json::from_str(&request.body()).unwrap();
        let Some(actions) = body["TransactItems"].as_array() else {
            return vec![request.operation().to_owned()];
        };
        let text = |action: &serde_json::Value| {
            let (name, action) = action.as_object().unwrap().iter().next().unwrap();
            let key = action.get("Key").or(action.get("Item")).unwrap();
            format!("{name} {}", key["PK"]["S"].as_str().unwrap())
        };
        actions.iter().map(text).collect()
    };
    let expected = ["Put USER#1", "Put $unique#User#email#a@x", "Put $unique#User#nick#ana"];
    assert_eq!(actions(table.create(&ana).explain()), expected);
    assert_eq!(actions(table.create(&ana).or_existing().explain()), expected);
    let deleted =
        ["Delete USER#1", "Delete $unique#User#email#a@x", "Delete $unique#User#nick#ana"];
    assert_eq!(actions(table.delete(&ana).explain()), deleted);
    let update = table.update(&ana).change(|u| u.nick.set("anna"));
    let moved = ["Update USER#1", "Put $unique#User#nick#anna", "Delete $unique#User#nick#ana"];
    assert_eq!(actions(update.explain()), moved);
    let update = table.update(User::key(1)).change(|u| u.visits.add(1));
    assert_eq!(actions(update.explain()), ["UpdateItem"]);
}
