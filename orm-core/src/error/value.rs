use std::fmt;

use super::{Error, Kind};
use crate::codec::CodecError;

/// A value that could not be written or read.
pub(crate) struct Value {
    entity: &'static str,
    key: Option<String>,
    decode: bool,
    error: CodecError,
}

impl Error {
    pub(crate) fn encode(entity: &'static str, error: CodecError) -> Self {
        Error::new(Kind::Value(Value { entity, key: None, decode: false, error }))
    }

    pub(crate) fn decode(entity: &'static str, key: Option<String>, error: CodecError) -> Self {
        Error::new(Kind::Value(Value { entity, key, decode: true, error }))
    }
}

impl Value {
    pub(super) fn is_decode(&self) -> bool {
        self.decode
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Value { entity, key, decode, error } = self;
        match (decode, key) {
            (true, Some(key)) => write!(f, "the item `{key}` is no `{entity}`: {error}"),
            (true, None) => write!(f, "an item without a key is no `{entity}`: {error}"),
            (false, _) => write!(f, "`{entity}` cannot be stored: {error}"),
        }
    }
}
