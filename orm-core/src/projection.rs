//! What a read makes of the items that it finds: the entity, some of its fields, or its key.

use std::fmt;
use std::marker::PhantomData;

use crate::entity::{Entity, Item, Key};
use crate::error::Error;
use crate::op::Returned;
use crate::pattern::{OnGlobalIndex, OnLocalIndex, OnPartialIndex, OnTable};

/// A struct of some of an entity's fields, for reads that need no more and for indexes that project
/// no more. It cannot be written: a put of it would lose the other fields.
pub trait Projection: Sized + Send + 'static {
    /// The entity.
    type Entity: Entity;

    /// The attributes that it is read from.
    #[doc(hidden)]
    const ATTRIBUTES: &'static [&'static str];

    #[doc(hidden)]
    fn from_item(item: Item) -> Result<Self, Error>;
}

/// What a read of `E` returns for each item: [`Whole`], [`Selected`] or [`Keys`].
pub trait Output<E>: 'static {
    /// For each item.
    type Item: Send + 'static;

    #[doc(hidden)]
    const RETURNED: Returned;

    #[doc(hidden)]
    fn decode(item: Item) -> Result<Self::Item, Error>;
}

/// The entity itself.
#[derive(Debug)]
#[non_exhaustive]
pub struct Whole;

/// The primary key.
#[derive(Debug)]
#[non_exhaustive]
pub struct Keys;

/// The projection `P` of the entity.
pub struct Selected<P>(PhantomData<fn() -> P>);

impl<P> fmt::Debug for Selected<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Selected")
    }
}

impl<E: Entity> Output<E> for Whole {
    type Item = E;
    const RETURNED: Returned = Returned::Items;
    fn decode(item: Item) -> Result<E, Error> {
        E::from_item(item)
    }
}

impl<E: Entity> Output<E> for Keys {
    type Item = Key<E>;
    const RETURNED: Returned = Returned::Keys;
    fn decode(item: Item) -> Result<Key<E>, Error> {
        Key::of_item(&item).ok_or_else(|| Error::answer("an item came without its primary key"))
    }
}

impl<P: Projection> Output<P::Entity> for Selected<P> {
    type Item = P;
    const RETURNED: Returned = Returned::Only(P::ATTRIBUTES);
    fn decode(item: Item) -> Result<P, Error> {
        P::from_item(item)
    }
}

/// What holds, or can fetch, every attribute that `O` needs.
#[diagnostic::on_unimplemented(
    message = "this index does not project every attribute, so the items cannot be read from it",
    label = "use `.keys()`, `.count()` or `.select::<P>()` here, or `projection = all` on the index"
)]
pub trait Holds<O> {}
#[diagnostic::do_not_recommend]
impl<O> Holds<O> for OnTable {}
#[diagnostic::do_not_recommend]
impl<O> Holds<O> for OnLocalIndex {}
#[diagnostic::do_not_recommend]
impl<O> Holds<O> for OnGlobalIndex {}
#[diagnostic::do_not_recommend]
impl Holds<Keys> for OnPartialIndex {}
#[diagnostic::do_not_recommend]
impl<P> Holds<Selected<P>> for OnPartialIndex {}
