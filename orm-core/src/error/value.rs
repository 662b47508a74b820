use std::fmt;

use super::{Error, Kind};
use crate::codec::CodecError;
use crate::schema::EntitySchema;

/// A value that could not be written or read.
pub(crate) struct Value {
    entity: &'static str,
    key: Option<String>,
    decode: bool,
    error: CodecError,
}

impl Error {
    pub(crate) fn encode(entity: &'static str, key: Option<String>, error: CodecError) -> Self {
        Error::new(Kind::Value(Value { entity, key, decode: false, error }))
    }

    /// An item that is none of the kinds of `name`, where unknown ones are refused.
    pub(crate) fn kind_unknown(
        name: &'static str,
        key: String,
        kinds: &[&'static EntitySchema],
    ) -> Self {
        let kinds: Vec<_> = kinds.iter().map(|kind| format!("`{}`", kind.name)).collect();
        let error = CodecError::new(format_args!(
            "it is none of {}, and unknown items are refused",
            kinds.join(", ")
        ));
        Error::decode(name, Some(key), error)
    }

    pub(crate) fn decode(entity: &'static str, key: Option<String>, error: CodecError) -> Self {
        Error::new(Kind::Value(Value { entity, key, decode: true, error }))
    }

    /// An update that is done, whose returned image does not decode.
    pub(crate) fn update_is_done(self) -> Self {
        let Kind::Value(Value { entity, key, decode: true, error }) = &*self.0 else {
            return self;
        };
        let told = CodecError::new(format_args!("the update is done, but {error}"));
        Error::decode(entity, key.clone(), told)
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
            (false, Some(key)) => {
                write!(f, "the item `{key}` of `{entity}` cannot be stored: {error}")
            }
            (false, None) => write!(f, "`{entity}` cannot be stored: {error}"),
        }
    }
}
