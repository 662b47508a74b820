use std::cmp::Ordering;
use std::fmt;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;

use crate::codec::Number;

/// A key attribute as it is stored: text, number or binary.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum KeyValue {
    /// Type S.
    S(String),
    /// Type N, as decimal text.
    N(String),
    /// Type B.
    B(Vec<u8>),
}

impl KeyValue {
    /// The bytes that count against the limits of 2048 and 1024 bytes.
    pub fn size(&self) -> usize {
        match self {
            KeyValue::S(text) | KeyValue::N(text) => text.len(),
            KeyValue::B(bytes) => bytes.len(),
        }
    }

    /// `S`, `N` or `B`.
    pub fn type_name(&self) -> &'static str {
        match self {
            KeyValue::S(_) => "S",
            KeyValue::N(_) => "N",
            KeyValue::B(_) => "B",
        }
    }

    /// The order in which DynamoDB keeps items of one partition: bytes for S and B, value for N.
    pub fn order(&self, other: &KeyValue) -> Ordering {
        match (self, other) {
            (KeyValue::S(a), KeyValue::S(b)) => a.as_bytes().cmp(b.as_bytes()),
            (KeyValue::B(a), KeyValue::B(b)) => a.cmp(b),
            (KeyValue::N(a), KeyValue::N(b)) => match (a.parse::<Number>(), b.parse::<Number>()) {
                (Ok(a), Ok(b)) => a.cmp(&b),
                _ => a.cmp(b),
            },
            (a, b) => a.type_name().cmp(b.type_name()),
        }
    }

    /// With one text for a number, so that equal values are equal and have one hash.
    pub(crate) fn canonical(self) -> KeyValue {
        match self {
            KeyValue::N(text) => match text.parse::<Number>() {
                Ok(number) => KeyValue::N(number.to_string()),
                Err(_) => KeyValue::N(text),
            },
            other => other,
        }
    }

    /// From an attribute of type S, N or B.
    pub fn from_attribute(value: &AttributeValue) -> Option<KeyValue> {
        match value {
            AttributeValue::S(text) => Some(KeyValue::S(text.clone())),
            AttributeValue::N(text) => Some(KeyValue::N(text.clone())),
            AttributeValue::B(blob) => Some(KeyValue::B(blob.as_ref().to_vec())),
            _ => None,
        }
    }
}

impl From<KeyValue> for AttributeValue {
    fn from(value: KeyValue) -> Self {
        match value {
            KeyValue::S(text) => AttributeValue::S(text),
            KeyValue::N(text) => AttributeValue::N(text),
            KeyValue::B(bytes) => AttributeValue::B(Blob::new(bytes)),
        }
    }
}

impl From<&str> for KeyValue {
    fn from(text: &str) -> Self {
        KeyValue::S(text.to_owned())
    }
}

impl From<String> for KeyValue {
    fn from(text: String) -> Self {
        KeyValue::S(text)
    }
}

/// S and N as they are, B in hexadecimal.
impl fmt::Display for KeyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyValue::S(text) | KeyValue::N(text) => f.write_str(text),
            KeyValue::B(bytes) => {
                f.write_str("0x")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    }
}
