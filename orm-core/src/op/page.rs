use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use futures_util::TryStreamExt;

use crate::cursor::Cursor;
use crate::error::Error;
use crate::schema::Schema;
use crate::shard::Merge;

/// The items of one `send`, and the cursors of the pages around it.
///
/// Iterates by value and derefs to a slice.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page<E> {
    /// In the order of the query, also on a page that was reached backwards.
    pub items: Vec<E>,
    /// Where the next page begins; `None` is the end, and nothing else is. The page may turn out to
    /// be empty: DynamoDB does not know when a page was exactly the last one.
    pub next: Option<Cursor>,
    /// The page before; `None` on the first one, which was asked for without a cursor, and where the
    /// way back is known to have ended: it may lead to an empty page too. With a `limit`, it is the page that led here, item for item, unless
    /// items were written or deleted in between.
    pub previous: Option<Cursor>,
}

/// A lazy read: each request is sent when its items are asked for. An error ends it.
///
/// A [`Stream`] for those who use its traits; [`try_next`](Self::try_next) does without them.
#[must_use = "a stream sends nothing until its items are asked for"]
pub struct ItemStream<E>(Option<Items<E>>);

type Items<E> = Pin<Box<dyn Stream<Item = Result<E, Error>> + Send>>;

impl<E> ItemStream<E> {
    pub(crate) fn new(stream: impl Stream<Item = Result<E, Error>> + Send + 'static) -> Self {
        ItemStream(Some(Box::pin(stream)))
    }

    /// The next item; `None` at the end.
    ///
    /// # Errors
    ///
    /// What the read reports.
    pub async fn try_next(&mut self) -> Result<Option<E>, Error> {
        TryStreamExt::try_next(self).await
    }
}

impl<E> Stream for ItemStream<E> {
    type Item = Result<E, Error>;
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(stream) = &mut self.0 else { return Poll::Ready(None) };
        let next = stream.as_mut().poll_next(cx);
        // What several requests at once go on to yield would look complete.
        if let Poll::Ready(None | Some(Err(_))) = &next {
            self.0 = None;
        }
        next
    }
}

impl<E> fmt::Debug for ItemStream<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ItemStream(..)")
    }
}

/// A page size as DynamoDB's `Limit`.
pub(super) fn size(page_size: Option<u32>) -> Result<Option<i32>, Error> {
    match page_size {
        Some(0) => Err(Error::usage("a page size of 0 reads nothing; use at least 1")),
        size => Ok(size.map(|size| i32::try_from(size).unwrap_or(i32::MAX))),
    }
}

/// What the cursors of a read are made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// What they are bound to.
    pub(super) scope: u64,
    /// Whether it reads against its own direction.
    pub(super) is_backward: bool,
    /// Whether it begins elsewhere than at the first item.
    pub(super) is_continued: bool,
}

impl Place {
    /// A stream has no end to turn its items round from.
    pub(super) fn check_stream(self) -> Result<(), Error> {
        match self.is_backward {
            true => Err(Error::usage(
                "a stream goes on from a cursor, not back: give it a `next`, or turn the query with `descending`",
            )),
            false => Ok(()),
        }
    }
}

impl<E> Page<E> {
    /// Of a read that asks for nothing.
    pub(super) const NOTHING: Self = Page { items: Vec::new(), next: None, previous: None };

    /// The items in the order they were read, and where the merge stands.
    pub(super) fn of<T: Schema, V: Send + 'static>(
        mut items: Vec<E>,
        merge: &Merge<T, V>,
        place: Place,
    ) -> Self {
        let Place { scope, is_backward, is_continued } = place;
        let onward = merge.has_more().then(|| Cursor::new(scope, is_backward, merge.onward()));
        let opposite = is_continued.then(|| Cursor::new(scope, !is_backward, merge.opposite()));
        if is_backward {
            items.reverse();
            return Page { items, next: opposite, previous: onward };
        }
        Page { items, next: onward, previous: opposite }
    }
}

impl<E> From<Page<E>> for Vec<E> {
    fn from(page: Page<E>) -> Self {
        page.items
    }
}

impl<E> std::ops::Deref for Page<E> {
    type Target = [E];
    fn deref(&self) -> &[E] {
        &self.items
    }
}

impl<E> IntoIterator for Page<E> {
    type Item = E;
    type IntoIter = std::vec::IntoIter<E>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, E> IntoIterator for &'a Page<E> {
    type Item = &'a E;
    type IntoIter = std::slice::Iter<'a, E>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}
