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

    /// An update that is done, whose returned image cannot be read for this reason.
    pub(crate) fn update_is_done(entity: &'static str, key: Option<String>, why: &Error) -> Self {
        let why: &dyn fmt::Display = match &*why.0 {
            // What it says besides is said here.
            Kind::Value(Value { decode: true, error, .. }) => error,
            _ => why,
        };
        let told = CodecError::new(format_args!("the update is done, but {why}"));
        Error::decode(entity, key, told)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// An image may be empty, or no item: the key is the one that was updated.
    #[test]
    fn an_update_that_is_done_says_so_of_its_key() {
        let missing = || CodecError::new("missing field `n`");
        for (why, told) in [
            (Error::decode("Tool", None, missing()), "missing field `n`"),
            (Error::decode("Tool", Some("TOOL#1".into()), missing()), "missing field `n`"),
            (Error::answer("it cannot be read"), &Error::answer("it cannot be read").to_string()),
        ] {
            let error = Error::update_is_done("Tool", Some("TOOL#1".into()), &why);
            assert!(error.is_decode(), "{error}");
            assert_eq!(
                error.to_string(),
                format!("the item `TOOL#1` is no `Tool`: the update is done, but {told}")
            );
        }
    }
}
