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

/// Write capacity units of an item: one per KB.
#[allow(clippy::cast_precision_loss)]
pub(crate) fn write_units(bytes: usize) -> f64 {
    bytes.div_ceil(1024).max(1) as f64
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
