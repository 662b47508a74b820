//! A table that another program filled, and goes on using: declare it, check every item against
//! the declaration, read, and write what the other program would have written. Run it with
//! `cargo run --example adopt`; it needs no account.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use chrono::{DateTime, Utc};
use monotable::testing::Embedded;
use monotable::{Bytes, Entity, Item, Number, Table};
use serde::{Deserialize, Serialize};

// 1. Declare what is there. Literals keep their spelling; `_et` tells what an item is.

#[derive(Table)]
#[table(pk = "PK", sk = "SK", type_attribute = "_et", entities(User, Task, Login))]
struct App;

/// Items of an older release have `UserModel` in `_et`: they are read as users, and a put writes
/// `user`. The other program stores NULL for a user without a nick, and expects to find it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "User#<name>", sk = "Profile", type_name = "user",
         type_alias("UserModel"), attributes("v" = "1"), null(nick))]
struct User {
    name: String,
    email: String,
    nick: Option<String>,
    /// Whatever else the other program stores: a put replaces the whole item, so what is not read
    /// is lost.
    #[serde(flatten)]
    others: HashMap<String, Other>,
}

/// An attribute that we only carry along. The order of the variants matters to serde. It does not
/// see that a set is no list: give a set a field of its own, of type `monotable::Set`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Other {
    Null,
    Bool(bool),
    Number(Number),
    List(Vec<Other>),
    Map(HashMap<String, Other>),
    Binary(Bytes),
    Text(String),
}

/// The numbers are not padded, so DynamoDB has `Task#10` before `Task#7`: `:plain` says that we
/// know, and there is no `number_range` to be misled by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "User#<owner>", sk = "Task#<number:plain>", type_name = "task",
         attributes("v" = "1"), null(due))]
struct Task {
    owner: String,
    number: u32,
    title: String,
    due: Option<String>,
}

/// Seconds since 1970 in the key and, by serde, in the attribute. A NULL in `device` reads as
/// `None`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "User#<owner>", sk = "Login#<at:epoch_s>", type_name = "login",
         attributes("v" = "1"))]
struct Login {
    owner: String,
    #[serde(with = "chrono::serde::ts_seconds")]
    at: DateTime<Utc>,
    device: Option<String>,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Embedded::start().await?;
    let app: Table<App> = engine.table("app").await?;
    for item in theirs() {
        app.client().put_item().table_name(app.name()).set_item(Some(item)).send().await?;
    }

    // 2. Is the table as declared: its keys, their types, its indexes?
    app.verify().send().await?;

    // 3. Is every item as declared? A raw scan, and what the declaration makes of each item.
    let scan = app.client().scan().table_name(app.name()).into_paginator().items().send();
    let found: Vec<Item> = scan.try_collect().await?;
    let (fit, unfit): (Vec<_>, Vec<_>) = found
        .iter()
        .map(|item| (key_of(item), App::inspect(item)))
        .partition(|(_, inspection)| inspection.problems.is_empty());
    println!("{} items fit, {} do not", fit.len(), unfit.len());
    assert_eq!((fit.len(), unfit.len()), (6, 2));

    let fit: BTreeMap<_, _> = fit.into_iter().collect();
    let profile = &fit["User#Ana Profile"];
    println!("one that fits: User#Ana Profile\n{profile}");
    assert_eq!((profile.entity, &*profile.unknown), (Some("User"), &[][..]));
    // It fits, but `Task` has no field for one of its attributes, and a put would drop it.
    assert_eq!(fit["User#Ana Task#10"].unknown, ["colour"]);

    let unfit: BTreeMap<_, _> = unfit.into_iter().collect();
    for (key, inspection) in &unfit {
        println!("one that does not: {key}\n{inspection}");
    }
    // A script padded one number; a get by the number 8 would not find it.
    assert!(unfit["User#Ana Task#008"].problems[0].contains("`Task#8`"));
    // A kind that we have not declared.
    assert_eq!(unfit["User#Ana Avatar"].entity, None);

    // 4. Read: by key, and by pattern.
    let mut ana = app.get(User::key("Ana")).send().await?.ok_or("Ana exists")?;
    println!("get: {} has nick {:?} and others {:?}", ana.email, ana.nick, names(&ana.others));
    assert_eq!((ana.nick.as_ref(), &*names(&ana.others)), (None, &["limits", "theme"][..]));

    let ben = app.get(User::key("Ben")).send().await?.ok_or("Ben exists")?;
    assert_eq!(ben.nick.as_deref(), Some("benny"));

    let tasks = app.query(Task::by_owner("Ana")).all().await?;
    let numbers: Vec<_> = tasks.iter().map(|task| task.number).collect();
    println!("tasks, in the order of their keys as text: {numbers:?}");
    assert_eq!(numbers, [8, 10, 7]);

    let january = time(1_767_225_600)..time(1_769_904_000);
    let logins = app.query(Login::by_owner("Ana").at_range(january));
    let request = logins.explain()?;
    let logins = logins.all().await?;
    let times: Vec<_> = logins.iter().map(|login| login.at.to_rfc3339()).collect();
    println!("logins in January: {times:?}\n   {request}");
    assert_eq!(times, ["2026-01-10T08:00:00+00:00"]);
    assert_eq!(logins[0].device, None);

