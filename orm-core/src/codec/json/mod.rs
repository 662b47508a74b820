//! Values from DynamoDB's JSON and back, without an `AttributeValue` in between.
//!
//! What is read here is what the SDK's parser and [`read`](super::read) make of the same text. Where
//! they might differ, or the value does not fit, it is [`Unread`], and they decide.

pub(crate) mod append;
mod attribute;
mod elements;
mod entries;
#[cfg(any(test, fuzzing))]
pub(crate) mod law;
mod objects;
#[cfg(test)]
mod tests;
mod text;
mod value;
mod write;

use std::fmt;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::{self, DeserializeOwned};

pub(crate) use self::attribute::{item, key, value};
pub(crate) use self::entries::Shown;
pub(crate) use self::text::Text;
pub(crate) use self::write::{Unwritten, open_item};

use self::value::{ItemReader, Payload};

/// The types of attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tag {
    S,
    N,
    B,
    Bool,
    Null,
    M,
    L,
    Ss,
    Ns,
    Bs,
}

impl Tag {
    /// The type of the elements of a set.
    fn of_element(self) -> Option<Tag> {
        match self {
            Tag::Ss => Some(Tag::S),
            Tag::Ns => Some(Tag::N),
            Tag::Bs => Some(Tag::B),
            _ => None,
        }
    }
}

/// The text is not read this way: it is malformed or unusual, or the value does not fit. It says no
/// more, because the slow way says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unread;

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not read")
    }
}

impl std::error::Error for Unread {}

impl de::Error for Unread {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Unread
    }

    fn invalid_type(_: de::Unexpected<'_>, _: &dyn de::Expected) -> Self {
        Unread
    }

    fn invalid_value(_: de::Unexpected<'_>, _: &dyn de::Expected) -> Self {
        Unread
    }

    fn invalid_length(_: usize, _: &dyn de::Expected) -> Self {
        Unread
    }

    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Unread
    }

    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        Unread
    }

    fn missing_field(_: &'static str) -> Self {
        Unread
    }

    fn duplicate_field(_: &'static str) -> Self {
        Unread
    }
}

/// A part of a text, in bytes; nothing where both ends are 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: usize,
    /// 0 where it is not known.
    pub(crate) end: usize,
}

/// Fields that serde is shown behind the attributes of an item.
pub(crate) type Restored = Vec<(&'static str, AttributeValue)>;

/// Makes them from the places of the attributes that were kept.
pub(crate) type Restore<'a> = &'a dyn Fn(&[Span]) -> Option<Restored>;

/// The value of an item, which is next in the text. `kept` become the places of the values that
/// `shown` keeps.
pub(crate) fn read<T: DeserializeOwned>(
    text: &mut Text<'_>,
    shown: &Shown,
    kept: &mut [Span],
    restore: Restore<'_>,
) -> Result<T, Unread> {
    let item = ItemReader { shown, kept, restore };
    let value = T::deserialize(Payload { text: &mut *text, tag: Tag::M, item: Some(item) })?;
    // A failure that the value's own code made nothing of.
    if text.is_given_up() { Err(Unread) } else { Ok(value) }
}

/// Passes an item, which is next in the text, and takes note of the values that `shown` keeps.
pub(crate) fn skip(text: &mut Text<'_>, shown: &Shown, kept: &mut [Span]) -> Result<(), Unread> {
    text.enter(b'{')?;
    let mut is_first = true;
    while let Some(name) = text.name(&mut is_first)? {
        let start = text.at();
        text.skip()?;
        shown.notes(&name, Span { start, end: text.at() }, kept);
    }
    Ok(())
}
