//! What a write is given: an item, an item that gets its version, or a key.

use std::fmt;

use crate::entity::{Entity, Key, LeavesUnique, LeavesVersion};
use crate::error::Error;
use crate::expr::{ByItem, ByKey};

/// An item to write: `&item`, or `&mut item`, which afterwards holds the version that was stored.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no item to write",
    label = "expected a reference to an entity",
    note = "an entity with `version = ..` is given as `&mut item`, since a write counts its version"
)]
pub trait IntoItem<'a>: Sized {
    /// What is written.
    type Entity: Entity;
    /// The item.
    #[doc(hidden)]
    fn item(&self) -> &Self::Entity;
    /// The item that gets the version.
    #[doc(hidden)]
    fn counted(self) -> Counted<'a, Self::Entity>;
}

impl<E: Entity<Version: LeavesVersion<E>>> IntoItem<'static> for &E {
    type Entity = E;
    fn item(&self) -> &E {
        self
    }
    fn counted(self) -> Counted<'static, E> {
        Counted(None)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, E: Entity> IntoItem<'a> for &'a mut E {
    type Entity = E;
    fn item(&self) -> &E {
        self
    }
    fn counted(self) -> Counted<'a, E> {
        Counted(Some(self))
    }
}

/// The caller's item, if it gets the version that was stored.
#[doc(hidden)]
pub struct Counted<'a, E>(Option<&'a mut E>);

impl<'a, E: Entity> Counted<'a, E> {
    pub(super) fn at(self, version: u64) -> Option<Box<dyn FnOnce() + Send + 'a>> {
        let item = self.0?;
        Some(Box::new(move || {
            item.set_version(version);
        }))
    }
}

impl<E> fmt::Debug for Counted<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Counted(..)" } else { "Counted" })
    }
}

/// What an update changes: the item of a key, or an item that was read.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither the key of one item nor a reference to one",
    label = "expected a key such as `Order::key(..)`, or `&item`",
    note = "an entity with `version = ..` is given by key or as `&mut item`; a pattern such as `Order::by_…(..)` finds many items"
)]
pub trait IntoUpdate<'a>: Sized {
    /// What is changed.
    type Entity: Entity;
    /// Which paths the changes have.
    type Mode: 'static;
    /// The item or its key.
    #[doc(hidden)]
    fn subject(self) -> Subject<'a, Self::Entity>;
}

#[diagnostic::do_not_recommend]
impl<E: Entity> IntoUpdate<'static> for Key<E> {
    type Entity = E;
    type Mode = ByKey;
    fn subject(self) -> Subject<'static, E> {
        Subject::Key(self)
    }
}

#[diagnostic::do_not_recommend]
impl<E: Entity> IntoUpdate<'static> for &Key<E> {
    type Entity = E;
    type Mode = ByKey;
    fn subject(self) -> Subject<'static, E> {
        Subject::Key(self.clone())
    }
}

impl<'a, E: Entity<Version: LeavesVersion<E>>> IntoUpdate<'a> for &'a E {
    type Entity = E;
    type Mode = ByItem;
    fn subject(self) -> Subject<'a, E> {
        Subject::Item(self)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, E: Entity> IntoUpdate<'a> for &'a mut E {
    type Entity = E;
    type Mode = ByItem;
    fn subject(self) -> Subject<'a, E> {
        Subject::ItemMut(self)
    }
}

/// What a delete deletes: the item of a key, or an item, under its version.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which item to delete",
    label = "expected a key such as `Order::key(..)`, or a reference to an item",
    note = "an entity with unique fields is deleted by its item, `delete(&item)`, since the guards of the values go with it; `delete_all` deletes the items of a pattern"
)]
pub trait IntoDelete: Sized {
    /// What is deleted.
    type Entity: Entity;
    /// The key.
    #[doc(hidden)]
    fn key(&self) -> Key<Self::Entity>;
    /// The item, if it is known.
    #[doc(hidden)]
    fn item(&self) -> Option<&Self::Entity>;
}

impl<E: Entity<Unique: LeavesUnique<E>>> IntoDelete for Key<E> {
    type Entity = E;
    fn key(&self) -> Key<E> {
        self.clone()
    }
    fn item(&self) -> Option<&E> {
        None
    }
}

impl<E: Entity<Unique: LeavesUnique<E>>> IntoDelete for &Key<E> {
    type Entity = E;
    fn key(&self) -> Key<E> {
        Key::clone(self)
    }
    fn item(&self) -> Option<&E> {
        None
    }
}

#[diagnostic::do_not_recommend]
impl<E: Entity> IntoDelete for &E {
    type Entity = E;
    fn key(&self) -> Key<E> {
        E::key(self)
    }
    fn item(&self) -> Option<&E> {
        Some(self)
    }
}

/// What a batch deletes: the item of a key, or an item, if no version would have to be checked.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which item a batch deletes",
    label = "expected a key such as `Order::key(..)`, or a reference to an item",
    note = "a batch checks no version: an entity with one is given by key, `item.key()`, to delete whatever is stored"
)]
pub trait IntoBatchKey<E> {
    /// The key.
    #[doc(hidden)]
    fn batch_key(self) -> Key<E>;
}

#[diagnostic::do_not_recommend]
impl<E> IntoBatchKey<E> for Key<E> {
    fn batch_key(self) -> Key<E> {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<E> IntoBatchKey<E> for &Key<E> {
    fn batch_key(self) -> Key<E> {
        self.clone()
    }
}

#[diagnostic::do_not_recommend]
impl<E: Entity<Version: LeavesVersion<E>>> IntoBatchKey<E> for &E {
    fn batch_key(self) -> Key<E> {
        self.key()
    }
}

/// An item or a key.
#[doc(hidden)]
pub enum Subject<'a, E> {
    Key(Key<E>),
    Item(&'a E),
    ItemMut(&'a mut E),
}

impl<'a, E: Entity> Subject<'a, E> {
    pub(super) fn key(&self) -> Key<E> {
        match self {
            Subject::Key(key) => key.clone(),
            Subject::Item(item) => item.key(),
            Subject::ItemMut(item) => item.key(),
        }
    }

    pub(super) fn item(&self) -> Option<&E> {
        match self {
            Subject::Key(_) => None,
            Subject::Item(item) => Some(item),
            Subject::ItemMut(item) => Some(item),
        }
    }

    /// Whether the caller's item gets what was written.
    pub(super) fn is_mut(&self) -> bool {
        matches!(self, Subject::ItemMut(_))
    }

    /// What gives the caller's item the new value.
    pub(super) fn replace(self, new: Option<E>) -> Option<Box<dyn FnOnce() + Send + 'a>> {
        match (self, new) {
            (Subject::ItemMut(item), Some(new)) => Some(Box::new(move || *item = new)),
            _ => None,
        }
    }
}

impl<E: Entity> fmt::Debug for Subject<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Subject({})", self.key())
    }
}

/// The version of the next write.
pub(super) fn next_version<E: Entity>(version: u64) -> Result<u64, Error> {
    let next = version.checked_add(1).filter(|next| E::holds_version(*next));
    next.ok_or_else(|| {
        Error::usage(format!("the version of `{}` has reached its greatest value", E::SCHEMA.name))
    })
}
