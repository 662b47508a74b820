//! Operations that tell what they cost.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::{
    BatchGet, BatchWrite, Check, Create, CreateOrExisting, Created, Delete, DeleteAll,
    DeleteReturningOld, Exists, Fetched, FullScan, Get, Hydrate, ItemStream, Modify, Outcome, Page,
    Put, PutReturningOld, Query, ReadCollection, ReadItems, Returns, ScannedItem, Transact,
    TransactGet, Update, Upsert,
};
use crate::collection::{Assemble, ItemCollection, ItemKind};
use crate::consumed::Consumed;
use crate::entity::{Entity, LeavesUnique};
use crate::error::Error;
use crate::meter::Meter;
use crate::projection::{Holds, Keys, Output};
use crate::schema::Schema;

/// An operation that gives what it cost beside its result: `.with_capacity()` is the last word before
/// `.send()`, `.all()` and the like, which then return `(result, consumed)`.
///
/// What shapes the operation (`consistent`, `condition`, `limit`, …) stands before it. Each request asks
/// for `ReturnConsumedCapacity: INDEXES`; that costs nothing. All requests of the
/// operation are added up: pages, shards, leftovers, attempts of a `modify`. If it fails,
/// [`Error::consumed`] has what is known.
///
/// # Examples
///
/// ```
/// # use monotable::{Entity, Table};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Table)]
/// # #[table(pk = "PK", entities(User))]
/// # struct App;
/// # #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
/// # #[entity(table = App, pk = "USER#<id>")]
/// # struct User { id: u32, text: String }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let app = engine.table::<App>("app").await?;
/// let user = User { id: 7, text: "x".repeat(5000) };
/// let ((), cost) = app.put(&user).with_capacity().send().await?;
/// assert_eq!((cost.units().write, cost.requests()), (5.0, 1));
///
/// let (found, cost) = app.get(User::key(7)).consistent().with_capacity().send().await?;
/// assert_eq!((found, cost.units().read), (Some(user), 2.0));
/// # }
/// # Ok(()) }
/// ```
#[must_use = "an operation does nothing until `.send().await`, `.all().await` or the like"]
#[derive(Debug)]
pub struct WithCapacity<O> {
    operation: O,
    meter: Meter,
}

/// An operation that has a `send`.
pub trait Sends {
    /// What it returns.
    type Output;

    #[doc(hidden)]
    fn sent(self) -> impl Future<Output = Result<Self::Output, Error>>;
}

impl<O> WithCapacity<O> {
    /// The operation reports to the meter, which is its own.
    pub(super) fn new(operation: O, meter: Meter) -> Self {
        WithCapacity { operation, meter }
    }

    async fn measured<T, S>(self, send: impl FnOnce(O) -> S) -> Result<(T, Consumed), Error>
    where
        S: Future<Output = Result<T, Error>>,
    {
        let WithCapacity { operation, meter } = self;
        match send(operation).await {
            Ok(output) => Ok((output, meter.consumed())),
            Err(error) => Err(error.with_consumed(meter.consumed())),
        }
    }
}

impl<O: Sends> WithCapacity<O> {
    /// Sends the operation.
    ///
    /// # Errors
    ///
    /// As `send` of the operation, with [`Error::consumed`].
    pub async fn send(self) -> Result<(O::Output, Consumed), Error> {
        self.measured(Sends::sent).await
    }
}

/// The reads of [`Query`]; each fails as there, with [`Error::consumed`].
#[allow(clippy::missing_errors_doc)]
impl<E: Entity, I, F: 'static, O: Output<E>> WithCapacity<Query<E, I, F, O>> {
    /// [`Query::count`].
    pub async fn count(self) -> Result<(u64, Consumed), Error> {
        self.measured(Query::count).await
    }

    /// [`Query::all`].
    pub async fn all(self) -> Result<(Vec<O::Item>, Consumed), Error>
    where
        I: Holds<O>,
    {
        self.measured(Query::all).await
    }

    /// [`Query::first`].
    pub async fn first(self) -> Result<(Option<O::Item>, Consumed), Error>
    where
        I: Holds<O>,
    {
        self.measured(Query::first).await
    }

    /// [`Query::one`].
    pub async fn one(self) -> Result<(O::Item, Consumed), Error>
    where
        I: Holds<O>,
    {
        self.measured(Query::one).await
    }

    /// [`Query::stream`], which tells at any time what it cost so far.
    pub fn stream(self) -> MeasuredStream<O::Item>
    where
        I: Holds<O>,
    {
        MeasuredStream { stream: self.operation.stream(), meter: self.meter }
    }
}

/// The reads of [`FullScan`]; each fails as there, with [`Error::consumed`].
#[allow(clippy::missing_errors_doc)]
impl<T: Schema> WithCapacity<FullScan<T>> {
    /// [`FullScan::all`].
    pub async fn all(self) -> Result<(Vec<ScannedItem>, Consumed), Error> {
        self.measured(FullScan::<T>::all).await
    }

    /// [`FullScan::all_of`].
    pub async fn all_of<K: ItemKind<Table = T>>(self) -> Result<(Vec<K>, Consumed), Error> {
        self.measured(FullScan::all_of::<K>).await
    }

    /// [`FullScan::stream`], which tells at any time what it cost so far.
    pub fn stream(self) -> MeasuredStream<ScannedItem> {
        MeasuredStream { stream: self.operation.stream(), meter: self.meter }
    }
}

/// The reads of [`Hydrate`]; each fails as there, with [`Error::consumed`].
#[allow(clippy::missing_errors_doc)]
impl<E: Entity, I, F: 'static, O: Output<E>> WithCapacity<Hydrate<E, I, F, O>> {
    /// [`Hydrate::all`].
    pub async fn all(self) -> Result<(Vec<Fetched<O::Item>>, Consumed), Error>
    where
        I: Holds<Keys>,
    {
        self.measured(Hydrate::all).await
    }
}

