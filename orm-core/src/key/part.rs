use std::borrow::Cow;
use std::fmt;

/// A type that can stand in a key template.
///
/// Implemented for text (`String`, `Cow<'static, str>`, `Box<str>`, `Arc<str>`), the integers of fixed width, `bool`,
/// and, behind features, the dates, timestamps and UUIDs of `chrono`, `jiff` and `uuid`. Derive it
/// for newtypes and unit enums; write it by hand for anything else.
///
/// An implementation converts to and from one of the canonical values of [`PartValue`]; the text of
/// the key is rendered and parsed from that value in one place, so every implementation has the
/// escaping, the order and the widths of its [`PartKind`].
///
/// # Contract
///
/// - `to_value` returns the variant that belongs to [`KIND`](Self::KIND).
/// - `from_value(to_value(x)) == x` for every `x`, and `to_value(from_value(v)) == v` for every `v`
///   that `from_value` accepts: two values never share a text.
/// - Where the type has an order and its kind has ranges, `to_value` keeps that order.
/// - The conversion never changes: rendered keys are data on disk.
///
/// `monotable::testing::check_key_part::<T>()` (feature `testing`) checks the contract.
///
/// # Examples
///
/// ```
/// use monotable::key::{KeyPart, PartError, PartKind, PartValue};
///
/// /// A country code, always two upper-case letters.
/// #[derive(Debug, PartialEq)]
/// struct Country([u8; 2]);
///
/// impl KeyPart for Country {
///     const KIND: PartKind = PartKind::Text;
///     fn to_value(&self) -> Result<PartValue<'_>, PartError> {
///         let text = std::str::from_utf8(&self.0).map_err(|_| PartError::new("is not ASCII"))?;
///         Ok(PartValue::Text(text.into()))
///     }
///     fn from_value(value: PartValue<'_>) -> Result<Self, PartError> {
///         match value.as_text()?.as_bytes() {
///             &[a @ b'A'..=b'Z', b @ b'A'..=b'Z'] => Ok(Country([a, b])),
///             _ => Err(PartError::new("is not two upper-case letters")),
///         }
///     }
/// }
///
/// let es = Country(*b"ES");
/// assert_eq!(Country::from_value(es.to_value()?)?, es);
/// # Ok::<(), PartError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in a key template",
    label = "not a key part",
    note = "key parts are text, integers of fixed width, bool, dates, timestamps, UUIDs (features `chrono`, `jiff`, `uuid`), and types with `#[derive(KeyPart)]`",
    note = "usize, isize and floats are no key parts: their stored text would depend on the machine or has no exact order"
)]
pub trait KeyPart: Sized {
    /// What the stored text looks like, and so which specs, delimiters and ranges there are.
    const KIND: PartKind;

    /// The canonical value.
    ///
    /// # Errors
    ///
    /// [`PartError`] for a value that no key can hold.
    fn to_value(&self) -> Result<PartValue<'_>, PartError>;

    /// The inverse of [`to_value`](Self::to_value).
    ///
    /// # Errors
    ///
    /// [`PartError`] for a value that is none of this type's.
    fn from_value(value: PartValue<'_>) -> Result<Self, PartError>;
}

/// The kinds of key part; each has its own row in the table of stored forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartKind {
    /// Text of any length.
    Text,
    /// An unsigned integer up to `max`.
    Unsigned {
        /// The greatest value.
        max: u128,
    },
    /// A signed integer from `-max - 1` to `max`.
    Signed {
        /// The greatest value.
        max: i128,
    },
    /// One of a few names: `bool` and unit enums.
    Name(&'static [&'static str]),
    /// A calendar date.
    Date,
    /// An instant with nanoseconds.
    Timestamp,
    /// A UUID.
    Uuid,
    /// Binary data, for natural keys of type B only.
    Bytes,
}

