use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

use aws_sdk_dynamodb::types::{Capacity, ConsumedCapacity};

/// Capacity units: those of reading and those of writing.
///
/// A provisioned table takes them from its read and write capacity; an on-demand table is billed by
/// them as request units, which are counted alike;
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html>.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Units {
    /// Read capacity units.
    pub read: f64,
    /// Write capacity units.
    pub write: f64,
}

impl Units {
    /// Both together, as DynamoDB's `CapacityUnits` has them.
    pub fn total(self) -> f64 {
        self.read + self.write
    }

    pub(crate) const fn reads(read: f64) -> Self {
        Units { read, write: 0.0 }
    }

    pub(crate) const fn writes(write: f64) -> Self {
        Units { read: 0.0, write }
    }
}

impl AddAssign for Units {
    fn add_assign(&mut self, other: Units) {
        self.read += other.read;
        self.write += other.write;
    }
}

impl std::iter::Sum for Units {
    fn sum<I: Iterator<Item = Units>>(all: I) -> Units {
        all.fold(Units::default(), |mut sum, units| {
            sum += units;
            sum
        })
    }
}

/// `0.5 read units`, `3 write units`, `4 read and 2 write units`.
impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Units { read, write } = self;
        match (*read > 0.0, *write > 0.0) {
            (true, true) => write!(f, "{read} read and {write} write units"),
            (false, true) => write!(f, "{write} write units"),
            _ => write!(f, "{read} read units"),
        }
    }
}

/// What requests cost, as their answers told: DynamoDB's `ConsumedCapacity`, added up.
///
/// From `with_capacity()` of an operation, from a [`Meter`](crate::Meter), and from
/// [`Error::consumed`](crate::Error::consumed) of an operation that failed after it had cost
/// something. What a request cost that failed, of a condition for example, no answer says; it is
/// counted in [`unmeasured`](Self::unmeasured).
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConsumedCapacity.html>
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Consumed {
    requests: u64,
    unmeasured: u64,
    tables: BTreeMap<String, ConsumedByTable>,
}

/// The share of one table in a [`Consumed`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConsumedByTable {
    total: Units,
    table: Units,
    local: BTreeMap<String, Units>,
    global: BTreeMap<String, Units>,
}

impl Consumed {
    /// What all tables and indexes cost.
    pub fn units(&self) -> Units {
        self.tables.values().map(|table| table.total).sum()
    }

    /// The requests, failed ones included. One that the SDK sent several times is one.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// Requests, and attempts of them, at least, whose cost no answer told: their answer was an
    /// error, or was lost. A failed condition or a canceled transaction costs what the write would
    /// have cost on the table; throttling costs nothing.
    pub fn unmeasured(&self) -> u64 {
        self.unmeasured
    }

    /// By table, in the order of their names.
    pub fn tables(&self) -> impl Iterator<Item = (&str, &ConsumedByTable)> {
        self.tables.iter().map(|(name, table)| (name.as_str(), table))
    }

    /// The share of a table, by its name in DynamoDB.
    pub fn table(&self, name: &str) -> Option<&ConsumedByTable> {
        self.tables.get(name)
    }

    /// The share of an index, local or global, of all tables that have one of the name.
    pub fn index(&self, name: &str) -> Units {
        let tables = self.tables.values();
        tables
            .flat_map(ConsumedByTable::indexes)
            .filter(|(is, _)| *is == name)
            .map(|(_, u)| u)
            .sum()
    }

    /// The answer to one request; `unmeasured` attempts of it told nothing.
    pub(crate) fn add_answer(&mut self, is_read: bool, told: &[ConsumedCapacity], unmeasured: u64) {
        self.requests += 1;
        self.unmeasured += unmeasured;
        for capacity in told {
            let name = capacity.table_name().unwrap_or_default().to_owned();
            self.tables.entry(name).or_default().add_answer(is_read, capacity);
        }
    }

    pub(crate) fn add(&mut self, other: &Consumed) {
        self.requests += other.requests;
        self.unmeasured += other.unmeasured;
        for (name, table) in &other.tables {
            self.tables.entry(name.clone()).or_default().add(table);
        }
    }
}

/// `2.5 read units in 3 requests`, and how many of them did not tell.
impl fmt::Display for Consumed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.requests == 1 { "" } else { "s" };
        write!(f, "{} in {} request{s}", self.units(), self.requests)?;
        match self.unmeasured {
            0 => Ok(()),
            unmeasured => write!(f, ", and an unknown amount in {unmeasured} without an answer"),
        }
    }
}

impl ConsumedByTable {
    /// The table and its indexes.
    pub fn units(&self) -> Units {
        self.total
    }

    /// The table without its indexes.
    pub fn table(&self) -> Units {
        self.table
    }

