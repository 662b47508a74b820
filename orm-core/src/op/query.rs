use std::marker::PhantomData;

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use futures_util::stream;

use super::prepare::Begin;
use super::with_capacity::capacity_method;
use super::{Explanation, ItemStream, Page, Returned, count};
use crate::cursor::IntoCursor;
use crate::entity::{Entity, Key};
use crate::error::Error;
use crate::expr::{FilteringAny, IntoCondition, Node};
use crate::item;
use crate::pattern::{ConsistentReads, Pattern, Plan};
use crate::projection::{Holds, Keys, Output, Projection, ReadFrom, Selected, Whole};
use crate::shard::Merge;
use crate::table::Table;
use crate::wire::{CustomQuery, Customize, customize_method};

#[doc = include_str!("../docs/query.md")]
#[must_use = "an operation does nothing until `.send().await`, `.all().await` or the like"]
#[derive(Debug)]
pub struct Query<E: Entity, I, F = FilteringAny, O = Whole> {
    pub(super) table: Table<E::Table>,
    pub(super) plan: Result<Plan, Error>,
    pub(super) begin: Begin,
    pub(super) descending: bool,
    pub(super) consistent: bool,
    pub(super) limit: Option<usize>,
    pub(super) page_size: Option<u32>,
    pub(super) max_pages: Option<usize>,
    pub(super) filter: Node,
    pub(super) include_expired: bool,
    pub(super) custom: CustomQuery,
    kinds: Kinds<I, F, O>,
}

/// The read of a query, if it sends anything.
type Reading<E, V> = Option<Merge<<E as Entity>::Table, V>>;

type Kinds<I, F, O> = PhantomData<fn() -> (I, F, O)>;

impl<E: Entity, I, F: 'static> Query<E, I, F> {
    pub(crate) fn new(table: Table<E::Table>, pattern: &Pattern<E, I>) -> Self {
        Query::of(table, pattern.plan().map_err(Error::from))
    }

    /// Of several patterns.
    pub(crate) fn many(
        table: Table<E::Table>,
        patterns: impl IntoIterator<Item = Pattern<E, I>>,
    ) -> Self {
        Query::of(table, Plan::join::<E>(patterns.into_iter().map(|pattern| pattern.plan())))
    }

    fn of(table: Table<E::Table>, plan: Result<Plan, Error>) -> Self {
        Query {
            table,
            plan,
            begin: Begin::First,
            descending: false,
            consistent: false,
            limit: None,
            page_size: None,
            max_pages: None,
            filter: Node::ALWAYS,
            include_expired: false,
            custom: Customize::NONE,
            kinds: PhantomData,
        }
    }
}