/// The canonical value of a key part.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartValue<'a> {
    /// For [`PartKind::Text`].
    Text(Cow<'a, str>),
    /// For [`PartKind::Unsigned`].
    Unsigned(u128),
    /// For [`PartKind::Signed`].
    Signed(i128),
    /// For [`PartKind::Name`]: one of the listed names.
    Name(Cow<'a, str>),
    /// For [`PartKind::Date`]; years 0 to 9999 can be rendered.
    Date {
        /// Proleptic Gregorian year.
        year: i32,
        /// 1 to 12.
        month: u8,
        /// 1 to 31.
        day: u8,
    },
    /// For [`PartKind::Timestamp`]; years 0 to 9999 can be rendered.
    Timestamp {
        /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
        seconds: i64,
        /// 0 to 999 999 999.
        nanos: u32,
    },
    /// For [`PartKind::Uuid`].
    Uuid(u128),
    /// For [`PartKind::Bytes`].
    Bytes(Cow<'a, [u8]>),
}

impl PartValue<'_> {
    /// The text of a [`PartValue::Text`].
    ///
    /// # Errors
    ///
    /// [`PartError`] for any other variant.
    pub fn as_text(&self) -> Result<&str, PartError> {
        match self {
            PartValue::Text(text) => Ok(text),
            _ => Err(PartError::new("is not text")),
        }
    }
}

/// Why a value cannot be a key part; the entity and the field are added by the caller.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PartError(Cow<'static, str>);

impl PartError {
    /// A reason that reads well behind "field `x`": `"is not two upper-case letters"`.
    pub fn new(reason: impl Into<Cow<'static, str>>) -> Self {
        PartError(reason.into())
    }
}

impl fmt::Display for PartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PartError {}

macro_rules! text_parts {
    ($($ty:ty),*) => {$(
        impl KeyPart for $ty {
            const KIND: PartKind = PartKind::Text;
            fn to_value(&self) -> Result<PartValue<'_>, PartError> {
                Ok(PartValue::Text(Cow::Borrowed(self)))
            }
            fn from_value(value: PartValue<'_>) -> Result<Self, PartError> {
                value.as_text().map(|text| <$ty>::from(text.to_owned()))
            }
        }
    )*};
}

text_parts!(String, Cow<'static, str>, Box<str>, std::sync::Arc<str>, std::rc::Rc<str>);

macro_rules! integer_parts {
    ($variant:ident, $wide:ty: $($ty:ty),*) => {$(
        impl KeyPart for $ty {
            const KIND: PartKind = PartKind::$variant { max: <$ty>::MAX as $wide };
            fn to_value(&self) -> Result<PartValue<'_>, PartError> {
                Ok(PartValue::$variant(<$wide>::from(*self)))
            }
            fn from_value(value: PartValue<'_>) -> Result<Self, PartError> {
                match value {
                    PartValue::$variant(number) => <$ty>::try_from(number)
                        .map_err(|_| PartError::new(concat!("does not fit a ", stringify!($ty)))),
                    _ => Err(PartError::new("is not a number of this kind")),
                }
            }
        }
    )*};
}

integer_parts!(Unsigned, u128: u8, u16, u32, u64, u128);
integer_parts!(Signed, i128: i8, i16, i32, i64, i128);

impl KeyPart for bool {
    const KIND: PartKind = PartKind::Name(&["false", "true"]);
    fn to_value(&self) -> Result<PartValue<'_>, PartError> {
        Ok(PartValue::Name(Cow::Borrowed(if *self { "true" } else { "false" })))
    }
    fn from_value(value: PartValue<'_>) -> Result<Self, PartError> {
        match value {
            PartValue::Name(name) if name == "true" => Ok(true),
            PartValue::Name(name) if name == "false" => Ok(false),
            _ => Err(PartError::new("is neither `true` nor `false`")),
        }
    }
}

macro_rules! byte_parts {
    ($($ty:ty),*) => {$(
        impl KeyPart for $ty {
            const KIND: PartKind = PartKind::Bytes;
            fn to_value(&self) -> Result<PartValue<'_>, PartError> {
                Ok(PartValue::Bytes(Cow::Borrowed(&self[..])))
            }
            fn from_value(value: PartValue<'_>) -> Result<Self, PartError> {
                match value {
                    PartValue::Bytes(bytes) => Ok(<$ty>::from(bytes.into_owned())),
                    _ => Err(PartError::new("is not binary")),
                }
            }
        }
    )*};
}

byte_parts!(Vec<u8>, crate::codec::Bytes);

/// A date of the calendar libraries, whose months and days always fit a byte.
#[cfg(any(feature = "chrono", feature = "jiff"))]
pub(super) fn date(year: i32, month: u32, day: u32) -> Result<PartValue<'static>, PartError> {
    match (u8::try_from(month), u8::try_from(day)) {
        (Ok(month), Ok(day)) => Ok(PartValue::Date { year, month, day }),
        _ => Err(PartError::new("is not a date of the calendar")),
    }
}
