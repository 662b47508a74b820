use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Error;
use crate::codec::CodecError;
use crate::found::Attributes;
use crate::item;
use crate::key::{Component, KeyError, KeyRef, KeyValue};
use crate::key_only::StoredKey;
use crate::known::Known;
use crate::schema::{EntitySchema, Schema, TableSchema};

/// An item as the SDK has it: attribute names to values.
pub type Item = HashMap<String, AttributeValue>;

/// A struct that is stored as items of a table. Implemented by `#[derive(Entity)]` only.
///
/// The derive also makes, as inherent functions, `key(..)` from the fields of the primary key,
/// `raw_key(..)`, and one `by_…(..)` for the table and each index.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an entity",
    label = "needs `#[derive(Entity)]`",
    note = "declare it with `#[derive(Serialize, Deserialize, Entity)] #[entity(table = …, pk = \"…\", sk = \"…\")]`",
    note = "a projection is a part of an item and cannot be written: change the item by its key, with `update`"
)]
pub trait Entity: Serialize + DeserializeOwned + Send + Sync + Sized + 'static {
    /// The table it lives in.
    type Table: Schema;

    /// Templates, indexes, type name.
    const SCHEMA: &'static EntitySchema;

    /// The primary key of this item.
    fn key(&self) -> Key<Self>;

    /// The fields of the partition key, for collections.
    #[doc(hidden)]
    type PartitionParts;

    /// Whether the partition key is natural and written by `#[serde(with)]`.
    #[doc(hidden)]
    const PARTITION_WITH: bool;

    /// Whether every index key follows from the primary key.
    #[doc(hidden)]
    const KEYS_FOLLOW: bool;

    /// [`NoVersion`] or [`HasVersion`].
    #[doc(hidden)]
    type Version;

    /// [`NoUnique`] or [`HasUnique`].
    #[doc(hidden)]
    type Unique;

    /// The paths of its fields.
    #[doc(hidden)]
    type Fields<M: 'static>;

    #[doc(hidden)]
    fn fields<M: 'static>() -> Self::Fields<M>;

    /// The index key attributes that a write decides about, natural ones left out; without a value
    /// where the item is left out of the index.
    #[doc(hidden)]
    fn index_keys(
        known: &Known<'_, Self>,
    ) -> Result<Vec<(&'static str, Option<KeyValue>)>, KeyError>;

    /// The guards of the unique fields that a write decides about, by position.
    #[doc(hidden)]
    fn guards(known: &Known<'_, Self>) -> Result<Vec<(usize, Option<KeyValue>)>, KeyError>;

    /// When the item expires, if the write decides about it.
    #[doc(hidden)]
    fn expires(known: &Known<'_, Self>) -> Result<Option<Option<i64>>, Error>;

    /// The version that the caller has.
    #[doc(hidden)]
    fn version(&self) -> u64;

    /// Whether the type of the version's field can hold it.
    #[doc(hidden)]
    fn holds_version(version: u64) -> bool;

    #[doc(hidden)]
    fn set_version(&mut self, version: u64);

    /// A field that lives in the key alone, as serde writes it, by its name.
    #[doc(hidden)]
    #[allow(unused_variables)]
    fn key_only(
        key: &StoredKey<'_>,
        attribute: &str,
    ) -> Result<Option<AttributeValue>, CodecError> {
        Ok(None)
    }

    /// The item as a fresh put writes it: the fields as serde names them, the key attributes of
    /// the table and of the indexes it belongs to, the type attribute and the constants. Fields of
    /// `key_only(..)` are left out.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] for a key that cannot be rendered, [`Error::is_encode`] for a
    /// value DynamoDB cannot hold; the message names the field.
    fn to_item(&self) -> Result<Item, Error> {
        item::encode(self)
    }

    /// The entity of an item; attributes it does not know are ignored, unless serde's
    /// `deny_unknown_fields` refuses them. Key attributes are not shown to serde, and not compared
    /// with the fields: an item of another program may be stored under another text than
    /// [`key`](Self::key) renders, and a put would then write a second item. `inspect` on the table
    /// finds such items. Fields of `key_only(..)` are read from
    /// the key, also where the item has an attribute of their name.
    ///
    /// # Errors
    ///
    /// [`Error::is_decode`]; the message names the attribute, or the key and the template that a field
    /// of `key_only(..)` is not told by.
    fn from_item(item: Item) -> Result<Self, Error> {
        item::decode(item)
    }
}

/// An entity without `version = ..`, whose writes leave the caller's item as it is. A bound for
/// functions over several entities.
pub trait Unversioned: Entity<Version = NoVersion> {}

#[diagnostic::do_not_recommend]
impl<E: Entity<Version = NoVersion>> Unversioned for E {}

/// An entity without `unique(..)`. A bound for functions over several entities.
pub trait WithoutUnique: Entity<Unique = NoUnique> {}

#[diagnostic::do_not_recommend]
impl<E: Entity<Unique = NoUnique>> WithoutUnique for E {}

/// [`Entity::Version`] of an entity without one.
#[doc(hidden)]
#[derive(Debug)]
#[non_exhaustive]
pub struct NoVersion;

/// [`Entity::Version`] of an entity with `version = ..`.
#[doc(hidden)]
#[derive(Debug)]
#[non_exhaustive]
pub struct HasVersion;

/// [`Entity::Unique`] of an entity without unique fields.
#[doc(hidden)]
#[derive(Debug)]
#[non_exhaustive]
pub struct NoUnique;

/// [`Entity::Unique`] of an entity with `unique(..)`.
#[doc(hidden)]
#[derive(Debug)]
#[non_exhaustive]
pub struct HasUnique;

/// A write that leaves the caller's item as it is. A bound on what an entity is made of, not on the
/// entity: what is no entity is reported as that alone.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{E}` has a version, which this write would not check or count",
    label = "a versioned entity",
    note = "`put`, `create` and `update` of an item take `&mut item`, and set its version; batches have no conditions: use single writes or a transaction"
)]
pub trait LeavesVersion<E> {}

