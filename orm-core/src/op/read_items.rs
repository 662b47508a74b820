use std::marker::PhantomData;
use std::sync::Arc;

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use futures_util::stream;

use super::member::{self, PageSize, Role};
use super::page::Place;
use super::reader::Returned;
use super::with_capacity::capacity_method;
use super::{Explanation, ItemStream, Page, Reader};
use crate::collection::{CollectionPattern, ItemCollection, ItemKind, Part, index_of, parts};
use crate::cursor::{self, Cursor, IntoCursor, KeyOrder, Position};
use crate::entity::Entity;
use crate::error::Error;
use crate::expr::{IntoCondition, Node, Reading};
use crate::found::Found;
use crate::item;
use crate::pattern::ConsistentReads;
use crate::schema::Schema;
use crate::shard::{Merge, Source};
use crate::table::Table;
use crate::wire::{CustomQuery, Customize, customize_method};

#[doc = include_str!("../docs/items.md")]
#[must_use = "an operation does nothing until `.send().await`, `.all().await` or the like"]
#[derive(Debug)]
pub struct ReadItems<C: ItemCollection> {
    table: Table<C::Table>,
    pattern: CollectionPattern<C>,
    descending: bool,
    consistent: bool,
    refuse_unknown: bool,
    limit: Option<usize>,
    page_size: Option<u32>,
    cursor: Option<Cursor>,
    filter: Node,
    include_expired: bool,
    custom: CustomQuery,
}

impl<C: ItemCollection + ItemKind> ReadItems<C> {
    #[doc(hidden)]
    pub fn new(table: Table<<C as ItemCollection>::Table>, pattern: CollectionPattern<C>) -> Self {
        ReadItems {
            table,
            pattern,
            descending: false,
            consistent: false,
            refuse_unknown: false,
            limit: None,
            page_size: None,
            cursor: None,
            filter: Node::ALWAYS,
            include_expired: false,
            custom: Customize::NONE,
        }
    }

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

    /// The page of a cursor: [`Page::next`] or [`Page::previous`] of the same read. `None` is the
    /// first page.
    pub fn cursor(mut self, cursor: impl IntoCursor) -> Self {
        self.cursor = cursor.into_cursor();
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

    /// Makes an item of a kind that is in no variant an error instead of skipping it, or keeping it
    /// as stored, where one is read: what lies outside of the kinds' sort keys is not. Expired items
    /// and the guards of unique fields are none.
    pub fn refuse_unknown(mut self) -> Self {
        self.refuse_unknown = true;
        self
    }

    /// Leaves out items of the kind `E` for which the condition does not hold, while they are read;
    /// items of other kinds stay. It needs the table's type attribute, by which a filter tells the
    /// kinds apart; items stored without it are not filtered.
    pub fn filter<E, R>(mut self, filter: impl FnOnce(&E::Fields<Reading>) -> R) -> Self
    where
        E: Entity<Table = <C as ItemCollection>::Table>,
        R: IntoCondition,
    {
        self.filter = self.filter.and(member::filter::<C, E, R>(filter));
        self
    }

    /// Returns items whose time to live is over as well, which DynamoDB has not yet deleted.
    pub fn include_expired(mut self) -> Self {
        self.include_expired = true;
        self
    }

    capacity_method!(table);
    customize_method!(query, QueryOutput, QueryError, QueryFluentBuilder);

    /// The SDK's builder, filled, for the first page.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered.
    pub fn into_sdk(self) -> Result<QueryFluentBuilder, Error> {
        let Start { reader, source, keys, .. } = self.start()?;
        reader.builder(source.range(), self.size()?.get(), source.start_key(&keys))
    }

    /// The first request, unsent; none for a limit of 0.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered.
    pub fn explain(&self) -> Result<Explanation, Error> {
        let (Start { reader, source, keys, .. }, size) = (self.start()?, self.size()?.get());
        if self.limit == Some(0) || source.is_at_end() {
            return Ok(Explanation::NOTHING);
        }
        let request = reader.explain(source.range(), size, source.start_key(&keys).as_ref())?;
        Ok(Explanation::of(vec![request]))
    }

    /// With a limit, that many items if there are so many; without, those of one page.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] and [`Error::is_invalid_cursor`] before a request;
    /// [`Error::is_decode`] if a stored item is not what its kind says, or of no listed kind where
    /// these are refused; else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<Page<C>, Error> {
        let mut items = Vec::new();
        let mut read = self.items()?;
        match self.limit {
            Some(0) => return Ok(Page::NOTHING),
            Some(_) => {
                while let Some(item) = read.next().await? {
                    items.push(item);
                }
            }
            None => {
                read.page().await?;
                while let Some(item) = read.ready()? {
                    items.push(item);
                }
            }
        }
        Ok(Page::of(items, &read.merge, read.place))
    }