    /// By index, local ones first.
    pub fn indexes(&self) -> impl Iterator<Item = (&str, Units)> {
        self.local.iter().chain(&self.global).map(|(name, units)| (name.as_str(), *units))
    }

    /// By local index.
    pub fn local_indexes(&self) -> impl Iterator<Item = (&str, Units)> {
        self.local.iter().map(|(name, units)| (name.as_str(), *units))
    }

    /// By global index.
    pub fn global_indexes(&self) -> impl Iterator<Item = (&str, Units)> {
        self.global.iter().map(|(name, units)| (name.as_str(), *units))
    }

    fn add_answer(&mut self, is_read: bool, told: &ConsumedCapacity) {
        let total = units(
            is_read,
            told.capacity_units(),
            told.read_capacity_units(),
            told.write_capacity_units(),
        );
        let part = |capacity: &Capacity| {
            units(
                is_read,
                capacity.capacity_units(),
                capacity.read_capacity_units(),
                capacity.write_capacity_units(),
            )
        };
        self.total += total;
        let mut of_indexes = Units::default();
        let local = told.local_secondary_indexes().into_iter().flatten();
        for (name, capacity) in local {
            of_indexes += part(capacity);
            *self.local.entry(name.clone()).or_default() += part(capacity);
        }
        let global = told.global_secondary_indexes().into_iter().flatten();
        for (name, capacity) in global {
            of_indexes += part(capacity);
            *self.global.entry(name.clone()).or_default() += part(capacity);
        }
        // An engine that has no breakdown leaves the table's part out.
        self.table += told.table().map_or(
            Units {
                read: (total.read - of_indexes.read).max(0.0),
                write: (total.write - of_indexes.write).max(0.0),
            },
            part,
        );
    }

    fn add(&mut self, other: &ConsumedByTable) {
        self.total += other.total;
        self.table += other.table;
        for (name, units) in &other.local {
            *self.local.entry(name.clone()).or_default() += *units;
        }
        for (name, units) in &other.global {
            *self.global.entry(name.clone()).or_default() += *units;
        }
    }
}

/// Transactions tell reads and writes apart: one that is answered a second time, by its client token,
/// costs reads. The others tell the sum, and what they do says what it is.
fn units(is_read: bool, sum: Option<f64>, read: Option<f64>, write: Option<f64>) -> Units {
    match (read, write) {
        (None, None) if is_read => Units::reads(sum.unwrap_or(0.0)),
        (None, None) => Units::writes(sum.unwrap_or(0.0)),
        (read, write) => Units { read: read.unwrap_or(0.0), write: write.unwrap_or(0.0) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capacity(units: f64) -> Capacity {
        Capacity::builder().capacity_units(units).build()
    }

    #[test]
    fn parts_are_added_by_table_and_index() {
        let told = ConsumedCapacity::builder()
            .table_name("shop")
            .capacity_units(6.0)
            .table(capacity(3.0))
            .local_secondary_indexes("lsi1", capacity(1.0))
            .global_secondary_indexes("gsi1", capacity(2.0))
            .build();
        let plain = ConsumedCapacity::builder()
            .table_name("shop")
            .capacity_units(1.5)
            .global_secondary_indexes("gsi1", capacity(1.0))
            .build();
        let other = ConsumedCapacity::builder()
            .table_name("other")
            .capacity_units(4.0)
            .read_capacity_units(4.0)
            .build();
        let mut consumed = Consumed::default();
        consumed.add_answer(false, &[told, other], 0);
        consumed.add_answer(true, std::slice::from_ref(&plain), 0);
        consumed.add_answer(true, &[], 1);
        assert_eq!(consumed.units(), Units { read: 5.5, write: 6.0 });
        assert_eq!(consumed.units().total(), 11.5);
        assert_eq!((consumed.requests(), consumed.unmeasured()), (3, 1));
        assert_eq!(consumed.index("gsi1"), Units { read: 1.0, write: 2.0 });
        assert_eq!(consumed.index("gsi2"), Units::default());
        let shop = consumed.table("shop").unwrap();
        assert_eq!(shop.units(), Units { read: 1.5, write: 6.0 });
        // What the answer does not break down is the table's.
        assert_eq!(shop.table(), Units { read: 0.5, write: 3.0 });
        assert_eq!(shop.local_indexes().collect::<Vec<_>>(), [("lsi1", Units::writes(1.0))]);
        assert_eq!(shop.indexes().count(), 2);
        let twice = {
            let mut twice = consumed.clone();
            twice.add(&consumed);
            twice
        };
        assert_eq!(twice.units().total(), 23.0);
        assert_eq!(twice.table("other").map(ConsumedByTable::units), Some(Units::reads(8.0)));
        assert_eq!(
            consumed.to_string(),
            "5.5 read and 6 write units in 3 requests, and an unknown amount in 1 without an answer"
        );
    }
}
