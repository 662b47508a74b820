//! The operations, one function each, on a partition of their own.

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use monotable::{Entity, Error, Item, Table};
use serde::{Deserialize, Serialize};
use tests::models::shop::{Customer, Shop};

use super::outcomes::Stored;
use super::plans::{
    BATCH, CONDITION_REPEATED, Cell, DOUBLED, READ, READ_AND_BATCH, READ_AND_WRITTEN_ONCE,
    REPEATED, SENT_ONCE, UPDATED_OR_CREATED,
};

/// An operation and what becomes of it.
pub(super) struct Operation {
    pub(super) name: &'static str,
    /// Sends it; the text names the partition.
    pub(super) call: fn(Table<Shop>, String) -> BoxFuture<'static, Result<(), Error>>,
    /// The partition before, and after the operation took effect so many times, in order.
    pub(super) stored: fn(&str, Stored) -> Vec<Item>,
    /// Whether it may reach the engine more than once.
    pub(super) repeats: bool,
    /// Whether its caller accepts that it takes effect twice.
    pub(super) doubles: bool,
    pub(super) cells: &'static [Cell],
}

/// Every operation under test.
pub(super) fn operations() -> Vec<Operation> {
    let mut operations = vec![
        Operation::of("put", |shop, id| put(shop, id).boxed(), replaced, REPEATED),
        Operation::of("create", |shop, id| create(shop, id).boxed(), created, SENT_ONCE).once(),
        Operation::of(
            "create().retry_unsafe()",
            |shop, id| create_unsafe(shop, id).boxed(),
            created,
            CONDITION_REPEATED,
        ),
        Operation::of("delete", |shop, id| delete(shop, id).boxed(), deleted, REPEATED),
        Operation::of("get", |shop, id| get(shop, id).boxed(), |id, _| vec![item(&old(id))], READ),
        Operation::of("update of set", |shop, id| set(shop, id).boxed(), replaced, REPEATED),
        Operation::of("update of add", |shop, id| add(shop, id).boxed(), added, SENT_ONCE).once(),
        Operation::of(
            "update of add().retry_unsafe()",
            |shop, id| add_unsafe(shop, id).boxed(),
            added,
            DOUBLED,
        )
        .doubles(),
        Operation::of(
            "update with a condition",
            |shop, id| set_if(shop, id).boxed(),
            replaced,
            SENT_ONCE,
        )
        .once(),
        Operation::of(
            "put of a version",
            |shop, id| put_versioned(shop, id).boxed(),
            versioned,
            SENT_ONCE,
        )
        .once(),
        Operation::of("transact of puts", |shop, id| transact(shop, id).boxed(), two, REPEATED),
        Operation::of("batch_write", |shop, id| batch_write(shop, id).boxed(), two, BATCH),
        Operation::of("modify", |shop, id| modify(shop, id).boxed(), added, READ_AND_WRITTEN_ONCE),
        Operation::of("upsert", |shop, id| upsert(shop, id).boxed(), replaced, REPEATED),
        Operation::of("upsert of add", |shop, id| upsert_add(shop, id).boxed(), added, SENT_ONCE)
            .once(),
        Operation::of(
            "upsert by update and create",
            |shop, id| upsert_two(shop, id).boxed(),
            noted,
            UPDATED_OR_CREATED,
        ),
        Operation::of(
            "delete_all",
            |shop, id| delete_all(shop, id).boxed(),
            deleted,
            READ_AND_BATCH,
        ),
    ];
    if tests::engine::knows_client_tokens() {
        operations.extend([
            Operation::of(
                "transact of add",
                |shop, id| transact_add(shop, id).boxed(),
                added,
                REPEATED,
            ),
            Operation::of(
                "create of a unique value",
                |shop, id| create_unique(shop, id).boxed(),
                guarded,
                REPEATED,
            ),
        ]);
    }
    operations
}

impl Operation {
    fn of(
        name: &'static str,
        call: fn(Table<Shop>, String) -> BoxFuture<'static, Result<(), Error>>,
        stored: fn(&str, Stored) -> Vec<Item>,
        cells: &'static [Cell],
    ) -> Self {
        Operation { name, call, stored, repeats: true, doubles: false, cells }
    }

    fn once(self) -> Self {
        Operation { repeats: false, ..self }
    }

