use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::operation::scan::builders::ScanFluentBuilder;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use futures_util::lock::{Mutex, MutexGuard};
use futures_util::stream::{self, StreamExt, TryStreamExt};
use tokio::time::Instant;

use super::json::Json;
use super::with_capacity::capacity_method;
use super::{Explanation, ItemStream, Request};
use crate::capacity::{MAX_ITEM, MAX_PAGE, item_size, read_units};
use crate::entity::{Entity, Item};
use crate::error::Error;
use crate::expr::{Aliases, Expression, IntoCondition, Node, Reading};
use crate::item;
use crate::schema::Schema;
use crate::table::Table;
use crate::wire::{CustomScan, Customize, customize_method, send, span};

/// Many Scans: every item of the table, of every entity, in no order.
///
/// It reads, and bills, the whole table: half a read capacity unit per 4 KB, twice that when
/// consistent; <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html>. Give
/// it a budget on a table that serves users.
///
/// # Examples
///
/// ```
/// # use monotable::{Entity, Table};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Table)]
/// # #[table(pk = "PK", entities(User))]
/// # struct App;
/// # #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
/// # #[entity(table = App, pk = "USER#<id>")]
/// # struct User { id: u32 }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let app = engine.table::<App>("app").await?;
/// app.put(&User { id: 7 }).send().await?;
/// // At most 50 read capacity units a second.
/// let users = app.full_scan().capacity_per_second(50.0).all_of::<User>().await?;
/// assert_eq!(users, [User { id: 7 }]);
/// # }
/// # Ok(()) }
/// ```
#[must_use = "an operation does nothing until `.all().await` or the like"]
#[derive(Debug)]
pub struct FullScan<T> {
    table: Table<T>,
    segments: u32,
    page_size: Option<u32>,
    consistent: bool,
    filter: Node,
    capacity_per_second: Option<f64>,
    custom: CustomScan,
}

/// An item of a scan, and the entity it is.
#[derive(Debug, Clone, PartialEq)]
pub struct ScannedItem {
    entity: Option<&'static str>,
    item: Item,
}

impl ScannedItem {
    /// The name of the entity of `entities(..)` that the item is; `None` for a stranger.
    pub fn entity(&self) -> Option<&'static str> {
        self.entity
    }

    /// Whether the item is an `E`: by the type attribute, else by its key.
    pub fn is<E: Entity>(&self) -> bool {
        item::is_of(<E::Table as Schema>::TABLE, E::SCHEMA, &self.item)
    }

    /// The item as stored.
    pub fn item(&self) -> &Item {
        &self.item
    }

    /// The item as stored.
    pub fn into_item(self) -> Item {
        self.item
    }

    /// The item as an `E`.
    ///
    /// # Errors
    ///
    /// [`Error::is_decode`] if it is none.
    pub fn decode<E: Entity>(self) -> Result<E, Error> {
        E::from_item(self.item)
    }
}

impl<T: Schema> FullScan<T> {
    pub(crate) fn new(table: Table<T>) -> Self {
        FullScan {
            table,
            segments: 1,
            page_size: None,
            consistent: false,
            filter: Node::ALWAYS,
            capacity_per_second: None,
            custom: Customize::NONE,
        }
    }

    /// Reads in that many segments at once, 1 to 1 000 000.
    pub fn segments(mut self, n: u32) -> Self {
        self.segments = n;
        self
    }

    /// DynamoDB's `Limit`: items read by one request, at least 1. Small pages keep to a small
    /// budget more evenly.
    pub fn page_size(mut self, n: u32) -> Self {
        self.page_size = Some(n);
        self
    }

    /// Reads what the last successful write stored, at twice the cost.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// Returns only items for which the condition on fields of `E` holds; given again, both must
    /// hold. It is asked of items of every kind, by the names of the attributes. DynamoDB reads, and
    /// bills, the others too.
    pub fn filter<E, C>(mut self, filter: impl FnOnce(&E::Fields<Reading>) -> C) -> Self
    where
        E: Entity<Table = T>,
        C: IntoCondition,
    {
        self.filter = self.filter.and(filter(&E::fields()).into_condition().0);
        self
    }

    /// Read capacity units a second, over all segments: they take turns, and the next request waits
    /// until the last page is paid for. One page costs up to 128 units (256 when consistent) at
    /// once, or what its [`page_size`](Self::page_size) items cost.
    pub fn capacity_per_second(mut self, units: f64) -> Self {
        self.capacity_per_second = Some(units);
        self
    }

