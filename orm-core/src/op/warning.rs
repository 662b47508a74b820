use std::fmt;

use super::Request;

/// What of an [`Explanation`](super::Explanation) may cost more than one expects. `Display` says what
/// to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Warning {
    /// A filter: what it leaves out is read and billed.
    Filter,
    /// A Scan: it reads the whole table.
    Scan,
    /// A Query without `Limit`: it reads a whole page, and `all` the whole range.
    Unlimited,
    /// A read of so many partitions, each a request that costs at least half a unit.
    Partitions(usize),
    /// A transaction: each item costs twice.
    Transaction,
}

/// Fewer partitions are not worth a word.
const MANY: usize = 8;

impl Warning {
    pub(super) fn of(requests: &[Request]) -> Vec<Warning> {
        let any = |is: &dyn Fn(&Request) -> bool| requests.iter().any(is);
        let queries = requests.iter().filter(|request| request.operation() == "Query");
        let queries: Vec<_> = queries.collect();
        let unlimited = queries.iter().any(|query| !query.has("Limit"));
        let mut warnings = Vec::new();
        warnings.extend(any(&|it| it.operation() == "Scan").then_some(Warning::Scan));
        warnings.extend(any(&Request::is_filtered).then_some(Warning::Filter));
        warnings.extend(unlimited.then_some(Warning::Unlimited));
        warnings.extend((queries.len() >= MANY).then_some(Warning::Partitions(queries.len())));
        let transacts = any(&|it| it.operation().starts_with("Transact"));
        warnings.extend(transacts.then_some(Warning::Transaction));
        warnings
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Filter => f.write_str(
                "items that the filter leaves out are read and billed all the same: narrow the key if they are many",
            ),
            Warning::Scan => f.write_str(
                "a scan reads and bills the whole table: give it `capacity_per_second`, or query an index",
            ),
            Warning::Unlimited => f.write_str(
                "without a limit in the request each page has up to 1 MB: `limit(n)` or `page_size(n)` bounds it",
            ),
            Warning::Partitions(count) => write!(
                f,
                "{count} partitions are {count} requests, each at least half a read unit: `.shard(i)` reads one"
            ),
            Warning::Transaction => f.write_str(
                "in a transaction each item costs twice: single operations with conditions cost once",
            ),
        }
    }
}
