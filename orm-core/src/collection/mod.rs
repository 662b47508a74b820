//! Item collections: the kinds of one partition, read together into a struct.

mod kind;
mod member;
mod pattern;

pub use kind::ItemKind;
pub(crate) use kind::kind_of;
pub use member::Member;
#[doc(hidden)]
pub use member::{Bucket, exactly_one};
pub use pattern::CollectionPattern;

#[cfg(feature = "derive")]
pub use monotable_derive::ItemCollection;

use crate::error::Error;
use crate::schema::{EntitySchema, Schema};

/// A struct whose fields are the kinds of one partition: `T` exactly one, `Option<T>` at most one,
/// `Vec<T>` any number. Implemented by `#[derive(ItemCollection)]` only.
///
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithItemCollections.html>
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an item collection",
    label = "needs `#[derive(ItemCollection)]`"
)]
pub trait ItemCollection: Sized + Send + 'static {
    /// The table.
    type Table: Schema;

    #[doc(hidden)]
    const NAME: &'static str;

    #[doc(hidden)]
    const MEMBERS: &'static [MemberSchema];

    #[doc(hidden)]
    fn assemble(partition: &str, buckets: Vec<Bucket>) -> Result<Self, Error>;
}

/// A field of a collection.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct MemberSchema {
    pub field: &'static str,
    pub entity: &'static EntitySchema,
}
