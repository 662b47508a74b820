//! Scans of the whole table or of a whole index.

mod budget;
mod item;
mod request;
mod typed;

use std::marker::PhantomData;
use std::sync::Arc;

use aws_sdk_dynamodb::operation::scan::builders::ScanFluentBuilder;
use futures_util::stream::{self, Stream, TryStreamExt};

use self::budget::Budget;
pub use self::item::ScannedItem;
use self::request::{Kinds, Page};
use super::with_capacity::capacity_method;
use super::{Explanation, ItemStream};
use crate::collection::ItemKind;
use crate::entity::{Entity, Item};
use crate::error::Error;
use crate::expr::{IntoCondition, Node, Reading};
use crate::found::{Attributes, Found};
use crate::schema::{EntitySchema, Schema};
use crate::table::Table;
use crate::wire::{CustomScan, Customize, customize_method};
use crate::{item as stored, ttl};

/// Many Scans: every item of the table, or of an index, of every entity, in no order.
///
/// It reads, and bills, the whole table: half a read capacity unit per 4 KB, twice that when
/// consistent; <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html>. Give
/// it a budget on a table that serves users.
///
/// It yields [`ScannedItem`]s, or, behind [`of`](Self::of), one entity or an enum of entities.
/// Guards of unique fields are never among them, and items of an entity whose time to live is over
/// only with [`include_expired`](Self::include_expired).
///
/// # Examples
///
/// ```
/// # use monotable::{Entity, Table};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Table)]
/// # #[table(pk = "PK", entities(User, Team))]
/// # struct App;
/// # #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
/// # #[entity(table = App, pk = "USER#<id>")]
/// # struct User { id: u32 }
/// # #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
/// # #[entity(table = App, pk = "TEAM#<id>")]
/// # struct Team { id: u32 }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let app = engine.table::<App>("app").await?;
/// app.put(&User { id: 7 }).send().await?;
/// app.put(&Team { id: 1 }).send().await?;
/// // At most 50 read capacity units a second.
/// let users = app.full_scan().capacity_per_second(50.0).of::<User>().all().await?;
/// assert_eq!(users, [User { id: 7 }]);
///
/// let mut counts = std::collections::BTreeMap::new();
/// for found in app.full_scan().all().await? {
///     *counts.entry(found.entity()).or_insert(0) += 1;
/// }
/// assert_eq!(counts, [(Some("Team"), 1), (Some("User"), 1)].into());
/// # }
/// # Ok(()) }
/// ```
#[must_use = "an operation does nothing until `.all().await` or the like"]
pub struct FullScan<T, K = ScannedItem> {
    table: Table<T>,
    index: Option<String>,
    segments: u32,
    page_size: Option<u32>,
    consistent: bool,
    filter: Node,
    capacity_per_second: Option<f64>,
    include_expired: bool,
    refuse_unknown: bool,
    /// `None`: every item is wanted, as it is stored.
    kinds: Option<Kinds>,
    custom: CustomScan,
    yields: PhantomData<fn() -> K>,
}

impl<T: Schema> FullScan<T> {
    pub(crate) fn new(table: Table<T>) -> Self {
        FullScan {
            table,
            index: None,
            segments: 1,
            page_size: None,
            consistent: false,
            filter: Node::ALWAYS,
            capacity_per_second: None,
            include_expired: false,
            refuse_unknown: false,
            kinds: None,
            custom: Customize::NONE,
            yields: PhantomData,
        }
    }

    /// Yields an entity, or an enum of entities. Items of other kinds are skipped, unless the enum
    /// keeps them or [`refuse_unknown`](FullScan::refuse_unknown) is given.
    ///
    /// Where the table has a type attribute, DynamoDB is asked to leave out what is of another type;
    /// items that are stored without the attribute, or with one that is no text, are recognised by
    /// their keys after reading, as on a table without. What is left out is read, and paid for, all
    /// the same.
    pub fn of<K: ItemKind<Table = T>>(self) -> FullScan<T, K> {
        let FullScan { table, index, segments, page_size, consistent, filter, .. } = self;
        FullScan {
            table,
            index,
            segments,
            page_size,
            consistent,
            filter,
            capacity_per_second: self.capacity_per_second,
            include_expired: self.include_expired,
            refuse_unknown: false,
            kinds: Some(Kinds::of::<K>()),
            custom: self.custom,
            yields: PhantomData,
        }
    }

    /// Every item.
    ///
    /// # Errors
    ///
    /// Arguments out of range before a request; else what DynamoDB or the way to it reports.
    pub async fn all(self) -> Result<Vec<ScannedItem>, Error> {
        self.stream().try_collect().await
    }

    /// Every item of one entity, or of an enum of entities: [`of`](Self::of) and `all`.
    ///
    /// # Errors
    ///
    /// As [`all`](Self::all), and [`Error::is_decode`].
    pub async fn all_of<K: ItemKind<Table = T>>(self) -> Result<Vec<K>, Error> {
        self.of::<K>().all().await
    }

    /// Every item, each page read when its items are asked for. An error ends the stream.
    pub fn stream(self) -> ItemStream<ScannedItem> {
        let partial = match self.partial() {
            Ok(partial) => partial,
            Err(error) => return failed(error),
        };
        let (table, include_expired) = (self.table.clone(), self.include_expired);
        ItemStream::new(self.items().try_filter_map(move |item| {
            let found = item.into_item().map(|item| ScannedItem::new::<T>(item, partial));
            let is_left = |found: &ScannedItem| include_expired || !found.is_over::<T>(table.now());
            std::future::ready(found.map(|found| Some(found).filter(is_left)))
        }))
    }
}

