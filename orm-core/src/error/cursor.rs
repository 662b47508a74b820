use super::{Error, Kind};

impl Error {
    /// `problem` goes on after "the cursor".
    pub(crate) fn cursor(problem: impl std::fmt::Display) -> Self {
        Error::new(Kind::Cursor(format!("the cursor {problem}")))
    }

    /// A cursor, or the item of `after`, that does not fit the query: damaged, of another query, outside
    /// of its present range, or of another number of shards. Nothing was sent.
    pub fn is_invalid_cursor(&self) -> bool {
        matches!(&*self.0, Kind::Cursor(_))
    }
}
