use std::fmt;

use super::{Context, Error, Kind};

/// A batch that ended before all of it was done.
pub(crate) struct Incomplete {
    pub(crate) context: Context,
    pub(crate) undone: Undone,
    /// Whether some of the writes may have happened although no answer says so.
    pub(crate) unknown: bool,
    /// The request that failed; without one, DynamoDB left things over until the budget was used up.
    pub(crate) cause: Option<Error>,
    /// The budget: requests in a row without progress.
    pub(crate) max_attempts: u32,
}

pub(crate) enum Undone {
    Reads {
        count: usize,
        of: usize,
        first: String,
    },
    /// Positions in the caller's order.
    Writes {
        positions: Vec<usize>,
        of: usize,
        first: String,
    },
    /// Deletes of items that were not known beforehand.
    Deletes {
        done: u64,
    },
}

impl Error {
    pub(crate) fn incomplete(incomplete: Incomplete) -> Self {
        Error::new(Kind::Incomplete(incomplete))
    }
}

impl Incomplete {
    pub(super) fn is_throttled(&self) -> bool {
        self.cause.as_ref().is_none_or(Error::is_throttled)
    }

    pub(super) fn unwritten(&self) -> &[usize] {
        match &self.undone {
            Undone::Writes { positions, .. } => positions,
            Undone::Reads { .. } | Undone::Deletes { .. } => &[],
        }
    }

    fn reason(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(cause) = &self.cause else {
            write!(f, "{} on {}: left over", self.context.operation, self.context.table)?;
            return self.budget(f);
        };
        match cause.failed_request() {
            Some(request) => request.describe(f)?,
            None => write!(f, "{cause}")?,
        }
        if cause.is_throttled() { self.budget(f) } else { Ok(()) }
    }

    fn budget(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.max_attempts {
            0 | 1 => Ok(()),
            n => write!(f, "; {n} requests in a row made no progress"),
        }
    }
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entity = self.context.entity;
        match &self.undone {
            Undone::Reads { count, of, first } => {
                write!(f, "{count} of {of} keys of `{entity}` are unread, first `{first}`")
            }
            Undone::Writes { positions, of, first } => {
                let what = if self.unknown { "not confirmed" } else { "not written" };
                write!(f, "{} of {of} writes are {what}, first {first}", positions.len())
            }
            Undone::Deletes { done } => {
                write!(f, "{done} items of `{entity}` are deleted and more may be left")
            }
        }?;
        f.write_str(": ")?;
        self.reason(f)?;
        if self.unknown {
            f.write_str("; what is not confirmed may or may not have happened")?;
        }
        Ok(())
    }
}
