//! Item collections: the kinds of one partition, read together into a struct, or one by one into an
//! enum.

mod kind;
mod member;
mod part;
mod pattern;

pub use kind::ItemKind;
pub(crate) use kind::kind_of;
#[doc(hidden)]
pub use member::{Bucket, exactly_one};
pub use member::{Member, RawItem, RawItems, Variant};
pub(crate) use part::{Narrowing, Part, parts};
pub use pattern::{CollectionPattern, SameIndex};

#[cfg(feature = "derive")]
pub use monotable_derive::ItemCollection;

use crate::error::Error;
use crate::schema::{EntitySchema, IndexSchema, Schema};
use crate::table::Table;

/// The kinds of one partition of a table or of an index. A struct has a field for each: `T` exactly
/// one, `Option<T>` at most one, `Vec<T>` any number. An enum has a variant for each, and is one
/// item. Implemented by `#[derive(ItemCollection)]` only.
///
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithItemCollections.html>
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an item collection",
    label = "needs `#[derive(ItemCollection)]`",
    note = "an enum is one where `#[collection(..)]` has a `pk`"
)]
pub trait ItemCollection: Sized + Send + 'static {
    /// The table.
    type Table: Schema;

    /// What it is a partition of: [`OnTable`](crate::OnTable),
    /// [`OnLocalIndex`](crate::OnLocalIndex) or [`OnGlobalIndex`](crate::OnGlobalIndex).
    type Index;

    /// The operation that reads it: [`ReadCollection`](crate::op::ReadCollection) of a struct,
    /// [`ReadItems`](crate::op::ReadItems) of an enum.
    type Read;

    #[doc(hidden)]
    const NAME: &'static str;

    #[doc(hidden)]
    const INDEX: Option<&'static str>;

    /// The entities, in the order of their fields or variants.
    #[doc(hidden)]
    const MEMBERS: &'static [&'static EntitySchema];

    /// Whether items of no listed kind are kept.
    #[doc(hidden)]
    const KEEPS_OTHERS: bool;

    #[doc(hidden)]
    fn read(table: Table<Self::Table>, pattern: CollectionPattern<Self>) -> Self::Read;
}

/// An item collection that is a struct.
#[doc(hidden)]
pub trait Assemble: ItemCollection {
    /// The fields of the members.
    const FIELDS: &'static [&'static str];

    /// `buckets`: one for each member, then one for the items of no listed kind.
    fn assemble(partition: &str, buckets: Vec<Bucket>) -> Result<Self, Error>;
}

/// The index that is read.
pub(crate) fn index_of<C: ItemCollection>() -> Option<&'static IndexSchema> {
    C::INDEX.and_then(|name| C::Table::TABLE.index(name))
}
