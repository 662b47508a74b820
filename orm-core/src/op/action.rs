//! One write of one item, as a request of its own or as a part of a transaction.

use crate::entity::{Item, KeyParts};
use crate::expr::Aliases;

/// One write, ready to be sent.
#[derive(Debug, Clone)]
pub(crate) struct Action {
    pub(crate) table: String,
    pub(crate) entity: &'static str,
    pub(crate) key: KeyParts,
    /// The key's attributes.
    pub(crate) key_item: Item,
    pub(crate) write: Write,
    pub(crate) condition: Option<String>,
    pub(crate) aliases: Aliases,
    pub(crate) expected: Expected,
}

/// What is done to the item.
#[derive(Debug, Clone)]
pub(crate) enum Write {
    Put(Item),
    /// The text of the update; without one, the condition alone is checked.
    Update(Option<String>),
    Delete,
    /// Nothing: in a transaction, its condition must hold.
    Check,
}

/// What the condition expects, to tell why it failed.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    pub(crate) state: State,
    /// The version attribute and the version that the item must have.
    pub(crate) version: Option<(&'static str, u64)>,
    /// The TTL attribute and the second at which it is compared.
    pub(crate) ttl: Option<(&'static str, i64)>,
}

/// Whether the item must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Any,
    Absent,
    Present,
    /// The guard of a unique field must not be there.
    Free(&'static str),
}

/// Why a condition failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failed {
    Exists,
    Missing,
    /// Another write came between.
    Version { stored: u64, expected: u64 },
    /// Another item has the value of this unique field.
    Taken(&'static str),
    Condition,
}

/// The writes of one operation: that of the item, and those of the guards of its unique fields.
pub(crate) struct Plan<'a> {
    pub(crate) actions: Vec<Action>,
    /// Whether sending it twice is the same as sending it once.
    pub(crate) is_idempotent: bool,
    /// What happens to the caller's item once it is written.
    pub(crate) wrote: Option<Box<dyn FnOnce() + Send + 'a>>,
}

impl Expected {
    pub(crate) const NOTHING: Expected =
        Expected { state: State::Any, version: None, ttl: None };

    /// Why the condition failed on this stored item.
    pub(crate) fn failed(&self, stored: Option<&Item>) -> Failed {
        if let State::Free(field) = self.state {
            return Failed::Taken(field);
        }
        let number = |name: &str| stored?.get(name)?.as_n().ok();
        let is_expired = self.ttl.is_some_and(|(name, now)| {
            number(name).and_then(|at| at.parse::<f64>().ok()).is_some_and(|at| at <= now as f64)
        });
        let is_there = stored.is_some() && !is_expired;
        match (self.state, self.version) {
            (State::Absent, _) if is_there => Failed::Exists,
            (State::Present, _) if !is_there => Failed::Missing,
            (_, Some((name, expected))) if is_there => {
                let stored = number(name).and_then(|digits| digits.parse().ok()).unwrap_or(0);
                if stored == expected { Failed::Condition } else { Failed::Version { stored, expected } }
            }
            _ => Failed::Condition,
        }
    }
}
