use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt, TryStreamExt};

use crate::cursor::{KeyOrder, Position};
use crate::entity::Item;
use crate::error::Error;
use crate::key::KeyValue;
use crate::key::condition::KeyRange;
use crate::op::{RawPage, Reader};
use crate::schema::Schema;

/// Several ranges, read as one in key order.
///
/// Every range that is not at its end keeps items in a buffer; the least of the first ones is the
/// next, and of equal sort keys that of the earlier range, so that the way back is exactly the reverse
/// in whatever order DynamoDB keeps the equal ones of a range.
pub(crate) struct Merge<T> {
    reader: Arc<Reader<T>>,
    keep: Keep,
    keys: KeyOrder,
    sources: Vec<Source>,
    page_size: Option<i32>,
    /// Items that the caller still wants, for page sizes.
    wanted: Option<usize>,
    /// Rounds of requests so far.
    rounds: u32,
}

/// Which of the items read are the caller's.
pub(crate) type Keep = Option<Arc<dyn Fn(&KeyRange, &Item) -> bool + Send + Sync>>;

/// One range, and how far it is read.
#[derive(Clone)]
pub(crate) struct Source {
    range: KeyRange,
    /// Where reading began.
    origin: Position,
    /// Items in front of this sort key are not the caller's, nor, with `true`, those that have it.
    from: Option<(Item, bool)>,
    next: Next,
    buffer: VecDeque<Item>,
    /// Where the first item was, and the last that was taken.
    first: Option<Vec<KeyValue>>,
    last: Option<Vec<KeyValue>>,
    pages: usize,
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
        let mut source = Source {
            range: range.clone(),
            from: None,
            next: Next::Start,
            buffer: VecDeque::new(),
            first: None,
            last: None,
            pages: 0,
            origin,
        };
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
    pub(crate) fn turn(
        &mut self,
        page: RawPage,
        keys: &KeyOrder,
        keep: &Keep,
        descending: bool,
    ) -> Result<Vec<Item>, Error> {
        self.pages += 1;
        self.next = match page.next {
            None => Next::End,
            Some(key) => Next::After(keys.position_of(&key).ok_or_else(|| {
                Error::answer("a LastEvaluatedKey came without a key attribute of what was read")
            })?),
        };
        let Source { range, from, .. } = &*self;
        let is_left = |item: &Item| {
            from.as_ref().is_none_or(|(from, is_past)| {
                let order = keys.compare(item, from);
                let order = if descending { order.reverse() } else { order };
                order.is_gt() || (order.is_eq() && !is_past)
            })
        };
        let is_kept = |item: &Item| keep.as_ref().is_none_or(|keep| keep(range, item));
        let items = page.items.into_iter().filter(|item| is_left(item) && is_kept(item));
        Ok(items.collect())
    }

    fn is_waiting(&self) -> bool {
        self.buffer.is_empty() && !self.is_at_end()
    }

    /// Where reading goes on behind the items that were taken.
    fn onward(&self) -> Position {
        match (&self.next, &self.last) {
            (_, Some(last)) if !self.buffer.is_empty() => Position::After(last.clone()),
            (_, None) if !self.buffer.is_empty() => self.origin.clone(),
            (Next::Start, _) => self.origin.clone(),
            (Next::After(position), _) => Position::After(position.clone()),
            (Next::End, _) => Position::End,
        }
    }

    /// Where reading begins that goes the other way, away from the items that were read.
    fn opposite(&self) -> Position {
        match (&self.first, &self.next) {
            (Some(first), _) => Position::After(first.clone()),
            (None, Next::After(position)) => Position::After(position.clone()),
            (None, Next::Start | Next::End) => Position::Start,
        }
    }
}

impl<T: Schema> Merge<T> {
    pub(crate) fn new(reader: Arc<Reader<T>>, sources: Vec<Source>, keep: Keep) -> Self {
        let keys = KeyOrder::of(T::TABLE, reader.index);
        Merge { reader, keep, keys, sources, page_size: None, wanted: None, rounds: 0 }
    }

