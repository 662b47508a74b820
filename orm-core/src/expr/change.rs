use std::any::Any;
use std::fmt;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;

use super::kind::{ChangeIn, IsElement, Kind, SetIn, TopLevel};
use super::path::{DocumentPath, FOREIGN, Path, Segment};
use super::value::{ListField, Numeric, OptionField, SetField, ValueArg};
use crate::codec;
use crate::error::Error;

/// What an update does to an item; made by the methods of [`Path`].
#[derive(Debug)]
#[must_use = "a change does nothing until an operation gets it"]
pub struct Change(pub(crate) Vec<Action>);

/// One clause of an update.
#[derive(Debug)]
pub(crate) enum Action {
    /// Also removes, where the value is left out of the item.
    Set {
        at: DocumentPath,
        value: Option<AttributeValue>,
        typed: Option<Typed>,
    },
    SetIfMissing {
        at: DocumentPath,
        value: AttributeValue,
    },
    /// A missing number counts as `begin`, or 0.
    Add {
        at: DocumentPath,
        number: String,
        begin: Option<AttributeValue>,
    },
    /// A missing list counts as `begin`, or empty.
    Append {
        at: DocumentPath,
        list: AttributeValue,
        in_front: bool,
        begin: Option<AttributeValue>,
    },
    Insert {
        at: DocumentPath,
        set: AttributeValue,
    },
    Delete {
        at: DocumentPath,
        set: AttributeValue,
    },
    /// A value that cannot be stored.
    Refused(Error),
}

/// The new value of a field as its own type, from which index keys are rewritten.
pub(crate) struct Typed(Box<dyn Any + Send + Sync>);

impl Typed {
    pub(crate) fn get<T: 'static>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

impl fmt::Debug for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Typed(..)")
    }
}

impl Action {
    pub(crate) fn at(&self) -> Option<&DocumentPath> {
        match self {
            Action::Set { at, .. }
            | Action::SetIfMissing { at, .. }
            | Action::Add { at, .. }
            | Action::Append { at, .. }
            | Action::Insert { at, .. }
            | Action::Delete { at, .. } => Some(at),
            Action::Refused(_) => None,
        }
    }

    /// The same, where a missing attribute counts as this one; `None` where one update cannot say it.
    pub(crate) fn beginning_with(&self, first: Option<AttributeValue>) -> Option<Action> {
        Some(match self {
            Action::Set { at, value, .. } => {
                Action::Set { at: at.clone(), value: value.clone(), typed: None }
            }
            Action::SetIfMissing { at, value } => {
                let value = first.unwrap_or_else(|| value.clone());
                Action::SetIfMissing { at: at.clone(), value }
            }
            Action::Add { at, number, .. } => {
                Action::Add { at: at.clone(), number: number.clone(), begin: first }
            }
            Action::Append { at, list, in_front, .. } => Action::Append {
                at: at.clone(),
                list: list.clone(),
                in_front: *in_front,
                begin: first,
            },
            Action::Insert { at, set } if first.is_none() => {
                Action::Insert { at: at.clone(), set: set.clone() }
            }
            Action::Delete { at, set } if first.is_none() => {
                Action::Delete { at: at.clone(), set: set.clone() }
            }
            Action::Insert { .. } | Action::Delete { .. } | Action::Refused(_) => return None,
        })
    }

    /// Whether doing it twice is the same as doing it once. An element that is removed moves those
    /// behind it, and one that is set beyond the end is appended.
    pub(crate) fn is_idempotent(&self) -> bool {
        let in_list = self
            .at()
            .is_some_and(|at| at.0.iter().any(|segment| matches!(segment, Segment::Index(_))));
        !in_list && !matches!(self, Action::Add { .. } | Action::Append { .. })
    }
}

/// Two changes of one place, or of a place and something inside of it: DynamoDB refuses them in one
/// update.
pub(crate) fn overlap(actions: &[Action]) -> Option<(&DocumentPath, &DocumentPath)> {
    let paths: Vec<_> = actions.iter().filter_map(Action::at).collect();
    paths.iter().enumerate().find_map(|(at, path)| {
        let other = paths[..at].iter().find(|other| other.overlaps(path))?;
        Some((*other, *path))
    })
}