    // 5. Repair the padded key: `raw_key` reaches an item by its text, whatever the template says.
    // The item has nothing that `Task` would not write again.
    assert!(unfit["User#Ana Task#008"].unknown.is_empty());
    let padded = Task::raw_key("User#Ana", "Task#008");
    let task = app.get(&padded).send().await?.ok_or("task 008 exists")?;
    app.create(&task).send().await?;
    app.delete(&padded).send().await?;
    assert!(App::inspect(&raw(&app, "User#Ana", "Task#8").await?).is_faithful());

    // 6. Write a new item, and look at it as the other program will.
    let title = "Call the bank";
    let task = Task { owner: "Ana".into(), number: 11, title: title.into(), due: None };
    app.create(&task).send().await?;
    let stored = raw(&app, "User#Ana", "Task#11").await?;
    println!("new item: {} attributes, as the other program writes them", stored.len());
    assert_eq!(stored, their_task("Ana", 11, title));

    // 7. Change an item. Inspection looks at keys alone, so first see that reading and writing give
    // the item back as it was. What the other program writes between our get and our put is lost,
    // as with every PutItem.
    let before = raw(&app, "User#Ana", "Profile").await?;
    assert_eq!(User::from_item(before.clone())?.to_item()?, before);
    ana.email = "ana@example.net".into();
    app.put(&ana).send().await?;
    let after = raw(&app, "User#Ana", "Profile").await?;
    println!("changed: email is {:?}, theme is still {:?}", after["email"], after["theme"]);
    let mut expected = before;
    expected.insert("email".into(), text("ana@example.net"));
    assert_eq!(after, expected);

    // 8. Keep the declaration's layout in a snapshot test: what changes it changes stored data.
    println!("{}", App::layout());
    Ok(())
}

/// What the other program stores, by its own rules.
fn theirs() -> Vec<Item> {
    let ana = [
        ("PK", text("User#Ana")),
        ("SK", text("Profile")),
        ("_et", text("user")),
        ("v", text("1")),
        ("name", text("Ana")),
        ("email", text("ana@example.org")),
        ("nick", NULL),
        // Attributes that no struct of ours knows.
        ("theme", text("dark")),
        ("limits", AttributeValue::M(item([("tasks", number(100)), ("beta", NULL)]))),
    ];
    let ben = [
        ("PK", text("User#Ben")),
        ("SK", text("Profile")),
        ("_et", text("UserModel")),
        ("v", text("1")),
        ("name", text("Ben")),
        ("email", text("ben@example.org")),
        ("nick", text("benny")),
    ];
    let avatar = [
        ("PK", text("User#Ana")),
        ("SK", text("Avatar")),
        ("_et", text("image")),
        ("v", text("1")),
        ("url", text("https://example.org/ana.png")),
    ];
    let mut coloured = their_task("Ana", 10, "Paint the door");
    coloured.insert("colour".into(), text("green"));
    let mut padded = their_task("Ana", 8, "Feed the cat");
    padded.insert("SK".into(), text("Task#008"));
    vec![
        item(ana),
        item(ben),
        item(avatar),
        their_task("Ana", 7, "Water the plants"),
        coloured,
        padded,
        their_login("Ana", 1_768_032_000),
        their_login("Ana", 1_770_624_000),
    ]
}

fn their_task(owner: &str, task: u32, title: &str) -> Item {
    item([
        ("PK", text(&format!("User#{owner}"))),
        ("SK", text(&format!("Task#{task}"))),
        ("_et", text("task")),
        ("v", text("1")),
        ("owner", text(owner)),
        ("number", number(task.into())),
        ("title", text(title)),
        ("due", NULL),
    ])
}

fn their_login(owner: &str, seconds: i64) -> Item {
    item([
        ("PK", text(&format!("User#{owner}"))),
        ("SK", text(&format!("Login#{seconds}"))),
        ("_et", text("login")),
        ("v", text("1")),
        ("owner", text(owner)),
        ("at", number(seconds)),
        ("device", NULL),
    ])
}

const NULL: AttributeValue = AttributeValue::Null(true);

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn number(number: i64) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

fn item<const N: usize>(attributes: [(&str, AttributeValue); N]) -> Item {
    attributes.map(|(name, value)| (name.to_owned(), value)).into()
}

/// An item as stored, by a GetItem of the SDK alone.
async fn raw(app: &Table<App>, pk: &str, sk: &str) -> Result<Item, Box<dyn std::error::Error>> {
    let request = app.client().get_item().table_name(app.name());
    let found = request.key("PK", text(pk)).key("SK", text(sk)).send().await?;
    Ok(found.item.ok_or_else(|| format!("{pk} {sk} exists"))?)
}

fn key_of(item: &Item) -> String {
    let part = |name| item.get(name).and_then(|value| value.as_s().ok()).map_or("", String::as_str);
    format!("{} {}", part("PK"), part("SK"))
}

fn names(others: &HashMap<String, Other>) -> Vec<&str> {
    let mut names: Vec<_> = others.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

fn time(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).expect("a time of the calendar")
}
