use std::sync::Arc;

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;

use super::member::{self, PageSize, Role};
use super::reader::Returned;
use super::with_capacity::capacity_method;
use super::{Explanation, Reader};
use crate::collection::{
    Assemble, Bucket, CollectionPattern, ItemCollection, Narrowing, Part, SameIndex, index_of,
    parts,
};
use crate::entity::Entity;
use crate::error::Error;
use crate::expr::{IntoCondition, Node, Reading};
use crate::found::{Attributes, Found};
use crate::item;
use crate::key::{KeyError, KeyRef, KeyValue};
use crate::pattern::{ConsistentReads, IntoPattern};
use crate::schema::Schema;
use crate::shard::Merge;
use crate::table::Table;
use crate::wire::{CustomQuery, Customize, customize_method};

#[doc = include_str!("../docs/collection.md")]
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct ReadCollection<C: ItemCollection> {
    table: Table<C::Table>,
    pattern: CollectionPattern<C>,
    /// One for each member.
    narrowings: Vec<Narrowing>,
    problem: Option<Error>,
    descending: bool,
    consistent: bool,
    refuse_unknown: bool,
    page_size: Option<u32>,
    max_pages: usize,
    filter: Node,
    include_expired: bool,
    custom: CustomQuery,
}

/// 64 MB, far more than fits a struct that one wants to have.
const MAX_PAGES: usize = 64;

impl<C: ItemCollection> ReadCollection<C> {
    #[doc(hidden)]
    pub fn new(table: Table<C::Table>, pattern: CollectionPattern<C>) -> Self {
        ReadCollection {
            table,
            pattern,
            narrowings: vec![Narrowing::default(); C::MEMBERS.len()],
            problem: None,
            descending: false,
            consistent: false,
            refuse_unknown: false,
            page_size: None,
            max_pages: MAX_PAGES,
            filter: Node::ALWAYS,
            include_expired: false,
            custom: Customize::NONE,
        }
    }

    /// From the greatest sort key to the least; a `Vec` is in this order, and a limit takes the
    /// greatest.
    pub fn descending(mut self) -> Self {
        self.descending = true;
        self
    }

    /// Takes the first `n` items of the member `E`, and of the others all. Given again for `E`, the
    /// last one counts.
    pub fn limit_of<E: Entity<Table = C::Table>>(mut self, n: usize) -> Self {
        match member::member::<C>(E::SCHEMA) {
            Some(at) => self.narrowings[at].limit = Some(n),
            None => self.problem = Some(no_member::<C, E>()),
        }
        self
    }

    /// Takes the items of one member that the pattern finds, and of the others all. Given again for
    /// a member, the last one counts. A pattern of what is no member, of another index or of another
    /// partition is [`Error::is_invalid_key`] before a request.
    pub fn range_of<P>(mut self, pattern: P) -> Self
    where
        P: IntoPattern<Entity: Entity<Table = C::Table>, Index: SameIndex<C::Index>>,
    {
        if let Err(error) = self.narrow(pattern) {
            self.problem = Some(error);
        }
        self
    }

    /// Reads what the last successful write stored, at twice the cost. The table and local indexes
    /// only.
    pub fn consistent(mut self) -> Self
    where
        C::Index: ConsistentReads,
    {
        self.consistent = true;
        self
    }

    /// Makes an item of a kind that is no member an error instead of skipping it, where one is
    /// read: what lies outside of the members' sort keys is not. Expired items and the guards of
    /// unique fields are none.
    pub fn refuse_unknown(mut self) -> Self {
        self.refuse_unknown = true;
        self
    }

    /// DynamoDB's `Limit`: items read by one request, at least 1.
    pub fn page_size(mut self, n: u32) -> Self {
        self.page_size = Some(n);
        self
    }

    /// At most this many pages over all requests, each of at most 1 MB (and of `page_size` items);
    /// 64 unless set. A collection that needs more is an error.
    pub fn max_pages(mut self, pages: usize) -> Self {
        self.max_pages = pages;
        self
    }