impl<T: Schema, K: Send + 'static> FullScan<T, K> {
    /// Reads the items of an index, by its name in DynamoDB: those that have its key attributes.
    /// From an index that projects a part there are no whole entities to be had, so
    /// [`of`](FullScan::of) refuses it, and [`ScannedItem::item`] is what it holds.
    pub fn index(mut self, name: impl Into<String>) -> Self {
        self.index = Some(name.into());
        self
    }

    /// Reads in that many segments at once, 1 to 1 000 000.
    pub fn segments(mut self, n: u32) -> Self {
        self.segments = n;
        self
    }

    /// DynamoDB's `Limit`: items read by one request, at least 1. Without it a page has up to 1 MB,
    /// or, with a [budget](Self::capacity_per_second), what that makes of it.
    pub fn page_size(mut self, n: u32) -> Self {
        self.page_size = Some(n);
        self
    }

    /// Reads what the last successful write stored, at twice the cost. The table and local indexes
    /// only.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// Returns only items for which the condition on fields of `E` holds; given again, both must
    /// hold. It is asked of items of every kind, by the names of the attributes, and may speak of key
    /// attributes. DynamoDB reads, and bills, the others too.
    pub fn filter<E, C>(mut self, filter: impl FnOnce(&E::Fields<Reading>) -> C) -> Self
    where
        E: Entity<Table = T>,
        C: IntoCondition,
    {
        self.filter = self.filter.and(filter(&E::fields()).into_condition().0);
        self
    }

    /// Read capacity units a second, over all segments: they take turns, and the next request waits
    /// until the last page is paid for, by what DynamoDB says that it consumed. So in any time at
    /// most the rate times its seconds, and one page more, is spent.
    ///
    /// Without a [`page_size`](Self::page_size) the first page is of one item, and each next one of
    /// as many as cost a quarter of a second's units by the last page, at least 16 KB, and at most 4
    /// times the items of the last page. With one, a page costs what it costs: up to 128 units, 256
    /// when consistent.
    pub fn capacity_per_second(mut self, units: impl Into<f64>) -> Self {
        self.capacity_per_second = Some(units.into());
        self
    }

    /// Returns items whose time to live is over as well, which DynamoDB has not yet deleted.
    pub fn include_expired(mut self) -> Self {
        self.include_expired = true;
        self
    }

    capacity_method!(table);
    customize_method!(scan, ScanOutput, ScanError, ScanFluentBuilder);

    /// The SDK's builder, filled, for the first page of the only segment; without the page sizes
    /// that a budget makes.
    ///
    /// # Errors
    ///
    /// Arguments out of range, or more than one segment.
    pub fn into_sdk(self) -> Result<ScanFluentBuilder, Error> {
        self.check()?;
        if self.segments > 1 {
            return Err(Error::usage("a scan in several segments is several requests, not one"));
        }
        self.builder(0, self.page_size)
    }

    /// The first request of each segment, unsent. Where a budget makes the page sizes, a segment that
    /// has waited for others begins with the size that they came to.
    ///
    /// # Errors
    ///
    /// Arguments out of range.
    pub fn explain(&self) -> Result<Explanation, Error> {
        self.check()?;
        self.explanation()
    }

    /// The pages of every segment, as they come, without the guards of unique fields.
    fn items(self) -> impl Stream<Item = Result<Found, Error>> + Send + 'static {
        let budget = self.capacity_per_second.map(|rate| Budget::new(rate, self.consistent));
        let (scan, budget) = (Arc::new(self), budget.map(Arc::new));
        let segments = (0..scan.segments).map(|segment| {
            let (scan, budget) = (Arc::clone(&scan), budget.clone());
            let pages = stream::try_unfold(Some(None), move |start: Option<Option<Item>>| {
                let (scan, budget) = (Arc::clone(&scan), budget.clone());
                async move {
                    let Some(start) = start else { return Ok::<_, Error>(None) };
                    let Page { items, next } = scan.page(segment, start, budget.as_deref()).await?;
                    Ok(Some((stream::iter(items.into_iter().map(Ok)), next.map(Some))))
                }
            });
            Box::pin(pages.try_flatten())
        });
        // Guards of unique fields are the library's own.
        stream::select_all(segments)
            .try_filter(|item| std::future::ready(!stored::is_guard(T::TABLE, item)))
    }
}

impl<T, K> std::fmt::Debug for FullScan<T, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FullScan")
            .field("table", &self.table)
            .field("index", &self.index)
            .field("kinds", &self.kinds)
            .field("segments", &self.segments)
            .field("page_size", &self.page_size)
            .field("consistent", &self.consistent)
            .field("filter", &self.filter)
            .field("capacity_per_second", &self.capacity_per_second)
            .field("include_expired", &self.include_expired)
            .field("refuse_unknown", &self.refuse_unknown)
            .finish_non_exhaustive()
    }
}

fn failed<V: Send + 'static>(error: Error) -> ItemStream<V> {
    ItemStream::new(stream::once(std::future::ready(Err(error))))
}

/// Whether the time to live of an item of this entity is over.
fn is_over<T: Schema>(entity: &EntitySchema, item: &impl Attributes, now: i64) -> bool {
    ttl::is_over(entity.ttl.and(T::TABLE.ttl), item, now)
}
