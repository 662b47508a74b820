use std::fmt;

use super::{Error, Kind};

/// A table that is not there, or not as declared.
pub(crate) struct Table {
    table: String,
    schema: &'static str,
    /// Empty: the table is missing.
    differences: Vec<String>,
}

impl Error {
    /// `table` names the table, its region and its endpoint.
    pub(crate) fn table_missing(table: String, schema: &'static str) -> Self {
        Error::new(Kind::Table(Table { table, schema, differences: Vec::new() }))
    }

    pub(crate) fn schema_mismatch(
        table: String,
        schema: &'static str,
        differences: Vec<String>,
    ) -> Self {
        Error::new(Kind::Table(Table { table, schema, differences }))
    }
}

impl Table {
    pub(super) fn is_missing(&self) -> bool {
        self.differences.is_empty()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_missing() {
            return write!(
                f,
                "{} does not exist; create it, or check name, region and endpoint",
                self.table
            );
        }
        write!(f, "{} is not as `{}` declares it: ", self.table, self.schema)?;
        f.write_str(&self.differences.join("; "))
    }
}