/// What a closure of `change` returns: one change, or several as a tuple, an `Option` or a `Vec`.
#[diagnostic::on_unimplemented(
    message = "this closure returns no change",
    label = "expected what a path's methods make, as in `o.total.set(5)`",
    note = "several changes are given as a tuple, an `Option` or a `Vec`"
)]
pub trait IntoChanges {
    /// The changes.
    fn into_changes(self) -> Change;
}

#[diagnostic::do_not_recommend]
impl IntoChanges for Change {
    fn into_changes(self) -> Change {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<C: IntoChanges> IntoChanges for Option<C> {
    fn into_changes(self) -> Change {
        Change(self.map_or_else(Vec::new, |change| change.into_changes().0))
    }
}

#[diagnostic::do_not_recommend]
impl<C: IntoChanges> IntoChanges for Vec<C> {
    fn into_changes(self) -> Change {
        Change(self.into_iter().flat_map(|change| change.into_changes().0).collect())
    }
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($name: IntoChanges),*> IntoChanges for ($($name,)*) {
            fn into_changes(self) -> Change {
                #[allow(non_snake_case)]
                let ($($name,)*) = self;
                let mut all = Vec::new();
                $(all.extend($name.into_changes().0);)*
                Change(all)
            }
        }
    )*};
}

tuples! {
    A; A B; A B C; A B C D; A B C D E; A B C D E F; A B C D E F G; A B C D E F G H;
    A B C D E F G H I; A B C D E F G H I J; A B C D E F G H I J K; A B C D E F G H I J K L;
}

fn one(action: Result<Action, Error>) -> Change {
    Change(vec![action.unwrap_or_else(Action::Refused)])
}

// The bounds of a method stand at the method, so that its message is theirs.
impl<T: Send + Sync + 'static, K: Kind, M> Path<T, K, M> {
    /// The field becomes `value`; `None` and an empty set remove the attribute, as a put would
    /// leave it out.
    pub fn set(&self, value: impl ValueArg<T>) -> Change
    where
        K::Class: SetIn<M>,
    {
        one(self.set_to(value.into_value()))
    }

    /// The field becomes `None`: the attribute is removed, or NULL where the field is in `null(..)`.
    pub fn remove(&self) -> Change
    where
        K::Class: SetIn<M>,
        T: OptionField + Default,
    {
        one(self.set_to(T::default()))
    }
}

impl<T: Send + Sync + 'static, K, M> Path<T, K, M> {
    fn set_to(&self, value: T) -> Result<Action, Error> {
        let stored = self.encode(&value)?;
        let typed = self.at.is_top_level().then(|| Typed(Box::new(value)));
        Ok(Action::Set { at: self.at.clone(), value: stored, typed })
    }
}

/// The change of a group's member, whose own path cannot set it alone.
#[doc(hidden)]
pub fn group<T: Send + Sync + 'static, K, M>(
    path: &Path<T, K, M>,
    value: impl ValueArg<T>,
    change: Change,
) -> Change {
    let mut actions = change.0;
    actions.push(path.set_to(value.into_value()).unwrap_or_else(Action::Refused));
    Change(actions)
}

impl<T, K: Kind, M> Path<T, K, M> {
    /// The field becomes `value` if there is no such attribute.
    pub fn set_if_missing(&self, value: impl ValueArg<T>) -> Change
    where
        K::Class: ChangeIn<M>,
    {
        one(self.encode(&value.into_value()).and_then(|value| match value {
            Some(value) => Ok(Action::SetIfMissing { at: self.at.clone(), value }),
            None => Err(Error::expression(format!(
                "`{}` cannot be set to `None` if it is missing: that changes nothing",
                self.at
            ))),
        }))
    }

    /// Adds to the number; a missing one counts as 0. DynamoDB does not know the bounds of the field's
    /// type: a sum that it cannot hold is stored, and does not read back. Ask for room by a condition.
    pub fn add(&self, delta: impl ValueArg<T::Delta>) -> Change
    where
        K::Class: ChangeIn<M>,
        T: Numeric,
    {
        one(self.number(&delta.into_value(), false))
    }

    /// Subtracts from the number; a missing one counts as 0. As with [`add`](Self::add), a condition
    /// (`o.stock.ge(1)`) keeps an unsigned number from falling below 0.
    pub fn subtract(&self, delta: impl ValueArg<T::Delta>) -> Change
    where
        K::Class: ChangeIn<M>,
        T: Numeric,
    {
        one(self.number(&delta.into_value(), true))
    }

