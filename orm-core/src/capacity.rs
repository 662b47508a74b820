//! Sizes and capacity units, as AWS counts them:
//! <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html>.

use aws_sdk_dynamodb::types::AttributeValue;

use crate::entity::Item;

/// The greatest item: 400 KB, attribute names included.
pub(crate) const MAX_ITEM: usize = 400 * 1024;
/// The greatest page of a Query or Scan: 1 MB.
pub(crate) const MAX_PAGE: usize = 1024 * 1024;

/// Bytes of an item, attribute names included; numbers count about as AWS says.
pub(crate) fn item_size(item: &Item) -> usize {
    size(item, number_size)
}

/// Bytes that an item has at least: of a number no more is certain than one byte.
pub(crate) fn least_item_size(item: &Item) -> usize {
    size(item, |_| 1)
}

fn size(item: &Item, number: fn(&str) -> usize) -> usize {
    item.iter().map(|(name, value)| name.len() + value_size(value, number)).sum()
}

/// Read capacity units of `bytes` read: one per 4 KB when consistent, half else.
#[allow(clippy::cast_precision_loss)]
pub(crate) fn read_units(bytes: usize, consistent: bool) -> f64 {
    let blocks = bytes.div_ceil(4096).max(1) as f64;
    if consistent { blocks } else { blocks / 2.0 }
}

/// Read capacity units of items that are rounded one by one, as a GetItem and a batch read them. A
/// missing item, of 0 bytes, costs the least.
#[allow(clippy::cast_precision_loss)]
pub(crate) fn items_read_units(items: usize, item_bytes: usize, consistent: bool) -> f64 {
    items as f64 * read_units(item_bytes, consistent)
}

/// Read capacity units of a page of a Query or Scan, whose items are added up before they are
/// rounded.
pub(crate) fn page_read_units(items: usize, item_bytes: usize, consistent: bool) -> f64 {
    read_units(items.saturating_mul(item_bytes), consistent)
}

/// What a transaction pays for each unit: once to prepare, once to commit.
pub(crate) const TRANSACTION: f64 = 2.0;

/// Write capacity units of an item: one per KB. Of a replaced, updated or deleted item that is the
/// larger of the old and the new one; a failed condition costs the stored one.
#[allow(clippy::cast_precision_loss)]
pub(crate) fn write_units(bytes: usize) -> f64 {
    bytes.div_ceil(1024).max(1) as f64
}

/// What a write does to an item's entry in an index, at most;
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes>.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IndexWrite {
    /// No key and no projected attribute changes: nothing.
    Unchanged,
    /// It enters, leaves, or changes in place: one write.
    Written,
    /// A key attribute changes: the old entry is deleted, and a new one written.
    Moved,
}

/// Write capacity units on an index whose entry has so many bytes.
pub(crate) fn index_write_units(write: IndexWrite, entry_bytes: usize) -> f64 {
    match write {
        IndexWrite::Unchanged => 0.0,
        IndexWrite::Written => write_units(entry_bytes),
        IndexWrite::Moved => 2.0 * write_units(entry_bytes),
    }
}

/// Bytes of an item at most as the JSON of a request.
pub(crate) fn json_size(item: &Item) -> usize {
    let member = |(name, value): (&String, _)| json_text(name) + 2 + json_value(value);
    2 + item.iter().map(member).sum::<usize>()
}

/// With the type tag: `{"BOOL":false}`, `{"S":".."}`, `{"L":[..]}`, each with a comma behind it.
fn json_value(value: &AttributeValue) -> usize {
    let base64 = |bytes: usize| bytes.div_ceil(3) * 4 + 2;
    15 + match value {
        AttributeValue::S(text) => json_text(text),
        AttributeValue::N(digits) => digits.len() + 2,
        AttributeValue::B(blob) => base64(blob.as_ref().len()),
        AttributeValue::Ss(set) => set.iter().map(|text| json_text(text) + 1).sum(),
        AttributeValue::Ns(set) => set.iter().map(|digits| digits.len() + 3).sum(),
        AttributeValue::Bs(set) => set.iter().map(|blob| base64(blob.as_ref().len()) + 1).sum(),
        AttributeValue::M(map) => json_size(map),
        AttributeValue::L(list) => list.iter().map(json_value).sum(),
        _ => 0,
    }
}

/// With quotes; a control character is `\u0000`.
fn json_text(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        0..0x20 => 6,
        b'"' | b'\\' => 2,
        _ => 1,
    };
    2 + text.bytes().map(escaped).sum::<usize>()
}

fn value_size(value: &AttributeValue, number: fn(&str) -> usize) -> usize {
    match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::N(digits) => number(digits),
        AttributeValue::B(blob) => blob.as_ref().len(),
        AttributeValue::Ss(set) => set.iter().map(String::len).sum(),
        AttributeValue::Ns(set) => set.iter().map(|digits| number(digits)).sum(),
        AttributeValue::Bs(set) => set.iter().map(|blob| blob.as_ref().len()).sum(),
        AttributeValue::M(map) => {
            let entry = |(name, value): (&String, _)| name.len() + value_size(value, number) + 1;
            3 + map.iter().map(entry).sum::<usize>()
        }
        AttributeValue::L(list) => {
            3 + list.iter().map(|value| value_size(value, number) + 1).sum::<usize>()
        }
        _ => 1,
    }
}

