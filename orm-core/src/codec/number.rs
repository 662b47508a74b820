use std::cmp::Ordering;
use std::fmt;
use std::num::IntErrorKind;
use std::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

/// An exact decimal number, stored as DynamoDB's type N: at most 38 significant digits, zero or of
/// a magnitude between 1E-130 and 9.9…9E+125.
///
/// Equality and order are by value. The text is canonical: without superfluous zeros, and with an
/// exponent (`1E100`) from 40 places on. In other serde formats a number is a string of that text.
///
/// Below `#[serde(flatten)]` and in internally tagged and untagged enums serde buffers numbers in
/// its own types; there, a number of more than 15 digits that is not an `i64` or a `u64` is refused
/// and one of more than 17 can be rounded. Decimals of other crates are stored alike by
/// [`monotable::number`](mod@crate::number). See [Number][aws] in the AWS documentation.
///
/// # Examples
///
/// ```
/// use monotable::Number;
///
/// let price: Number = "19.90".parse()?;
/// assert_eq!(price.to_string(), "19.9");
/// assert_eq!(price, Number::try_from(19.9)?);
/// assert!(price < Number::from(20));
///
/// let long: Number = "0.12345678901234567890123456789012345678".parse()?;
/// assert_eq!(long.to_string(), "0.12345678901234567890123456789012345678");
/// assert!("1E126".parse::<Number>().is_err());
/// # Ok::<(), monotable::NumberError>(())
/// ```
///
/// [aws]: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html#HowItWorks.DataTypes.Number
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Number {
    negative: bool,
    /// Below 10³⁸, not a multiple of ten unless zero; zero has no sign and the exponent 0.
    digits: u128,
    exponent: i16,
}

/// Why a text or a number is not a [`Number`], or a [`Number`] not an integer of the asked type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberError(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Malformed,
    Precision,
    Range,
    NotFinite,
    NotInteger(&'static str),
}

impl std::error::Error for NumberError {}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Malformed => f.write_str("not a decimal number"),
            Kind::Precision => f.write_str("a number has at most 38 significant digits"),
            Kind::Range => f.write_str("a number is zero or between 1E-130 and 9.9…9E+125"),
            Kind::NotFinite => f.write_str("a number cannot be NaN or infinite"),
            Kind::NotInteger(ty) => write!(f, "not a whole number in the range of `{ty}`"),
        }
    }
}

const MAX_DIGITS: i64 = 38;
const MAX_PLACE: i64 = 125;
const MIN_PLACE: i64 = -130;
/// From this many places on, the text has an exponent. Every integer type stays below it.
const PLAIN_PLACES: i32 = 40;

impl FromStr for Number {
    type Err = NumberError;

    /// Reads `-12.50`, `1E3`, `.5`: digits with an optional sign, point and decimal exponent.
    fn from_str(text: &str) -> Result<Self, NumberError> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.len() + fraction.len() == 0 {
            return Err(NumberError(Kind::Malformed));
        }

        let (mut digits, mut significant, mut zeros) = (0_u128, 0_i64, 0_u32);
        let mut places = i64::from(exponent);
        let mut excess = false;
        for (in_fraction, byte) in
            whole.bytes().map(|byte| (false, byte)).chain(fraction.bytes().map(|byte| (true, byte)))
        {
            if !byte.is_ascii_digit() {
                return Err(NumberError(Kind::Malformed));
            }
            places -= i64::from(in_fraction);
            if byte == b'0' {
                zeros = zeros.saturating_add(u32::from(significant > 0));
                continue;
            }
            significant += i64::from(zeros) + 1;
            if significant > MAX_DIGITS {
                excess = true;
            } else {
                digits = digits * 10_u128.pow(zeros + 1) + u128::from(byte - b'0');
            }
            zeros = 0;
        }
        if excess {
            return Err(NumberError(Kind::Precision));
        }
        if digits == 0 {
            return Ok(Self::default());
        }
        let exponent = places + i64::from(zeros);
        if !(MIN_PLACE..=MAX_PLACE).contains(&(significant - 1 + exponent)) {
            return Err(NumberError(Kind::Range));
        }
        let exponent = i16::try_from(exponent).map_err(|_| NumberError(Kind::Range))?;
        Ok(Self { negative, digits, exponent })
    }
}

fn parse_exponent(text: &str) -> Result<i32, NumberError> {
    text.parse().or_else(|error: std::num::ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => Ok(i32::MAX),
        IntErrorKind::NegOverflow => Ok(i32::MIN),
        _ => Err(NumberError(Kind::Malformed)),
    })
}

impl Number {
    /// The power of ten of the first digit.
    fn place(&self) -> i32 {
        self.digits.checked_ilog10().map_or(0, u32::cast_signed) + i32::from(self.exponent)
    }

    fn magnitude(&self) -> Option<u128> {
        let exponent = u32::try_from(self.exponent).ok()?;
        self.digits.checked_mul(10_u128.checked_pow(exponent)?)
    }

    pub(super) fn to_i128(self) -> Option<i128> {
        let magnitude = i128::try_from(self.magnitude()?).ok()?;
        Some(if self.negative { -magnitude } else { magnitude })
    }

    pub(super) fn to_u128(self) -> Option<u128> {
        if self.negative { None } else { self.magnitude() }
    }
}

