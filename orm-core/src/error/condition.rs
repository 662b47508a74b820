use std::fmt;

use crate::entity::Item;

/// Why a condition failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failed {
    Exists,
    Missing,
    /// Another write came between.
    Version {
        stored: u64,
        expected: u64,
    },
    /// Another write changed this attribute.
    Changed(String),
    /// Another item has the value of this unique field.
    Taken(&'static str),
    Condition,
}

/// A condition that failed, and the stored item.
#[derive(Debug, Clone)]
pub(crate) struct FailedCondition {
    pub(crate) why: Failed,
    pub(crate) item: Option<Item>,
}

impl FailedCondition {
    pub(super) fn is_item_missing(&self) -> bool {
        self.why == Failed::Missing
    }

    pub(super) fn is_conflict(&self) -> bool {
        matches!(self.why, Failed::Version { .. } | Failed::Changed(_))
    }

    pub(super) fn taken_field(&self) -> Option<&'static str> {
        match self.why {
            Failed::Taken(field) => Some(field),
            _ => None,
        }
    }
}

impl fmt::Display for FailedCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Failed::Exists => f.write_str("the item exists already"),
            Failed::Missing if self.item.is_some() => {
                f.write_str("there is no such item: what is stored has expired")
            }
            Failed::Missing => f.write_str("there is no such item"),
            Failed::Version { stored, expected } => {
                write!(f, "the stored version is {stored}, the item's is {expected}: read it again")
            }
            Failed::Changed(name) => {
                write!(
                    f,
                    "`{name}` is not as it was read: another write came between; read it again"
                )
            }
            Failed::Taken(field) => write!(f, "`{field}` is taken by another item"),
            Failed::Condition => f.write_str("the condition does not hold for the stored item"),
        }
    }
}