    /// Every item, at most the limit, over as many pages as it takes.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub async fn all(self) -> Result<Vec<C>, Error> {
        let mut read = self.items()?;
        let mut items = Vec::new();
        while let Some(item) = read.next().await? {
            items.push(item);
        }
        if read.place.is_backward {
            items.reverse();
        }
        Ok(items)
    }

    /// The first item.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub async fn first(self) -> Result<Option<C>, Error> {
        let limit = self.limit.map_or(1, |limit| limit.min(1));
        self.limit(limit).items()?.next().await
    }

    /// Every item, at most the limit, each page read when its items are asked for. An error ends
    /// the stream.
    pub fn stream(self) -> ItemStream<C> {
        let start = self.items().and_then(|read| read.place.check_stream().map(|()| read));
        ItemStream::new(stream::try_unfold(Some(start), |state| async move {
            let Some(read) = state else { return Ok(None) };
            let mut read = read?;
            Ok(read.next().await?.map(|item| (item, Some(Ok(read)))))
        }))
    }

    fn items(&self) -> Result<Items<C>, Error> {
        let Start { reader, source, place, .. } = self.start()?;
        Ok(Items {
            partition: source.range().partition_text(),
            merge: Merge::new(Arc::new(reader), vec![source], None, |index| {
                item::undecoded(<C as ItemCollection>::Table::TABLE, index)
            }),
            place,
            size: self.size()?,
            now: (!self.include_expired).then(|| self.table.now()),
            refuse_unknown: self.refuse_unknown,
            left: self.limit,
            kinds: PhantomData,
        })
    }

    /// Where the read begins: at the cursor.
    fn start(&self) -> Result<Start<<C as ItemCollection>::Table>, Error> {
        let ranges = [self.part()?.range];
        let (table, index) = (<C as ItemCollection>::Table::TABLE, index_of::<C>());
        let keys = KeyOrder::of(table, index);
        let (name, index) = (<C as ItemCollection>::NAME, index.map(|index| index.name));
        let scope = cursor::scope(self.table.name(), name, index, self.descending, &ranges);
        let is_backward = self.cursor.as_ref().is_some_and(Cursor::is_backward);
        let descending = self.descending != is_backward;
        let positions = match &self.cursor {
            None => vec![Position::Start],
            Some(cursor) => cursor.positions(scope, &keys, &ranges, descending)?,
        };
        let [range] = ranges;
        let origin = positions.into_iter().next().unwrap_or(Position::Start);
        let source = Source::new(&keys, &range, origin, descending);
        let place = Place { scope, is_backward, is_continued: self.cursor.is_some() };
        Ok(Start { reader: Reader { descending, ..self.reader() }, source, keys, place })
    }

    /// Without a range or a limit of one member, a collection is one Query.
    fn part(&self) -> Result<Part, Error> {
        let parts = parts::<C>(&self.pattern.partition()?, &[], self.descending)?;
        parts.into_iter().next().ok_or_else(|| {
            Error::usage(format!("`{}` has no variant with an entity", <C as ItemCollection>::NAME))
        })
    }

    /// A filter leaves out what is read, and then few items take many pages.
    fn size(&self) -> Result<PageSize, Error> {
        PageSize::new(self.page_size, self.limit.filter(|_| self.filter.is_always()))
    }

    fn reader(&self) -> Reader<<C as ItemCollection>::Table> {
        Reader {
            table: self.table.clone(),
            entity: <C as ItemCollection>::NAME,
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

/// The first request.
struct Start<T> {
    reader: Reader<T>,
    source: Source,
    keys: KeyOrder,
    place: Place,
}

/// Items while they are read.
struct Items<C: ItemCollection> {
    merge: Merge<<C as ItemCollection>::Table, Found>,
    place: Place,
    partition: String,
    size: PageSize,
    now: Option<i64>,
    refuse_unknown: bool,
    /// How many the caller still takes.
    left: Option<usize>,
    kinds: PhantomData<fn() -> C>,
}

impl<C: ItemCollection + ItemKind> Items<C> {
    async fn next(&mut self) -> Result<Option<C>, Error> {
        loop {
            if self.left == Some(0) {
                return Ok(None);
            }
            if let Some(item) = self.ready()? {
                self.left = self.left.map(|left| left - 1);
                return Ok(Some(item));
            }
            if !self.merge.has_more() {
                return Ok(None);
            }
            self.page().await?;
        }
    }

    async fn page(&mut self) -> Result<(), Error> {
        self.merge.set_page_size(self.size.get());
        self.size.grow();
        self.merge.read().await
    }

    /// The next item that is already read.
    fn ready(&mut self) -> Result<Option<C>, Error> {
        while let Some(found) = self.merge.ready()? {
            if let Some(item) = self.kind(found)? {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    fn kind(&mut self, found: Found) -> Result<Option<C>, Error> {
        match member::find::<C>(&found, self.now) {
            Role::Member(at) => C::decode(at, found).map(Some),
            Role::Absent => Ok(None),
            Role::Other if self.refuse_unknown => {
                Err(member::refused::<C>(std::mem::take(&mut self.partition), &found))
            }
            Role::Other => found.into_item().map(C::raw),
        }
    }
}
