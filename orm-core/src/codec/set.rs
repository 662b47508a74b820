use std::collections::{BTreeSet, HashSet, btree_set};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use super::error::{CodecError, Result as CodecResult};
use super::{Bytes, Number, type_name};

/// A set, stored as DynamoDB's SS (strings), NS (numbers) or BS (binary), never as a list.
///
/// DynamoDB has no empty set: an empty one is left out of its struct, and a missing attribute reads
/// as the empty set. Inside a list or a map entry, where nothing can be left out, an empty set is
/// an error. Lists, as other writers may have left them, read as well. In other serde formats a set
/// is a plain sequence. See [Sets][aws] in the AWS documentation.
///
/// # Examples
///
/// ```
/// use monotable::Set;
///
/// let mut tags: Set<String> = ["new", "sale", "new"].map(String::from).into_iter().collect();
/// assert_eq!(tags.len(), 2);
/// tags.insert("gift".to_string());
/// assert!(tags.contains("gift"));
/// assert_eq!(tags.into_iter().collect::<Vec<_>>(), ["gift", "new", "sale"]);
/// ```
///
/// [aws]: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html#HowItWorks.DataTypes.SetTypes
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set<T>(BTreeSet<T>);

/// A type whose values can be elements of a DynamoDB set: `String`, the integers, [`Number`] and
/// [`Bytes`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of a DynamoDB set",
    note = "sets hold `String`, integers, `Number` or `Bytes`"
)]
pub trait SetElement: Ord + Serialize + DeserializeOwned + sealed::Sealed {}

mod sealed {
    pub trait Sealed {
        const NAME: &'static str;
    }
}

macro_rules! elements {
    ($($name:ident: $($ty:ty)*;)*) => {$($(
        impl SetElement for $ty {}
        impl sealed::Sealed for $ty {
            const NAME: &'static str = $name;
        }
    )*)*};
}

elements! {
    STRINGS: String;
    NUMBERS: i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize Number;
    BINARIES: Bytes;
}

impl<T> Set<T> {
    /// The empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self(BTreeSet::new())
    }

    /// The wrapped set.
    #[must_use]
    pub fn into_inner(self) -> BTreeSet<T> {
        self.0
    }
}

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> Deref for Set<T> {
    type Target = BTreeSet<T>;

    fn deref(&self) -> &BTreeSet<T> {
        &self.0
    }
}

impl<T> DerefMut for Set<T> {
    fn deref_mut(&mut self) -> &mut BTreeSet<T> {
        &mut self.0
    }
}

impl<T> From<BTreeSet<T>> for Set<T> {
    fn from(set: BTreeSet<T>) -> Self {
        Self(set)
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for Set<T> {
    fn from(elements: [T; N]) -> Self {
        Self(elements.into())
    }
}

impl<T: Ord> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self(elements.into_iter().collect())
    }
}

impl<T: Ord> Extend<T> for Set<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        self.0.extend(elements);
    }
}

impl<T> IntoIterator for Set<T> {
    type Item = T;
    type IntoIter = btree_set::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Set<T> {
    type Item = &'a T;
    type IntoIter = btree_set::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: SetElement> Serialize for Set<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(T::NAME, &self.0)
    }
}

impl<'de, T: SetElement> Deserialize<'de> for Set<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Serde offers a missing field to `deserialize_option` only.
        deserializer.deserialize_option(SetVisitor(PhantomData))
    }
}

struct SetVisitor<T>(PhantomData<T>);

impl<'de, T: SetElement> Visitor<'de> for SetVisitor<T> {
    type Value = Set<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a set")
    }

    fn visit_none<E>(self) -> Result<Set<T>, E> {
        Ok(Set::new())
    }

    fn visit_unit<E>(self) -> Result<Set<T>, E> {
        Ok(Set::new())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Set<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Set<T>, A::Error> {
        let mut set = BTreeSet::new();
        while let Some(element) = seq.next_element()? {
            set.insert(element);
        }
        Ok(Set(set))
    }
}

// The newtype names by which serde_dynamo's `string_set`, `number_set` and `binary_set` mark a
// sequence, so that a field may use either crate.
pub(super) const STRINGS: &str = "\u{37E}STRINGSET\u{37E}";
pub(super) const NUMBERS: &str = "\u{37E}NUMBERSET\u{37E}";
pub(super) const BINARIES: &str = "\u{37E}BYTESSET\u{37E}";

/// The set named `name` of a written list's elements, each once. `list` is not empty.
pub(super) fn from_list(name: &str, list: Vec<AttributeValue>) -> CodecResult<AttributeValue> {
    Ok(match name {
        STRINGS => AttributeValue::Ss(distinct(list, "a string", |value| match value {
            AttributeValue::S(text) => Ok(text),
            other => Err(other),
        })?),
        NUMBERS => AttributeValue::Ns(distinct(list, "a number", |value| match value {
            AttributeValue::N(text) => Ok(text),
            other => Err(other),
        })?),
        _ => AttributeValue::Bs(distinct(list, "binary data", |value| match value {
            AttributeValue::B(bytes) => Ok(bytes),
            other => Err(other),
        })?),
    })
}

fn distinct<T: Clone + Eq + std::hash::Hash>(
    list: Vec<AttributeValue>,
    expected: &str,
    element: fn(AttributeValue) -> Result<T, AttributeValue>,
) -> CodecResult<Vec<T>> {
    let mut seen = HashSet::with_capacity(list.len());
    let mut elements = Vec::with_capacity(list.len());
    for (index, value) in list.into_iter().enumerate() {
        let value = element(value).map_err(|other| {
            let message = format!("expected {expected} in a set, found {}", type_name(&other));
            CodecError::new(message).in_element(index)
        })?;
        if seen.insert(value.clone()) {
            elements.push(value);
        }
    }
    Ok(elements)
}
