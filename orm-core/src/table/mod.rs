//! The handle, and what it does to the table as a whole.

mod describe;
mod provision;
mod wait;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use aws_sdk_dynamodb::Client;

pub use describe::Verify;
pub use provision::{CreateTable, DeleteTable};

use crate::collection::{CollectionPattern, ItemCollection};
use crate::entity::Entity;
use crate::error::Context;
use crate::op::{
    Check, Create, Delete, FullScan, Get, IntoKey, Put, Query, ReadCollection, Transact,
    TransactGet, TransactGetItems,
};
use crate::pattern::IntoPattern;
use crate::schema::Schema;
use crate::wire::{Connection, Endpoint};

/// A table of schema `T` under a name, reached through a client: where every operation begins.
///
/// Cheap to clone, like the SDK's client. Making one sends nothing; [`verify`](Self::verify) asks
/// whether the table is there and as declared.
pub struct Table<T> {
    inner: Arc<Inner>,
    schema: PhantomData<fn() -> T>,
}

struct Inner {
    connection: Connection,
    name: String,
}

impl<T: Schema> Table<T> {
    /// The same as `T::table(client, name)`.
    pub fn new(client: Client, name: impl Into<String>) -> Self {
        let inner = Inner { connection: Connection::new(client), name: name.into() };
        Table { inner: Arc::new(inner), schema: PhantomData }
    }

    /// The client, for what this library does not do.
    pub fn client(&self) -> &Client {
        self.inner.connection.client()
    }

    /// The table's name in DynamoDB.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// Reads one item: one GetItem.
    pub fn get<E: Entity<Table = T>>(&self, key: impl IntoKey<E>) -> Get<E> {
        Get::new(self.clone(), key.into_key())
    }

    /// Writes an item, replacing what is there: one PutItem. Attributes that the struct does not
    /// know are lost, as with every PutItem.
    pub fn put<E: Entity<Table = T>>(&self, item: &E) -> Put<E> {
        Put::new(self.clone(), item)
    }

    /// Writes an item that must not exist yet: one PutItem with a condition.
    pub fn create<E: Entity<Table = T>>(&self, item: &E) -> Create<E> {
        Create::new(self.clone(), item)
    }

    /// Deletes an item, if it is there: one DeleteItem.
    pub fn delete<E: Entity<Table = T>>(&self, key: impl IntoKey<E>) -> Delete<E> {
        Delete::new(self.clone(), key.into_key())
    }

    /// Checks that an item exists, and more of it by its conditions: one TransactWriteItems. Meant
    /// for a [`transact`](Self::transact), whose other operations happen only if it does.
    pub fn check<E: Entity<Table = T>>(&self, key: impl IntoKey<E>) -> Check<E> {
        Check::new(self.clone(), key.into_key())
    }

    /// Begins a transaction of writes: one TransactWriteItems, of which all happen or none.
    pub fn transact<'a>(&self) -> Transact<'a> {
        Transact::new(self.connection().clone())
    }

    /// Reads items of several entities, all as they are at one moment: one TransactGetItems.
    pub fn transact_get<I: TransactGetItems<T>>(&self, keys: I) -> TransactGet<I::Output> {
        TransactGet::new(self, keys)
    }

    /// Reads the items of a pattern; see [`Query`] for which requests go out.
    pub fn query<P>(&self, pattern: P) -> Query<P::Entity, P::Index>
    where
        P: IntoPattern<Entity: Entity<Table = T>>,
    {
        Query::new(self.clone(), &pattern.into_pattern())
    }

    /// Reads the kinds of one partition into a struct: one Query a page.
    pub fn collection<C: ItemCollection<Table = T>>(
        &self,
        pattern: CollectionPattern<C>,
    ) -> ReadCollection<C> {
        ReadCollection::new(self.clone(), pattern)
    }

    /// Reads the whole table: many Scans, and it costs what the table is large.
    pub fn full_scan(&self) -> FullScan<T> {
        FullScan::new(self.clone())
    }

    /// Creates the table with its indexes and TTL, and waits until all are ACTIVE.
    pub fn create_table(&self) -> CreateTable<T> {
        CreateTable::new(self.clone())
    }

    /// Deletes the table and everything in it, and waits until it is gone.
    pub fn delete_table(&self) -> DeleteTable<T> {
        DeleteTable::new(self.clone())
    }

    /// Checks that the table is there and as declared.
    pub fn verify(&self) -> Verify<T> {
        Verify::new(self.clone())
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.inner.connection
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        self.inner.connection.endpoint()
    }

    /// Name, region and endpoint, for errors.
    pub(crate) fn describe(&self) -> String {
        self.inner.connection.describe(&format!("table `{}`", self.inner.name))
    }

    pub(crate) fn context(&self, operation: &'static str) -> Context {
        Context {
            operation,
            entity: "",
            target: String::new(),
            table: self.describe(),
            is_write: false,
            is_lost: false,
        }
    }
}

#[cfg(feature = "aws-config")]
impl<T: Schema> Table<T> {
    /// Region, credentials and endpoint from the environment, profile or instance, by
    /// `aws-config` with its latest behavior version. The same as `T::connect(name)`.
    pub async fn connect(name: impl Into<String>) -> Self {
        let behavior = aws_config::BehaviorVersion::latest();
        Table::new(Client::new(&aws_config::load_defaults(behavior).await), name)
    }
}

impl<T> Clone for Table<T> {
    fn clone(&self) -> Self {
        Table { inner: Arc::clone(&self.inner), schema: PhantomData }
    }
}

impl<T> fmt::Debug for Table<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("name", &self.inner.name).finish_non_exhaustive()
    }
}
