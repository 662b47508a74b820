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
