use std::borrow::Cow;
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
        self.lent().order(&other.lent())
    }

    /// Becomes another value, in the room of this one where that is of the same type.
    pub(crate) fn set(&mut self, value: KeyRef<'_>) {
        match (self, value) {
            (KeyValue::S(own), KeyRef::S(text)) | (KeyValue::N(own), KeyRef::N(text)) => {
                own.clear();
                own.push_str(&text);
            }
            (KeyValue::B(own), KeyRef::B(bytes)) => {
                own.clear();
                own.extend_from_slice(&bytes);
            }
            (own, value) => *own = value.into_value(),
        }
    }

    pub(crate) fn lent(&self) -> KeyRef<'_> {
        match self {
            KeyValue::S(text) => KeyRef::S(text.into()),
            KeyValue::N(text) => KeyRef::N(text.into()),
            KeyValue::B(bytes) => KeyRef::B(bytes.into()),
        }
    }

    /// Whether text or bytes begin with others.
    pub(crate) fn begins_with(&self, head: &KeyValue) -> bool {
        match (self, head) {
            (KeyValue::S(text), KeyValue::S(head)) => text.starts_with(head),
            (KeyValue::B(bytes), KeyValue::B(head)) => bytes.starts_with(head),
            _ => false,
        }
    }

    /// The least value behind all that begin with this one.
    pub(crate) fn behind_all_of(&self) -> Option<KeyValue> {
        match self {
            KeyValue::S(text) => super::range::successor(text).map(KeyValue::S),
            KeyValue::N(_) => None,
            KeyValue::B(bytes) => {
                let mut head = bytes.clone();
                while let Some(last) = head.pop() {
                    if last < u8::MAX {
                        head.push(last + 1);
                        return Some(KeyValue::B(head));
                    }
                }
                None
            }
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

    /// Whether a value of type N is a number; the others are what they are.
    pub(crate) fn is_number_if_n(&self) -> bool {
        match self {
            KeyValue::N(text) => text.parse::<Number>().is_ok(),
            _ => true,
        }
    }

    /// From an attribute of type S, N or B.
    pub fn from_attribute(value: &AttributeValue) -> Option<KeyValue> {
        KeyRef::from_attribute(value).map(KeyRef::into_value)
    }
}

/// A key attribute as it is stored, lent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeyRef<'a> {
    S(Cow<'a, str>),
    N(Cow<'a, str>),
    B(Cow<'a, [u8]>),
}

impl<'a> KeyRef<'a> {
    pub(crate) fn from_attribute(value: &'a AttributeValue) -> Option<KeyRef<'a>> {
        match value {
            AttributeValue::S(text) => Some(KeyRef::S(text.into())),
            AttributeValue::N(text) => Some(KeyRef::N(text.into())),
            AttributeValue::B(blob) => Some(KeyRef::B(blob.as_ref().into())),
            _ => None,
        }
    }

    pub(crate) fn into_value(self) -> KeyValue {
        match self {
            KeyRef::S(text) => KeyValue::S(text.into_owned()),
            KeyRef::N(text) => KeyValue::N(text.into_owned()),
            KeyRef::B(bytes) => KeyValue::B(bytes.into_owned()),
        }
    }

    /// [`KeyValue::order`].
    pub(crate) fn order(&self, other: &KeyRef<'_>) -> Ordering {
        let rank = |key: &KeyRef<'_>| match key {
            KeyRef::B(_) => 0,
            KeyRef::N(_) => 1,
            KeyRef::S(_) => 2,
        };
        match (self, other) {
            (KeyRef::S(a), KeyRef::S(b)) => a.as_bytes().cmp(b.as_bytes()),
            (KeyRef::B(a), KeyRef::B(b)) => a.cmp(b),
            (KeyRef::N(a), KeyRef::N(b)) => match (a.parse::<Number>(), b.parse::<Number>()) {
                (Ok(a), Ok(b)) => a.cmp(&b),
                _ => a.cmp(b),
            },
            (a, b) => rank(a).cmp(&rank(b)),
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
