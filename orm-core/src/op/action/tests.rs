use std::sync::atomic::{AtomicUsize, Ordering};

use aws_sdk_dynamodb::types::AttributeValue;
use serde::{Deserialize, Serialize};

use super::*;
use crate::entity::{Entity, Key};
use crate::{Entity as DeriveEntity, Table as DeriveTable};

#[derive(Debug, DeriveTable)]
#[table(pk = "PK", ttl = "expires_at")]
struct Users;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, DeriveEntity)]
#[entity(table = Users, pk = "USER#<id>")]
struct User {
    id: String,
    email: String,
    visits: u32,
}

#[derive(Debug, Serialize, Deserialize, DeriveEntity)]
#[entity(table = Users, pk = "EMAIL#<email>")]
struct Guard {
    email: String,
}

fn number(digits: &str) -> AttributeValue {
    AttributeValue::N(digits.into())
}

fn expecting(state: State) -> Expected {
    Expected { state, ..Expected::NOTHING }
}

fn action<E: Entity>(key: &Key<E>, write: Write, state: State) -> Action {
    let mut aliases = Aliases::default();
    let condition = match state {
        State::Any => None,
        State::Present => Some(format!("attribute_exists({})", aliases.name("PK"))),
        State::Absent | State::Free(_) => {
            Some(format!("attribute_not_exists({})", aliases.name("PK")))
        }
    };
    Action {
        table: "users".into(),
        schema: E::Table::TABLE,
        entity: E::SCHEMA.name,
        key: key.parts().unwrap().clone(),
        write,
        condition,
        aliases,
        expected: expecting(state),
    }
}

fn user(id: &str) -> User {
    User { id: id.into(), email: "a@x".into(), visits: 1 }
}

/// Creates a user and takes the address.
fn registration<'a>(id: &str, written: &'a AtomicUsize) -> Plan<'a> {
    let (user, guard) = (user(id), Guard { email: "a@x".into() });
    let put = |item| Write::Put(Stored::Item(item));
    let actions = vec![
        action(&user.key(), put(user.to_item().unwrap()), State::Absent),
        action(&guard.key(), put(guard.to_item().unwrap()), State::Free("email")),
    ];
    let wrote = || {
        written.fetch_add(1, Ordering::Relaxed);
    };
    Plan { actions, is_idempotent: false, wrote: Some(Box::new(wrote)) }
}

/// Counts a visit.
fn visit(id: &str) -> Action {
    let mut action = action(&User::key(id), Write::Update(None), State::Present);
    let (name, value) = (action.aliases.name("visits"), action.aliases.value(&number("1")));
    action.write = Write::Update(Some(format!("ADD {name} {value}")));
    action
}

fn single(action: Action) -> Plan<'static> {
    Plan { actions: vec![action], is_idempotent: false, wrote: None }
}

#[test]
fn a_failed_condition_says_why() {
    let item = |pairs: &[(&str, &str)]| -> Item {
        pairs.iter().map(|(name, digits)| ((*name).to_owned(), number(digits))).collect()
    };
    let stored = item(&[("v", "7"), ("expires_at", "100")]);
    let versioned =
        |expected| Expected { version: Some(("v", expected)), ..expecting(State::Present) };
    let fleeting = |now| Expected { ttl: Some(("expires_at", now)), ..expecting(State::Present) };
    for (expected, stored, text) in [
        (expecting(State::Absent), Some(&stored), "the item exists already"),
        (expecting(State::Absent), None, "the item exists already"),
        (expecting(State::Present), None, "there is no such item"),
        (fleeting(100), Some(&stored), "there is no such item: what is stored has expired"),
        (fleeting(99), Some(&stored), "the condition does not hold for the stored item"),
        (versioned(5), Some(&stored), "the stored version is 7, the item's is 5: read it again"),
        (versioned(7), Some(&stored), "the condition does not hold for the stored item"),
        (expecting(State::Any), None, "there is no such item"),
        (expecting(State::Free("email")), None, "`email` is taken by another item"),
    ] {
        let why = expected.failed(stored);
        assert_eq!(FailedCondition { why, item: stored.cloned() }.to_string(), text);
    }
}

