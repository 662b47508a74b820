use std::marker::PhantomData;
use std::sync::Arc;

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use futures_util::stream;

use super::reader::Returned;
use super::with_capacity::capacity_method;
use super::{Explanation, ItemStream, Page, Reader, count};
use crate::capacity::{MAX_ITEM, MAX_PAGE, read_units};
use crate::entity::{Entity, Item, Key};
use crate::error::Error;
use crate::expr::{FilteringAny, IntoCondition, Node};
use crate::item;
use crate::key::KeyValue;
use crate::key::range::SortCondition;
use crate::pattern::{ConsistentReads, Pattern, Plan, WholeItems};
use crate::schema::{IndexSchema, Schema, check};
use crate::shard::{Keep, Merge};
use crate::table::Table;
use crate::ttl;
use crate::wire::{CustomQuery, Customize, customize_method};

#[doc = include_str!("../docs/query.md")]
#[must_use = "an operation does nothing until `.send().await`, `.all().await` or the like"]
#[derive(Debug)]
pub struct Query<E: Entity, I, F = FilteringAny> {
    pub(super) table: Table<E::Table>,
    plan: Result<Plan, Error>,
    descending: bool,
    consistent: bool,
    limit: Option<usize>,
    page_size: Option<u32>,
    filter: Node,
    include_expired: bool,
    custom: CustomQuery,
    index: PhantomData<fn() -> (I, F)>,
}