    capacity_method!(table);
    customize_method!(scan, ScanOutput, ScanError, ScanFluentBuilder);

    /// The SDK's builder, filled, for the first page of the only segment.
    ///
    /// # Errors
    ///
    /// Arguments out of range, or more than one segment.
    pub fn into_sdk(self) -> Result<ScanFluentBuilder, Error> {
        self.check()?;
        if self.segments > 1 {
            return Err(Error::usage("a scan in several segments is several requests, not one"));
        }
        self.builder(0)
    }

    /// The first request of each segment, unsent.
    ///
    /// # Errors
    ///
    /// Arguments out of range.
    pub fn explain(&self) -> Result<Explanation, Error> {
        self.check()?;
        let requests = (0..self.segments).map(|segment| self.request(segment));
        let requests: Vec<_> = requests.collect::<Result<_, _>>()?;
        let units = read_units(MAX_PAGE + MAX_ITEM, self.consistent) * f64::from(self.segments);
        Ok(Explanation::reads(requests, units))
    }

    /// Every item.
    ///
    /// # Errors
    ///
    /// Arguments out of range before a request; else what DynamoDB or the way to it reports.
    pub async fn all(self) -> Result<Vec<ScannedItem>, Error> {
        self.stream().try_collect().await
    }

    /// Every item of one entity; the others are read, and paid for, all the same.
    ///
    /// # Errors
    ///
    /// As [`all`](Self::all), and [`Error::is_decode`].
    pub async fn all_of<E: Entity<Table = T>>(self) -> Result<Vec<E>, Error> {
        self.stream()
            .try_filter(|found| std::future::ready(found.is::<E>()))
            .map(|found| found?.decode())
            .try_collect()
            .await
    }

    /// Every item, each page read when its items are asked for. An error ends the stream.
    pub fn stream(self) -> ItemStream<ScannedItem> {
        if let Err(error) = self.check() {
            return ItemStream::new(stream::once(std::future::ready(Err(error))));
        }
        let budget = self.capacity_per_second.map(|rate| Arc::new(Budget::new(rate)));
        let scan = Arc::new(self);
        let segments = (0..scan.segments).map(|segment| {
            let (scan, budget) = (Arc::clone(&scan), budget.clone());
            let pages = stream::try_unfold(Some(None), move |start: Option<Option<Item>>| {
                let (scan, budget) = (Arc::clone(&scan), budget.clone());
                async move {
                    let Some(start) = start else { return Ok::<_, Error>(None) };
                    let (items, next) = scan.page(segment, start, budget.as_deref()).await?;
                    Ok(Some((stream::iter(items.into_iter().map(Ok)), next.map(Some))))
                }
            });
            Box::pin(pages.try_flatten())
        });
        // Guards of unique fields are the library's own.
        let items = stream::select_all(segments)
            .try_filter(|item| std::future::ready(!item::is_guard(T::TABLE, item)));
        ItemStream::new(items.map_ok(|item| ScannedItem { entity: entity_of::<T>(&item), item }))
    }

    async fn page(
        &self,
        segment: u32,
        start: Option<Item>,
        budget: Option<&Budget>,
    ) -> Result<(Vec<Item>, Option<Item>), Error> {
        let turn = match budget {
            Some(budget) => Some(budget.turn().await),
            None => None,
        };
        let span = span!("Scan", self.table, aws.dynamodb.segment = segment);
        let builder = self
            .builder(segment)?
            .set_exclusive_start_key(start)
            .set_return_consumed_capacity(budget.map(|_| ReturnConsumedCapacity::Total));
        let output = send!(self.table, builder, self.custom, span)
            .map_err(|(error, _)| Error::request(self.table.context("Scan"), error))?;
        let items = output.items.unwrap_or_default();
        if let Some(turn) = turn {
            let told = output.consumed_capacity.and_then(|capacity| capacity.capacity_units);
            turn.spend(
                told.unwrap_or_else(|| {
                    read_units(items.iter().map(item_size).sum(), self.consistent)
                }),
            );
        }
        Ok((items, output.last_evaluated_key.filter(|key| !key.is_empty())))
    }

