//! From a query to what its requests need, with every argument checked.

use std::cmp::Ordering;
use std::sync::Arc;

use super::page::{self, Place};
use super::{Query, Reader, Returned};
use crate::cursor::{self, Cursor, KeyOrder, Position};
use crate::entity::{Entity, Item};
use crate::error::Error;
use crate::expr::Node;
use crate::found::{Attributes, Decoder, Found};
use crate::item;
use crate::key::KeyRef;
use crate::key::condition::KeyRange;
use crate::pattern::Plan;
use crate::schema::{IndexSchema, Schema, check};
use crate::shard::{Keep, Merge, Source};
use crate::ttl;

/// Where a query begins.
#[derive(Debug, Clone)]
pub(super) enum Begin {
    First,
    Cursor(Cursor),
    /// Behind an item, as a put would write it.
    After(Result<Item, Error>),
}

/// A query whose arguments are checked.
pub(super) struct Prepared<T> {
    pub(super) reader: Arc<Reader<T>>,
    pub(super) sources: Vec<Source>,
    pub(super) keep: Keep,
    pub(super) page_size: Option<i32>,
    pub(super) limit: Option<usize>,
    pub(super) place: Place,
}

impl<T: Schema> Prepared<T> {
    pub(super) fn sends_nothing(&self) -> bool {
        self.limit == Some(0) || self.sources.iter().all(Source::is_at_end)
    }

    pub(super) fn merge<V: Send + 'static>(
        self,
        decoder: fn(Option<&'static IndexSchema>) -> Decoder<V>,
    ) -> Option<Merge<T, V>> {
        if self.sends_nothing() {
            return None;
        }
        let merge = Merge::new(self.reader, self.sources, self.keep, decoder);
        Some(merge.sized(self.page_size, self.limit))
    }

    /// What the first requests ask for.
    pub(super) fn requests(&self) -> impl Iterator<Item = (&KeyRange, Option<Item>)> {
        let keys = KeyOrder::of(T::TABLE, self.reader.index);
        let open = self.sources.iter().filter(|source| !source.is_at_end());
        open.map(move |source| (source.range(), source.start_key(&keys)))
    }

    pub(super) fn first_size(&self) -> Option<i32> {
        if self.sends_nothing() {
            return None;
        }
        let (reader, sources, keep) =
            (Arc::clone(&self.reader), self.sources.clone(), self.keep.clone());
        let merge = Merge::new(reader, sources, keep, |index| item::undecoded(T::TABLE, index));
        merge.sized(self.page_size, self.limit).next_page_size()
    }

    /// `Limit` of the next page of a count: where all that is read counts, no more than is asked for.
    pub(super) fn count_size(&self, counted: u64) -> Option<i32> {
        let is_exact = self.keep.is_none() && self.reader.filter.is_always();
        let left = self.limit.filter(|_| is_exact).map(|limit| {
            let left = u64::try_from(limit).unwrap_or(u64::MAX).saturating_sub(counted).max(1);
            i32::try_from(left).unwrap_or(i32::MAX)
        });
        left.into_iter().chain(self.page_size).min()
    }

    /// Whether DynamoDB would count items that are dropped after reading.
    pub(super) fn counts_keys(&self) -> bool {
        self.reader.returned != Returned::Count
    }
}

impl<E: Entity, I, F: 'static, O> Query<E, I, F, O> {
    pub(super) fn prepare(&self, returned: Returned) -> Result<Prepared<E::Table>, Error> {
        let plan = self.plan.as_ref().map_err(Clone::clone)?;
        let page_size = page::size(self.page_size)?;
        if self.max_pages == Some(0) {
            return Err(Error::usage("`max_pages(0)` reads nothing; use at least 1"));
        }
        let schema = <E::Table as Schema>::TABLE;
        let index = plan.index.and_then(|index| schema.index(index.name));
        let filter = self.whole_filter(index)?;
        if let Returned::Only(attributes) = returned {
            projected::<E>(index, attributes)?;
        }
        let keys = KeyOrder::of(schema, index);
        let index_name = index.map(|index| index.name);
        let name = E::SCHEMA.name;
        let scope =
            cursor::scope(self.table.name(), name, index_name, self.descending, &plan.ranges);
        let is_backward = matches!(&self.begin, Begin::Cursor(cursor) if cursor.is_backward());
        let descending = self.descending != is_backward;
        let origins = match &self.begin {
            Begin::First => vec![Position::Start; plan.ranges.len()],
            Begin::Cursor(cursor) => cursor.positions(scope, &keys, &plan.ranges, descending)?,
            Begin::After(item) => {
                let item = item.as_ref().map_err(Clone::clone)?;
                behind(&keys, &plan.ranges, item, descending, name, index_name)?
            }
        };
        let sources: Vec<_> = plan
            .ranges
            .iter()
            .zip(&origins)
            .map(|(range, origin)| Source::new(&keys, range, origin.clone(), descending))
            .collect();
        let keep = keep::<E>(plan, &sources);
        // What is left out after reading must be seen to be counted.
        let drops = keep.is_some()
            || origins.iter().any(|origin| matches!(origin, Position::From(_) | Position::Past(_)));
        // A local index fetches what is asked for; what a filter asks for is not.
        let fetches = index.is_some_and(|index| {
            let is_held = |name: &String| index.holds(schema, name);
            index.local && !filter.attributes().iter().all(is_held)
        });
        let returned = match returned {
            _ if fetches => Returned::Items,
            Returned::Count if drops => Returned::Keys,
            returned => returned,
        };
        Ok(Prepared {
            reader: Arc::new(Reader {
                table: self.table.clone(),
                entity: name,
                pattern: plan.index.map_or(Some(E::SCHEMA.pattern), |index| index.pattern),
                index,
                descending,
                consistent: self.consistent,
                returned,
                filter,
                is_selective: !self.filter.is_always(),
                custom: self.custom.clone(),
            }),
            sources,
            keep,
            page_size,
            limit: self.limit,
            place: Place { scope, is_backward, is_continued: !matches!(self.begin, Begin::First) },
        })
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
            && check::filter(table, index.map_or("", |index| index.name), ttl) == 0
        {
            filter = ttl::alive(ttl, self.table.now()).and(filter);
        }
        Ok(filter)
    }
}