impl<E: Entity, I, F: 'static> Query<E, I, F> {
    pub(crate) fn new(table: Table<E::Table>, pattern: &Pattern<E, I>) -> Self {
        Query {
            table,
            plan: pattern.plan().map_err(Error::from),
            descending: false,
            consistent: false,
            limit: None,
            page_size: None,
            filter: Node::ALWAYS,
            include_expired: false,
            custom: Customize::NONE,
            index: PhantomData,
        }
    }

    /// From the greatest sort key to the least.
    pub fn descending(mut self) -> Self {
        self.descending = true;
        self
    }

    /// Returns at most `n` items; 0 sends nothing.
    pub fn limit(mut self, n: usize) -> Self {
        self.limit = Some(n);
        self
    }

    /// DynamoDB's `Limit`: items read by one request, at least 1.
    pub fn page_size(mut self, n: u32) -> Self {
        self.page_size = Some(n);
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

    capacity_method!(table);
    customize_method!(query, QueryOutput, QueryError, QueryFluentBuilder);

    /// The SDK's builder, filled, for the first page of a pattern in one partition.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`]; and a pattern that is several requests (shards: take one with
    /// `.shard(i)`) or none (an empty range).
    pub fn into_sdk(self) -> Result<QueryFluentBuilder, Error> {
        let prepared = self.prepare(Returned::Items)?;
        match (&prepared.partitions[..], &prepared.reader.condition) {
            ([partition], condition) if *condition != SortCondition::Nothing => {
                let size = prepared.first_size();
                prepared.reader.builder(partition, size)
            }
            (partitions, _) => Err(Error::usage(format!(
                "this query of `{}` is {} requests, not one; `explain` shows them",
                E::SCHEMA.name,
                if partitions.len() == 1 { 0 } else { partitions.len() }
            ))),
        }
    }

    /// The first request of each partition, unsent; no request for a range that is empty.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`].
    pub fn explain(&self) -> Result<Explanation, Error> {
        self.explain_returning(Returned::Items)
    }

    pub(super) fn explain_returning(&self, returned: Returned) -> Result<Explanation, Error> {
        let prepared = self.prepare(returned)?;
        if prepared.sends_nothing() {
            return Ok(Explanation::reads(Vec::new(), 0.0));
        }
        let size = prepared.first_size();
        let requests: Vec<_> = prepared
            .partitions
            .iter()
            .map(|partition| prepared.reader.explain(partition, size))
            .collect::<Result<_, _>>()?;
        let items = size.map_or(usize::MAX, |size| usize::try_from(size).unwrap_or(usize::MAX));
        let page = items.saturating_mul(MAX_ITEM).min(MAX_PAGE + MAX_ITEM);
        #[allow(clippy::cast_precision_loss)]
        let units = read_units(page, self.consistent) * requests.len() as f64;
        Ok(Explanation::reads(requests, units))
    }

    /// How many items there are, at most the limit. DynamoDB reads them all to count them.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] before a request; else what DynamoDB or the way to it reports.
    pub async fn count(self) -> Result<u64, Error> {
        let limit = self.limit;
        let prepared = self.prepare(Returned::Count)?;
        if prepared.sends_nothing() {
            return Ok(0);
        }
        let total = count::count(&prepared).await?;
        Ok(limit.map_or(total, |limit| total.min(u64::try_from(limit).unwrap_or(u64::MAX))))
    }

    /// The primary keys of all items, without the items: for indexes that do not project
    /// everything.
    ///
    /// # Errors
    ///
    /// As [`count`](Self::count).
    pub async fn keys(self) -> Result<Vec<Key<E>>, Error> {
        let mut merge = self.merge(Returned::Keys)?;
        let mut keys = Vec::new();
        while let Some(item) = next(&mut merge, self.limit, keys.len()).await? {
            keys.extend(Key::of_item(&item));
        }
        Ok(keys)
    }

    pub(super) fn merge(&self, returned: Returned) -> Result<Option<Merge<E::Table>>, Error> {
        let prepared = self.prepare(returned)?;
        if prepared.sends_nothing() {
            return Ok(None);
        }
        let merge = Merge::new(prepared.reader, prepared.partitions, prepared.keep);
        Ok(Some(merge.sized(prepared.page_size, prepared.limit)))
    }

    /// What the caller asks, and that the item is not expired.
    fn whole_filter(&self, index: Option<&'static IndexSchema>) -> Result<Node, Error> {
        let mut filter = self.filter.clone();
        let table = <E::Table as Schema>::TABLE;
        // An erased pattern says only here which index it reads.
        for name in filter.attributes() {
            let problem = match check::filter(table, index.map_or("", |index| index.name), &name) {
                0 => continue,
                1 => "is a key attribute of what the query reads: narrow the pattern instead",
                _ => "is not projected by the index: add it to `projection = include(..)`",
            };
            return Err(Error::expression(format!(
                "a query of `{}` cannot filter by `{name}`: it {problem}",
                E::SCHEMA.name
            )));
        }
        if let Some(ttl) = ttl::attribute_of::<E>().filter(|_| !self.include_expired)
            && index.is_none_or(|index| index.local || index.projects(ttl))
        {
            filter = ttl::alive(ttl, self.table.now()).and(filter);
        }
        Ok(filter)
    }

    pub(super) fn table(&self) -> &Table<E::Table> {
        &self.table
    }

    fn prepare(&self, returned: Returned) -> Result<Prepared<E::Table>, Error> {
        let plan = self.plan.as_ref().map_err(Clone::clone)?;
        let page_size = match self.page_size {
            Some(0) => return Err(Error::usage("a page size of 0 reads nothing; use at least 1")),
            size => size.map(|size| i32::try_from(size).unwrap_or(i32::MAX)),
        };
        let schema = <E::Table as Schema>::TABLE;
        let index = plan.index.and_then(|index| schema.index(index.name));
        let keep = keep::<E>(plan);
        let filter = self.whole_filter(index)?;
        let returned = match returned {
            Returned::Count if keep.is_some() => Returned::Keys,
            returned => returned,
        };
        Ok(Prepared {
            reader: Arc::new(Reader {
                table: self.table.clone(),
                entity: E::SCHEMA.name,
                pattern: plan.index.map_or(Some(E::SCHEMA.pattern), |index| index.pattern),
                index,
                condition: plan.range.condition.clone(),
                descending: self.descending,
                consistent: self.consistent,
                returned,
                filter,
                is_selective: !self.filter.is_always(),
                custom: self.custom.clone(),
            }),
            partitions: plan.partitions.clone(),
            keep,
            page_size,
            limit: self.limit,
        })
    }
}