impl<E: Entity, I, F: 'static, O> Query<E, I, F, O> {
    /// From the greatest sort key to the least.
    pub fn descending(mut self) -> Self {
        self.descending = true;
        self
    }

    /// Returns at most `n` items; 0 sends nothing, and its page has no cursors.
    pub fn limit(mut self, n: usize) -> Self {
        self.limit = Some(n);
        self
    }

    /// DynamoDB's `Limit`: items read by one request, at least 1.
    pub fn page_size(mut self, n: u32) -> Self {
        self.page_size = Some(n);
        self
    }

    /// At most `n` requests a partition, at least 1, for one [`send`](Self::send) with a limit: it
    /// then may return fewer items, or none, and a `next`. For a filter that few items pass.
    pub fn max_pages(mut self, n: usize) -> Self {
        self.max_pages = Some(n);
        self
    }

    /// The page of a cursor: [`Page::next`] or [`Page::previous`] of the same query. `None` is the
    /// first page. Replaces an earlier `cursor` or `after`.
    pub fn cursor(mut self, cursor: impl IntoCursor) -> Self {
        self.begin = cursor.into_cursor().map_or(Begin::First, Begin::Cursor);
        self
    }

    /// Begins behind an item, in the direction of the query: one that the query would return, as it
    /// was read; it need not exist any more. On several partitions, the others begin at its place in
    /// the order of the query. Replaces an earlier `cursor` or `after`.
    pub fn after(mut self, item: &E) -> Self {
        self.begin = Begin::After(item.to_item());
        self
    }

    /// Reads what the last successful write stored, at twice the cost. The table and local indexes
    /// only.
    pub fn consistent(mut self) -> Self
    where
        I: ConsistentReads,
    {
        self.consistent = true;
        self
    }

    /// Returns only items for which the condition holds; given again, both must hold. DynamoDB
    /// reads, and bills, the others too, so a `limit` may take several requests. See
    /// [`expr`](crate::expr) for what there is to ask.
    pub fn filter<C: IntoCondition>(mut self, filter: impl FnOnce(&E::Fields<F>) -> C) -> Self {
        let filter = filter(&E::fields()).into_condition();
        self.filter = self.filter.and(filter.0);
        self
    }

    /// Returns items whose time to live is over as well, which DynamoDB has not yet deleted.
    pub fn include_expired(mut self) -> Self {
        self.include_expired = true;
        self
    }

    /// Returns the primary keys, without the items: what every index has, also one that does not
    /// project everything. It costs the same as the items of the index.
    pub fn keys(self) -> Query<E, I, F, Keys> {
        self.returning()
    }

    /// Returns the projection `P` of each item. DynamoDB reads, and bills, whole items all the same;
    /// what is saved is the way here. A global index must project what `P` needs, which is checked
    /// while compiling; for an erased pattern it is [`Error::is_usage`], before a request. A local index
    /// fetches from the table what it does not project; then whole items come.
    ///
    /// # Examples
    ///
    /// ```
    /// use monotable::{Entity, Projection, Table};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Table)]
    /// #[table(pk = "PK", sk = "SK", entities(Order))]
    /// struct Shop;
    ///
    /// #[derive(Debug, Serialize, Deserialize, Entity)]
    /// #[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<order>")]
    /// struct Order { customer: String, order: String, total: u32, lines: Vec<String> }
    ///
    /// #[derive(Debug, PartialEq, Deserialize, Projection)]
    /// #[projection(entity = Order)]
    /// struct Row { order: String, total: u32 }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # #[cfg(feature = "testing")] {
    /// # let engine = monotable::testing::Embedded::start().await?;
    /// # let shop = engine.table::<Shop>("shop").await?;
    /// # let (customer, order) = ("c1".to_owned(), "o1".to_owned());
    /// shop.put(&Order { customer, order, total: 120, lines: vec!["tea".into()] }).send().await?;
    /// let rows = shop.query(Order::by_customer("c1")).select::<Row>().all().await?;
    /// assert_eq!(rows, [Row { order: "o1".into(), total: 120 }]);
    /// # }
    /// # Ok(()) }
    /// ```
    pub fn select<P: Projection<Entity = E> + ReadFrom<F>>(self) -> Query<E, I, F, Selected<P>> {
        self.returning()
    }

    fn returning<R>(self) -> Query<E, I, F, R> {
        Query {
            table: self.table,
            plan: self.plan,
            begin: self.begin,
            descending: self.descending,
            consistent: self.consistent,
            limit: self.limit,
            page_size: self.page_size,
            max_pages: self.max_pages,
            filter: self.filter,
            include_expired: self.include_expired,
            custom: self.custom,
            kinds: PhantomData,
        }
    }

    capacity_method!(table);
    customize_method!(query, QueryOutput, QueryError, QueryFluentBuilder);

    /// How many items there are, at most the limit. DynamoDB reads them all to count them.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] and [`Error::is_invalid_cursor`] before a request; else what
    /// DynamoDB or the way to it reports.
    pub async fn count(self) -> Result<u64, Error> {
        self.without_page_limit("count")?;
        let limit = self.limit;
        let prepared = self.prepare(Returned::Count)?;
        if prepared.sends_nothing() {
            return Ok(0);
        }
        let total = count::count(prepared).await?;
        Ok(limit.map_or(total, |limit| total.min(u64::try_from(limit).unwrap_or(u64::MAX))))
    }

    pub(super) fn explain_returning(&self, returned: Returned) -> Result<Explanation, Error> {
        let prepared = self.prepare(returned)?;
        if prepared.sends_nothing() {
            return Ok(Explanation::NOTHING);
        }
        let size = prepared.first_size();
        let requests = prepared
            .requests()
            .map(|(range, start)| prepared.reader.explain(range, size, start.as_ref()));
        Ok(Explanation::of(requests.collect::<Result<_, _>>()?))
    }

    /// Of the keys.
    pub(super) fn key_merge(&self) -> Result<Reading<E, Key<E>>, Error> {
        Ok(self.prepare(Returned::Keys)?.merge(item::key_decoder))
    }

    pub(super) fn table(&self) -> &Table<E::Table> {
        &self.table
    }

    /// A read that stops at a number of pages and cannot say so would lie.
    fn without_page_limit(&self, terminal: &str) -> Result<(), Error> {
        match self.max_pages {
            Some(_) => Err(Error::usage(format!(
                "`max_pages` is for `send`, whose page has a cursor for the rest; `{terminal}` reads to the end"
            ))),
            None => Ok(()),
        }
    }
}