impl Number {
    /// The exact sum, as DynamoDB's ADD makes it.
    pub(crate) fn sum(self, other: Self) -> Result<Self, NumberError> {
        let exponent = self.exponent.min(other.exponent);
        let aligned = |number: Self| {
            let places = u32::from(number.exponent.abs_diff(exponent));
            let digits = 10_u128.checked_pow(places).and_then(|by| number.digits.checked_mul(by));
            match digits {
                Some(digits) if digits < 10_u128.pow(38) => Ok(digits),
                _ if number.digits == 0 => Ok(0),
                _ => Err(NumberError(Kind::Precision)),
            }
        };
        if self.digits == 0 || other.digits == 0 {
            return Ok(if self.digits == 0 { other } else { self });
        }
        let (a, b) = (aligned(self)?, aligned(other)?);
        let (negative, magnitude) = match (self.negative == other.negative, a >= b) {
            (true, _) => (self.negative, a + b),
            (false, true) => (self.negative, a - b),
            (false, false) => (other.negative, b - a),
        };
        let sign = if negative { "-" } else { "" };
        format!("{sign}{magnitude}E{exponent}").parse()
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.digits.to_string();
        let place = self.place();
        if place >= PLAIN_PLACES || place <= -PLAIN_PLACES {
            if text.len() > 1 {
                text.insert(1, '.');
            }
            text.push_str(&format!("E{place}"));
        } else if place < 0 {
            let zeros = usize::try_from(-1 - place).unwrap_or(0);
            text.insert_str(0, &format!("0.{}", "0".repeat(zeros)));
        } else {
            let whole = usize::try_from(place).unwrap_or(0) + 1;
            if whole < text.len() {
                text.insert(whole, '.');
            } else {
                text.push_str(&"0".repeat(whole - text.len()));
            }
        }
        f.pad_integral(!self.negative, "", &text)
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Number({self})")
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.sign(), other.sign()) {
            (left, right) if left != right => left.cmp(&right),
            (-1, _) => other.cmp_magnitude(self),
            _ => self.cmp_magnitude(other),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Number {
    fn sign(&self) -> i8 {
        match (self.digits, self.negative) {
            (0, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        }
    }

    fn cmp_magnitude(&self, other: &Self) -> Ordering {
        // Both mantissas are brought to 38 digits, which u128 holds.
        let aligned = |number: &Self| {
            let length = number.digits.checked_ilog10().unwrap_or(0);
            number.digits.saturating_mul(10_u128.pow(37_u32.saturating_sub(length)))
        };
        let by_place = self.place().cmp(&other.place());
        by_place.then_with(|| aligned(self).cmp(&aligned(other)))
    }
}

macro_rules! integers {
    ($($from:ident: $($ty:ident)*; $into:ident)*) => {$($(
        integers!(@$from $ty);

        impl TryFrom<Number> for $ty {
            type Error = NumberError;

            fn try_from(number: Number) -> Result<Self, NumberError> {
                let integer = number.$into().and_then(|integer| integer.try_into().ok());
                integer.ok_or(NumberError(Kind::NotInteger(stringify!($ty))))
            }
        }
    )*)*};
    (@exact $ty:ident) => {
        impl From<$ty> for Number {
            fn from(integer: $ty) -> Self {
                let negative = integer < <$ty>::default();
                Self::normal(negative, i128::from(integer).unsigned_abs())
            }
        }
    };
    (@long $ty:ident) => {
        impl TryFrom<$ty> for Number {
            type Error = NumberError;

            /// Fails where the integer has 39 significant digits.
            fn try_from(integer: $ty) -> Result<Self, NumberError> {
                integer.to_string().parse()
            }
        }
    };
}

integers! {
    exact: i8 i16 i32 i64 u8 u16 u32 u64; to_i128
    long: i128; to_i128
    long: u128; to_u128
}

impl Number {
    /// `magnitude` is below 10³⁸.
    fn normal(negative: bool, magnitude: u128) -> Self {
        let (mut digits, mut exponent) = (magnitude, 0);
        while digits != 0 && digits.is_multiple_of(10) {
            digits /= 10;
            exponent += 1;
        }
        Self { negative, digits, exponent }
    }
}

macro_rules! floats {
    ($($ty:ident)*) => {$(
        impl TryFrom<$ty> for Number {
            type Error = NumberError;

            /// The shortest decimal that reads back as the same float.
            fn try_from(float: $ty) -> Result<Self, NumberError> {
                if !float.is_finite() {
                    return Err(NumberError(Kind::NotFinite));
                }
                format!("{float:e}").parse()
            }
        }

        impl From<Number> for $ty {
            /// The nearest float.
            fn from(number: Number) -> Self {
                number.to_string().parse().unwrap_or($ty::NAN)
            }
        }
    )*};
}

floats!(f32 f64);

/// The newtype name that asks this crate's serializer and deserializer for the text of an N.
pub(super) const NAME: &str = "\u{37E}monotable::Number\u{37E}";

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(NAME, &self.to_string())
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(NAME, NumberVisitor)
    }
}

struct NumberVisitor;

impl<'de> Visitor<'de> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, other: D) -> Result<Number, D::Error> {
        other.deserialize_any(self)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
        text.parse().map_err(|error| E::custom(format_args!("`{text}`: {error}")))
    }

    fn visit_i64<E>(self, integer: i64) -> Result<Number, E> {
        Ok(integer.into())
    }

    fn visit_u64<E>(self, integer: u64) -> Result<Number, E> {
        Ok(integer.into())
    }

    fn visit_i128<E: de::Error>(self, integer: i128) -> Result<Number, E> {
        integer.try_into().map_err(E::custom)
    }

    fn visit_u128<E: de::Error>(self, integer: u128) -> Result<Number, E> {
        integer.try_into().map_err(E::custom)
    }

    fn visit_f64<E: de::Error>(self, float: f64) -> Result<Number, E> {
        let number = Number::try_from(float).map_err(E::custom)?;
        // A float keeps every decimal of up to 15 digits; a longer one may have been rounded.
        if number.digits < 10_u128.pow(15) {
            Ok(number)
        } else {
            let message = "a `Number` of more than 15 digits was read as a float and is not exact";
            Err(E::custom(message))
        }
    }
}