    /// Appends elements to the list; a missing one counts as empty.
    pub fn append<V: ValueArg<T::Element>>(&self, elements: impl IntoIterator<Item = V>) -> Change
    where
        K::Class: ChangeIn<M>,
        T: ListField,
    {
        one(self.list(elements, false))
    }

    /// Puts elements in front of the list, in their order; a missing one counts as empty.
    pub fn prepend<V: ValueArg<T::Element>>(&self, elements: impl IntoIterator<Item = V>) -> Change
    where
        K::Class: ChangeIn<M>,
        T: ListField,
    {
        one(self.list(elements, true))
    }

    /// Inserts elements into the set; a missing one counts as empty.
    pub fn insert<V: ValueArg<T::Element>>(&self, elements: impl IntoIterator<Item = V>) -> Change
    where
        K::Class: ChangeIn<M>,
        T: SetField,
        K: TopLevel,
    {
        match self.elements(elements) {
            Ok(Some(set)) => one(Ok(Action::Insert { at: self.at.clone(), set })),
            Ok(None) => Change(Vec::new()),
            Err(error) => one(Err(error)),
        }
    }

    /// Deletes elements from the set; with the last one the attribute goes.
    pub fn delete<V: ValueArg<T::Element>>(&self, elements: impl IntoIterator<Item = V>) -> Change
    where
        K::Class: ChangeIn<M>,
        T: SetField,
        K: TopLevel,
    {
        match self.elements(elements) {
            Ok(Some(set)) => one(Ok(Action::Delete { at: self.at.clone(), set })),
            Ok(None) => Change(Vec::new()),
            Err(error) => one(Err(error)),
        }
    }

    /// A missing attribute counts as nothing, and NULL does not.
    fn counts_from_nothing(&self, change: &str) -> Result<(), Error> {
        if !self.codec.null {
            return Ok(());
        }
        Err(Error::expression(format!(
            "`{}` is in `null(..)`: DynamoDB cannot `{change}` to NULL; `set` the value, or use `modify`",
            self.at
        )))
    }

    fn number(&self, delta: &impl Serialize, negative: bool) -> Result<Action, Error> {
        if self.codec.foreign {
            return Err(self.at.refuse(FOREIGN));
        }
        self.counts_from_nothing("add")?;
        match codec::to_value(delta) {
            Ok(AttributeValue::N(number)) => {
                let number = match (negative, number.strip_prefix('-')) {
                    (false, _) => number,
                    (true, Some(positive)) => positive.to_owned(),
                    (true, None) => format!("-{number}"),
                };
                Ok(Action::Add { at: self.at.clone(), number, begin: None })
            }
            Ok(other) => Err(self.at.refuse(format_args!(
                "it is {}, and only numbers are added",
                codec::type_name(&other)
            ))),
            Err(error) => Err(self.at.refuse(error)),
        }
    }

    fn list<V: ValueArg<T::Element>>(
        &self,
        elements: impl IntoIterator<Item = V>,
        in_front: bool,
    ) -> Result<Action, Error>
    where
        T: ListField,
    {
        self.counts_from_nothing("append")?;
        let elements = elements.into_iter().map(V::into_value).collect();
        match self.encode(&T::of(elements))? {
            Some(list @ AttributeValue::L(_)) => {
                Ok(Action::Append { at: self.at.clone(), list, in_front, begin: None })
            }
            _ => Err(self.at.refuse("it is not stored as a list")),
        }
    }

    fn elements<V: ValueArg<T::Element>>(
        &self,
        elements: impl IntoIterator<Item = V>,
    ) -> Result<Option<AttributeValue>, Error>
    where
        T: SetField,
    {
        self.counts_from_nothing("insert")?;
        let elements = elements.into_iter().map(V::into_value).collect();
        match self.encode(&T::of(elements))? {
            None => Ok(None),
            Some(set @ (AttributeValue::Ss(_) | AttributeValue::Ns(_) | AttributeValue::Bs(_))) => {
                Ok(Some(set))
            }
            Some(_) => Err(self.at.refuse("it is not stored as a set")),
        }
    }
}

impl<T, K: Kind, M> Path<T, K, M> {
    /// Takes the element out of its list, or the entry out of its map. The elements behind it move
    /// up.
    pub fn remove_element(&self) -> Change
    where
        K: IsElement,
        K::Class: ChangeIn<M>,
    {
        Change(vec![Action::Set { at: self.at.clone(), value: None, typed: None }])
    }
}
