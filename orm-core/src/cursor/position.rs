use std::cmp::Ordering;

use crate::entity::Item;
use crate::found::Attributes;
use crate::key::condition::{KeyRange, SortRange};
use crate::key::{KeyRef, KeyValue};
use crate::schema::{IndexSchema, KeyAttribute, TableSchema};

/// Where reading one range goes on, in the direction of the read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Position {
    /// At the beginning of the range.
    Start,
    /// Behind the item with these values of [`KeyOrder::position`].
    After(Vec<KeyValue>),
    /// At the first item with this sort key, or behind it: that of an item of an earlier range.
    From(Vec<KeyValue>),
    /// Behind all items with this sort key: that of an item of a later range.
    Past(Vec<KeyValue>),
    /// Nothing is left.
    End,
}

/// The key attributes of a read: which partition it reads, and in what order items come.
#[derive(Debug, Clone)]
pub(crate) struct KeyOrder {
    pk: &'static [KeyAttribute],
    sk: &'static [KeyAttribute],
    /// What the partition does not tell of an item's place: the sort key that is read, then the table's
    /// key, which is unique.
    position: Vec<KeyAttribute>,
}

impl KeyOrder {
    pub(crate) fn of(table: &'static TableSchema, index: Option<&'static IndexSchema>) -> Self {
        let (pk, sk) = table.key_of(index);
        let mut position: Vec<KeyAttribute> = Vec::new();
        for attribute in sk.iter().chain([&table.pk]).chain(&table.sk) {
            if !position.contains(attribute) && !pk.contains(attribute) {
                position.push(*attribute);
            }
        }
        KeyOrder { pk, sk, position }
    }

    /// By the sort key that is read. Of equal ones DynamoDB promises no order.
    pub(crate) fn compare(&self, a: &impl Attributes, b: &impl Attributes) -> Ordering {
        self.sk
            .iter()
            .map(|attribute| match (a.key(attribute.name), b.key(attribute.name)) {
                (Some(a), Some(b)) => a.order(&b),
                (a, b) => a.is_some().cmp(&b.is_some()),
            })
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    /// Takes the sort key that is read from an item, for comparisons.
    pub(crate) fn set_sort(&self, sort: &mut Vec<Option<KeyValue>>, item: &impl Attributes) {
        sort.resize(self.sk.len(), None);
        for (sort, attribute) in sort.iter_mut().zip(self.sk) {
            match (sort, item.key(attribute.name)) {
                (Some(sort), Some(value)) => sort.set(value),
                (sort, value) => *sort = value.map(KeyRef::into_value),
            }
        }
    }

    /// [`compare`](Self::compare) of sort keys that were taken from items.
    pub(crate) fn compare_sorts(a: &[Option<KeyValue>], b: &[Option<KeyValue>]) -> Ordering {
        a.iter()
            .zip(b)
            .map(|(a, b)| match (a, b) {
                (Some(a), Some(b)) => a.order(b),
                (a, b) => a.is_some().cmp(&b.is_some()),
            })
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    /// The values that say where in its partition an item is; `None` if it lacks one.
    pub(crate) fn position_of(&self, item: &impl Attributes) -> Option<Vec<KeyValue>> {
        self.position.iter().map(|attribute| value(item, attribute)).collect()
    }

    /// The values of the sort key that is read.
    pub(crate) fn sort_of(&self, item: &impl Attributes) -> Option<Vec<KeyValue>> {
        self.sk.iter().map(|attribute| value(item, attribute)).collect()
    }

    /// An item of this sort key, as far as comparisons go.
    pub(crate) fn item_of(&self, sort: &[KeyValue]) -> Item {
        let values = self.sk.iter().zip(sort);
        values.map(|(attribute, value)| (attribute.name.to_owned(), value.clone().into())).collect()
    }

    /// The partition key's values of an item.
    pub(crate) fn partition_of(&self, item: &impl Attributes) -> Option<Vec<KeyValue>> {
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
        self.are_values_of(values, &self.position)
    }

    /// The same for the sort key.
    pub(crate) fn is_sort(&self, values: &[KeyValue]) -> bool {
        self.are_values_of(values, self.sk)
    }

    /// A value that DynamoDB would refuse is none: a sort key has 1024 bytes at most, the table's
    /// partition key 2048.
    fn are_values_of(&self, values: &[KeyValue], attributes: &[KeyAttribute]) -> bool {
        values.len() == attributes.len()
            && values.iter().zip(attributes).all(|(value, attribute)| {
                let limit = if self.sk.contains(attribute) { 1024 } else { 2048 };
                value.type_name() == attribute.ty.name()
                    && (1..=limit).contains(&value.size())
                    && value.is_number_if_n()
            })
    }

    /// Where a position, or a sort key, lies against a range: both begin with the sort key.
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

    /// The part of a range from a sort key on, in the direction of the read.
    pub(crate) fn narrowed(
        &self,
        range: &KeyRange,
        sort: &[KeyValue],
        descending: bool,
    ) -> KeyRange {
        let mut range = range.clone();
        if let Some(value) =
            sort.get(range.equal.len()).filter(|_| range.equal.len() < self.sk.len())
        {
            let condition = range.sort.condition.starting_at(value, descending);
            let excluded = std::mem::take(&mut range.sort.excluded);
            range.sort =
                SortRange { excluded: [excluded, condition.excluded].concat(), ..condition };
        }
        range
    }
}

fn value(item: &impl Attributes, attribute: &KeyAttribute) -> Option<KeyValue> {
    item.key(attribute.name).map(KeyRef::into_value)
}
