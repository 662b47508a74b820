//! Values: serde on one side, [`AttributeValue`] on the other.
//!
//! `None` is left out in struct fields and at the top level of an item, and NULL in lists, tuples
//! and map entries; a missing attribute and NULL both read as `None`. Numbers are exact or refused.

mod bytes;
mod compound;
mod error;
pub(crate) mod json;
mod name;
mod number;
mod read;
mod set;
#[cfg(test)]
mod tests;
mod write;

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::{Serialize, de::DeserializeOwned};

pub use self::bytes::Bytes;
pub use self::error::CodecError;
pub use self::number::{Number, NumberError};
pub use self::set::{Set, SetElement};

use self::error::Result;
use self::read::Reader;
use self::write::{Out, Writer};

/// The attributes of a struct or a map. `nulls` are the top-level attributes whose `None` is
/// written as NULL instead of being left out.
pub(crate) fn to_item<T: Serialize + ?Sized>(
    value: &T,
    nulls: &[&str],
) -> Result<HashMap<String, AttributeValue>> {
    match value.serialize(Writer::item(nulls))? {
        Out::Value(AttributeValue::M(item)) => Ok(item),
        other => Err(CodecError::new(format!(
            "an item must be a struct or a map, found {}",
            other.kind()
        ))),
    }
}

/// One attribute's value; `None` is NULL, an empty set is an error.
pub(crate) fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<AttributeValue> {
    value.serialize(Writer::attribute())?.or_null()
}

/// One field's value as its struct writes it; `None` where the attribute is left out.
pub(crate) fn to_field<T: Serialize + ?Sized>(value: &T) -> Result<Option<AttributeValue>> {
    Ok(match value.serialize(Writer::attribute())? {
        Out::Value(value) => Some(value),
        Out::None | Out::EmptySet => None,
    })
}

pub(crate) fn from_item<T: DeserializeOwned>(item: HashMap<String, AttributeValue>) -> Result<T> {
    from_value(AttributeValue::M(item))
}

pub(crate) fn from_value<T: DeserializeOwned>(value: AttributeValue) -> Result<T> {
    T::deserialize(Reader(value))
}

/// The name DynamoDB's JSON gives to a value's type.
pub(crate) fn type_name(value: &AttributeValue) -> &'static str {
    match value {
        AttributeValue::S(_) => "S",
        AttributeValue::N(_) => "N",
        AttributeValue::B(_) => "B",
        AttributeValue::Bool(_) => "BOOL",
        AttributeValue::Null(_) => "NULL",
        AttributeValue::M(_) => "M",
        AttributeValue::L(_) => "L",
        AttributeValue::Ss(_) => "SS",
        AttributeValue::Ns(_) => "NS",
        AttributeValue::Bs(_) => "BS",
        _ => "a type this version does not know",
    }
}
