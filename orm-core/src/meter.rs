use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::consumed::{Consumed, Units};

/// Adds up what the requests of a handle cost: by entity, pattern, operation and index.
///
/// [`Table::with_meter`](crate::Table::with_meter) gives a handle that reports to it; clones of the
/// meter are the same meter, and any number of handles may share one. Every request of such a handle
/// asks for `ReturnConsumedCapacity: INDEXES`, which costs nothing at DynamoDB; without a meter no
/// request does. What [`into_sdk`](crate::op::Get::into_sdk) gives is sent by the caller, and not
/// seen.
///
/// # Examples
///
/// ```
/// # use monotable::{Entity, Table};
/// # use serde::{Deserialize, Serialize};
/// use monotable::Meter;
/// # #[derive(Table)]
/// # #[table(pk = "PK", sk = "SK", entities(Visit))]
/// # struct App;
/// # #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
/// # #[entity(table = App, pk = "USER#<user>", sk = "VISIT#<day:3>")]
/// # struct Visit { user: u32, day: u16 }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let app = engine.table::<App>("app").await?;
/// let meter = Meter::new();
/// let app = app.with_meter(&meter);
/// app.put(&Visit { user: 7, day: 1 }).send().await?;
/// app.query(Visit::by_user(7)).all().await?;
/// app.query(Visit::by_user(8)).all().await?;
///
/// let report = meter.report();
/// let query = report.rows().iter().find(|row| row.operation() == "Query").ok_or("no query")?;
/// assert_eq!((query.entity(), query.pattern()), ("Visit", Some("by_user")));
/// assert_eq!((query.requests(), query.items(), query.units().read), (2, 1, 1.0));
/// println!("{report}");
/// # }
/// # Ok(()) }
/// ```
#[derive(Clone, Default)]
pub struct Meter(Arc<Mutex<BTreeMap<Key, Sums>>>);

/// What is added up together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    entity: Cow<'static, str>,
    pattern: Option<&'static str>,
    operation: &'static str,
    index: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct Sums {
    items: u64,
    scanned: u64,
    consumed: Consumed,
}

/// What a request is for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Label {
    pub(crate) entity: Cow<'static, str>,
    pub(crate) pattern: Option<&'static str>,
    pub(crate) index: Option<&'static str>,
    /// The items of a write, which its answer does not count.
    pub(crate) writes: usize,
}

impl Label {
    pub(crate) fn of(entity: &'static str) -> Self {
        Label { entity: Cow::Borrowed(entity), ..Label::default() }
    }

    /// Of several entities, each named once.
    pub(crate) fn of_all(entities: impl IntoIterator<Item = &'static str>) -> Self {
        let mut names: Vec<_> = entities.into_iter().collect();
        names.sort_unstable();
        names.dedup();
        let entity = match &names[..] {
            [one] => Cow::Borrowed(*one),
            _ => Cow::Owned(names.join(" + ")),
        };
        Label { entity, ..Label::default() }
    }

    pub(crate) fn writing(self, writes: usize) -> Self {
        Label { writes, ..self }
    }
}

/// What an answer says of its request.
pub(crate) struct Seen {
    pub(crate) operation: &'static str,
    pub(crate) items: usize,
    pub(crate) scanned: usize,
    /// The one request.
    pub(crate) consumed: Consumed,
}

impl Meter {
    /// A meter that has seen nothing.
    pub fn new() -> Self {
        Meter::default()
    }

    /// What was seen so far.
    pub fn report(&self) -> Report {
        Report::new(&self.sums())
    }

    /// What was seen so far, all together.
    pub fn consumed(&self) -> Consumed {
        let mut all = Consumed::default();
        self.sums().values().for_each(|sums| all.add(&sums.consumed));
        all
    }

    /// Begins anew, and returns what was seen before: nothing is lost or counted twice between two
    /// calls.
    pub fn reset(&self) -> Report {
        let sums = std::mem::take(&mut *self.sums());
        Report::new(&sums)
    }

    pub(crate) fn add(&self, label: &Label, seen: &Seen) {
        let Label { entity, pattern, index, .. } = label.clone();
        let key = Key { entity, pattern, operation: seen.operation, index };
        let mut all = self.sums();
        let sums = all.entry(key).or_default();
        sums.items += seen.items as u64;
        sums.scanned += seen.scanned as u64;
        sums.consumed.add(&seen.consumed);
    }

    /// No code that holds the lock panics or waits.
    fn sums(&self) -> MutexGuard<'_, BTreeMap<Key, Sums>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Meter").field(&self.consumed()).finish()
    }
}

/// What a [`Meter`] has seen. `Display` gives it as a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    rows: Vec<Row>,
}

/// The requests of one operation for one entity, pattern and index.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    key: Key,
    sums: Sums,
}

impl Report {
    fn new(sums: &BTreeMap<Key, Sums>) -> Self {
        let row = |(key, sums): (&Key, &Sums)| Row { key: key.clone(), sums: sums.clone() };
        Report { rows: sums.iter().map(row).collect() }
    }

    /// In the order of entity, pattern, operation and index.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// All rows together.
    pub fn consumed(&self) -> Consumed {
        let mut all = Consumed::default();
        self.rows.iter().for_each(|row| all.add(&row.sums.consumed));
        all
    }
}

impl IntoIterator for Report {
    type Item = Row;
    type IntoIter = std::vec::IntoIter<Row>;
    fn into_iter(self) -> Self::IntoIter {
        self.rows.into_iter()
    }
}

