use crate::entity::{Entity, Item};
use crate::error::Error;
use crate::found::Found;
use crate::item;

/// A field of an item collection: `T`, `Option<T>` or `Vec<T>` of an entity `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a member of an item collection",
    label = "expected an entity, or an `Option` or `Vec` of one"
)]
pub trait Member: Sized {
    /// The entity.
    type Entity: Entity;
    #[doc(hidden)]
    fn take(collection: &'static str, partition: &str, bucket: Bucket) -> Result<Self, Error>;
}

/// What a variant of an item collection holds: an entity.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be in a variant of an item collection",
    label = "expected an entity, or with `#[collection(other)]` an `Item`",
    note = "a variant is one item: an `Option` or a `Vec` of an entity is for the fields of a struct"
)]
pub trait Variant: Sized {
    /// The entity.
    type Entity: Entity;
    #[doc(hidden)]
    fn of(item: Found) -> Result<Self, Error>;
}

/// The items of one member.
#[doc(hidden)]
#[derive(Debug)]
pub struct Bucket {
    pub(crate) field: &'static str,
    pub(crate) items: Vec<Found>,
}

/// How an entity itself, for which the derive implements [`Member`], is taken.
#[doc(hidden)]
pub fn exactly_one<E: Entity>(
    collection: &'static str,
    partition: &str,
    bucket: Bucket,
) -> Result<E, Error> {
    let member = (bucket.field, E::SCHEMA.name);
    single(collection, partition, bucket)?
        .ok_or_else(|| Error::member_missing(collection, partition.to_owned(), member))
}

#[diagnostic::do_not_recommend]
impl<E: Entity> Member for Option<E> {
    type Entity = E;
    fn take(collection: &'static str, partition: &str, bucket: Bucket) -> Result<Self, Error> {
        single(collection, partition, bucket)
    }
}

#[diagnostic::do_not_recommend]
impl<E: Entity> Member for Vec<E> {
    type Entity = E;
    fn take(_: &'static str, _: &str, bucket: Bucket) -> Result<Self, Error> {
        let decoder = item::decoder::<E>(None);
        bucket.items.into_iter().map(|item| item.decode(&decoder)).collect()
    }
}

/// Where a collection keeps the items of no listed kind.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the items of no listed kind",
    label = "expected `Vec<monotable::Item>`",
    note = "a field with `#[collection(other)]` is a `Vec<Item>`"
)]
pub trait RawItems {
    #[doc(hidden)]
    fn take(bucket: Bucket) -> Result<Self, Error>
    where
        Self: Sized;
}

impl RawItems for Vec<Item> {
    fn take(bucket: Bucket) -> Result<Self, Error> {
        bucket.items.into_iter().map(Found::into_item).collect()
    }
}

/// What an enum keeps an item of no listed kind as.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold an item of no listed kind",
    label = "expected `monotable::Item`",
    note = "a variant with `#[collection(other)]` holds an `Item`"
)]
pub trait RawItem {
    #[doc(hidden)]
    fn of(item: Item) -> Self;
}

impl RawItem for Item {
    fn of(item: Item) -> Self {
        item
    }
}

fn single<E: Entity>(
    collection: &'static str,
    partition: &str,
    bucket: Bucket,
) -> Result<Option<E>, Error> {
    let found = bucket.items.len();
    if found > 1 {
        let member = (bucket.field, E::SCHEMA.name);
        return Err(Error::member_repeated(collection, partition.to_owned(), member, found));
    }
    let item = bucket.items.into_iter().next();
    item.map(|item| item.decode_with(item::decoder::<E>)).transpose()
}
