//! What a request costs at most, from what it says.

use std::collections::HashSet;

use super::action::{Action, State, Write};
use super::json::Json;
use crate::capacity::{
    IndexWrite, MAX_ITEM, MAX_PAGE, TRANSACTION, index_write_units, item_size, items_read_units,
    page_read_units, read_units, write_units,
};
use crate::consumed::Units;
use crate::entity::Item;
use crate::schema::{IndexSchema, TableSchema};

/// How DynamoDB counts a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cost {
    /// Items that are read and rounded one by one.
    Gets { items: usize, consistent: bool },
    /// The same in a transaction.
    TransactGets { items: usize },
    /// A page of a Query or Scan, rounded once, of at most `limit` items.
    Page {
        limit: Option<usize>,
        consistent: bool,
        /// Whether a local index fetches each item from the table.
        fetches: bool,
    },
    /// Writes one by one.
    Writes(Vec<WriteCost>),
    /// The same in a transaction.
    TransactWrites(Vec<WriteCost>),
}

/// What one write costs at most.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WriteCost {
    /// Bytes of the item, where no other image of it matters.
    bytes: Option<usize>,
    /// On each index that it may write.
    indexes: Vec<IndexWrite>,
}

impl Cost {
    /// Of a read, which the request says alone; writes depend on the table's indexes.
    pub(crate) fn of_read(operation: &str, body: &Json) -> Option<Cost> {
        let consistent = |json: &Json| json.get("ConsistentRead") == Some(&Json::Bool(true));
        match operation {
            "GetItem" => Some(Cost::Gets { items: 1, consistent: consistent(body) }),
            "BatchGetItem" => {
                let Some(Json::Map(tables)) = body.get("RequestItems") else { return None };
                let tables: Vec<&Json> = tables.values().collect();
                let keys = |table: &&Json| table.get("Keys").map_or(0, Json::len);
                Some(Cost::Gets {
                    items: tables.iter().map(keys).sum(),
                    consistent: tables.iter().any(|table| consistent(table)),
                })
            }
            "TransactGetItems" => {
                Some(Cost::TransactGets { items: body.get("TransactItems").map_or(0, Json::len) })
            }
            "Query" | "Scan" => {
                let limit = match body.get("Limit") {
                    Some(Json::Number(digits)) => digits.parse().ok(),
                    _ => None,
                };
                let fetches = body.get("Select") == Some(&Json::text("ALL_ATTRIBUTES"));
                Some(Cost::Page { limit, consistent: consistent(body), fetches })
            }
            _ => None,
        }
    }

    /// By the limits of an item and a page. What a local index fetches comes on top.
    pub(crate) fn max_units(&self) -> Units {
        match self {
            // The page ends with the item that goes beyond 1 MB.
            Cost::Page { limit, consistent, .. } => {
                let items = limit.unwrap_or(usize::MAX).saturating_mul(MAX_ITEM);
                Units::reads(read_units(items.min(MAX_PAGE + MAX_ITEM), *consistent))
            }
            _ => self.units_of(MAX_ITEM),
        }
    }

    /// Where each item has so many bytes, and a page is as full as it can be.
    pub(crate) fn units_of(&self, item_bytes: usize) -> Units {
        match self {
            Cost::Page { limit, .. } => {
                let full = MAX_PAGE.div_ceil(item_bytes.max(1));
                self.pages(limit.map_or(full, |limit| limit.min(full)), item_bytes)
            }
            _ => self.units_of_all(1, item_bytes),
        }
    }

    /// As `units_of`, with every page that it takes for a Query or Scan to read so many items.
    pub(crate) fn units_of_all(&self, items: usize, item_bytes: usize) -> Units {
        match self {
            Cost::Gets { items, consistent } => {
                Units::reads(items_read_units(*items, item_bytes, *consistent))
            }
            Cost::TransactGets { items } => {
                Units::reads(TRANSACTION * items_read_units(*items, item_bytes, true))
            }
            Cost::Page { .. } => self.pages(items, item_bytes),
            Cost::Writes(writes) => Units::writes(writes_units(writes, item_bytes)),
            Cost::TransactWrites(writes) => {
                Units::writes(TRANSACTION * writes_units(writes, item_bytes))
            }
        }
    }

