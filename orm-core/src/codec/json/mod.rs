//! Values from DynamoDB's JSON and back, without an `AttributeValue` in between.
//!
//! What is read here is what the SDK's parser and [`read`](super::read) make of the same text. Where
//! they might differ, or the value does not fit, it is [`Unread`], and they decide.

pub(crate) mod append;
mod attribute;
mod elements;
mod entries;
mod objects;
mod text;
mod value;
mod write;

use std::fmt;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::{self, DeserializeOwned};

pub(crate) use self::attribute::{item, value};
pub(crate) use self::entries::{Own, Shown};
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

/// What serde is shown behind the attributes of an item: fields that the key alone tells. Called
/// when the item is read, with the places of its own attributes.
pub(crate) type Restore<'a> =
    &'a dyn Fn(&[Option<usize>]) -> Option<Vec<(&'static str, AttributeValue)>>;

/// The value of an item, which is next in the text. `places` become those of the values of the own
/// attributes, by position.
pub(crate) fn read<T: DeserializeOwned>(
    text: &mut Text<'_>,
    shown: &Shown,
    places: &mut [Option<usize>],
    restore: Restore<'_>,
) -> Result<T, Unread> {
    let item = ItemReader { shown, places, restore };
    T::deserialize(Payload { text, tag: Tag::M, item: Some(item) })
}
