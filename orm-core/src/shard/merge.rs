use std::cmp::Ordering;
use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt, TryStreamExt};

use crate::entity::Item;
use crate::error::Error;
use crate::key::KeyValue;
use crate::key::range::KeyRange;
use crate::op::{RawPage, Reader};
use crate::schema::{IndexSchema, Schema, TableSchema};

/// The partitions of a pattern, read as one in key order.
///
/// Every partition that is not at its end keeps items in a buffer; the least of the first ones is
/// the next. A single partition is the special case without comparisons.
pub(crate) struct Merge<T> {
    reader: Arc<Reader<T>>,
    keep: Keep,
    sources: Vec<Source>,
    page_size: Option<i32>,
    /// Items that the caller still wants, for page sizes.
    wanted: Option<usize>,
}

/// Which of the items read are the caller's.
pub(crate) type Keep = Option<Arc<dyn Fn(&KeyRange, &Item) -> bool + Send + Sync>>;

struct Source {
    range: KeyRange,
    buffer: VecDeque<Item>,
    position: Position,
}

#[derive(Clone)]
enum Position {
    Start,
    After(Item),
    End,
}

/// Queries under way at once.
pub(crate) const CONCURRENCY: usize = 16;

impl<T: Schema> Merge<T> {
    pub(crate) fn new(reader: Arc<Reader<T>>, ranges: Vec<KeyRange>, keep: Keep) -> Self {
        let sources = ranges.into_iter().map(|range| Source {
            range,
            buffer: VecDeque::new(),
            position: Position::Start,
        });
        Merge { reader, keep, sources: sources.collect(), page_size: None, wanted: None }
    }

    pub(crate) fn sized(mut self, page_size: Option<i32>, wanted: Option<usize>) -> Self {
        self.page_size = page_size;
        self.wanted = wanted;
        self
    }

    /// The next item in key order.
    pub(crate) async fn next(&mut self) -> Result<Option<Item>, Error> {
        while self.sources.iter().any(Source::is_waiting) {
            self.read().await?;
        }
        Ok(self.take())
    }

    /// The next item that is already read; `None` at the end, or where a page is needed first.
    pub(crate) fn ready(&mut self) -> Option<Item> {
        if self.sources.iter().any(Source::is_waiting) {
            return None;
        }
        self.take()
    }

    /// One page of every partition that has nothing in its buffer.
    pub(crate) async fn read(&mut self) -> Result<(), Error> {
        let size = self.next_page_size();
        let requests: Vec<_> = self
            .sources
            .iter()
            .enumerate()
            .filter(|(_, source)| source.is_waiting())
            .map(|(at, source)| {
                let start = match &source.position {
                    Position::After(key) => Some(key.clone()),
                    Position::Start | Position::End => None,
                };
                let (reader, range) = (Arc::clone(&self.reader), source.range.clone());
                async move { Ok::<_, Error>((at, reader.page(&range, size, start).await?)) }
            })
            .collect();
        let pages: Vec<(usize, RawPage)> =
            stream::iter(requests).buffer_unordered(CONCURRENCY).try_collect().await?;
        for (at, page) in pages {
            let source = &mut self.sources[at];
            source.position = page.next.map_or(Position::End, Position::After);
            let range = &source.range;
            let keep = |item: &Item| self.keep.as_ref().is_none_or(|keep| keep(range, item));
            source.buffer.extend(page.items.into_iter().filter(keep));
        }
        Ok(())
    }

    /// Whether more may follow.
    pub(crate) fn has_more(&self) -> bool {
        self.sources
            .iter()
            .any(|source| !source.buffer.is_empty() || !matches!(source.position, Position::End))
    }

    /// The share of the wanted items that falls on a partition, and one more, so that an uneven
    /// spread seldom needs a second round. Where items are dropped after reading, a small page
    /// would only mean more of them.
    pub(crate) fn next_page_size(&self) -> Option<i32> {
        let open = |source: &&Source| !matches!(source.position, Position::End);
        let parts = self.sources.iter().filter(open).count().max(1);
        let drops = self.keep.is_some() || self.reader.is_selective;
        let share = self.wanted.filter(|_| !drops).map(|wanted| {
            let share = wanted.div_ceil(parts) + usize::from(parts > 1);
            i32::try_from(share.max(1)).unwrap_or(i32::MAX)
        });
        match (share, self.page_size) {
            (Some(share), Some(size)) => Some(share.min(size)),
            (share, size) => share.or(size),
        }
    }

    /// `Limit` of the pages to come.
    pub(crate) fn set_page_size(&mut self, page_size: Option<i32>) {
        self.page_size = page_size;
    }

    fn take(&mut self) -> Option<Item> {
        if let [source] = &mut self.sources[..] {
            return counted(&mut self.wanted, source.buffer.pop_front());
        }
        let index = self.reader.index;
        let descending = self.reader.descending;
        let firsts = self
            .sources
            .iter()
            .enumerate()
            .filter_map(|(at, source)| source.buffer.front().map(|item| (at, item)));
        let (at, _) = firsts.min_by(|(_, a), (_, b)| {
            let order = key_order(T::TABLE, index, a, b);
            if descending { order.reverse() } else { order }
        })?;
        counted(&mut self.wanted, self.sources[at].buffer.pop_front())
    }
}

/// The item, taken off what the caller still wants.
fn counted(wanted: &mut Option<usize>, item: Option<Item>) -> Option<Item> {
    if let (Some(wanted), Some(_)) = (wanted, &item) {
        *wanted = wanted.saturating_sub(1);
    }
    item
}

impl Source {
    fn is_waiting(&self) -> bool {
        self.buffer.is_empty() && !matches!(self.position, Position::End)
    }
}

/// By the sort key that is read, then by the table's key, which is unique.
fn key_order(
    table: &'static TableSchema,
    index: Option<&'static IndexSchema>,
    a: &Item,
    b: &Item,
) -> Ordering {
    let (_, read) = table.key_of(index);
    read.iter()
        .chain([&table.pk])
        .chain(&table.sk)
        .map(|attribute| {
            let value = |item: &Item| item.get(attribute.name).and_then(KeyValue::from_attribute);
            match (value(a), value(b)) {
                (Some(a), Some(b)) => a.order(&b),
                (a, b) => a.is_some().cmp(&b.is_some()),
            }
        })
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}
