use std::fmt;

use super::{Error, Kind};

/// An item collection that does not have the shape of its struct.
pub(crate) struct Collection {
    collection: &'static str,
    partition: String,
    problem: Problem,
}

enum Problem {
    Missing { member: &'static str, entity: &'static str },
    Several { member: &'static str, entity: &'static str, found: usize },
    Unknown { key: String },
    TooLarge { pages: usize },
}

impl Error {
    pub(crate) fn member_missing(
        collection: &'static str,
        partition: String,
        (member, entity): (&'static str, &'static str),
    ) -> Self {
        Self::collection(collection, partition, Problem::Missing { member, entity })
    }

    pub(crate) fn member_repeated(
        collection: &'static str,
        partition: String,
        (member, entity): (&'static str, &'static str),
        found: usize,
    ) -> Self {
        Self::collection(collection, partition, Problem::Several { member, entity, found })
    }

    pub(crate) fn member_unknown(collection: &'static str, partition: String, key: String) -> Self {
        Self::collection(collection, partition, Problem::Unknown { key })
    }

    pub(crate) fn collection_too_large(
        collection: &'static str,
        partition: String,
        pages: usize,
    ) -> Self {
        Self::collection(collection, partition, Problem::TooLarge { pages })
    }

    fn collection(collection: &'static str, partition: String, problem: Problem) -> Self {
        Error::new(Kind::Collection(Collection { collection, partition, problem }))
    }
}

impl Collection {
    pub(super) fn is_missing(&self) -> bool {
        matches!(self.problem, Problem::Missing { .. })
    }
}

impl fmt::Display for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Collection { collection, partition, problem } = self;
        write!(f, "collection `{collection}` of `{partition}`: ")?;
        match problem {
            Problem::Missing { member, entity } => write!(
                f,
                "there are items, but no `{entity}` for `{member}`; make it `Option<{entity}>` if it may be absent"
            ),
            Problem::Several { member, entity, found } => write!(
                f,
                "{found} items are `{entity}`, but `{member}` holds one; make it `Vec<{entity}>`"
            ),
            Problem::Unknown { key } => {
                write!(f, "the item `{key}` is none of its members, and unknown items are refused")
            }
            Problem::TooLarge { pages } => write!(
                f,
                "is not read whole by {pages} pages of at most 1 MB; raise `max_pages`, narrow a member by `limit_of` or `range_of`, or query its kinds one by one"
            ),
        }
    }
}
