use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt, TryStreamExt};

use crate::cursor::{KeyOrder, Position};
use crate::entity::Item;
use crate::error::Error;
use crate::found::{Decoder, Found, Row};
use crate::key::KeyValue;
use crate::key::condition::KeyRange;
use crate::op::{RawPage, Reader};
use crate::schema::{IndexSchema, Schema};

/// Several ranges, read as one in key order.
///
/// Every range that is not at its end keeps items in a buffer; the least of the first ones is the
/// next, and of equal sort keys that of the earlier range, so that the way back is exactly the reverse
/// in whatever order DynamoDB keeps the equal ones of a range.
pub(crate) struct Merge<T, V> {
    reader: Arc<Reader<T>>,
    decoder: Decoder<V>,
    keep: Keep,
    keys: KeyOrder,
    sources: Vec<Source>,
    /// One for each source.
    buffers: Vec<Buffer<V>>,
    /// The sources whose buffers are not empty, that of the next item last; not kept of one source.
    order: Vec<usize>,
    page_size: Option<i32>,
    /// Items that the caller still wants, for page sizes.
    wanted: Option<usize>,
    /// Rounds of requests so far.
    rounds: u32,
}

/// Which of the items read are the caller's.
pub(crate) type Keep = Option<Arc<dyn Fn(&KeyRange, &Found) -> bool + Send + Sync>>;

/// One range, and how far it is read.
#[derive(Clone)]
pub(crate) struct Source {
    range: KeyRange,
    /// Where reading began.
    origin: Position,
    /// Items in front of this sort key are not the caller's, nor, with `true`, those that have it.
    from: Option<(Item, bool)>,
    next: Next,
    pages: usize,
}

/// Items of a range that are read and not taken.
struct Buffer<V> {
    rows: VecDeque<Row<V>>,
    /// The sort key of the first of them.
    sort: Vec<Option<KeyValue>>,
    /// The first item that was read, and the last that was taken.
    first: Option<Found>,
    last: Option<Found>,
}

impl<V> Default for Buffer<V> {
    fn default() -> Self {
        Buffer { rows: VecDeque::new(), sort: Vec::new(), first: None, last: None }
    }
}

impl<V> Buffer<V> {
    /// The value of the row that was the first one.
    fn take(&mut self, Row { found, value }: Row<V>, decoder: &Decoder<V>) -> Result<V, Error> {
        match value {
            Some(value) => {
                self.last = Some(found);
                Ok(value)
            }
            None => {
                self.last = Some(found.clone());
                (decoder.later)(found)
            }
        }
    }
}

/// Where the next page of a range begins.
#[derive(Clone)]
enum Next {
    Start,
    After(Vec<KeyValue>),
    End,
}

/// Queries under way at once.
pub(crate) const CONCURRENCY: usize = 16;

impl Source {
    /// `descending`: the direction of the read.
    pub(crate) fn new(
        keys: &KeyOrder,
        range: &KeyRange,
        origin: Position,
        descending: bool,
    ) -> Self {
        let mut source =
            Source { range: range.clone(), from: None, next: Next::Start, pages: 0, origin };
        match &source.origin {
            Position::Start => {}
            Position::End => source.next = Next::End,
            Position::After(values) => source.next = Next::After(values.clone()),
            Position::From(sort) | Position::Past(sort) => {
                let is_past = matches!(source.origin, Position::Past(_));
                source.range = keys.narrowed(range, sort, descending);
                source.from = Some((keys.item_of(sort), is_past));
            }
        }
        if source.range.is_empty() {
            source.next = Next::End;
        }
        source
    }

    pub(crate) fn range(&self) -> &KeyRange {
        &self.range
    }

    pub(crate) fn is_at_end(&self) -> bool {
        matches!(self.next, Next::End)
    }

    /// The `ExclusiveStartKey` of the next page.
    pub(crate) fn start_key(&self, keys: &KeyOrder) -> Option<Item> {
        match &self.next {
            Next::After(position) => Some(keys.start_key(&self.range, position)),
            Next::Start | Next::End => None,
        }
    }

    /// Takes note of a page, and returns those of its items that are the caller's.
    pub(crate) fn turn<V>(
        &mut self,
        page: RawPage<V>,
        keys: &KeyOrder,
        keep: &Keep,
        descending: bool,
    ) -> Result<Vec<Row<V>>, Error> {
        self.pages += 1;
        self.next = match page.next {
            None => Next::End,
            Some(key) => Next::After(keys.position_of(&key).ok_or_else(|| {
                Error::answer("a LastEvaluatedKey came without a key attribute of what was read")
            })?),
        };
        let Source { range, from, .. } = &*self;
        if from.is_none() && keep.is_none() {
            return Ok(page.rows);
        }
        let is_left = |item: &Found| {
            from.as_ref().is_none_or(|(from, is_past)| {
                let order = keys.compare(item, from);
                let order = if descending { order.reverse() } else { order };
                order.is_gt() || (order.is_eq() && !is_past)
            })
        };
        let is_kept = |item: &Found| keep.as_ref().is_none_or(|keep| keep(range, item));
        let rows = page.rows.into_iter().filter(|row| is_left(&row.found) && is_kept(&row.found));
        Ok(rows.collect())
    }

