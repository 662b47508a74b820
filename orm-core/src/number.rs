//! Decimals of other crates as DynamoDB's type N, for `#[serde(with = "monotable::number")]`.
//!
//! Serde has no decimals. Such types write themselves as text or as floats, and ask for any value
//! when they read, where a number of more than 15 digits comes as a float and may be rounded. This
//! module goes through [`Number`] and their `Display` and `FromStr`: exact, or an error. For an
//! `Option` there is [`option`].
//!
//! # Examples
//!
//! ```
//! use monotable::{Entity, Number, Table};
//! use rust_decimal::Decimal;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Table)]
//! #[table(pk = "PK", sk = "SK")]
//! struct Shop;
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
//! #[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
//! struct Order {
//!     id: String,
//!     #[serde(with = "monotable::number")]
//!     total: Decimal,
//! }
//!
//! let order = Order { id: "o1".into(), total: "0.1234567890123456789012345678".parse()? };
//! let item = order.to_item()?;
//! assert_eq!(item["total"].as_n().unwrap(), "0.1234567890123456789012345678");
//! assert_eq!(Order::from_item(item)?, order);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::Display;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::Number;

/// Writes the number that the value's text spells.
///
/// # Errors
///
/// Where the text is not a [`Number`], or one with more than 38 digits.
pub fn serialize<T, S>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
where
    T: Display + ?Sized,
    S: Serializer,
{
    let text = value.to_string();
    match text.parse::<Number>() {
        Ok(number) => number.serialize(serializer),
        Err(error) => Err(S::Error::custom(format_args!("`{text}`: {error}"))),
    }
}

/// Reads a number as the value whose text spells it.
///
/// # Errors
///
/// Where the type does not read the text of the number, or keeps fewer digits of it.
pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Display + FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    let number = Number::deserialize(deserializer)?;
    let text = number.to_string();
    let value: T =
        text.parse().map_err(|error| D::Error::custom(format_args!("`{text}`: {error}")))?;
    let kept = value.to_string();
    if kept.parse() == Ok(number) {
        Ok(value)
    } else {
        Err(D::Error::custom(format_args!(
            "the type of the field would read `{text}` as `{kept}`; a `monotable::Number` keeps \
             every digit"
        )))
    }
}

/// The same for an `Option`: `#[serde(default, with = "monotable::number::option")]`. `None` is left
/// out like that of any field, and without `default` serde refuses an item that does not have it.
pub mod option {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer};

    struct Decimal<T>(T);

    impl<T: Display> super::Serialize for Decimal<&T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            super::serialize(self.0, serializer)
        }
    }

    impl<'de, T: Display + FromStr<Err: Display>> Deserialize<'de> for Decimal<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            super::deserialize(deserializer).map(Decimal)
        }
    }

    /// Writes the number that the value's text spells, if there is a value.
    ///
    /// # Errors
    ///
    /// As [`number::serialize`](super::serialize).
    #[allow(clippy::ref_option, reason = "serde hands over the field")]
    pub fn serialize<T, S>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error>
    where
        T: Display,
        S: Serializer,
    {
        match value {
            Some(value) => serializer.serialize_some(&Decimal(value)),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a number as the value whose text spells it; NULL is `None`.
    ///
    /// # Errors
    ///
    /// As [`number::deserialize`](super::deserialize).
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: Display + FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let value = Option::<Decimal<T>>::deserialize(deserializer)?;
        Ok(value.map(|Decimal(value)| value))
    }
}