/// About one byte per two significant digits, and one more.
fn number_size(digits: &str) -> usize {
    let significant = digits.bytes().filter(u8::is_ascii_digit).count();
    significant.div_ceil(2) + 1 + usize::from(digits.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use aws_sdk_dynamodb::primitives::Blob;
    use serde_json::{Value, json};

    use super::*;

    fn value_json(value: &AttributeValue) -> Value {
        match value {
            AttributeValue::S(text) => json!({ "S": text }),
            AttributeValue::N(digits) => json!({ "N": digits }),
            AttributeValue::B(_) => json!({ "B": "" }),
            AttributeValue::Bool(flag) => json!({ "BOOL": flag }),
            AttributeValue::Null(flag) => json!({ "NULL": flag }),
            AttributeValue::Ss(set) => json!({ "SS": set }),
            AttributeValue::Ns(set) => json!({ "NS": set }),
            AttributeValue::L(list) => {
                json!({ "L": list.iter().map(value_json).collect::<Vec<_>>() })
            }
            AttributeValue::M(map) => json!({ "M": item_json(map) }),
            other => panic!("{other:?}"),
        }
    }

    fn item_json(item: &Item) -> Value {
        item.iter().map(|(name, value)| (name.clone(), value_json(value))).collect()
    }

    /// The figures of
    /// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html>.
    #[test]
    fn units_are_those_of_the_documentation() {
        const KB: usize = 1024;
        // Half a unit, one and two for up to 4 KB; 1, 2 and 4 for 8 KB.
        for (bytes, units) in [(1, 1.0), (3500, 1.0), (4 * KB, 1.0), (8 * KB, 2.0), (10 * KB, 3.0)]
        {
            assert_eq!(read_units(bytes, true), units);
            assert_eq!(read_units(bytes, false), units / 2.0);
        }
        assert_eq!(TRANSACTION * read_units(8 * KB, true), 4.0);
        // A missing item.
        assert_eq!((read_units(0, false), read_units(0, true)), (0.5, 1.0));
        // A batch of 1.5 KB and 6.5 KB reads 4 KB + 8 KB.
        let two = |consistent| {
            items_read_units(1, 3 * KB / 2, consistent)
                + items_read_units(1, 13 * KB / 2, consistent)
        };
        assert_eq!(two(true), 3.0);
        assert_eq!(two(false), 1.5);
        assert_eq!(items_read_units(usize::MAX, 1, false), usize::MAX as f64 / 2.0);
        // A Query of 10 items of together 40.8 KB reads 44 KB; 1500 items of 64 bytes are 96 KB.
        assert_eq!(page_read_units(10, 4178, true), 11.0);
        assert_eq!(page_read_units(1500, 64, true), 24.0);
        assert_eq!(page_read_units(1500, 64, false), 12.0);
        assert_eq!(page_read_units(0, 64, false), 0.5);
        // Writes of up to 1 KB, of 2 KB, of 500 bytes and 3.5 KB in one batch.
        assert_eq!((write_units(0), write_units(500), write_units(KB)), (1.0, 1.0, 1.0));
        assert_eq!((write_units(KB + 1), write_units(2 * KB)), (2.0, 2.0));
        assert_eq!(TRANSACTION * write_units(2 * KB), 4.0);
        assert_eq!(write_units(500) + write_units(7 * KB / 2), 5.0);
        // An index key that changes is a delete and a put.
        assert_eq!(index_write_units(IndexWrite::Unchanged, 3000), 0.0);
        assert_eq!(index_write_units(IndexWrite::Written, 3000), 3.0);
        assert_eq!(index_write_units(IndexWrite::Moved, 3000), 6.0);
    }

    #[test]
    fn no_json_is_longer_than_its_bound() {
        let all = |value: AttributeValue| {
            let list = AttributeValue::L(vec![value.clone(); 50]);
            let map = AttributeValue::M([("a\n\"".to_owned(), value.clone())].into());
            [value, list, map]
        };
        let texts = |text: &str| vec![text.to_owned(); 3];
        let values = [
            AttributeValue::S(String::new()),
            AttributeValue::S("plain".repeat(100)),
            AttributeValue::S("\u{0}\u{1f}\"\\\u{7f}ñ東😀".repeat(10)),
            AttributeValue::N("-1E-130".into()),
            AttributeValue::Bool(false),
            AttributeValue::Null(true),
            AttributeValue::Ss(texts("\t")),
            AttributeValue::Ns(texts("1")),
            AttributeValue::L(vec![]),
            AttributeValue::M(Item::new()),
        ];
        for value in values.into_iter().flat_map(all) {
            let item = Item::from([("name\\".to_owned(), value)]);
            let length = item_json(&item).to_string().len();
            assert!(length <= json_size(&item), "{item:?}: {length}");
            assert!(json_size(&item) <= 3 * length + 20, "{item:?}: {length}");
        }
        let blob = AttributeValue::B(Blob::new(vec![0; 400]));
        assert!(json_value(&blob) >= r#"{"B":""}"#.len() + 536);
    }
}