impl<E: Entity, I, F: 'static> Query<E, I, F> {
    /// With a limit, that many items if there are so many; without, the items of one page of each
    /// partition.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] before a request; [`Error::is_decode`] if a stored item is no `E`;
    /// else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<Page<E>, Error>
    where
        I: WholeItems,
    {
        let mut page = Page { items: Vec::new(), has_more: false };
        let Some(mut merge) = self.merge(Returned::Items)? else { return Ok(page) };
        if self.limit.is_some() {
            while page.items.len() < self.limit.unwrap_or(0) {
                let Some(item) = merge.next().await? else { break };
                page.items.push(E::from_item(item)?);
            }
        } else {
            merge.read().await?;
            while let Some(item) = merge.ready() {
                page.items.push(E::from_item(item)?);
            }
        }
        page.has_more = merge.has_more();
        Ok(page)
    }

    /// Every item, at most the limit, over as many pages as it takes.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub async fn all(self) -> Result<Vec<E>, Error>
    where
        I: WholeItems,
    {
        let mut merge = self.merge(Returned::Items)?;
        let mut items = Vec::new();
        while let Some(item) = next(&mut merge, self.limit, items.len()).await? {
            items.push(E::from_item(item)?);
        }
        Ok(items)
    }

    /// The first item.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub async fn first(self) -> Result<Option<E>, Error>
    where
        I: WholeItems,
    {
        let limit = self.limit.map_or(1, |limit| limit.min(1));
        let page = self.limit(limit).send().await?;
        Ok(page.into_iter().next())
    }

    /// Every item, at most the limit, each page read when its items are asked for. An error ends
    /// the stream.
    pub fn stream(self) -> ItemStream<E>
    where
        I: WholeItems,
    {
        let limit = self.limit;
        let start = self.merge(Returned::Items).map(|merge| (merge, 0));
        ItemStream::new(stream::try_unfold(Some(start), move |state| async move {
            let Some(start) = state else { return Ok(None) };
            let (mut merge, taken) = start?;
            match next(&mut merge, limit, taken).await? {
                Some(item) => Ok(Some((E::from_item(item)?, Some(Ok((merge, taken + 1)))))),
                None => Ok(None),
            }
        }))
    }
}

/// A query whose arguments are checked.
pub(super) struct Prepared<T> {
    pub(super) reader: Arc<Reader<T>>,
    pub(super) partitions: Vec<KeyValue>,
    pub(super) keep: Keep,
    pub(super) page_size: Option<i32>,
    pub(super) limit: Option<usize>,
}

impl<T> Clone for Prepared<T> {
    fn clone(&self) -> Self {
        Prepared {
            reader: Arc::clone(&self.reader),
            partitions: self.partitions.clone(),
            keep: self.keep.clone(),
            page_size: self.page_size,
            limit: self.limit,
        }
    }
}

impl<T: Schema> Prepared<T> {
    fn sends_nothing(&self) -> bool {
        self.limit == Some(0) || self.reader.condition == SortCondition::Nothing
    }

    fn first_size(&self) -> Option<i32> {
        Merge::new(Arc::clone(&self.reader), self.partitions.clone(), self.keep.clone())
            .sized(self.page_size, self.limit)
            .next_page_size()
    }
}

async fn next<T: Schema>(
    merge: &mut Option<Merge<T>>,
    limit: Option<usize>,
    taken: usize,
) -> Result<Option<Item>, Error> {
    match merge {
        Some(merge) if limit.is_none_or(|limit| taken < limit) => merge.next().await,
        _ => Ok(None),
    }
}

/// Which items of the range are the caller's: none of the excluded bounds, and where kinds may
/// overlap, none of another kind.
fn keep<E: Entity>(plan: &Plan) -> Keep {
    let table = <E::Table as Schema>::TABLE;
    let name = E::SCHEMA.name;
    let overlaps = !E::SCHEMA.overlap.is_empty()
        || <E::Table as Schema>::entities()
            .iter()
            .any(|entry| entry.schema.overlap.contains(&name));
    let excluded = plan.range.excluded.clone();
    if !overlaps && excluded.is_empty() {
        return None;
    }
    let sort = match plan.index.and_then(|index| table.index(index.name)) {
        Some(index) => index.sk,
        None => table.sk,
    };
    Some(Arc::new(move |found: &Item| {
        let key = sort.and_then(|sk| found.get(sk.name)).and_then(KeyValue::from_attribute);
        let on_bound =
            key.is_some_and(|key| excluded.iter().any(|bound| bound.order(&key).is_eq()));
        !on_bound && (!overlaps || item::is_of(table, E::SCHEMA, found))
    }))
}
