//! The handle, and what it does to the table as a whole.

mod describe;
mod provision;
mod wait;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use aws_sdk_dynamodb::Client;

pub use describe::Verify;
pub use provision::{CreateTable, DeleteTable};

use crate::collection::{CollectionPattern, ItemCollection};
use crate::entity::{Entity, LeavesUnique};
use crate::error::Context;
use crate::meter::Meter;
use crate::op::{
    BatchGet, BatchWrite, Check, Create, Delete, DeleteAll, Exists, FullScan, Get, IntoDelete,
    IntoItem, IntoKey, IntoUpdate, Modify, Outcome, Put, Query, Transact, TransactGet,
    TransactGetItems, Update, Upsert,
};
use crate::pattern::IntoPattern;
use crate::schema::Schema;
use crate::wire::{Connection, Endpoint, Meters};

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
    clock: Clock,
}

/// What tells the time: the system's clock, unless a test has its own.
type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

impl<T: Schema> Table<T> {
    /// The same as `T::table(client, name)`.
    pub fn new(client: Client, name: impl Into<String>) -> Self {
        let inner = Inner {
            connection: Connection::new(client),
            name: name.into(),
            clock: Arc::new(SystemTime::now),
        };
        Table { inner: Arc::new(inner), schema: PhantomData }
    }

    /// The same table with another clock, by which expired items are told.
    ///
    /// # Examples
    ///
    /// ```
    /// # use monotable::{Entity, Table};
    /// # use serde::{Deserialize, Serialize};
    /// use std::time::{Duration, UNIX_EPOCH};
    ///
    /// #[derive(Table)]
    /// #[table(pk = "PK", ttl = "expires_at")]
    /// struct App;
    ///
    /// #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
    /// #[entity(table = App, pk = "SESSION#<id>", ttl = expires_at)]
    /// struct Session { id: String, expires_at: u64 }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # #[cfg(feature = "testing")] {
    /// # let engine = monotable::testing::Embedded::start().await?;
    /// # let app = engine.table::<App>("app").await?;
    /// let at = |second| app.with_clock(move || UNIX_EPOCH + Duration::from_secs(second));
    /// at(0).put(&Session { id: "s1".into(), expires_at: 100 }).send().await?;
    /// assert!(at(99).get(Session::key("s1")).send().await?.is_some());
    /// assert!(at(100).get(Session::key("s1")).send().await?.is_none());
    /// # }
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn with_clock(&self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        let Inner { connection, name, .. } = &*self.inner;
        let (connection, name) = (connection.clone(), name.clone());
        let inner = Inner { connection, name, clock: Arc::new(clock) };
        Table { inner: Arc::new(inner), schema: PhantomData }
    }

    /// The same table, whose operations report to the meter what they cost, and so do those of its
    /// clones. A handle may have several meters; transactions report to those of the handle that
    /// began them.
    #[must_use]
    pub fn with_meter(&self, meter: &Meter) -> Self {
        let Inner { connection, name, clock } = &*self.inner;
        let inner = Inner {
            connection: connection.with_meter(meter),
            name: name.clone(),
            clock: Arc::clone(clock),
        };
        Table { inner: Arc::new(inner), schema: PhantomData }
    }

