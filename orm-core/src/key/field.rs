//! How fields and arguments of patterns become components.

use std::borrow::Cow;
use std::ops::Deref;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;

use super::template::Component;
use super::{KeyPart, KeyValue, PartError, PartValue};
use crate::codec;

/// The type of a field in a template: a key part, or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in a key template",
    label = "not a key part",
    note = "key parts are text, integers of fixed width, bool, dates, timestamps, UUIDs (features `chrono`, `jiff`, `uuid`), and types with `#[derive(KeyPart)]`",
    note = "usize, isize and floats are no key parts: their stored text would depend on the machine or has no exact order"
)]
pub trait KeyField: Sized {
    /// Without the `Option`.
    type Part: KeyPart;
    /// Whether it is an `Option`.
    const OPTIONAL: bool;
    /// The part, if there is one.
    fn part(&self) -> Option<&Self::Part>;
    /// The field in a template.
    #[doc(hidden)]
    fn component(&self) -> impl Component {
        Bare(self)
    }
    /// A part as the pattern of `only_when` on the field sees it.
    type Seen<'a>: Deref
    where
        Self: 'a;
    /// See [`Seen`](Self::Seen).
    fn seen<'a>(part: &'a Self::Part) -> Self::Seen<'a>
    where
        Self: 'a;
}

#[diagnostic::do_not_recommend]
impl<T: KeyPart> KeyField for T {
    type Part = T;
    const OPTIONAL: bool = false;
    fn part(&self) -> Option<&T> {
        Some(self)
    }
    type Seen<'a>
        = &'a T
    where
        T: 'a;
    fn seen<'a>(part: &'a T) -> &'a T
    where
        T: 'a,
    {
        part
    }
}

#[diagnostic::do_not_recommend]
impl<T: KeyPart> KeyField for Option<T> {
    type Part = T;
    const OPTIONAL: bool = true;
    fn part(&self) -> Option<&T> {
        self.as_ref()
    }
    type Seen<'a>
        = Held<Option<&'a T>>
    where
        T: 'a;
    fn seen<'a>(part: &'a T) -> Held<Option<&'a T>>
    where
        T: 'a,
    {
        Held(Some(part))
    }
}

/// A value as the place behind a pointer, for `match *…`.
#[doc(hidden)]
#[derive(Debug)]
pub struct Held<T>(T);

impl<T> Deref for Held<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

/// What a key or a pattern takes for a part of type `T`: a `T`, a `&T`, and `&str` for text types.
///
/// It is not `Into<T>`, so that `OrderLine::key("o1", 1)` infers the integer's type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no value for a key part of type `{T}`",
    label = "expected `{T}` or `&{T}`"
)]
pub trait KeyArg<T> {
    /// The value, borrowed where it can be.
    fn arg(&self) -> Arg<'_, T>;
    /// The value in a template, which needs no `T`.
    #[doc(hidden)]
    fn component<'a>(&'a self) -> impl Component
    where
        T: KeyPart + 'a,
    {
        self.arg()
    }
}

/// A borrowed or converted argument.
#[derive(Debug)]
pub enum Arg<'a, T> {
    /// The caller's value.
    Borrowed(&'a T),
    /// Made from what the caller gave.
    Owned(T),
}

impl<T> Deref for Arg<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        match self {
            Arg::Borrowed(value) => value,
            Arg::Owned(value) => value,
        }
    }
}

impl<T: KeyPart> Component for Arg<'_, T> {
    fn value(&self) -> Result<Option<PartValue<'_>>, PartError> {
        (**self).to_value().map(Some)
    }
    fn natural(&self) -> Result<Option<KeyValue>, PartError> {
        not_natural()
    }
}

impl<T: KeyPart> KeyArg<T> for T {
    fn arg(&self) -> Arg<'_, T> {
        Arg::Borrowed(self)
    }
}

impl<T: KeyPart> KeyArg<T> for &T {
    fn arg(&self) -> Arg<'_, T> {
        Arg::Borrowed(self)
    }
}

macro_rules! str_args {
    ($($ty:ty),*) => {$(
        impl KeyArg<$ty> for &str {
            fn arg(&self) -> Arg<'_, $ty> {
                Arg::Owned(<$ty>::from((*self).to_owned()))
            }
            fn component<'a>(&'a self) -> impl Component
            where
                $ty: 'a,
            {
                Lent(self)
            }
        }
    )*};
}

/// Text of the caller in a template.
#[derive(Debug)]
struct Lent<'a>(&'a str);

impl Component for Lent<'_> {
    fn value(&self) -> Result<Option<PartValue<'_>>, PartError> {
        Ok(Some(PartValue::Text(self.0.into())))
    }
    fn natural(&self) -> Result<Option<KeyValue>, PartError> {
        not_natural()
    }
}

str_args!(String, Cow<'static, str>, Box<str>, std::sync::Arc<str>, std::rc::Rc<str>);

impl KeyArg<Vec<u8>> for &[u8] {
    fn arg(&self) -> Arg<'_, Vec<u8>> {
        Arg::Owned(self.to_vec())
    }
}

impl KeyArg<codec::Bytes> for &[u8] {
    fn arg(&self) -> Arg<'_, codec::Bytes> {
        Arg::Owned(codec::Bytes::from(self.to_vec()))
    }
}

/// A field in a template, where its value is enough.
#[derive(Debug)]
pub struct Bare<'a, T>(pub &'a T);

impl<T: KeyField> Component for Bare<'_, T> {
    fn value(&self) -> Result<Option<PartValue<'_>>, PartError> {
        self.0.part().map(KeyPart::to_value).transpose()
    }
    fn natural(&self) -> Result<Option<KeyValue>, PartError> {
        not_natural()
    }
}

/// A field that serde writes by its own `Serialize`.
#[derive(Debug)]
pub struct Plain<'a, T>(pub &'a T);

impl<T: KeyField + Serialize> Component for Plain<'_, T> {
    fn value(&self) -> Result<Option<PartValue<'_>>, PartError> {
        self.0.part().map(KeyPart::to_value).transpose()
    }
    fn natural(&self) -> Result<Option<KeyValue>, PartError> {
        match self.0.part() {
            None => Ok(None),
            Some(_) => natural(self.0),
        }
    }
}

/// A field with `#[serde(with)]`; `W` serializes it that way.
#[derive(Debug)]
pub struct With<'a, T, W>(pub &'a T, pub W);

impl<T: KeyField, W: Serialize> Component for With<'_, T, W> {
    fn value(&self) -> Result<Option<PartValue<'_>>, PartError> {
        self.0.part().map(KeyPart::to_value).transpose()
    }
    fn natural(&self) -> Result<Option<KeyValue>, PartError> {
        match self.0.part() {
            None => Ok(None),
            Some(_) => natural(&self.1),
        }
    }
}

fn not_natural() -> Result<Option<KeyValue>, PartError> {
    Err(PartError::new("stands in a template"))
}

fn natural(value: &impl Serialize) -> Result<Option<KeyValue>, PartError> {
    let stored = codec::to_value(value).map_err(|error| PartError::new(error.to_string()))?;
    match stored {
        AttributeValue::S(text) => Ok(Some(KeyValue::S(text))),
        AttributeValue::N(text) => Ok(Some(KeyValue::N(text))),
        AttributeValue::B(blob) => Ok(Some(KeyValue::B(blob.into_inner()))),
        _ => Err(PartError::new("is not stored as S, N or B by serde, as a key must be")),
    }
}