impl<'a> IntoIterator for &'a Report {
    type Item = &'a Row;
    type IntoIter = std::slice::Iter<'a, Row>;
    fn into_iter(self) -> Self::IntoIter {
        self.rows.iter()
    }
}

impl Row {
    /// The entity or collection; several of one request are joined with ` + `; empty for a scan, which
    /// reads all.
    pub fn entity(&self) -> &str {
        &self.key.entity
    }

    /// The function that made the pattern of a query, such as `by_customer_id`.
    pub fn pattern(&self) -> Option<&'static str> {
        self.key.pattern
    }

    /// DynamoDB's operation: `GetItem`, `Query`, …
    pub fn operation(&self) -> &'static str {
        self.key.operation
    }

    /// The index that is read; what writes cost on indexes is in [`consumed`](Self::consumed).
    pub fn index(&self) -> Option<&'static str> {
        self.key.index
    }

    /// The requests, failed ones included.
    pub fn requests(&self) -> u64 {
        self.sums.consumed.requests()
    }

    /// Items that were returned or written.
    pub fn items(&self) -> u64 {
        self.sums.items
    }

    /// Items that were read to return these: more where a filter leaves some out.
    pub fn scanned(&self) -> u64 {
        self.sums.scanned
    }

    /// What they cost.
    pub fn units(&self) -> Units {
        self.sums.consumed.units()
    }

    /// What they cost, by table and index.
    pub fn consumed(&self) -> &Consumed {
        &self.sums.consumed
    }
}

const HEADINGS: [&str; 9] = [
    "entity",
    "pattern",
    "operation",
    "index",
    "requests",
    "items",
    "scanned",
    "read units",
    "write units",
];

/// A line a row, and below a row of writes one an index that they wrote.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = vec![HEADINGS.map(str::to_owned)];
        for row in &self.rows {
            let units = row.units();
            lines.push([
                row.entity().to_owned(),
                row.pattern().unwrap_or_default().to_owned(),
                row.operation().to_owned(),
                row.index().unwrap_or_default().to_owned(),
                row.requests().to_string(),
                row.items().to_string(),
                row.scanned().to_string(),
                units.read.to_string(),
                units.write.to_string(),
            ]);
            let mut written = BTreeMap::<&str, Units>::new();
            let indexes = row.consumed().tables().flat_map(|(_, table)| table.indexes());
            for (name, units) in indexes.filter(|(_, units)| units.write > 0.0) {
                *written.entry(name).or_default() += units;
            }
            for (name, units) in written {
                let mut line = HEADINGS.map(|_| String::new());
                line[2] = "  of it on".to_owned();
                line[3] = name.to_owned();
                line[8] = units.write.to_string();
                lines.push(line);
            }
        }
        let width = |column: usize| {
            lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..HEADINGS.len()).map(width).collect();
        for (at, line) in lines.iter().enumerate() {
            let mut text = String::new();
            for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
                let space = if column == 0 { "" } else { "  " };
                // Numbers stand to the right.
                text += &match column {
                    0..4 => format!("{space}{cell:<width$}"),
                    _ => format!("{space}{cell:>width$}"),
                };
            }
            write!(f, "{}{}", if at == 0 { "" } else { "\n" }, text.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use aws_sdk_dynamodb::types::{Capacity, ConsumedCapacity};

    use super::*;

    fn seen(operation: &'static str, read: bool, units: f64, on_index: f64) -> Seen {
        let mut told = ConsumedCapacity::builder().table_name("shop").capacity_units(units);
        if on_index > 0.0 {
            let index = Capacity::builder().capacity_units(on_index).build();
            told = told.global_secondary_indexes("gsi1", index);
        }
        let mut consumed = Consumed::default();
        consumed.add_answer(read, &[told.build()], 0);
        Seen { operation, items: 2, scanned: if read { 5 } else { 0 }, consumed }
    }

    #[test]
    fn rows_are_summed_and_printed() {
        let meter = Meter::new();
        let query = Label { pattern: Some("by_sku"), index: Some("gsi1"), ..Label::of("Line") };
        meter.add(&query, &seen("Query", true, 2.5, 2.5));
        meter.clone().add(&query, &seen("Query", true, 0.5, 0.5));
        let both = Label::of_all(["Order", "Line", "Order"]);
        meter.add(&both, &seen("TransactWriteItems", false, 8.0, 2.0));
        assert_eq!(meter.consumed().units(), Units { read: 3.0, write: 8.0 });
        assert_eq!(
            meter.report().to_string(),
            "\
entity        pattern  operation           index  requests  items  scanned  read units  write units
Line          by_sku   Query               gsi1          2      4       10           3            0
Line + Order           TransactWriteItems                1      2        0           0            8
                         of it on          gsi1                                                   2"
        );
        let before = meter.reset();
        assert_eq!(before.rows().len(), 2);
        assert_eq!(before.consumed().requests(), 3);
        assert_eq!(meter.report().rows(), []);
        assert_eq!(meter.consumed(), Consumed::default());
    }

    #[test]
    fn threads_share_it() {
        let meter = Meter::new();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        meter.add(&Label::of("Line"), &seen("GetItem", true, 0.5, 0.0));
                    }
                });
            }
        });
        assert_eq!(meter.consumed().units(), Units::reads(200.0));
        assert_eq!(meter.report().rows()[0].requests(), 400);
    }
}