    /// Leaves out items of the member `E` for which the condition does not hold, while they are
    /// read; items of other kinds stay. It needs the table's type attribute, by which a filter tells
    /// the kinds apart; items stored without it are not filtered. A member that is neither `Option`
    /// nor `Vec` and is left out counts as missing.
    pub fn filter<E, R>(mut self, filter: impl FnOnce(&E::Fields<Reading>) -> R) -> Self
    where
        E: Entity<Table = C::Table>,
        R: IntoCondition,
    {
        self.filter = self.filter.and(member::filter::<C, E, R>(filter));
        self
    }

    /// Takes items whose time to live is over as well, which DynamoDB has not yet deleted.
    pub fn include_expired(mut self) -> Self {
        self.include_expired = true;
        self
    }

    capacity_method!(table);
    customize_method!(query, QueryOutput, QueryError, QueryFluentBuilder);

    /// The SDK's builder, filled, for the first page of a collection that is one request.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered; and a collection that a limit or a
    /// range makes several requests, or none.
    pub fn into_sdk(self) -> Result<QueryFluentBuilder, Error> {
        let parts = self.parts()?;
        match &parts[..] {
            [part] => self.reader().builder(&part.range, self.size(part)?.get(), None),
            parts => Err(Error::usage(format!(
                "this collection `{}` is {} requests, not one; `explain` shows them",
                C::NAME,
                parts.len()
            ))),
        }
    }

    /// The first page of each request, unsent.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered.
    pub fn explain(&self) -> Result<Explanation, Error> {
        let reader = self.reader();
        let request = |part: &Part| reader.explain(&part.range, self.size(part)?.get(), None);
        Ok(Explanation::of(self.parts()?.iter().map(request).collect::<Result<_, _>>()?))
    }

    fn narrow<P>(&mut self, pattern: P) -> Result<(), Error>
    where
        P: IntoPattern<Entity: Entity<Table = C::Table>>,
    {
        let at = member::member::<C>(P::Entity::SCHEMA).ok_or_else(no_member::<C, P::Entity>)?;
        let plan = pattern.into_pattern().plan()?;
        let place = format!("the range of `{}`", P::Entity::SCHEMA.name);
        let fail = |problem: String| Error::from(KeyError::new(C::NAME, &place, problem));
        let index = plan.index.map(|index| index.name);
        if index != C::INDEX {
            let name = |index: Option<&str>| match index {
                Some(index) => format!("the index `{index}`"),
                None => "the table".to_owned(),
            };
            let (read, own) = (name(index), name(C::INDEX));
            return Err(fail(format!("is of {read}, and the collection reads {own}")));
        }
        let [range] = &plan.ranges[..] else {
            return Err(fail("is several partitions, and a collection is one".to_owned()));
        };
        let partition = self.pattern.partition()?;
        if range.partition[..] != [partition.clone()] {
            let own = partition.to_string();
            let other = range.partition_text();
            return Err(fail(format!(
                "is of the partition `{other}`, and the collection reads `{own}`: give both the same values"
            )));
        }
        if !range.equal.is_empty() {
            return Err(fail("fixes an attribute of a sort key of several: query it alone".into()));
        }
        self.narrowings[at].range = Some(range.sort.clone());
        Ok(())
    }

    fn parts(&self) -> Result<Vec<Part>, Error> {
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        Ok(parts::<C>(&self.pattern.partition()?, &self.narrowings, self.descending)?)
    }

    /// A filter leaves out what is read, and then few items take many pages.
    fn size(&self, part: &Part) -> Result<PageSize, Error> {
        PageSize::new(self.page_size, part.items.filter(|_| self.filter.is_always()))
    }

    fn reader(&self) -> Reader<C::Table> {
        Reader {
            table: self.table.clone(),
            entity: C::NAME,
            pattern: None,
            index: index_of::<C>(),
            descending: self.descending,
            consistent: self.consistent,
            returned: Returned::Items,
            filter: self.filter.clone(),
            is_selective: true,
            custom: self.custom.clone(),
        }
    }
}

