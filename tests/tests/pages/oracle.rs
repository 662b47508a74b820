//! What a query asks, and which items of a list answer it.

use std::ops::Bound;

use tests::tape::Tape;

use super::post::Post;

/// How a sort key compares, on its own terms: numbers as numbers, text as bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Number(i64),
    Text(String),
    Numbers(i64, i64),
    /// Of the table: a number, and text that tells items apart.
    Both(i64, String),
}

/// The settings of a query, whatever it reads.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) descending: bool,
    pub(super) limit: usize,
    pub(super) page_size: u32,
    /// Only posts of less weight.
    pub(super) weight: Option<u8>,
    /// Of the items that are found, the one to begin after.
    pub(super) after: usize,
}

impl Settings {
    pub(super) fn of(tape: &mut Tape<'_>) -> Self {
        Settings {
            descending: tape.rarely(2),
            limit: tape.pick(&[1, 2, 3, 5, 8, 30]),
            page_size: tape.pick(&[1, 2, 3, 7, 100]),
            weight: tape.rarely(3).then(|| tape.pick(&[0, 1, 2])),
            after: tape.below(24),
        }
    }

    /// The answer: the items that belong to it by `is_read`, filtered and in order. Items of one sort
    /// key come in an order that is the engine's.
    pub(super) fn answer<'p>(
        &self,
        posts: &'p [Post],
        is_read: impl Fn(&Post) -> bool,
        sort: impl Fn(&Post) -> Sort,
    ) -> Vec<&'p Post> {
        let is_asked = |post: &Post| self.weight.is_none_or(|weight| post.weight < weight);
        let mut found: Vec<_> =
            posts.iter().filter(|post| is_read(post) && is_asked(post)).collect();
        found.sort_by_key(|post| sort(post));
        if self.descending {
            found.reverse();
        }
        found
    }
}

pub(super) type Range<T> = (Bound<T>, Bound<T>);

pub(super) fn range<T: Clone>(tape: &mut Tape<'_>, of: &[T]) -> Range<T> {
    let (low, high) = (tape.pick(of), tape.pick(of));
    (tape.bound(low), tape.bound(high))
}

pub(super) fn is_inside<T: PartialOrd>((low, high): &Range<T>, value: &T) -> bool {
    let above = match low {
        Bound::Included(low) => value >= low,
        Bound::Excluded(low) => value > low,
        Bound::Unbounded => true,
    };
    above
        && match high {
            Bound::Included(high) => value <= high,
            Bound::Excluded(high) => value < high,
            Bound::Unbounded => true,
        }
}
