//! What a read makes of the items that it finds: the entity, some of its fields, or its key.

use std::fmt;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use crate::entity::{Entity, Item, Key};
use crate::error::Error;
use crate::expr::{Filtering, FilteringAny, FlagAt};
use crate::found::Decoder;
use crate::item;
use crate::op::Returned;
use crate::pattern::{OnGlobalIndex, OnLocalIndex, OnPartialIndex, OnTable};
use crate::schema::IndexSchema;

/// A struct of some of an entity's fields, for reads that need no more and for indexes that project
/// no more. Implemented by `#[derive(Projection)]` only. It cannot be written: a put of it would
/// lose the other fields.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a projection",
    label = "needs `#[derive(Projection)]`",
    note = "declare it with `#[derive(Deserialize, Projection)] #[projection(entity = …)]`"
)]
pub trait Projection: DeserializeOwned + Send + Sized + 'static {
    /// The entity.
    type Entity: Entity;

    /// The attributes that it is read from.
    #[doc(hidden)]
    const ATTRIBUTES: &'static [&'static str];

    /// The fields that the key alone tells, by the names that serde has for them.
    #[doc(hidden)]
    const KEY_ONLY: &'static [&'static str];

    /// What the table and each index of the entity lack of them, as nested pairs.
    #[doc(hidden)]
    type Lacks;

    /// The projection of an item, or of a part of it. Attributes that it does not name are ignored,
    /// also with serde's `deny_unknown_fields`.
    ///
    /// # Errors
    ///
    /// [`Error::is_decode`] where an attribute does not fit, and where the type attribute or the key
    /// says that the item is of another entity.
    fn from_item(item: Item) -> Result<Self, Error> {
        item::decode_part(item)
    }
}

/// A projection that a query can read: what it reads has every attribute. `F` is the
/// [`Filter`](crate::IntoPattern::Filter) of the pattern; of an erased one it is known only when it
/// is sent which index it reads. A bound for functions over several queries.
pub trait ReadFrom<F>: Projection {}

#[diagnostic::do_not_recommend]
impl<P: Projection> ReadFrom<FilteringAny> for P {}
impl<P: Projection, At> ReadFrom<Filtering<At>> for P
where
    P::Lacks: FlagAt<At>,
    <P::Lacks as FlagAt<At>>::Flag: HeldFor<P>,
{
}

/// The field of a projection that an index does not project, or [`LacksNothing`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{P}` needs `{Self}`, which the index does not project",
    label = "not in the index that is read here",
    note = "add it to the index's `projection = include(..)`, leave it out of the struct, or read the items from the table with `.hydrate()`"
)]
pub trait HeldFor<P> {}

#[doc(hidden)]
#[derive(Debug)]
#[non_exhaustive]
pub struct LacksNothing;

#[diagnostic::do_not_recommend]
impl<P> HeldFor<P> for LacksNothing {}

/// The end of [`Projection::Lacks`]: what lies behind it is checked when the query is sent.
#[doc(hidden)]
#[derive(Debug)]
#[non_exhaustive]
pub struct Unlisted;

impl<At> FlagAt<At> for Unlisted {
    type Flag = LacksNothing;
}

/// What a read of `E` returns for each item: [`Whole`], [`Selected`] or [`Keys`].
pub trait Output<E>: 'static {
    /// For each item.
    type Item: Send + 'static;

    #[doc(hidden)]
    const RETURNED: Returned;

    #[doc(hidden)]
    fn decoder(index: Option<&'static IndexSchema>) -> Decoder<Self::Item>;
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
    fn decoder(index: Option<&'static IndexSchema>) -> Decoder<E> {
        item::decoder(index)
    }
}

impl<E: Entity> Output<E> for Keys {
    type Item = Key<E>;
    const RETURNED: Returned = Returned::Keys;
    fn decoder(index: Option<&'static IndexSchema>) -> Decoder<Key<E>> {
        item::key_decoder(index)
    }
}

impl<P: Projection> Output<P::Entity> for Selected<P> {
    type Item = P;
    const RETURNED: Returned = Returned::Only(P::ATTRIBUTES);
    fn decoder(index: Option<&'static IndexSchema>) -> Decoder<P> {
        item::part_decoder(index)
    }
}

/// What holds, or can fetch, every attribute that `O` needs.
#[diagnostic::on_unimplemented(
    message = "this index does not project every attribute, so the items cannot be read from it",
    label = "use `.hydrate()`, `.keys()`, `.count()` or `.select::<P>()` here, or `projection = all` on the index"
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
