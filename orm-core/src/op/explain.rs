use std::fmt;

use super::Warning;
use super::cost::Cost;
use super::json::Json;
use crate::consumed::Units;

/// What an operation would send, without sending it, and what that costs by DynamoDB's arithmetic:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html>.
///
/// `Display` gives one line a request: the operation and its JSON, names in a fixed order, ready
/// for snapshots. A [`Meter`](crate::Meter) adds `ReturnConsumedCapacity`, which is not shown.
///
/// # Examples
///
/// ```
/// # use monotable::{Entity, Table};
/// # use serde::{Deserialize, Serialize};
/// use monotable::op::Warning;
/// # #[derive(Table)]
/// # #[table(pk = "PK", sk = "SK", entities(Visit))]
/// # struct App;
/// # #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
/// # #[entity(table = App, pk = "USER#<user>", sk = "VISIT#<day:3>")]
/// # struct Visit { user: u32, day: u16, page: String }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let app = App::table(monotable::testing::local_client("http://127.0.0.1:1")?, "app");
/// let visits = app.query(Visit::by_user(7)).explain()?;
/// // 300 items of 2 KB are 600 KB, read in steps of 4 KB at half a unit each.
/// assert_eq!(visits.cost_of_all(300, 2048).read, 75.0);
/// // A page has at most 1 MB and the item that goes beyond.
/// assert_eq!(visits.max_read_units(), 178.0);
/// assert_eq!(visits.warnings(), [Warning::Unlimited]);
///
/// let delete = app.delete(Visit::key(7, 1)).explain()?;
/// assert_eq!(delete.cost_of(2500).write, 3.0);
/// # }
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    requests: Vec<Request>,
}

/// One request of an [`Explanation`].
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    operation: &'static str,
    body: Json,
    cost: Option<Cost>,
    is_filtered: bool,
}

impl Explanation {
    /// The requests; for a read of many pages, the first page of each partition; for a batch, the
    /// first request of each chunk, without those for what DynamoDB leaves over.
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// The read capacity units that these requests cost at most, by the limits of 400 KB an item
    /// and 1 MB a page. Items that a local index fetches from the table, because it does not project
    /// them, come on top.
    pub fn max_read_units(&self) -> f64 {
        self.requests.iter().map(|request| request.max_units().read).sum()
    }

    /// The write capacity units that these requests cost at most. DynamoDB counts the larger of the
    /// old and the new item, up to 400 KB, on the table and on each index that it enters or leaves:
    /// once where it enters, leaves or changes in place, twice where its key may change, and not at
    /// all where the write changes no attribute that the index has.
    pub fn max_write_units(&self) -> f64 {
        self.requests.iter().map(|request| request.max_units().write).sum()
    }

    /// What the requests cost at most where every item has so many bytes, attribute names included,
    /// before and after a write. A page of a query or scan has as many as its `Limit` or 1 MB allow;
    /// on an index, the bytes are those that the index holds.
    pub fn cost_of(&self, item_bytes: usize) -> Units {
        self.requests.iter().map(|request| request.cost_of(item_bytes)).sum()
    }

    /// As [`cost_of`](Self::cost_of), for a query or scan that reads so many items altogether, over as
    /// many pages as it takes and evenly spread over its partitions or segments. Items that a filter
    /// leaves out count too.
    pub fn cost_of_all(&self, items: usize, item_bytes: usize) -> Units {
        let parts = self.requests.len().max(1);
        let share = |at: usize| items / parts + usize::from(at < items % parts);
        let costs = self.requests.iter().enumerate().filter_map(|(at, request)| {
            Some(request.cost.as_ref()?.units_of_all(share(at), item_bytes))
        });
        costs.sum()
    }

    /// What may cost more than one expects, each once; mostly nothing.
    pub fn warnings(&self) -> Vec<Warning> {
        Warning::of(&self.requests)
    }

    /// Nothing is sent.
    pub(crate) const NOTHING: Self = Explanation { requests: Vec::new() };

    pub(crate) fn of(requests: Vec<Request>) -> Self {
        Explanation { requests }
    }

    /// These requests, and then others.
    pub(crate) fn and(mut self, other: Explanation) -> Explanation {
        self.requests.extend(other.requests);
        self
    }
}

impl Request {
    /// `GetItem`, `Query`, …
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// The JSON body as sent.
    pub fn body(&self) -> String {
        self.body.to_string()
    }

    /// What it costs at most, as [`Explanation::max_read_units`] and
    /// [`Explanation::max_write_units`].
    pub fn max_units(&self) -> Units {
        self.cost.as_ref().map_or_else(Units::default, Cost::max_units)
    }

    /// What it costs at most where every item has so many bytes, as [`Explanation::cost_of`].
    pub fn cost_of(&self, item_bytes: usize) -> Units {
        self.cost.as_ref().map_or_else(Units::default, |cost| cost.units_of(item_bytes))
    }

    /// Whether the caller's filter leaves items out.
    pub(super) fn is_filtered(&self) -> bool {
        self.is_filtered
    }

    /// Whether the filter is the caller's; else it leaves out what is expired, which is seldom much.
    pub(crate) fn filtered_by_caller(self, by_caller: bool) -> Self {
        Request { is_filtered: self.is_filtered && by_caller, ..self }
    }

    pub(super) fn has(&self, member: &str) -> bool {
        self.body.get(member).is_some()
    }

    pub(crate) fn new(operation: &'static str, members: Vec<(&'static str, Option<Json>)>) -> Self {
        let body = Json::object(members);
        let cost = Cost::of_read(operation, &body);
        let is_filtered = body.get("FilterExpression").is_some();
        Request { operation, body, cost, is_filtered }
    }

    /// A write, whose cost depends on the table's indexes too.
    pub(crate) fn costing(self, cost: Cost) -> Self {
        Request { cost: Some(cost), ..self }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operation, self.body)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, request) in self.requests.iter().enumerate() {
            write!(f, "{}{request}", if at == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}