    /// Over the whole of the ranges.
    pub(crate) fn of(reader: Arc<Reader<T>>, ranges: &[KeyRange], keep: Keep) -> Self {
        let keys = KeyOrder::of(T::TABLE, reader.index);
        let source = |range| Source::new(&keys, range, Position::Start, reader.descending);
        let sources = ranges.iter().map(source).collect();
        Merge::new(reader, sources, keep)
    }

    pub(crate) fn sized(mut self, page_size: Option<i32>, wanted: Option<usize>) -> Self {
        self.page_size = page_size;
        self.wanted = wanted;
        self
    }

    /// The next item in key order.
    pub(crate) async fn next(&mut self) -> Result<Option<Item>, Error> {
        while self.is_waiting() {
            self.read().await?;
        }
        Ok(self.take())
    }

    /// The next item in key order, if no range has had so many pages without showing its next one.
    pub(crate) async fn next_within(&mut self, pages: usize) -> Result<Option<Item>, Error> {
        while self.is_waiting() {
            let used_up = |source: &Source| source.is_waiting() && source.pages >= pages;
            if self.sources.iter().any(used_up) {
                return Ok(None);
            }
            self.read().await?;
        }
        Ok(self.take())
    }

    /// The next item that is already read; `None` at the end, or where a page is needed first.
    pub(crate) fn ready(&mut self) -> Option<Item> {
        if self.is_waiting() {
            return None;
        }
        self.take()
    }

    /// One page of every range that has nothing in its buffer.
    pub(crate) async fn read(&mut self) -> Result<(), Error> {
        let size = self.next_page_size();
        self.rounds += 1;
        let requests: Vec<_> = self
            .sources
            .iter()
            .enumerate()
            .filter(|(_, source)| source.is_waiting())
            .map(|(at, source)| {
                let start = source.start_key(&self.keys);
                let (reader, range) = (Arc::clone(&self.reader), source.range.clone());
                async move { Ok::<_, Error>((at, reader.page(&range, size, start).await?)) }
            })
            .collect();
        let pages: Vec<(usize, RawPage)> =
            stream::iter(requests).buffer_unordered(CONCURRENCY).try_collect().await?;
        for (at, page) in pages {
            let source = &mut self.sources[at];
            let items = source.turn(page, &self.keys, &self.keep, self.reader.descending)?;
            if let (None, Some(first)) = (&source.first, items.first()) {
                source.first = self.keys.position_of(first);
            }
            source.buffer.extend(items);
        }
        Ok(())
    }

    /// Whether more may follow.
    pub(crate) fn has_more(&self) -> bool {
        self.sources.iter().any(|source| !source.buffer.is_empty() || !source.is_at_end())
    }

    /// For each range, where reading goes on behind the items that were taken.
    pub(crate) fn onward(&self) -> Vec<Position> {
        self.sources.iter().map(Source::onward).collect()
    }

    /// For each range, where reading begins that goes the other way.
    pub(crate) fn opposite(&self) -> Vec<Position> {
        self.sources.iter().map(Source::opposite).collect()
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
        self.sources.iter().any(Source::is_waiting)
    }

    fn take(&mut self) -> Option<Item> {
        let descending = self.reader.descending;
        let firsts = self
            .sources
            .iter()
            .enumerate()
            .filter_map(|(at, source)| source.buffer.front().map(|item| (at, item)));
        let (at, _) = firsts.min_by(|(i, a), (j, b)| {
            let order = self.keys.compare(a, b).then(i.cmp(j));
            if descending { order.reverse() } else { order }
        })?;
        let source = &mut self.sources[at];
        let item = source.buffer.pop_front()?;
        source.last = self.keys.position_of(&item);
        self.wanted = self.wanted.map(|wanted| wanted.saturating_sub(1));
        Some(item)
    }
}