impl<E: Entity, I, F: 'static, O: Output<E>> Query<E, I, F, O> {
    /// The SDK's builder, filled, for the first page of a pattern in one partition.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`], [`Error::is_invalid_cursor`]; and a pattern that is several
    /// requests (shards: take one with `.shard(i)`) or none (an empty range).
    pub fn into_sdk(self) -> Result<QueryFluentBuilder, Error> {
        let prepared = self.prepare(O::RETURNED)?;
        let requests: Vec<_> = prepared.requests().collect();
        match &requests[..] {
            [(range, start)] => {
                prepared.reader.builder(range, prepared.first_size(), start.clone())
            }
            requests => Err(Error::usage(format!(
                "this query of `{}` is {} requests, not one; `explain` shows them",
                E::SCHEMA.name,
                requests.len()
            ))),
        }
    }

    /// The first request of each partition, unsent; no request for a range that is empty.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`], [`Error::is_invalid_cursor`].
    pub fn explain(&self) -> Result<Explanation, Error> {
        self.explain_returning(O::RETURNED)
    }

    /// With a limit, that many items if there are so many; without, the items of one page of each
    /// partition.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] and [`Error::is_invalid_cursor`] before a request;
    /// [`Error::is_decode`] if a stored item is no `E`; else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<Page<O::Item>, Error>
    where
        I: Holds<O>,
    {
        let prepared = self.prepare(O::RETURNED)?;
        let place = prepared.place;
        let Some(mut merge) = prepared.merge(O::decoder) else { return Ok(Page::NOTHING) };
        let mut items = Vec::new();
        if let Some(limit) = self.limit {
            while items.len() < limit {
                let max_pages = self.max_pages.unwrap_or(usize::MAX);
                let Some(item) = merge.next_within(max_pages).await? else { break };
                items.push(item);
            }
        } else {
            merge.read().await?;
            merge.take_ready(usize::MAX, &mut items)?;
        }
        Ok(Page::of(items, &merge, place))
    }

    /// Every item, at most the limit, over as many pages as it takes.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub async fn all(self) -> Result<Vec<O::Item>, Error>
    where
        I: Holds<O>,
    {
        self.without_page_limit("all")?;
        let prepared = self.prepare(O::RETURNED)?;
        let limit = self.limit.unwrap_or(usize::MAX);
        let is_backward = prepared.place.is_backward;
        let mut items = match prepared.merge(O::decoder) {
            Some(mut merge) => merge.all(limit).await?,
            None => Vec::new(),
        };
        if is_backward {
            items.reverse();
        }
        Ok(items)
    }

    /// The first item.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub async fn first(self) -> Result<Option<O::Item>, Error>
    where
        I: Holds<O>,
    {
        self.without_page_limit("first")?;
        let limit = self.limit.map_or(1, |limit| limit.min(1));
        let page = self.limit(limit).send().await?;
        Ok(page.into_iter().next())
    }

    /// The only item, whatever the limit.
    ///
    /// # Errors
    ///
    /// [`Error::is_item_missing`] if there is none, [`Error::is_more_than_one`] if there are
    /// several; else as [`send`](Self::send).
    pub async fn one(self) -> Result<O::Item, Error>
    where
        I: Holds<O>,
    {
        self.without_page_limit("one")?;
        let mut items = self.limit(2).send().await?.into_iter();
        match (items.next(), items.next()) {
            (Some(item), None) => Ok(item),
            (None, _) => Err(Error::nothing_found(E::SCHEMA.name)),
            (Some(_), Some(_)) => Err(Error::more_than_one(E::SCHEMA.name)),
        }
    }

    /// Every item, at most the limit, each page read when its items are asked for. An error ends
    /// the stream.
    pub fn stream(self) -> ItemStream<O::Item>
    where
        I: Holds<O>,
    {
        let limit = self.limit.unwrap_or(usize::MAX);
        let start = self.stream_start().map(|merge| (merge, 0));
        ItemStream::new(stream::try_unfold(Some(start), move |state| async move {
            let Some(start) = state else { return Ok(None) };
            let (mut merge, taken) = start?;
            let Some(reading) = merge.as_mut().filter(|_| taken < limit) else { return Ok(None) };
            let Some(item) = reading.next().await? else { return Ok(None) };
            Ok(Some((item, Some(Ok((merge, taken + 1))))))
        }))
    }

    fn stream_start(&self) -> Result<Reading<E, O::Item>, Error> {
        self.without_page_limit("stream")?;
        let prepared = self.prepare(O::RETURNED)?;
        prepared.place.check_stream()?;
        Ok(prepared.merge(O::decoder))
    }
}