#[test]
fn no_empty_map_is_sent() {
    let put = action(
        &User::key("u1"),
        Write::Put(Stored::Item(user("u1").to_item().unwrap())),
        State::Any,
    );
    let item = put.clone().transact_item().unwrap().put.unwrap();
    assert_eq!(item.expression_attribute_names, None);
    assert_eq!(item.expression_attribute_values, None);
    assert_eq!(item.return_values_on_condition_check_failure, None);
    let text = put.request(None).body();
    assert!(!text.contains("Expression") && !text.contains("ReturnValues"), "{text}");

    let mut delete = action(&User::key("u1"), Write::Delete, State::Present);
    let item = delete.transact_item().unwrap().delete.unwrap();
    assert_eq!(item.expression_attribute_names.unwrap().len(), 1);
    assert_eq!(item.expression_attribute_values, None);
    let old = ReturnValuesOnConditionCheckFailure::AllOld;
    assert_eq!(item.return_values_on_condition_check_failure, Some(old));
}

#[test]
fn an_update_that_changes_nothing_is_a_check_in_a_transaction() {
    let mut update = action(&User::key("u1"), Write::Update(None), State::Present);
    let text = update.transact_json().unwrap().to_string();
    assert!(text.starts_with(r#"{"ConditionCheck":{"TableName":"users","Key""#), "{text}");
    assert!(update.transact_item().unwrap().condition_check.is_some());

    let mut nothing = action(&User::key("u1"), Write::Update(None), State::Any);
    let error = nothing.transact_json().unwrap_err().to_string();
    assert_eq!(nothing.transact_item().unwrap_err().to_string(), error);
    assert!(error.contains("`User` (USER#u1) neither changes nor checks"), "{error}");
}

#[cfg(feature = "testing")]
#[test]
fn both_forms_are_explained() {
    let client = crate::testing::local_client("http://127.0.0.1:1").unwrap();
    let users = Users::table(client, "users");
    let returned = ReturnValue::AllNew;
    let explained = single(visit("u1")).explain(&users, Some(&returned)).unwrap();
    assert_eq!(
        explained.to_string(),
        r##"UpdateItem {"TableName":"users","Key":{"PK":{"S":"USER#u1"}},"UpdateExpression":"ADD #b :a","ConditionExpression":"attribute_exists(#a)","ExpressionAttributeNames":{"#a":"PK","#b":"visits"},"ExpressionAttributeValues":{":a":{"N":"1"}},"ReturnValuesOnConditionCheckFailure":"ALL_OLD","ReturnValues":"ALL_NEW"}"##
    );
    assert_eq!(explained.max_write_units(), 400.0);

    let written = AtomicUsize::new(0);
    let explained = registration("u1", &written).explain(&users, None).unwrap();
    assert_eq!(explained.requests()[0].operation(), "TransactWriteItems");
    let body = explained.requests()[0].body();
    assert!(body.contains(r#"{"S":"USER#u1"}"#) && body.contains(r#"{"S":"EMAIL#a@x"}"#), "{body}");
    // Twice the item's, and twice one unit for the guard.
    assert_eq!(explained.max_write_units(), 802.0);
}

#[cfg(feature = "testing")]
#[tokio::test]
async fn one_action_is_a_request_of_its_own() {
    let engine = crate::testing::Embedded::start().await.unwrap();
    let users = engine.table::<Users>("users").await.unwrap();
    let error = single(visit("u1")).send(&users, None, None).await.unwrap_err();
    assert!(error.is_item_missing() && error.is_condition_failed(), "{error}");
    assert!(error.to_string().starts_with("UpdateItem of `User` (USER#u1) on table"), "{error}");

    let put = Write::Put(Stored::Item(user("u1").to_item().unwrap()));
    let put = action(&User::key("u1"), put, State::Absent);
    let old = Some(ReturnValue::AllOld);
    let none = single(put.clone()).send(&users, old.clone(), None).await.unwrap();
    assert!(none.is_none());
    let error = single(put).send(&users, None, None).await.unwrap_err();
    assert!(error.to_string().ends_with("the item exists already"), "{error}");
    assert_eq!(error.current::<User>(), Some(user("u1")));

    let new = Some(ReturnValue::AllNew);
    let new = single(visit("u1")).send(&users, new, None).await.unwrap().unwrap();
    assert_eq!(
        User::from_item(new.into_item().unwrap()).unwrap(),
        User { visits: 2, ..user("u1") }
    );

    let mut stale = visit("u1");
    stale.expected.version = Some(("visits", 9));
    let (name, value) = (stale.aliases.name("visits"), stale.aliases.value(&number("9")));
    stale.condition = stale.condition.map(|text| format!("{text} AND {name} = {value}"));
    let error = single(stale).send(&users, None, None).await.unwrap_err();
    assert!(error.is_conflict() && error.is_condition_failed() && !error.is_item_missing());
    assert!(error.to_string().contains("the stored version is 2, the item's is 9"), "{error}");

    let delete = action(&User::key("u1"), Write::Delete, State::Present);
    let old = single(delete.clone()).send(&users, old, None).await.unwrap();
    assert!(old.is_some());
    let error = single(delete).send(&users, None, None).await.unwrap_err();
    assert!(error.is_item_missing(), "{error}");
}

#[cfg(feature = "testing")]
#[tokio::test]
async fn guards_are_written_with_the_item_and_tell_its_field() {
    let engine = crate::testing::Embedded::start().await.unwrap();
    let users = engine.table::<Users>("users").await.unwrap();
    let written = AtomicUsize::new(0);
    registration("u1", &written).send(&users, None, None).await.unwrap();
    assert_eq!(written.load(Ordering::Relaxed), 1);

    let error = registration("u2", &written).send(&users, None, None).await.unwrap_err();
    assert_eq!(written.load(Ordering::Relaxed), 1);
    assert!(error.is_condition_failed() && !error.is_item_missing() && !error.is_conflict());
    assert_eq!(error.taken_field(), Some("email"));
    // One operation has one reason, and the guard is no item of the caller's.
    assert_eq!(error.reasons().len(), 1);
    assert_eq!(error.reasons()[0].taken_field(), Some("email"));
    assert_eq!(error.current_item(), None);
    let text = error.to_string();
    assert!(text.starts_with("TransactWriteItems of `User` (USER#u2) on table `users`"), "{text}");
    assert!(text.ends_with(": `email` is taken by another item"), "{text}");

    let custom = Custom::Put(Customize::new(|put| put));
    let error = registration("u3", &written).send(&users, None, Some(custom)).await.unwrap_err();
    assert!(error.to_string().contains("`customize`"), "{error}");
}

#[cfg(feature = "testing")]
#[tokio::test]
async fn two_items_with_one_unique_value_are_named() {
    let client = crate::testing::local_client("http://127.0.0.1:1").unwrap();
    let users = Users::table(client, "users");
    let written = AtomicUsize::new(0);
    let plans = vec![registration("u1", &written), registration("u2", &written)];
    let sent = transact::send(users.connection(), plans, None, Customize::NONE).await;
    assert_eq!(
        sent.unwrap_err().to_string(),
        "operation 0, `User` (USER#u1), and operation 1, `User` (USER#u2), have the same `email`, which is unique"
    );
    let plans: Vec<_> = (0..51).map(|at| registration(&format!("u{at}"), &written)).collect();
    let sent = transact::send(users.connection(), plans, None, Customize::NONE).await;
    let text = sent.unwrap_err().to_string();
    let told = "51 operations and 51 guards of unique fields in one transaction";
    assert!(text.starts_with(told), "{text}");
}