    fn pages(&self, items: usize, item_bytes: usize) -> Units {
        let Cost::Page { limit, consistent, fetches } = self else { return Units::default() };
        let fits = MAX_PAGE.div_ceil(item_bytes.max(1));
        let page = limit.map_or(fits, |limit| limit.min(fits)).max(1);
        #[allow(clippy::cast_precision_loss)]
        let full = (items / page) as f64 * page_read_units(page, item_bytes, *consistent);
        // Of no items at all, the least that a request costs.
        let rest = match items % page {
            0 if items > 0 => 0.0,
            rest => page_read_units(rest, item_bytes, *consistent),
        };
        let fetched = if *fetches { items } else { 0 };
        Units::reads(full + rest + items_read_units(fetched, item_bytes, *consistent))
    }
}

fn writes_units(writes: &[WriteCost], item_bytes: usize) -> f64 {
    let one = |write: &WriteCost| {
        let bytes = write.bytes.unwrap_or(item_bytes);
        let indexes = write.indexes.iter().map(|index| index_write_units(*index, bytes));
        write_units(bytes) + indexes.sum::<f64>()
    };
    writes.iter().map(one).sum()
}

impl WriteCost {
    /// A put of the item, over nothing if it is `new`.
    pub(crate) fn put(table: &TableSchema, item: &Item, new: bool) -> Self {
        let write = |index: &IndexSchema| {
            let enters = keys(index).all(|name| item.contains_key(name));
            match (enters, new) {
                (true, true) => IndexWrite::Written,
                (false, true) => IndexWrite::Unchanged,
                // The replaced item's keys are not known, unless they are those of the table.
                (true, false) if !keys(index).all(|name| table.has_key(name)) => IndexWrite::Moved,
                _ => IndexWrite::Written,
            }
        };
        WriteCost { bytes: None, indexes: table.indexes.iter().map(write).collect() }
    }

    /// A delete of an item that may be in every index.
    pub(crate) fn delete(table: &TableSchema) -> Self {
        WriteCost {
            bytes: None,
            indexes: table.indexes.iter().map(|_| IndexWrite::Written).collect(),
        }
    }

    /// An update of these attributes, which may make the item.
    fn update(table: &TableSchema, attributes: &HashSet<String>) -> Self {
        let write = |index: &IndexSchema| {
            if keys(index).any(|name| attributes.contains(name)) {
                IndexWrite::Moved
            } else if attributes.iter().any(|name| index.projects(name))
                || keys(index).all(|name| table.has_key(name))
            {
                IndexWrite::Written
            } else {
                IndexWrite::Unchanged
            }
        };
        WriteCost { bytes: None, indexes: table.indexes.iter().map(write).collect() }
    }
}

impl Action {
    pub(crate) fn cost(&self) -> WriteCost {
        match &self.write {
            Write::Put(item) => {
                let item = &item.item();
                // An expired item counts as absent, and is there all the same.
                let new = matches!(self.expected.state, State::Absent | State::Free(_))
                    && self.expected.ttl.is_none();
                let bytes = matches!(self.expected.state, State::Free(_)).then(|| item_size(item));
                WriteCost { bytes, ..WriteCost::put(self.schema, item, new) }
            }
            Write::Update(Some(text)) => {
                let names = self.aliases.names().unwrap_or_default();
                WriteCost::update(self.schema, &attributes(text, &names))
            }
            Write::Delete => {
                let is_guard = matches!(self.expected.state, State::Free(_));
                let bytes = is_guard.then(|| item_size(&self.key_item()));
                WriteCost { bytes, ..WriteCost::delete(self.schema) }
            }
            // A condition alone touches no index.
            Write::Update(None) | Write::Check => WriteCost { bytes: None, indexes: Vec::new() },
        }
    }
}

/// The attributes that an update names: those it changes, and maybe more.
fn attributes(text: &str, names: &std::collections::HashMap<String, String>) -> HashSet<String> {
    text.split(|letter: char| !(letter.is_alphanumeric() || "#_:".contains(letter)))
        .map(|word| names.get(word).map_or(word, String::as_str).to_owned())
        .collect()
}

fn keys(index: &IndexSchema) -> impl Iterator<Item = &'static str> {
    index.pk.iter().chain(index.sk).map(|attribute| attribute.name)
}
