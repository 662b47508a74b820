use std::fmt;

use super::json::Json;

/// What an operation would send, without sending it.
///
/// `Display` gives one line a request: the operation and its JSON, names in a fixed order, ready
/// for snapshots.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    requests: Vec<Request>,
    max_read_units: f64,
    max_write_units: f64,
}

/// One request of an [`Explanation`].
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    operation: &'static str,
    body: Json,
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
        self.max_read_units
    }

    /// The write capacity units that these requests cost at most. DynamoDB counts the larger of the
    /// old and the new item, up to 400 KB, on the table and on each index that it enters or leaves.
    pub fn max_write_units(&self) -> f64 {
        self.max_write_units
    }

    /// Nothing is sent.
    pub(crate) const NOTHING: Self =
        Explanation { requests: Vec::new(), max_read_units: 0.0, max_write_units: 0.0 };

    pub(crate) fn reads(requests: Vec<Request>, max_read_units: f64) -> Self {
        Explanation { requests, max_read_units, max_write_units: 0.0 }
    }

    pub(crate) fn writes(request: Request, max_write_units: f64) -> Self {
        Explanation::batch_of_writes(vec![request], max_write_units)
    }

    pub(crate) fn batch_of_writes(requests: Vec<Request>, max_write_units: f64) -> Self {
        Explanation { requests, max_read_units: 0.0, max_write_units }
    }
}

impl Explanation {
    /// These requests, and then others.
    pub(crate) fn and(mut self, other: Explanation) -> Explanation {
        self.requests.extend(other.requests);
        self.max_read_units += other.max_read_units;
        self.max_write_units += other.max_write_units;
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

    pub(crate) fn new(operation: &'static str, members: Vec<(&'static str, Option<Json>)>) -> Self {
        Request { operation, body: Json::object(members) }
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