    fn builder(&self, segment: u32) -> Result<ScanFluentBuilder, Error> {
        let split = self.segments > 1;
        let number = |number: u32| i32::try_from(number).ok();
        let mut aliases = Aliases::default();
        let filter = aliases.condition(Expression::Filter, &self.filter)?;
        Ok(self
            .table
            .client()
            .scan()
            .table_name(self.table.name())
            .set_limit(self.page_size.and_then(number))
            .set_consistent_read(self.consistent.then_some(true))
            .set_segment(number(segment).filter(|_| split))
            .set_total_segments(number(self.segments).filter(|_| split))
            .set_filter_expression(filter)
            .set_expression_attribute_names(aliases.names())
            .set_expression_attribute_values(aliases.values()))
    }

    fn request(&self, segment: u32) -> Result<Request, Error> {
        let split = self.segments > 1;
        let number = |number: u32| Json::Number(number.to_string());
        let mut aliases = Aliases::default();
        let filter = aliases.condition(Expression::Filter, &self.filter)?;
        Ok(Request::new(
            "Scan",
            vec![
                ("TableName", Some(Json::text(self.table.name()))),
                ("Limit", self.page_size.map(number)),
                ("ConsistentRead", self.consistent.then_some(Json::Bool(true))),
                ("Segment", split.then(|| number(segment))),
                ("TotalSegments", split.then(|| number(self.segments))),
                ("ReturnConsumedCapacity", self.capacity_per_second.map(|_| Json::text("TOTAL"))),
                ("FilterExpression", filter.map(Json::text)),
                ("ExpressionAttributeNames", aliases.names().as_ref().map(Json::names)),
                ("ExpressionAttributeValues", aliases.values().as_ref().map(Json::item)),
            ],
        ))
    }

    fn check(&self) -> Result<(), Error> {
        let problem = match (self.segments, self.page_size, self.capacity_per_second) {
            (0, _, _) => "a scan needs at least one segment",
            (1_000_001.., _, _) => "DynamoDB scans in at most 1 000 000 segments",
            (_, Some(0), _) => "a page size of 0 reads nothing; use at least 1",
            (_, Some(size), _) if i32::try_from(size).is_err() => {
                "the page size does not fit DynamoDB's 32 bits"
            }
            (_, _, Some(units)) if !(units.is_finite() && units > 0.0) => {
                "a capacity budget must be a positive number of units a second"
            }
            _ => return Ok(()),
        };
        Err(Error::usage(problem))
    }
}

fn entity_of<T: Schema>(found: &Item) -> Option<&'static str> {
    T::entities()
        .iter()
        .map(|entry| entry.schema)
        .find(|schema| item::is_of(T::TABLE, schema, found))
        .map(|schema| schema.name)
}

/// A rate over all segments: one request at a time, and the next when what was spent is paid for.
#[derive(Debug)]
struct Budget {
    per_second: f64,
    paid_at: Mutex<Instant>,
}

/// The right to send one request.
struct Turn<'a> {
    per_second: f64,
    paid_at: MutexGuard<'a, Instant>,
}

impl Budget {
    fn new(per_second: f64) -> Self {
        Budget { per_second, paid_at: Mutex::new(Instant::now()) }
    }

    async fn turn(&self) -> Turn<'_> {
        let paid_at = self.paid_at.lock().await;
        tokio::time::sleep_until(*paid_at).await;
        Turn { per_second: self.per_second, paid_at }
    }
}

impl Turn<'_> {
    fn spend(mut self, units: f64) {
        let seconds = (units / self.per_second).clamp(0.0, 86_400.0);
        *self.paid_at = Instant::now() + Duration::from_secs_f64(seconds);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_next_page_waits_until_the_last_is_paid_for() {
        let budget = Budget::new(10.0);
        let start = Instant::now();
        budget.turn().await.spend(128.0);
        assert_eq!(start.elapsed(), Duration::ZERO);
        budget.turn().await.spend(2.0);
        let waited = start.elapsed();
        assert!(waited >= Duration::from_millis(12_800), "{waited:?}");
        assert!(waited < Duration::from_millis(12_810), "{waited:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn segments_take_turns() {
        let budget = Budget::new(10.0);
        let start = Instant::now();
        let segment = async || budget.turn().await.spend(10.0);
        futures_util::future::join4(segment(), segment(), segment(), segment()).await;
        drop(budget.turn().await);
        let waited = start.elapsed();
        assert!(waited >= Duration::from_secs(4), "{waited:?}");
    }
}