/// The reads of [`ReadItems`]; each fails as there, with [`Error::consumed`].
#[allow(clippy::missing_errors_doc)]
impl<C: ItemCollection + ItemKind> WithCapacity<ReadItems<C>> {
    /// [`ReadItems::all`].
    pub async fn all(self) -> Result<(Vec<C>, Consumed), Error> {
        self.measured(ReadItems::all).await
    }

    /// [`ReadItems::first`].
    pub async fn first(self) -> Result<(Option<C>, Consumed), Error> {
        self.measured(ReadItems::first).await
    }

    /// [`ReadItems::stream`], which tells at any time what it cost so far.
    pub fn stream(self) -> MeasuredStream<C> {
        MeasuredStream { stream: self.operation.stream(), meter: self.meter }
    }
}

/// The reads of a typed [`FullScan`]; each fails as there, with [`Error::consumed`].
#[allow(clippy::missing_errors_doc)]
impl<K: ItemKind> WithCapacity<FullScan<K::Table, K>> {
    /// [`FullScan::all`].
    pub async fn all(self) -> Result<(Vec<K>, Consumed), Error> {
        self.measured(FullScan::<K::Table, K>::all).await
    }

    /// [`FullScan::stream`], which tells at any time what it cost so far.
    pub fn stream(self) -> MeasuredStream<K> {
        MeasuredStream { stream: self.operation.stream(), meter: self.meter }
    }
}

impl<E: Entity, O: Output<E>> WithCapacity<BatchGet<E, O>> {
    /// [`BatchGet::send_partial`].
    ///
    /// # Errors
    ///
    /// As there, with [`Error::consumed`].
    pub async fn send_partial(self) -> Result<(Vec<Fetched<O::Item>>, Consumed), Error> {
        self.measured(BatchGet::send_partial).await
    }
}

/// An [`ItemStream`] that tells what its requests cost so far.
#[must_use = "a stream sends nothing until its items are asked for"]
pub struct MeasuredStream<E> {
    stream: ItemStream<E>,
    meter: Meter,
}

impl<E> MeasuredStream<E> {
    /// The next item; `None` at the end.
    ///
    /// # Errors
    ///
    /// What the read reports.
    pub async fn try_next(&mut self) -> Result<Option<E>, Error> {
        self.stream.try_next().await.map_err(|error| error.with_consumed(self.meter.consumed()))
    }

    /// What the requests so far cost: those of pages whose items are still to come included.
    pub fn consumed(&self) -> Consumed {
        self.meter.consumed()
    }
}

impl<E> Stream for MeasuredStream<E> {
    type Item = Result<E, Error>;
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = Pin::new(&mut self.stream).poll_next(cx);
        next.map_err(|error| error.with_consumed(self.meter.consumed()))
    }
}

impl<E> fmt::Debug for MeasuredStream<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MeasuredStream").field(&self.consumed()).finish()
    }
}

/// `Sends` of an operation, by its `send`.
macro_rules! sends {
    ($([$($generics:tt)*] $operation:ty => $output:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Sends for $operation {
            type Output = $output;
            fn sent(self) -> impl Future<Output = Result<$output, Error>> {
                self.send()
            }
        }
    )*};
}

sends! {
    [E: Entity, O: Output<E>] Get<E, O> => Option<O::Item>;
    [E: Entity] Exists<E> => bool;
    [E: Entity, O: Output<E>] BatchGet<E, O> => Vec<Option<O::Item>>;
    [T: Schema] BatchWrite<T> => ();
    [E: Entity] Put<'_, E> => ();
    [E: Entity] PutReturningOld<'_, E> => Option<E>;
    [E: Entity] Create<'_, E> => ();
    [E: Entity] CreateOrExisting<'_, E> => Created<E>;
    [E: Entity, M: 'static, R: Returns<E>] Update<'_, E, M, R> => R::Output;
    [E: Entity<Unique: LeavesUnique<E>>] Upsert<'_, E> => ();
    [E: Entity, F: FnMut(&mut E) -> O, O: Outcome] Modify<E, F> => E;
    [E: Entity] Delete<E> => ();
    [E: Entity] DeleteReturningOld<E> => Option<E>;
    [E: Entity, I] DeleteAll<E, I> => u64;
    [E: Entity] Check<E> => ();
    [E: Entity, I: Holds<O>, F: 'static, O: Output<E>] Query<E, I, F, O> => Page<O::Item>;
    [E: Entity, I: Holds<Keys>, F: 'static, O: Output<E>] Hydrate<E, I, F, O> => Page<Fetched<O::Item>>;
    [C: Assemble] ReadCollection<C> => Option<C>;
    [C: ItemCollection + ItemKind] ReadItems<C> => Page<C>;
    [R] TransactGet<R> => R;
}

#[diagnostic::do_not_recommend]
impl Sends for Transact<'_> {
    type Output = ();
    fn sent(self) -> impl Future<Output = Result<(), Error>> {
        self.send()
    }
}

/// `.with_capacity()` of an operation, whose handle or connection is that field.
macro_rules! capacity_method {
    ($($field:tt).+) => {
        /// Gives what the operation cost beside its result.
        pub fn with_capacity(mut self) -> crate::op::WithCapacity<Self> {
            let meter = crate::meter::Meter::new();
            self.$($field).+ = self.$($field).+.with_meter(&meter);
            crate::op::WithCapacity::new(self, meter)
        }
    };
}

pub(super) use capacity_method;
