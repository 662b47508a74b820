use std::fmt::{self, Display};

use serde::{de, ser};

pub(super) type Result<T> = std::result::Result<T, CodecError>;

/// A value that does not fit, and the attribute where it went wrong.
///
/// Serde buffers what is below `flatten`, internally tagged and untagged types; there the path ends
/// at the buffered attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodecError {
    path: String,
    message: String,
}

impl CodecError {
    pub(crate) fn new(message: impl Display) -> Self {
        let message = message.to_string();
        Self { path: String::new(), message }
    }

    /// As written in an expression, `lines[2].qty`; empty where the whole value is wrong.
    #[cfg(test)]
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    #[cfg(test)]
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    pub(crate) fn at(message: impl Display, name: &str) -> Self {
        Self::new(message).in_attribute(name)
    }

    pub(super) fn empty_set() -> Self {
        Self::new("DynamoDB has no empty set; an empty set is only left out of a struct field")
    }

    pub(super) fn in_attribute(mut self, name: &str) -> Self {
        if !self.path.is_empty() && !self.path.starts_with('[') {
            self.path.insert(0, '.');
        }
        self.path.insert_str(0, name);
        self
    }

    /// The same of the value of a path: what is inside of it is told from the item on.
    pub(crate) fn below(self, path: &str) -> Self {
        if self.path.is_empty() { self } else { self.in_attribute(path) }
    }

    pub(super) fn in_element(mut self, index: usize) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path.insert_str(0, &format!("[{index}]{dot}"));
        self
    }
}

impl Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "attribute `{}`: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for CodecError {}

impl ser::Error for CodecError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message)
    }
}

impl de::Error for CodecError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message)
    }

    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(format_args!("expected {expected}, found {found}"))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::at("the attribute is missing", field)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        if expected.is_empty() {
            return Self::at("unknown attribute, there are none", field);
        }
        let known = expected.join("`, `");
        Self::at(format_args!("unknown attribute, expected one of `{known}`"), field)
    }
}
