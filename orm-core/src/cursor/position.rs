use std::cmp::Ordering;

use crate::entity::Item;
use crate::key::KeyValue;
use crate::key::range::{KeyRange, SortRange};
use crate::schema::{IndexSchema, KeyAttribute, TableSchema};

/// Where reading one range goes on, in the direction of the read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Position {
    /// At the beginning of the range.
    Start,
    /// Behind the item with these values of [`KeyOrder::position`].
    After(Vec<KeyValue>),
    /// Behind everything up to an item of another range, with these values of [`KeyOrder::order`].
    Behind(Vec<KeyValue>),
    /// Nothing is left.
    End,
}

/// The key attributes of a read: which partition it reads, and in what order items come.
#[derive(Debug, Clone)]
pub(crate) struct KeyOrder {
    pk: &'static [KeyAttribute],
    sk: &'static [KeyAttribute],
    /// The sort key that is read, then the table's key, which is unique.
    order: Vec<KeyAttribute>,
    /// What of it the partition does not tell.
    position: Vec<KeyAttribute>,
}

impl KeyOrder {
    pub(crate) fn of(table: &'static TableSchema, index: Option<&'static IndexSchema>) -> Self {
        let (pk, sk) = table.key_of(index);
        let mut order: Vec<KeyAttribute> = Vec::new();
        for attribute in sk.iter().chain([&table.pk]).chain(&table.sk) {
            if !order.contains(attribute) {
                order.push(*attribute);
            }
        }
        let position = order.iter().filter(|attribute| !pk.contains(attribute)).copied().collect();
        KeyOrder { pk, sk, order, position }
    }

    /// By what an item comes before another one of the read.
    pub(crate) fn compare(&self, a: &Item, b: &Item) -> Ordering {
        self.order
            .iter()
            .map(|attribute| match (value(a, attribute), value(b, attribute)) {
                (Some(a), Some(b)) => a.order(&b),
                (a, b) => a.is_some().cmp(&b.is_some()),
            })
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    /// The values that say where in its partition an item is; `None` if it lacks one.
    pub(crate) fn position_of(&self, item: &Item) -> Option<Vec<KeyValue>> {
        self.position.iter().map(|attribute| value(item, attribute)).collect()
    }

    /// The values that say where an item comes among those of all partitions.
    pub(crate) fn order_of(&self, item: &Item) -> Option<Vec<KeyValue>> {
        self.order.iter().map(|attribute| value(item, attribute)).collect()
    }

    /// An item of these values of `order`, as far as comparisons go.
    pub(crate) fn item_of(&self, order: &[KeyValue]) -> Item {
        let values = self.order.iter().zip(order);
        values.map(|(attribute, value)| (attribute.name.to_owned(), value.clone().into())).collect()
    }

    /// The partition key's values of an item.
    pub(crate) fn partition_of(&self, item: &Item) -> Option<Vec<KeyValue>> {
        self.pk.iter().map(|attribute| value(item, attribute)).collect()
    }

    /// DynamoDB's `ExclusiveStartKey`: the key attributes of index and table, and no others.
    pub(crate) fn start_key(&self, range: &KeyRange, position: &[KeyValue]) -> Item {
        let partition = self.pk.iter().zip(&range.partition);
        partition
            .chain(self.position.iter().zip(position))
            .map(|(attribute, value)| (attribute.name.to_owned(), value.clone().into()))
            .collect()
    }

    /// Whether these are values of `position`, of its types and within the limits of keys.
    pub(crate) fn is_position(&self, values: &[KeyValue]) -> bool {
        are_values_of(values, &self.position)
    }

    /// The same for `order`.
    pub(crate) fn is_order(&self, values: &[KeyValue]) -> bool {
        are_values_of(values, &self.order)
    }

    /// Where a position, or an order, lies against a range: both begin with the sort key.
    pub(crate) fn side(&self, range: &KeyRange, values: &[KeyValue]) -> Ordering {
        for (fixed, value) in range.equal.iter().zip(values) {
            match value.order(fixed) {
                Ordering::Equal => {}
                order => return order,
            }
        }
        match values.get(range.equal.len()) {
            Some(value) if range.equal.len() < self.sk.len() => range.sort.condition.side(value),
            _ => Ordering::Equal,
        }
    }

    /// The part of a range from an order on, in the direction of the read.
    pub(crate) fn narrowed(
        &self,
        range: &KeyRange,
        order: &[KeyValue],
        descending: bool,
    ) -> KeyRange {
        let mut range = range.clone();
        if let Some(value) =
            order.get(range.equal.len()).filter(|_| range.equal.len() < self.sk.len())
        {
            let condition = range.sort.condition.starting_at(value, descending);
            let excluded = std::mem::take(&mut range.sort.excluded);
            range.sort =
                SortRange { excluded: [excluded, condition.excluded].concat(), ..condition };
        }
        range
    }
}

fn value(item: &Item, attribute: &KeyAttribute) -> Option<KeyValue> {
    item.get(attribute.name).and_then(KeyValue::from_attribute)
}

/// 2048 bytes is the most that any key attribute has.
fn are_values_of(values: &[KeyValue], attributes: &[KeyAttribute]) -> bool {
    values.len() == attributes.len()
        && values.iter().zip(attributes).all(|(value, attribute)| {
            value.type_name() == attribute.ty.name()
                && (1..=2048).contains(&value.size())
                && value.is_number_if_n()
        })
}
