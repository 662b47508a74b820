//! The operations, one function each, on a partition of their own.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use monotable::{Entity, Error, Item, Table};
use tests::models::shop::{Customer, Shop};

use super::outcomes::Stored;
use super::plans::{CONDITION_REPEATED, Cell, READ, REPEATED, SENT_ONCE};

/// An operation and what becomes of it.
pub(super) struct Operation {
    pub(super) name: &'static str,
    /// Sends it; the text names the partition.
    pub(super) call: fn(Table<Shop>, String) -> BoxFuture<'static, Result<(), Error>>,
    /// The partition before, and after the operation took effect so many times, in order.
    pub(super) stored: fn(&str, Stored) -> Vec<Item>,
    /// Whether it may reach the engine more than once.
    pub(super) repeats: bool,
    pub(super) cells: &'static [Cell],
}

pub(super) const OPERATIONS: &[Operation] = &[
    Operation {
        name: "put",
        call: |shop, id| put(shop, id).boxed(),
        stored: |id, stored| match stored {
            Stored::Before => vec![item(&old(id))],
            Stored::Once => vec![item(&new(id))],
        },
        repeats: true,
        cells: REPEATED,
    },
    Operation {
        name: "create",
        call: |shop, id| create(shop, id).boxed(),
        stored: |id, stored| match stored {
            Stored::Before => vec![],
            Stored::Once => vec![item(&new(id))],
        },
        repeats: false,
        cells: SENT_ONCE,
    },
    Operation {
        name: "create().retry_unsafe()",
        call: |shop, id| create_unsafe(shop, id).boxed(),
        stored: |id, stored| match stored {
            Stored::Before => vec![],
            Stored::Once => vec![item(&new(id))],
        },
        repeats: true,
        cells: CONDITION_REPEATED,
    },
    Operation {
        name: "delete",
        call: |shop, id| delete(shop, id).boxed(),
        stored: |id, stored| match stored {
            Stored::Before => vec![item(&old(id))],
            Stored::Once => vec![],
        },
        repeats: true,
        cells: REPEATED,
    },
    Operation {
        name: "get",
        call: |shop, id| get(shop, id).boxed(),
        stored: |id, _| vec![item(&old(id))],
        repeats: true,
        cells: READ,
    },
];

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

fn old(id: &str) -> Customer {
    Customer { customer_id: id.into(), name: "Ana".into() }
}

fn new(id: &str) -> Customer {
    Customer { name: "Ben".into(), ..old(id) }
}

fn item<E: Entity>(entity: &E) -> Item {
    entity.to_item().unwrap()
}
