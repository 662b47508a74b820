//! When an item expires: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html>.

use std::time::{SystemTime, UNIX_EPOCH};

use aws_sdk_dynamodb::types::AttributeValue;

use crate::codec::CodecError;
use crate::entity::Entity;
use crate::error::Error;
use crate::expr::{Node, attribute};
use crate::found::Attributes;
use crate::key::KeyRef;
use crate::schema::Schema;

/// A field that says when an item expires: whole seconds since 1970 as an integer, or an instant,
/// rounded down to the second. `None`: it never does.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say when an item expires",
    label = "not a time to live",
    note = "use seconds since 1970 as `i64`, `u64` or `u32`, a `SystemTime`, a timestamp of `chrono` or `jiff`, or an `Option` of one"
)]
pub trait TtlField {
    /// Whether serde writes these seconds itself.
    #[doc(hidden)]
    const SECONDS: bool;

    /// Seconds since 1970-01-01T00:00:00Z; before that, less than 0.
    fn seconds(&self) -> Option<i64>;
}

macro_rules! seconds {
    ($($ty:ty)*) => {$(
        impl TtlField for $ty {
            const SECONDS: bool = true;
            fn seconds(&self) -> Option<i64> {
                Some(i64::try_from(*self).unwrap_or(i64::MAX))
            }
        }
    )*};
}

seconds!(i64 u64 u32);

impl<T: TtlField> TtlField for Option<T> {
    const SECONDS: bool = T::SECONDS;
    fn seconds(&self) -> Option<i64> {
        self.as_ref().and_then(T::seconds)
    }
}

impl TtlField for SystemTime {
    const SECONDS: bool = false;
    fn seconds(&self) -> Option<i64> {
        Some(match self.duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
            Err(_) => -1,
        })
    }
}

#[cfg(feature = "chrono")]
impl<Z: chrono::TimeZone> TtlField for chrono::DateTime<Z> {
    const SECONDS: bool = false;
    fn seconds(&self) -> Option<i64> {
        Some(self.timestamp())
    }
}

#[cfg(feature = "jiff")]
impl TtlField for jiff::Timestamp {
    const SECONDS: bool = false;
    fn seconds(&self) -> Option<i64> {
        Some(self.as_second().saturating_sub(i64::from(self.subsec_nanosecond() < 0)))
    }
}

/// Later than the year 5000: such a number of seconds was meant as milliseconds.
const MAX_SECONDS: i64 = 100_000_000_000;

/// The seconds of a field, checked.
#[doc(hidden)]
pub fn checked_seconds<E: Entity>(
    seconds: Option<i64>,
    attribute: &str,
) -> Result<Option<i64>, Error> {
    let problem = match seconds {
        Some(..0) => "lies before 1970, which a time to live cannot",
        Some(MAX_SECONDS..) => {
            "lies beyond the year 5000: a time to live is in seconds, not in milliseconds"
        }
        _ => return Ok(seconds),
    };
    Err(Error::encode(E::SCHEMA.name, None, CodecError::at(problem, attribute)))
}

/// The TTL attribute of the entity's table, if its items expire.
pub(crate) fn attribute_of<E: Entity>() -> Option<&'static str> {
    E::SCHEMA.ttl.and(E::Table::TABLE.ttl)
}

/// Whether the item counts as absent: DynamoDB deletes it some days later.
pub(crate) fn is_expired<E: Entity>(item: &impl Attributes, now: i64) -> bool {
    is_over(attribute_of::<E>(), item, now)
}

/// The same, by the TTL attribute.
pub(crate) fn is_over(attribute: Option<&str>, item: &impl Attributes, now: i64) -> bool {
    let stored = attribute.and_then(|name| item.key(name));
    matches!(stored, Some(KeyRef::N(seconds))
        if seconds.parse::<f64>().is_ok_and(|seconds| seconds <= to_float(now)))
}

#[allow(clippy::cast_precision_loss)]
fn to_float(seconds: i64) -> f64 {
    seconds as f64
}

/// `ttl <= now`.
pub(crate) fn expired(name: &'static str, now: i64) -> Node {
    let now = AttributeValue::N(now.to_string());
    Node::Compare(crate::expr::Operand::Path(attribute(name)), "<=", now)
}

/// `NOT ttl <= now`, which also holds where there is no such attribute.
pub(crate) fn alive(name: &'static str, now: i64) -> Node {
    Node::Not(Box::new(expired(name, now)))
}