impl<C: Assemble> ReadCollection<C> {
    /// The collection; `None` if no item of a member exists, or a range or limit leaves none.
    ///
    /// # Errors
    ///
    /// [`Error::is_item_missing`] if there are items but a member that is neither `Option` nor
    /// `Vec` has none; [`Error::is_decode`] for a second item of a single member, an unknown one
    /// where they are refused, or one that is no such entity; [`Error::is_invalid_key`] before a
    /// request; more pages than [`max_pages`](Self::max_pages); else what DynamoDB or the way to it
    /// reports.
    pub async fn send(self) -> Result<Option<C>, Error> {
        let reader = Arc::new(self.reader());
        let mut fill = Fill {
            read: &self,
            partition: self.pattern.partition()?.to_string(),
            now: (!self.include_expired).then(|| self.table.now()),
            buckets: vec![Vec::new(); C::MEMBERS.len() + 1],
            pages: 0,
        };
        for part in self.parts()? {
            fill.part(&reader, part).await?;
        }
        let Fill { partition, buckets, .. } = fill;
        if buckets[..C::MEMBERS.len()].iter().all(Vec::is_empty) {
            return Ok(None);
        }
        let fields = C::FIELDS.iter().copied().chain([""]);
        let buckets = fields.zip(buckets).map(|(field, items)| Bucket { field, items });
        C::assemble(&partition, buckets.collect()).map(Some)
    }
}

/// A collection while it is read.
struct Fill<'a, C: ItemCollection> {
    read: &'a ReadCollection<C>,
    partition: String,
    now: Option<i64>,
    /// One for each member, and one for the items of no listed kind.
    buckets: Vec<Vec<Found>>,
    pages: usize,
}

impl<C: ItemCollection> Fill<'_, C> {
    async fn part(&mut self, reader: &Arc<Reader<C::Table>>, part: Part) -> Result<(), Error> {
        let mut size = self.read.size(&part)?;
        let mut merge = Merge::of(Arc::clone(reader), &[part.range], |index| {
            item::undecoded(C::Table::TABLE, index)
        });
        let until = part.until;
        let is_done = |buckets: &[Vec<Found>]| {
            until.is_some_and(|(member, limit)| buckets[member].len() >= limit)
        };
        while merge.has_more() && !is_done(&self.buckets) {
            if self.pages == self.read.max_pages {
                let text = std::mem::take(&mut self.partition);
                return Err(Error::collection_too_large(C::NAME, text, self.pages));
            }
            merge.set_page_size(size.get());
            merge.read().await?;
            size.grow();
            self.pages += 1;
            while !is_done(&self.buckets)
                && let Some(found) = merge.ready()?
            {
                self.take(found, &part.members)?;
            }
        }
        Ok(())
    }

    fn take(&mut self, found: Found, members: &[usize]) -> Result<(), Error> {
        match member::find::<C>(&found, self.now) {
            Role::Member(at) if members.contains(&at) => {
                let Narrowing { range, limit } = &self.read.narrowings[at];
                let is_inside = range.as_ref().is_none_or(|range| {
                    sort_key::<C>(&found).is_some_and(|key| range.contains(&key))
                });
                if is_inside && limit.is_none_or(|limit| self.buckets[at].len() < limit) {
                    self.buckets[at].push(found);
                }
            }
            Role::Member(_) | Role::Absent => {}
            Role::Other if self.read.refuse_unknown => {
                return Err(member::refused::<C>(std::mem::take(&mut self.partition), &found));
            }
            Role::Other if C::KEEPS_OTHERS => self.buckets[C::MEMBERS.len()].push(found),
            Role::Other => {}
        }
        Ok(())
    }
}

fn sort_key<C: ItemCollection>(found: &Found) -> Option<KeyValue> {
    let (_, sk) = C::Table::TABLE.key_of(index_of::<C>());
    sk.first().and_then(|sk| found.key(sk.name)).map(KeyRef::into_value)
}

fn no_member<C: ItemCollection, E: Entity>() -> Error {
    let problem = format!("is no member of `{}`: narrow one of its members", C::NAME);
    KeyError::new(C::NAME, format!("`{}`", E::SCHEMA.name), problem).into()
}