#[diagnostic::do_not_recommend]
impl<E> LeavesVersion<E> for NoVersion {}

/// A write that does not know what is stored.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{E}` has unique fields, and this write does not know the values that are stored",
    label = "the guards of the old values would stay, or new ones be missing",
    note = "`create(&item)`, `update(&item)`, `modify` and `delete(&item)` know them"
)]
pub trait LeavesUnique<E> {}

#[diagnostic::do_not_recommend]
impl<E> LeavesUnique<E> for NoUnique {}

/// The type of a version field.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not count versions",
    label = "expected `u16`, `u32`, `u64`, `i32` or `i64`"
)]
pub trait VersionField: Sized {
    /// The version.
    fn version(&self) -> u64;
    /// `None` if it is too great.
    fn of(version: u64) -> Option<Self>;
}

macro_rules! versions {
    ($($ty:ty)*) => {$(
        impl VersionField for $ty {
            fn version(&self) -> u64 {
                u64::try_from(*self).unwrap_or(0)
            }
            fn of(version: u64) -> Option<Self> {
                version.try_into().ok()
            }
        }
    )*};
}

versions!(u16 u32 u64 i32 i64);

/// What `#[derive(Table)]` knows of one of its entities.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct EntityEntry {
    /// Templates, indexes, type name.
    pub schema: &'static EntitySchema,
    /// The keys that a fresh put of the decoded item would write.
    pub(crate) rendered: fn(Item) -> Result<Item, Error>,
}

impl EntityEntry {
    #[doc(hidden)]
    pub const fn of<E: Entity>() -> Self {
        EntityEntry { schema: E::SCHEMA, rendered: |item| E::from_item(item)?.to_item() }
    }
}

impl fmt::Debug for EntityEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntityEntry").field("entity", &self.schema.name).finish()
    }
}

/// The primary key of an item of `E`.
///
/// A value that cannot be a key (empty, too long, too wide) is reported by the operation that uses
/// it, before any request, and by the accessors here.
///
/// # Examples
///
/// ```
/// use monotable::{Entity, Table};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Table)]
/// #[table(pk = "PK", sk = "SK")]
/// struct Shop;
///
/// #[derive(Serialize, Deserialize, Entity)]
/// #[entity(table = Shop, pk = "CUST#<customer_id>", sk = "PROFILE")]
/// struct Customer { customer_id: String }
///
/// let key = Customer::key("c#42");
/// assert_eq!(key.partition_key()?, "CUST#c%2342");
/// assert_eq!(key.sort_key()?, "PROFILE");
/// assert_eq!(key, Customer { customer_id: "c#42".into() }.key());
/// assert!(Customer::key("").partition_key().unwrap_err().is_invalid_key());
/// # Ok::<(), monotable::Error>(())
/// ```
pub struct Key<E> {
    parts: Result<KeyParts, KeyError>,
    entity: PhantomData<fn() -> E>,
}