    /// Where reading goes on behind the items that were taken.
    fn onward<V>(&self, keys: &KeyOrder, buffer: &Buffer<V>) -> Position {
        let last = buffer.last.as_ref().filter(|_| !buffer.rows.is_empty());
        match (&self.next, last.and_then(|last| keys.position_of(last))) {
            (_, Some(last)) => Position::After(last),
            _ if !buffer.rows.is_empty() => self.origin.clone(),
            (Next::Start, _) => self.origin.clone(),
            (Next::After(position), _) => Position::After(position.clone()),
            (Next::End, _) => Position::End,
        }
    }

    /// Where reading begins that goes the other way, away from the items that were read.
    fn opposite<V>(&self, keys: &KeyOrder, buffer: &Buffer<V>) -> Position {
        let first = buffer.first.as_ref().and_then(|first| keys.position_of(first));
        match (first, &self.next) {
            (Some(first), _) => Position::After(first),
            (None, Next::After(position)) => Position::After(position.clone()),
            (None, Next::Start | Next::End) => Position::Start,
        }
    }
}

impl<T: Schema, V: Send + 'static> Merge<T, V> {
    pub(crate) fn new(
        reader: Arc<Reader<T>>,
        sources: Vec<Source>,
        keep: Keep,
        decoder: fn(Option<&'static IndexSchema>) -> Decoder<V>,
    ) -> Self {
        Merge {
            decoder: decoder(reader.index),
            keep,
            keys: KeyOrder::of(T::TABLE, reader.index),
            buffers: sources.iter().map(|_| Buffer::default()).collect(),
            order: Vec::new(),
            page_size: None,
            wanted: None,
            rounds: 0,
            reader,
            sources,
        }
    }

    /// Over the whole of the ranges.
    pub(crate) fn of(
        reader: Arc<Reader<T>>,
        ranges: &[KeyRange],
        decoder: fn(Option<&'static IndexSchema>) -> Decoder<V>,
    ) -> Self {
        let keys = KeyOrder::of(T::TABLE, reader.index);
        let source = |range| Source::new(&keys, range, Position::Start, reader.descending);
        let sources = ranges.iter().map(source).collect();
        Merge::new(reader, sources, None, decoder)
    }

    pub(crate) fn sized(mut self, page_size: Option<i32>, wanted: Option<usize>) -> Self {
        self.page_size = page_size;
        self.wanted = wanted;
        self
    }

    /// The next item in key order.
    pub(crate) async fn next(&mut self) -> Result<Option<V>, Error> {
        while self.is_waiting() {
            self.read().await?;
        }
        self.take()
    }

    /// The next item in key order, if no range has had so many pages without showing its next one.
    pub(crate) async fn next_within(&mut self, pages: usize) -> Result<Option<V>, Error> {
        while self.is_waiting() {
            if self.waiting().any(|(_, source)| source.pages >= pages) {
                return Ok(None);
            }
            self.read().await?;
        }
        self.take()
    }

    /// The items in key order, at most `limit`.
    pub(crate) async fn all(&mut self, limit: usize) -> Result<Vec<V>, Error> {
        let mut items = Vec::new();
        while items.len() < limit && self.has_more() {
            if self.is_waiting() {
                self.read().await?;
            }
            self.take_ready(limit, &mut items)?;
        }
        Ok(items)
    }

    /// Adds the items that are already read, up to `limit` of all.
    pub(crate) fn take_ready(&mut self, limit: usize, items: &mut Vec<V>) -> Result<(), Error> {
        let read: usize = self.buffers.iter().map(|buffer| buffer.rows.len()).sum();
        let wanted = limit.saturating_sub(items.len());
        items.reserve(read.min(wanted));
        if let ([buffer], true) = (&mut self.buffers[..], read <= wanted) {
            // Of one range they are in their order.
            for row in std::mem::take(&mut buffer.rows) {
                items.push(buffer.take(row, &self.decoder)?);
            }
            self.wanted = self.wanted.map(|wanted| wanted.saturating_sub(read));
            return Ok(());
        }
        while items.len() < limit
            && let Some(item) = self.ready()?
        {
            items.push(item);
        }
        Ok(())
    }

    /// The next item that is already read; `None` at the end, or where a page is needed first.
    pub(crate) fn ready(&mut self) -> Result<Option<V>, Error> {
        if self.is_waiting() {
            return Ok(None);
        }
        self.take()
    }

    /// One page of every range that has nothing in its buffer.
    pub(crate) async fn read(&mut self) -> Result<(), Error> {
        let size = self.next_page_size();
        self.rounds += 1;
        // Of one range there is nothing to wait for at once.
        if let ([source], true) = (&self.sources[..], self.is_waiting()) {
            let start = source.start_key(&self.keys);
            let page = self.reader.page(&source.range, size, start, &self.decoder).await?;
            return self.turn(0, page);
        }
        let requests: Vec<_> =
            self.waiting()
                .map(|(at, source)| {
                    let start = source.start_key(&self.keys);
                    let (reader, range) = (Arc::clone(&self.reader), source.range.clone());
                    let decoder = self.decoder.clone();
                    async move {
                        Ok::<_, Error>((at, reader.page(&range, size, start, &decoder).await?))
                    }
                })
                .collect();
        let pages: Vec<(usize, RawPage<V>)> =
            stream::iter(requests).buffer_unordered(CONCURRENCY).try_collect().await?;
        pages.into_iter().try_for_each(|(at, page)| self.turn(at, page))
    }

    /// Takes a page into the empty buffer of its source.
    pub(crate) fn turn(&mut self, at: usize, page: RawPage<V>) -> Result<(), Error> {
        let rows = self.sources[at].turn(page, &self.keys, &self.keep, self.reader.descending)?;
        let Buffer { rows: buffer, first, .. } = &mut self.buffers[at];
        if first.is_none() {
            *first = rows.first().map(|row| row.found.clone());
        }
        *buffer = rows.into();
        self.place(at);
        Ok(())
    }

    /// Puts a source into the order of the first items.
    fn place(&mut self, at: usize) {
        if self.sources.len() == 1 {
            return;
        }
        let Buffer { rows, sort, .. } = &mut self.buffers[at];
        let Some(row) = rows.front() else { return };
        self.keys.set_sort(sort, &row.found);
        let descending = self.reader.descending;
        let buffers = &self.buffers;
        let is_behind = |other: &usize| {
            let order = KeyOrder::compare_sorts(&buffers[*other].sort, &buffers[at].sort);
            let order = order.then(other.cmp(&at));
            if descending { order.is_lt() } else { order.is_gt() }
        };
        let position = self.order.partition_point(is_behind);
        self.order.insert(position, at);
    }

    /// Whether more may follow.
    pub(crate) fn has_more(&self) -> bool {
        self.buffers.iter().any(|buffer| !buffer.rows.is_empty())
            || !self.sources.iter().all(Source::is_at_end)
    }

    /// For each range, where reading goes on behind the items that were taken.
    pub(crate) fn onward(&self) -> Vec<Position> {
        let sources = self.sources.iter().zip(&self.buffers);
        sources.map(|(source, buffer)| source.onward(&self.keys, buffer)).collect()
    }

    /// For each range, where reading begins that goes the other way.
    pub(crate) fn opposite(&self) -> Vec<Position> {
        let sources = self.sources.iter().zip(&self.buffers);
        sources.map(|(source, buffer)| source.opposite(&self.keys, buffer)).collect()
    }

    /// The share of the wanted items that falls on a range, and one more, so that an uneven
    /// spread seldom needs a second round. Where items are dropped after reading, a small page
    /// would only mean more of them; where expired ones are left out, pages double from round to
    /// round, since there may be many.
    pub(crate) fn next_page_size(&self) -> Option<i32> {
        let parts = self.sources.iter().filter(|source| !source.is_at_end()).count().max(1);
        let drops = self.keep.is_some() || self.reader.is_selective;
        let share = self.wanted.filter(|_| !drops).map(|wanted| {
            let share = (wanted.div_ceil(parts) + usize::from(parts > 1)).max(1);
            let grown = match self.reader.filter.is_always() {
                true => share,
                false => share.saturating_mul(1 << self.rounds.min(20)),
            };
            i32::try_from(grown).unwrap_or(i32::MAX)
        });
        share.into_iter().chain(self.page_size).min()
    }

    /// `Limit` of the pages to come.
    pub(crate) fn set_page_size(&mut self, page_size: Option<i32>) {
        self.page_size = page_size;
    }

    fn is_waiting(&self) -> bool {
        self.waiting().next().is_some()
    }

    /// The sources that have nothing in their buffers and are not at their ends.
    fn waiting(&self) -> impl Iterator<Item = (usize, &Source)> {
        let sources = self.sources.iter().zip(&self.buffers).enumerate();
        sources
            .filter(|(_, (source, buffer))| buffer.rows.is_empty() && !source.is_at_end())
            .map(|(at, (source, _))| (at, source))
    }

    fn take(&mut self) -> Result<Option<V>, Error> {
        let next = if self.sources.len() == 1 { Some(0) } else { self.order.pop() };
        let Some(at) = next else { return Ok(None) };
        let buffer = &mut self.buffers[at];
        let Some(row) = buffer.rows.pop_front() else { return Ok(None) };
        let value = buffer.take(row, &self.decoder)?;
        self.place(at);
        self.wanted = self.wanted.map(|wanted| wanted.saturating_sub(1));
        Ok(Some(value))
    }
}