/// Behind an item of one of the ranges.
fn behind(
    keys: &KeyOrder,
    ranges: &[KeyRange],
    item: &Item,
    descending: bool,
    entity: &str,
    index: Option<&str>,
) -> Result<Vec<Position>, Error> {
    let found = keys.partition_of(item).zip(keys.sort_of(item).zip(keys.position_of(item)));
    let Some((partition, (sort, position))) = found else {
        return Err(Error::cursor(format!(
            "would begin after an item of `{entity}` that is not in the index `{}`, which this query reads",
            index.unwrap_or_default()
        )));
    };
    let is_same = |range: &KeyRange| {
        let values = range.partition.iter().zip(&partition);
        let narrowed = sort.get(range.equal.len());
        values.map(|(a, b)| a.order(b)).all(Ordering::is_eq)
            && keys.side(range, &sort).is_eq()
            && narrowed.is_none_or(|value| !range.sort.excludes(value))
    };
    let Some(own) = ranges.iter().position(is_same) else {
        return Err(Error::cursor(format!(
            "would begin after an item of `{entity}` that this query does not read: `after` takes one of its partition and its range"
        )));
    };
    // Of equal sort keys the item of the earlier range comes first; backwards, that of the later.
    Ok((0..ranges.len())
        .map(|at| match at.cmp(&own) {
            Ordering::Equal => Position::After(position.clone()),
            Ordering::Less if descending => Position::From(sort.clone()),
            Ordering::Greater if !descending => Position::From(sort.clone()),
            _ => Position::Past(sort.clone()),
        })
        .collect())
}

/// A projection is read from what the index has.
fn projected<E: Entity>(
    index: Option<&'static IndexSchema>,
    attributes: &[&'static str],
) -> Result<(), Error> {
    let Some(index) = index.filter(|index| !index.local) else { return Ok(()) };
    let table = <E::Table as Schema>::TABLE;
    match attributes.iter().find(|name| !index.holds(table, name)) {
        Some(name) => Err(Error::usage(format!(
            "the index `{}` does not project `{name}` of `{}`, which the projection needs: add it to `projection = include(..)`, or `hydrate` the keys",
            index.name,
            E::SCHEMA.name
        ))),
        None => Ok(()),
    }
}

/// Which items of the range are the caller's: none of the excluded bounds, and where kinds may
/// overlap, none of another kind.
fn keep<E: Entity>(plan: &Plan, sources: &[Source]) -> Keep {
    let table = <E::Table as Schema>::TABLE;
    let name = E::SCHEMA.name;
    let overlaps = !E::SCHEMA.overlap.is_empty()
        || <E::Table as Schema>::entities()
            .iter()
            .any(|entry| entry.schema.overlap.contains(&name));
    if !overlaps && sources.iter().all(|source| source.range().sort.excluded.is_empty()) {
        return None;
    }
    let index = plan.index.and_then(|index| table.index(index.name));
    let (_, sk) = table.key_of(index);
    Some(Arc::new(move |range: &KeyRange, found: &Found| {
        let name = sk.get(range.equal.len()).map(|attribute| attribute.name);
        let key = name.and_then(|name| found.key(name)).map(KeyRef::into_value);
        let on_bound = key.is_some_and(|key| range.sort.excludes(&key));
        !on_bound && (!overlaps || item::is_of(table, E::SCHEMA, found))
    }))
}
