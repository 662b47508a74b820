use std::collections::HashSet;
use std::fmt;

use super::{BatchGet, Explanation, Fetched, Page, Query, WithCapacity};
use crate::entity::{Entity, Key};
use crate::error::Error;
use crate::expr::FilteringAny;
use crate::meter::Meter;
use crate::projection::{Holds, Keys, Output, Projection, Selected, Whole};

/// The items of a query, read from the table: the query finds their keys, and a BatchGetItem per
/// 100 keys gets the items, in the order of the query. For an index that does not project what is
/// needed, and for reads of a global index that must see the last write to the items.
///
/// Between the two reads the table goes on. An item that is gone by then, or expired, is
/// [`Fetched::Absent`]; one that DynamoDB left over until the budget of
/// [`max_attempts`](Self::max_attempts) was used up is [`Fetched::Unread`]. One that left the index,
/// or no longer fits the filter, is returned as it is now. An item that moved inside of the index
/// while its pages were read, and was found twice, is returned once, where it was found first.
///
/// Costs what the [keys](Query::keys) of the query cost, and what a [`BatchGet`] of them costs;
/// without keys, no BatchGetItem is sent.
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.Projections>
///
/// # Examples
///
/// ```
/// use monotable::op::Fetched;
/// use monotable::{Entity, Table};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Table)]
/// #[table(pk = "PK", entities(Order))]
/// #[gsi(by_customer, pk = "GSI1PK", sk = "GSI1SK", projection = keys_only)]
/// struct Shop;
///
/// #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
/// #[entity(table = Shop, pk = "ORDER#<id>")]
/// #[index(by_customer, pk = "CUST#<customer>", sk = "<id>")]
/// struct Order { id: String, customer: String, total: u32 }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let shop = engine.table::<Shop>("shop").await?;
/// let order = Order { id: "o1".into(), customer: "c1".into(), total: 120 };
/// shop.put(&order).send().await?;
///
/// let page = shop.query(Order::by_customer("c1")).limit(20).hydrate().send().await?;
/// assert_eq!(page.items, [Fetched::Found(order)]);
/// assert!(page.next.is_none());
/// # }
/// # Ok(()) }
/// ```
#[must_use = "an operation does nothing until `.send().await` or `.all().await`"]
pub struct Hydrate<E: Entity, I, F = FilteringAny, O = Whole> {
    query: Query<E, I, F, Keys>,
    /// Without its keys.
    batch: BatchGet<E, O>,
}

impl<E: Entity, I, F: 'static> Query<E, I, F> {
    /// Reads the items from the table by the keys that the query finds, one BatchGetItem per 100:
    /// for indexes that do not project everything. See [`Hydrate`].
    pub fn hydrate(self) -> Hydrate<E, I, F> {
        let mut batch = BatchGet::new(self.table.clone(), Vec::new());
        if self.include_expired {
            batch = batch.include_expired();
        }
        Hydrate { query: self.keys(), batch }
    }
}

impl<E: Entity, I, F: 'static> Hydrate<E, I, F> {
    /// Returns the projection `P` of each item, as [`BatchGet::select`].
    pub fn select<P: Projection<Entity = E>>(self) -> Hydrate<E, I, F, Selected<P>> {
        Hydrate { query: self.query, batch: self.batch.select() }
    }
}

impl<E: Entity, I, F: 'static, O: Output<E>> Hydrate<E, I, F, O> {
    /// Gets the items as the last successful writes stored them, at twice the cost. Which items
    /// there are, the query says; on the table and local indexes it has
    /// [`consistent`](Query::consistent) too.
    pub fn consistent_items(mut self) -> Self {
        self.batch = self.batch.consistent();
        self
    }

    /// Leaves items unread after so many requests in a row, of one chunk of 100 keys, that read
    /// none; 10 unless set, as [`BatchGet::max_attempts`].
    pub fn max_attempts(mut self, n: u32) -> Self {
        self.batch = self.batch.max_attempts(n);
        self
    }

    /// Gives what the operation cost beside its result.
    pub fn with_capacity(mut self) -> WithCapacity<Self> {
        let meter = Meter::new();
        self.query.table = self.query.table.with_meter(&meter);
        self.batch.table = self.batch.table.with_meter(&meter);
        WithCapacity::new(self, meter)
    }

    /// The requests of the query, unsent, and their units. BatchGetItem and its units come on top:
    /// they depend on the keys that are found.
    ///
    /// # Errors
    ///
    /// As [`Query::explain`].
    pub fn explain(&self) -> Result<Explanation, Error> {
        self.query.explain()
    }

    /// The items of the page that [`Query::send`] would return, with its cursors.
    ///
    /// # Errors
    ///
    /// As [`Query::send`] and [`BatchGet::send_partial`]: throttling is an error of the query, and
    /// [`Fetched::Unread`] of the items.
    pub async fn send(self) -> Result<Page<Fetched<O::Item>>, Error>
    where
        I: Holds<Keys>,
    {
        let Page { items: keys, next, previous } = self.query.send().await?;
        let items = self.batch.of_each(keys).send_partial().await?;
        Ok(Page { items, next, previous })
    }

    /// Every item, at most the limit: all keys first, then the items.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub async fn all(self) -> Result<Vec<Fetched<O::Item>>, Error>
    where
        I: Holds<Keys>,
    {
        let keys = self.query.all().await?;
        self.batch.of_each(keys).send_partial().await
    }
}

impl<E: Entity, I, F, O> fmt::Debug for Hydrate<E, I, F, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hydrate").field("entity", &E::SCHEMA.name).finish_non_exhaustive()
    }
}

impl<E: Entity, O> BatchGet<E, O> {
    /// Of these keys, each once.
    fn of_each(mut self, keys: Vec<Key<E>>) -> Self {
        let mut seen = HashSet::new();
        let is_new =
            |key: &Key<E>| key.parts().map_or(true, |parts| seen.insert(parts.clone().canonical()));
        self.keys = keys.into_iter().filter(is_new).collect();
        self
    }
}
