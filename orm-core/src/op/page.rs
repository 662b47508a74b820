use std::pin::Pin;

use futures_core::Stream;

use crate::error::Error;

/// The items of one `send`.
///
/// Iterates by value and derefs to a slice.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page<E> {
    /// In key order.
    pub items: Vec<E>,
    pub(crate) has_more: bool,
}

/// A lazy read: each request is sent when its items are asked for.
pub type ItemStream<E> = Pin<Box<dyn Stream<Item = Result<E, Error>> + Send>>;

impl<E> Page<E> {
    /// Whether more items may follow. They may turn out to be none: DynamoDB does not know when a
    /// page was exactly the last one. `all` and `stream` read on.
    pub fn has_more(&self) -> bool {
        self.has_more
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
