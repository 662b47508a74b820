//! What a path's methods take, and which types of fields have which methods.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::codec::{Bytes, Number, Set, SetElement};

/// A value for a field of type `T`: a `T`, a `&T`, `&str` for text, and, where the field is an
/// `Option`, what is inside of it.
///
/// It is not `Into<T>`, so that `o.total.gt(5)` infers the integer's type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no value for a field of type `{T}`",
    label = "expected the field's type, owned or borrowed",
    note = "text takes `&str` too; an `Option` takes the value inside, without `Some`"
)]
pub trait ValueArg<T> {
    /// The value.
    fn into_value(self) -> T;
}

#[diagnostic::do_not_recommend]
impl<T> ValueArg<T> for T {
    fn into_value(self) -> T {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone> ValueArg<T> for &T {
    fn into_value(self) -> T {
        self.clone()
    }
}

#[diagnostic::do_not_recommend]
impl<T> ValueArg<Option<T>> for T {
    fn into_value(self) -> Option<T> {
        Some(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone> ValueArg<Option<T>> for &T {
    fn into_value(self) -> Option<T> {
        Some(self.clone())
    }
}

macro_rules! texts {
    ($($ty:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl ValueArg<$ty> for &str {
            fn into_value(self) -> $ty {
                <$ty>::from(self.to_owned())
            }
        }
        #[diagnostic::do_not_recommend]
        impl ValueArg<Option<$ty>> for &str {
            fn into_value(self) -> Option<$ty> {
                Some(<$ty>::from(self.to_owned()))
            }
        }
        impl HasText for $ty {}
        impl Container for $ty {
            type Element = String;
        }
    )*};
}

texts!(String, Cow<'static, str>, Box<str>, std::sync::Arc<str>);

/// A field with `begins_with`: text and binary data.
#[diagnostic::on_unimplemented(
    message = "`begins_with` is for text and binary data",
    label = "`{Self}` is neither"
)]
pub trait HasText {}
impl HasText for Bytes {}
#[diagnostic::do_not_recommend]
impl<T: HasText> HasText for Option<T> {}

/// A field with `contains`: text has parts, sets and lists have elements.
#[diagnostic::on_unimplemented(
    message = "`contains` is for text, sets and lists",
    label = "`{Self}` is none of them"
)]
pub trait Container {
    /// What it contains.
    type Element: Serialize + DeserializeOwned;
}
impl<T: SetElement> Container for Set<T> {
    type Element = T;
}
impl<T: Serialize + DeserializeOwned> Container for Vec<T> {
    type Element = T;
}
impl<T: Serialize + DeserializeOwned> Container for VecDeque<T> {
    type Element = T;
}
#[diagnostic::do_not_recommend]
impl<T: Container> Container for Option<T> {
    type Element = T::Element;
}

/// A number that `add` and `subtract` change. Implement it for a newtype that serde writes as a
/// number.
#[diagnostic::on_unimplemented(
    message = "`add` and `subtract` are for numbers",
    label = "`{Self}` is none",
    note = "implement `monotable::expr::Numeric` for a newtype that is stored as a number"
)]
pub trait Numeric {
    /// What is added.
    type Delta: Serialize;
}
#[diagnostic::do_not_recommend]
impl<T: Numeric> Numeric for Option<T> {
    type Delta = T::Delta;
}

macro_rules! numerics {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Numeric for $ty {
            type Delta = $ty;
        }
    )*};
}

numerics!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 Number);

/// A list, with `append`, `prepend` and `at`.
#[diagnostic::on_unimplemented(
    message = "`append`, `prepend` and `at` are for lists",
    label = "`{Self}` is none"
)]
pub trait ListField: Sized {
    /// An element.
    type Element: Serialize + DeserializeOwned;
    /// The list of these elements.
    fn of(elements: Vec<Self::Element>) -> Self;
}

macro_rules! lists {
    ($($list:ident)*) => {$(
        impl<T: Serialize + DeserializeOwned> ListField for $list<T> {
            type Element = T;
            fn of(elements: Vec<T>) -> Self {
                elements.into()
            }
        }
    )*};
}

lists!(Vec VecDeque);

#[diagnostic::do_not_recommend]
impl<L: ListField> ListField for Option<L> {
    type Element = L::Element;
    fn of(elements: Vec<L::Element>) -> Self {
        Some(L::of(elements))
    }
}

/// A map with text keys, with `entry`.
#[diagnostic::on_unimplemented(
    message = "`entry` is for maps with text keys",
    label = "`{Self}` is none"
)]
pub trait MapField {
    /// The value of an entry.
    type Value: Serialize + DeserializeOwned;
}
impl<V: Serialize + DeserializeOwned, S> MapField for HashMap<String, V, S> {
    type Value = V;
}
impl<V: Serialize + DeserializeOwned> MapField for BTreeMap<String, V> {
    type Value = V;
}
#[diagnostic::do_not_recommend]
impl<F: MapField> MapField for Option<F> {
    type Value = F::Value;
}

/// A set, with `insert` and `delete`.
#[diagnostic::on_unimplemented(
    message = "`insert` and `delete` are for sets",
    label = "`{Self}` is no `Set`",
    note = "serde cannot tell sets from lists: make the field a `monotable::Set`; a list has `append`"
)]
pub trait SetField: Sized {
    /// An element.
    type Element: SetElement;
    /// The set of these elements.
    fn of(elements: Vec<Self::Element>) -> Self;
}
impl<T: SetElement> SetField for Set<T> {
    type Element = T;
    fn of(elements: Vec<T>) -> Self {
        elements.into_iter().collect()
    }
}
#[diagnostic::do_not_recommend]
impl<S: SetField> SetField for Option<S> {
    type Element = S::Element;
    fn of(elements: Vec<S::Element>) -> Self {
        Some(S::of(elements))
    }
}

/// An `Option`, with `is_none`, `is_some` and `remove`.
#[diagnostic::on_unimplemented(
    message = "`remove` is for fields that are an `Option`",
    label = "`{Self}` must be there when the item is read"
)]
pub trait OptionField {}
impl<T> OptionField for Option<T> {}