/// The stored values of a primary key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct KeyParts {
    pub(crate) pk: KeyValue,
    pub(crate) sk: Option<KeyValue>,
}

impl<E: Entity> Key<E> {
    /// The stored text of the partition key; hexadecimal for binary keys.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered.
    pub fn partition_key(&self) -> Result<String, Error> {
        Ok(self.parts()?.pk.to_string())
    }

    /// The stored text of the sort key; empty on a table without one.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered.
    pub fn sort_key(&self) -> Result<String, Error> {
        Ok(self.parts()?.sk.as_ref().map(KeyValue::to_string).unwrap_or_default())
    }

    /// The key attributes as the SDK takes them.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered.
    pub fn to_item(&self) -> Result<Item, Error> {
        Ok(self.parts()?.to_item(E::Table::TABLE))
    }

    /// The key of a stored item, whatever its text.
    pub(crate) fn of_item(item: &impl Attributes) -> Option<Self> {
        KeyParts::of_item(E::Table::TABLE, item).map(|parts| Key::from_parts(Ok(parts)))
    }

    pub(crate) fn parts(&self) -> Result<&KeyParts, Error> {
        self.parts.as_ref().map_err(|error| error.clone().into())
    }

    pub(crate) fn into_parts(self) -> Result<KeyParts, Error> {
        self.parts.map_err(Error::from)
    }

    pub(crate) fn from_parts(parts: Result<KeyParts, KeyError>) -> Self {
        Key { parts, entity: PhantomData }
    }

    #[doc(hidden)]
    pub fn render(pk: &[&dyn Component], sk: &[&dyn Component]) -> Self {
        let schema = E::SCHEMA;
        let present = |value: Option<KeyValue>| {
            // The derive refuses `Option` in the primary key.
            value.ok_or_else(|| KeyError::new(schema.name, "the primary key", "is absent"))
        };
        Key::from_parts((|| {
            let pk = present(schema.pk.render(pk, None)?)?;
            let sk = match &schema.sk {
                Some(slot) => Some(present(slot.render(sk, None)?)?),
                None => None,
            };
            Ok(KeyParts { pk, sk })
        })())
    }

    #[doc(hidden)]
    pub fn raw(pk: KeyValue, sk: Option<KeyValue>) -> Self {
        Key::from_parts(Ok(KeyParts { pk, sk }))
    }
}

impl KeyParts {
    pub(crate) fn of_item(table: &TableSchema, item: &impl Attributes) -> Option<KeyParts> {
        let get = |name: &str| item.key(name).map(KeyRef::into_value);
        let pk = get(table.pk.name)?;
        let sk = match table.sk {
            Some(attribute) => Some(get(attribute.name)?),
            None => None,
        };
        Some(KeyParts { pk, sk })
    }

    pub(crate) fn to_item(&self, table: &TableSchema) -> Item {
        let KeyParts { pk, sk } = self.clone();
        let mut item = Item::from([(table.pk.name.to_owned(), pk.into())]);
        if let (Some(attribute), Some(sk)) = (table.sk, sk) {
            item.insert(attribute.name.to_owned(), sk.into());
        }
        item
    }

    /// With one text for a number, as DynamoDB compares keys: `1` and `1.0` are one item.
    pub(crate) fn canonical(self) -> KeyParts {
        KeyParts { pk: self.pk.canonical(), sk: self.sk.map(KeyValue::canonical) }
    }
}

impl fmt::Display for KeyParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.sk {
            Some(sk) => write!(f, "{} + {sk}", self.pk),
            None => write!(f, "{}", self.pk),
        }
    }
}

impl<E> Clone for Key<E> {
    fn clone(&self) -> Self {
        Key { parts: self.parts.clone(), entity: PhantomData }
    }
}

impl<E> PartialEq for Key<E> {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

impl<E> Eq for Key<E> {}

impl<E> Hash for Key<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts.hash(state);
    }
}

impl<E: Entity> fmt::Debug for Key<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key<{}>({self})", E::SCHEMA.name)
    }
}

/// The stored texts, joined by ` + `; for people, not for parsing.
impl<E> fmt::Display for Key<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.parts {
            Ok(parts) => parts.fmt(f),
            Err(error) => error.fmt(f),
        }
    }
}