    fn doubles(self) -> Self {
        Operation { doubles: true, ..self }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<id>", sk = "COUNTER", allow(unlisted))]
struct Counter {
    id: String,
    count: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<id>", sk = "SETTINGS", version = version, allow(unlisted))]
struct Settings {
    id: String,
    name: String,
    version: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<id>", sk = "LOGIN", unique(email), allow(unlisted))]
struct Login {
    id: String,
    email: String,
}

/// With an index key that its key does not tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<id>", sk = "NOTE", allow(unlisted))]
#[index(gsi2, pk = "TAG#<tag>", sk = "<id>")]
struct Note {
    id: String,
    tag: String,
    text: String,
}

monotable::assert_distinct!(Shop: Counter, Settings, Login, Note, Customer);

async fn put(shop: Table<Shop>, id: String) -> Result<(), Error> {
    shop.put(&new(&id)).send().await
}

async fn create(shop: Table<Shop>, id: String) -> Result<(), Error> {
    shop.create(&new(&id)).send().await
}

async fn create_unsafe(shop: Table<Shop>, id: String) -> Result<(), Error> {
    shop.create(&new(&id)).retry_unsafe().send().await
}

async fn delete(shop: Table<Shop>, id: String) -> Result<(), Error> {
    shop.delete(Customer::key(id)).send().await
}

async fn get(shop: Table<Shop>, id: String) -> Result<(), Error> {
    let found = shop.get(Customer::key(id.as_str())).consistent().send().await?;
    assert_eq!(found, Some(old(&id)));
    Ok(())
}

async fn set(shop: Table<Shop>, id: String) -> Result<(), Error> {
    shop.update(Customer::key(id)).change(|c| c.name.set("Ben")).send().await
}

async fn set_if(shop: Table<Shop>, id: String) -> Result<(), Error> {
    let update = shop.update(Customer::key(id)).change(|c| c.name.set("Ben"));
    update.condition(|c| c.name.eq("Ana")).send().await
}

async fn add(shop: Table<Shop>, id: String) -> Result<(), Error> {
    shop.update(Counter::key(id)).change(|c| c.count.add(1)).send().await
}

async fn add_unsafe(shop: Table<Shop>, id: String) -> Result<(), Error> {
    shop.update(Counter::key(id)).change(|c| c.count.add(1)).retry_unsafe().send().await
}

/// The caller's item has the next version if, and only if, it is surely stored.
async fn put_versioned(shop: Table<Shop>, id: String) -> Result<(), Error> {
    let mut settings = Settings { id, name: "Ben".into(), version: 1 };
    let outcome = shop.put(&mut settings).send().await;
    assert_eq!(settings.version, if outcome.is_ok() { 2 } else { 1 });
    outcome
}

async fn transact(shop: Table<Shop>, id: String) -> Result<(), Error> {
    let (counter, customer) = (counter(&id, 1), new(&id));
    shop.transact().add(shop.put(&counter)).add(shop.put(&customer)).send().await
}

async fn transact_add(shop: Table<Shop>, id: String) -> Result<(), Error> {
    let add = shop.update(Counter::key(id)).change(|c| c.count.add(1));
    shop.transact().add(add).send().await
}

async fn batch_write(shop: Table<Shop>, id: String) -> Result<(), Error> {
    shop.batch_write().put(&counter(&id, 1)).put(&new(&id)).send().await
}

async fn modify(shop: Table<Shop>, id: String) -> Result<(), Error> {
    shop.modify(Counter::key(id), |c| c.count += 1).send().await.map(drop)
}

async fn upsert(shop: Table<Shop>, id: String) -> Result<(), Error> {
    shop.upsert(&old(&id)).change(|c| c.name.set("Ben")).send().await
}

async fn upsert_add(shop: Table<Shop>, id: String) -> Result<(), Error> {
    shop.upsert(&counter(&id, 5)).change(|c| c.count.add(1)).send().await
}

async fn upsert_two(shop: Table<Shop>, id: String) -> Result<(), Error> {
    let note = Note { id, tag: "a".into(), text: "old".into() };
    shop.upsert(&note).change(|n| n.text.set("new")).send().await
}

async fn delete_all(shop: Table<Shop>, id: String) -> Result<(), Error> {
    shop.delete_all(Customer::by_customer_id(id)).consistent().send().await.map(drop)
}

async fn create_unique(shop: Table<Shop>, id: String) -> Result<(), Error> {
    shop.create(&Login { email: id.clone(), id }).send().await
}

fn replaced(id: &str, stored: Stored) -> Vec<Item> {
    vec![item(&if times(stored) == 0 { old(id) } else { new(id) })]
}

fn created(id: &str, stored: Stored) -> Vec<Item> {
    if times(stored) == 0 { vec![] } else { vec![item(&new(id))] }
}

fn deleted(id: &str, stored: Stored) -> Vec<Item> {
    if times(stored) == 0 { vec![item(&old(id))] } else { vec![] }
}

fn added(id: &str, stored: Stored) -> Vec<Item> {
    vec![item(&counter(id, times(stored)))]
}

fn versioned(id: &str, stored: Stored) -> Vec<Item> {
    let (name, version) = if times(stored) == 0 { ("Ana", 1) } else { ("Ben", 2) };
    vec![item(&Settings { id: id.into(), name: name.into(), version })]
}

fn two(id: &str, stored: Stored) -> Vec<Item> {
    vec![item(&counter(id, times(stored).min(1))), replaced(id, stored).remove(0)]
}

fn noted(id: &str, stored: Stored) -> Vec<Item> {
    let note = Note { id: id.into(), tag: "a".into(), text: "new".into() };
    if times(stored) == 0 { vec![] } else { vec![item(&note)] }
}

fn guarded(id: &str, stored: Stored) -> Vec<Item> {
    if times(stored) == 0 {
        return vec![];
    }
    let login = Login { id: id.into(), email: id.into() };
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let guard = Item::from([
        ("PK".to_owned(), text(&format!("$unique#Login#email#{id}"))),
        ("SK".to_owned(), text("$unique")),
        ("_of".to_owned(), text(&login.key().to_string())),
    ]);
    vec![item(&login), guard]
}

fn times(stored: Stored) -> i64 {
    match stored {
        Stored::Before => 0,
        Stored::Once => 1,
        Stored::Twice => 2,
        Stored::Thrice => 3,
    }
}

fn counter(id: &str, count: i64) -> Counter {
    Counter { id: id.into(), count }
}

fn old(id: &str) -> Customer {
    Customer { customer_id: id.into(), name: "Ana".into() }
}

fn new(id: &str) -> Customer {
    Customer { name: "Ben".into(), ..old(id) }
}

fn item<E: Entity>(entity: &E) -> Item {
    entity.to_item().unwrap()
}