    /// Seconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        match (self.inner.clock)().duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
            Err(_) => 0,
        }
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

    /// Asks whether an item exists: one GetItem of its partition key.
    pub fn exists<E: Entity<Table = T>>(&self, key: impl IntoKey<E>) -> Exists<E> {
        Exists::new(self.clone(), key.into_key())
    }

    /// Reads many items of one entity by their keys: one BatchGetItem per 100 keys, and more for
    /// what is left over.
    pub fn batch_get<E: Entity<Table = T>>(
        &self,
        keys: impl IntoIterator<Item: IntoKey<E>>,
    ) -> BatchGet<E> {
        BatchGet::new(self.clone(), keys.into_iter().map(IntoKey::into_key).collect())
    }

    /// Writes and deletes many items, of any entities of the table: one BatchWriteItem per 25
    /// writes, and more for what is left over. No transaction: a part of it can fail.
    pub fn batch_write(&self) -> BatchWrite<T> {
        BatchWrite::new(self.clone())
    }

    /// Writes an item, replacing what is there: one PutItem. Attributes that the struct does not
    /// know are lost, as with every PutItem. With a version it takes `&mut item`; with unique fields
    /// it does not compile, since the guards of the replaced values are not known.
    pub fn put<'a, I>(&self, item: I) -> Put<'a, I::Entity>
    where
        I: IntoItem<'a, Entity: Entity<Table = T, Unique: LeavesUnique<I::Entity>>>,
    {
        Put::new(self.clone(), item)
    }

    /// Writes an item that must not exist yet: one PutItem with a condition. With a version it takes
    /// `&mut item`.
    pub fn create<'a, I>(&self, item: I) -> Create<'a, I::Entity>
    where
        I: IntoItem<'a, Entity: Entity<Table = T>>,
    {
        Create::new(self.clone(), item)
    }

    /// Changes an item, by its key or as it was read: one UpdateItem. With a version it takes a key
    /// or `&mut item`.
    pub fn update<'a, U>(&self, target: U) -> Update<'a, U::Entity, U::Mode>
    where
        U: IntoUpdate<'a, Entity: Entity<Table = T>>,
    {
        Update::new(self.clone(), target.subject())
    }

    /// Changes an item, which is `initial` if it was missing: one UpdateItem, or an UpdateItem and a
    /// PutItem.
    pub fn upsert<'a, E>(&self, initial: &'a E) -> Upsert<'a, E>
    where
        E: Entity<Table = T, Unique: LeavesUnique<E>>,
    {
        Upsert::new(self.clone(), initial)
    }

    /// Reads an item, lets the closure change it, and writes the difference: a GetItem and an
    /// UpdateItem, both again if another write came between.
    pub fn modify<E, F, O>(&self, key: impl IntoKey<E>, change: F) -> Modify<E, F>
    where
        E: Entity<Table = T>,
        F: FnMut(&mut E) -> O,
        O: Outcome,
    {
        Modify::new(self.clone(), key.into_key(), change)
    }

    /// Deletes an item, if it is there: one DeleteItem. An item with unique fields is deleted by
    /// `&item`, with its guards.
    #[allow(clippy::needless_pass_by_value)] // As every operation takes its target.
    pub fn delete<D>(&self, target: D) -> Delete<D::Entity>
    where
        D: IntoDelete<Entity: Entity<Table = T>>,
    {
        Delete::new(self.clone(), &target)
    }

    /// Deletes every item of a pattern: Queries for the keys, and one BatchWriteItem per 25 of them.
    pub fn delete_all<P>(&self, pattern: P) -> DeleteAll<P::Entity, P::Index>
    where
        P: IntoPattern<Entity: Entity<Table = T, Unique: LeavesUnique<P::Entity>>>,
    {
        let query = Query::new(self.clone(), &pattern.into_pattern());
        DeleteAll::new(query.include_expired())
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
    pub fn query<P>(&self, pattern: P) -> Query<P::Entity, P::Index, P::Filter>
    where
        P: IntoPattern<Entity: Entity<Table = T>>,
    {
        Query::new(self.clone(), &pattern.into_pattern())
    }

    /// Reads the items of several patterns of one entity, on the table or on one index, as one list
    /// in key order: one Query a pattern at a time, at most 16 at once. See [`Query`]; a sharded
    /// pattern is the special case that has a pattern for each shard.
    ///
    /// A pattern given twice counts once; two whose ranges overlap are [`Error::is_usage`], as are
    /// patterns of different indexes.
    ///
    /// [`Error::is_usage`]: crate::Error::is_usage
    pub fn query_many<P>(
        &self,
        patterns: impl IntoIterator<Item = P>,
    ) -> Query<P::Entity, P::Index, P::Filter>
    where
        P: IntoPattern<Entity: Entity<Table = T>>,
    {
        Query::many(self.clone(), patterns.into_iter().map(IntoPattern::into_pattern))
    }

    /// Reads the kinds of one partition: into a struct ([`ReadCollection`]), or one by one into an
    /// enum ([`ReadItems`](crate::op::ReadItems)). One Query a page, unless a member is narrowed.
    ///
    /// [`ReadCollection`]: crate::op::ReadCollection
    pub fn collection<C: ItemCollection<Table = T>>(
        &self,
        pattern: CollectionPattern<C>,
    ) -> C::Read {
        C::read(self.clone(), pattern)
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

    pub(crate) fn meters(&self) -> &Meters {
        self.inner.connection.meters()
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
