//! What generated code uses. Not public: it changes in any release.

pub use std::boxed::Box;
pub use std::convert::Into;
pub use std::ops::{Bound, RangeBounds};
pub use std::option::Option;
pub use std::result::Result;
pub use std::string::String;
pub use std::vec::Vec;

pub use aws_sdk_dynamodb::Client;
pub use aws_sdk_dynamodb::types::AttributeValue;
pub use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
pub use std::marker::PhantomData;

pub use crate::codec::CodecError;
pub use crate::collection::{
    Assemble, Bucket, CollectionPattern, ItemCollection, ItemKind, Member, RawItem, RawItems,
    Variant, exactly_one,
};
pub use crate::entity::{
    Entity, EntityEntry, HasUnique, HasVersion, Item, Key, NoUnique, NoVersion, VersionField,
};
pub use crate::error::Error;
pub use crate::expr::generated::*;
pub use crate::expr::{Attr, Change, Document, Filtering, FilteringAny, Path, ValueArg};
pub use crate::found::Found;
pub use crate::inspect::Inspection;
pub use crate::key::{
    Arg, Bare, Component, Follow, KeyArg, KeyError, KeyField, KeyPart, KeyValue, NoneOrder, Part,
    PartError, PartKind, PartValue, Plain, Segment, Slot, Spec, Template, TextForm, Unit, Width,
    With,
};
pub use crate::key_only::StoredKey;
pub use crate::known::Known;
pub use crate::op::{ReadCollection, ReadItems};
pub use crate::pattern::{
    IntoPattern, OnGlobalIndex, OnLocalIndex, OnPartialIndex, OnTable, Pattern, edges,
};
pub use crate::projection::{LacksNothing, Projection as IsProjection, Unlisted};
pub use crate::schema::check;
pub use crate::schema::distinct::{fills_few_partitions, told_apart};
pub use crate::schema::{
    EntityIndex, EntitySchema, IndexSchema, KeyAttribute, KeyType, Projection, Schema, Shards,
    TableSchema, Text, UniqueField,
};
pub use crate::table::Table;
pub use crate::ttl::{TtlField, checked_seconds};

use crate::shard::shard_of;

/// Tables, as `#[derive(Table)]` hands them over.
pub const fn table(
    name: &'static str,
    pk: KeyAttribute,
    sk: Option<KeyAttribute>,
    indexes: &'static [IndexSchema],
    type_attribute: Option<&'static str>,
    ttl: Option<&'static str>,
    listed: &'static [&'static str],
) -> TableSchema {
    TableSchema { name, pk, sk, indexes, type_attribute, ttl, listed }
}

/// Indexes, as `#[derive(Table)]` hands them over.
pub const fn index(
    name: &'static str,
    local: bool,
    pk: &'static [KeyAttribute],
    sk: &'static [KeyAttribute],
    projection: Projection,
) -> IndexSchema {
    IndexSchema { name, local, pk, sk, projection }
}

/// Entities, as `#[derive(Entity)]` hands them over.
#[derive(Debug)]
pub struct EntityParts {
    pub name: &'static str,
    pub type_name: &'static str,
    pub type_aliases: &'static [&'static str],
    pub pk: Slot,
    pub sk: Option<Slot>,
    pub pattern: &'static str,
    pub indexes: &'static [EntityIndex],
    pub constants: &'static [(&'static str, &'static str)],
    pub version: Option<&'static str>,
    pub ttl: Option<&'static str>,
    pub unique: &'static [UniqueField],
    pub attributes: &'static [&'static str],
    pub key_only: &'static [&'static str],
    pub nulls: &'static [&'static str],
    pub overlap: &'static [&'static str],
}

impl EntityParts {
    pub const fn schema(self) -> EntitySchema {
        EntitySchema {
            name: self.name,
            type_name: self.type_name,
            type_aliases: self.type_aliases,
            pk: self.pk,
            sk: self.sk,
            pattern: self.pattern,
            indexes: self.indexes,
            constants: self.constants,
            version: self.version,
            ttl: self.ttl,
            unique: self.unique,
            attributes: self.attributes,
            key_only: self.key_only,
            nulls: self.nulls,
            overlap: self.overlap,
        }
    }
}

pub const fn entity_index(
    name: &'static str,
    pk: &'static [Slot],
    sk: &'static [Slot],
    shards: Option<Shards>,
    pattern: Option<&'static str>,
    only_when: Option<&'static str>,
) -> EntityIndex {
    EntityIndex { name, pk, sk, shards, pattern, only_when }
}

pub const fn unique_field(
    field: &'static str,
    attribute: &'static str,
    pk: Slot,
    has_sk: bool,
    sk: Slot,
) -> UniqueField {
    UniqueField { field, attribute, pk, sk: if has_sk { Some(sk) } else { None } }
}

/// What a key or a pattern takes for a field of type `F`.
///
/// Bounds name the field's type and not its part, so that a type which is no key part is reported
/// at the field alone.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no value for a key field of type `{F}`",
    label = "expected the field's type, owned or borrowed",
    note = "text takes `&str` too; an `Option` takes the value inside, without `Some`"
)]
pub trait FieldArg<F> {
    type Part: KeyPart;
    fn arg(&self) -> Arg<'_, Self::Part>;
    fn component<'a>(&'a self) -> impl Component
    where
        Self::Part: 'a;
}

#[diagnostic::do_not_recommend]
impl<F: KeyField, A: KeyArg<F::Part>> FieldArg<F> for A {
    type Part = F::Part;
    fn arg(&self) -> Arg<'_, F::Part> {
        KeyArg::arg(self)
    }
    fn component<'a>(&'a self) -> impl Component
    where
        Self::Part: 'a,
    {
        KeyArg::component(self)
    }
}

/// An entity of the table `T`. The derive implements it, so that a type which is no entity and an
/// entity of another table are one mistake.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no entity of the table `{T}`",
    label = "not stored in `{T}`",
    note = "an entity of `{T}` has `#[derive(Serialize, Deserialize, Entity)]` and `#[entity(table = {T}, …)]`"
)]
pub trait StoredIn<T> {
    const ENTRY: EntityEntry;
}

/// The entity's attribute at this place of its schema is read from a field of type `F`.
pub trait HasAttribute<const AT: usize, F> {
    /// Whether serde reads it by a function of the user.
    const READ_BY: bool;
}

/// An attribute that does not exist is reported as that alone.
impl<E: Entity> HasAttribute<{ usize::MAX }, ()> for E {
    const READ_BY: bool = false;
}

/// The type of a projection's field. `KNOWN`: whether the entity has the attribute.
#[diagnostic::on_unimplemented(
    message = "this attribute is a `{F}` in the entity, and a `{Self}` in the projection",
    label = "expected `{F}`",
    note = "a field of a projection has the type of the entity's field"
)]
pub trait IsTypeOf<const KNOWN: bool, F> {}
#[diagnostic::do_not_recommend]
impl<T> IsTypeOf<true, T> for T {}
#[diagnostic::do_not_recommend]
impl<T, F> IsTypeOf<false, F> for T {}

/// Whether serde reads the entity's attribute by a function of the user; its field has the type `T`.
pub const fn read_by<E, const AT: usize, const KNOWN: bool, T, F>() -> bool
where
    E: HasAttribute<AT, F>,
    T: IsTypeOf<KNOWN, F>,
{
    E::READ_BY
}

/// The field of a projection with this number, counted from 1, by which messages name it.
pub trait FieldNumber<const NUMBER: usize> {
    type Name;
}

impl<P> FieldNumber<0> for P {
    type Name = LacksNothing;
}

/// The table of an entity.
pub trait IsTable {
    type Table: Schema;
}

#[diagnostic::do_not_recommend]
impl<T: Schema> IsTable for T {
    type Table = T;
}

/// What a pattern reads, by its code.
#[derive(Debug)]
pub struct Target<const CODE: u8>;

/// The type of a [`Target`].
pub trait TargetKind {
    type Kind;
}
impl TargetKind for Target<{ crate::schema::target::TABLE }> {
    type Kind = OnTable;
}
impl TargetKind for Target<{ crate::schema::target::LOCAL }> {
    type Kind = OnLocalIndex;
}
impl TargetKind for Target<{ crate::schema::target::GLOBAL }> {
    type Kind = OnGlobalIndex;
}
impl TargetKind for Target<{ crate::schema::target::PARTIAL }> {
    type Kind = OnPartialIndex;
}

/// A sort-key component, by its class.
#[derive(Debug)]
pub struct Class<const CODE: u8>;

/// A bound that does not mention a generic parameter is checked where it stands; one that hangs on
/// a lifetime is checked where it is used.
pub trait Life<'a> {
    type Itself: ?Sized;
}
impl<T: ?Sized> Life<'_> for T {
    type Itself = T;
}

macro_rules! class_traits {
    ($($(#[$message:meta])* $name:ident: $($class:ident)*;)*) => {$(
        $(#[$message])*
        pub trait $name {}
        $(
            #[diagnostic::do_not_recommend]
            impl $name for Class<{ crate::schema::class::$class }> {}
        )*
    )*};
}

class_traits! {
    #[diagnostic::on_unimplemented(
        message = "text that is not last in its sort key has no range",
        label = "in front of another component, encoded text does not sort like the text",
        note = "write `<field:ordered>` in the template, which keeps the order (and changes the stored text), or move the field to the end"
    )]
    InOrder: ORDERED PREFIXED NAMED UNPADDED UNKNOWN;
    #[diagnostic::on_unimplemented(
        message = "a bool or an enum in a sort key has no range",
        label = "names have no order",
        note = "fix the component with the method of the field's own name"
    )]
    HasOrder: ORDERED PREFIXED INSIDE UNPADDED UNKNOWN;
    #[diagnostic::on_unimplemented(
        message = "a number without a width has no range",
        label = "`:plain` digits do not sort like numbers",
        note = "write a width, for example `<field:8>`, in the template (and it changes the stored text)"
    )]
    Padded: ORDERED PREFIXED INSIDE NAMED UNKNOWN;
    #[diagnostic::on_unimplemented(
        message = "a natural sort key with `#[serde(with)]` has no range or prefix",
        label = "only `with` knows the stored text, so its order is unknown",
        note = "fix the component with the method of the field's own name"
    )]
    KnownOrder: ORDERED PREFIXED INSIDE NAMED UNPADDED;
    #[diagnostic::on_unimplemented(
        message = "only text and dates have prefixes",
        label = "this component has none",
        note = "use the range method, or fix the component with the method of the field's own name"
    )]
    HasPrefix: PREFIXED INSIDE UNKNOWN;
}

/// Stands in for the partition key's fields of an entity whose derive failed.
#[derive(Debug)]
pub struct NotDerived;

impl<const N: usize> Nth<N> for NotDerived {
    type Part = String;
}

/// How an entity takes part in the index at a position of its list; `usize::MAX` stands for an index
/// that it is not in.
pub trait IndexPartition<const AT: usize> {
    /// Whether the partition key is natural and written by `#[serde(with)]`.
    const WITH: bool;
}

/// What a collection takes for the field at position `N` of the partition key of that index. It does
/// not name the field's type, which the collection may not see.
#[diagnostic::on_unimplemented(
    message = "`{A}` is no value for this field of the partition key",
    label = "expected the type of the members' field, owned or borrowed",
    note = "text takes `&str` too; an `Option` takes the value inside, without `Some`"
)]
pub trait IndexArg<const AT: usize, const N: usize, A> {
    fn component(arg: &A) -> Box<dyn Component + '_>;
}

/// An argument as a component that serde may write.
pub fn component<'a, T: KeyPart + Serialize + 'a>(arg: Arg<'a, T>) -> Box<dyn Component + 'a> {
    Box::new(Given(arg))
}

/// An argument as a component of a template.
pub fn bare_component<'a, T: KeyPart + 'a>(arg: Arg<'a, T>) -> Box<dyn Component + 'a> {
    Box::new(arg)
}

/// What is taken for a field that is not known.
pub fn no_component<'a>() -> Box<dyn Component + 'a> {
    Box::new(NotDerived)
}

struct Given<'a, T>(Arg<'a, T>);

impl<T: KeyPart + Serialize> Component for Given<'_, T> {
    fn value(&self) -> Result<Option<PartValue<'_>>, PartError> {
        self.0.to_value().map(Some)
    }
    fn natural(&self) -> Result<Option<KeyValue>, PartError> {
        Plain(&*self.0).natural()
    }
}

impl Component for NotDerived {
    fn value(&self) -> Result<Option<PartValue<'_>>, PartError> {
        Err(PartError::new("was not derived"))
    }
    fn natural(&self) -> Result<Option<KeyValue>, PartError> {
        Err(PartError::new("was not derived"))
    }
}

/// The types of a partition key's fields, by position.
pub trait Nth<const N: usize> {
    type Part;
}

macro_rules! nth {
    ($($n:literal $part:ident of ($($all:ident),*);)*) => {$(
        impl<$($all),*> Nth<$n> for ($($all,)*) {
            type Part = $part;
        }
    )*};
}

nth! {
    0 A of (A);
    0 A of (A, B); 1 B of (A, B);
    0 A of (A, B, C); 1 B of (A, B, C); 2 C of (A, B, C);
    0 A of (A, B, C, D); 1 B of (A, B, C, D); 2 C of (A, B, C, D); 3 D of (A, B, C, D);
    0 A of (A, B, C, D, F); 1 B of (A, B, C, D, F); 2 C of (A, B, C, D, F);
    3 D of (A, B, C, D, F); 4 F of (A, B, C, D, F);
    0 A of (A, B, C, D, F, G); 1 B of (A, B, C, D, F, G); 2 C of (A, B, C, D, F, G);
    3 D of (A, B, C, D, F, G); 4 F of (A, B, C, D, F, G); 5 G of (A, B, C, D, F, G);
}

/// The shard of an item; `None` where a field has no text.
pub fn shard(fields: &[&dyn Component], count: u32) -> Result<u32, PartError> {
    let mut texts = Vec::with_capacity(fields.len());
    for field in fields {
        let value = field.value()?.ok_or_else(|| PartError::new("is absent"))?;
        texts.push(Part::partition_text(&value)?);
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Ok(shard_of(&texts, count))
}

pub fn layout<T: Schema>() -> String {
    crate::schema::layout::layout::<T>()
}

pub fn inspect<T: Schema>(item: &Item) -> Inspection {
    crate::inspect::inspect::<T>(item)
}

/// A slot of an entity's key attribute.
pub const fn slot(
    entity: &'static str,
    attribute: KeyAttribute,
    template: Template,
    natural: bool,
    primary: bool,
    limit: usize,
) -> Slot {
    Slot { entity, attribute, template, natural, primary, limit }
}

/// The value of an index key attribute, or none where the item is left out.
pub fn index_value(
    slot: &Slot,
    parts: &[&dyn Component],
    shard: Option<u32>,
) -> Result<Option<KeyValue>, KeyError> {
    slot.render(parts, shard)
}

/// An error of `shard` with the entity's name.
pub fn shard_error(entity: &'static str, error: PartError) -> KeyError {
    KeyError::new(entity, "the shard field", error)
}

/// The value of an enum's variant.
pub const fn name(name: &'static str) -> PartValue<'static> {
    PartValue::Name(std::borrow::Cow::Borrowed(name))
}

/// The name of a value.
pub fn name_of<'a>(value: &'a PartValue<'_>) -> Result<&'a str, PartError> {
    match value {
        PartValue::Name(name) => Ok(name),
        _ => Err(PartError::new("is not a name")),
    }
}

/// A name that no variant has.
pub fn unknown_name(name: &str) -> PartError {
    PartError::new(format!("`{name}` is no variant's name"))
}

/// The entity of an item as an answer brings it.
pub fn decode_found<E: Entity>(found: Found) -> Result<E, Error> {
    found.decode_with(crate::item::decoder::<E>)
}

/// The bucket of the next member.
pub fn next_bucket(buckets: &mut impl Iterator<Item = Bucket>) -> Bucket {
    buckets.next().unwrap_or(Bucket { field: "", items: Vec::new() })
}

/// A change of nothing, to which a group adds its members.
pub fn no_change() -> Change {
    Change(Vec::new())
}

/// A field as a type of the derive serializes it.
pub fn encode_field<W: Serialize>(field: &W) -> Result<Option<AttributeValue>, CodecError> {
    crate::codec::to_field(field)
}

/// A field as a type of the derive deserializes it.
pub fn decode_field<R: DeserializeOwned>(value: AttributeValue) -> Result<R, CodecError> {
    crate::codec::from_value(value)
}

/// Where serde skips a field on reading.
pub fn not_read<T>(_: AttributeValue) -> Result<T, CodecError> {
    Err(CodecError::new("serde skips this field on reading"))
}

/// What a stub answers; it never runs.
pub fn not_derived() -> Error {
    Error::usage("the derive of this type failed")
}

/// A position behind the last kind, which no reader gives.
pub fn no_such_kind(name: &str) -> Error {
    Error::usage(format!("`{name}` has no such kind"))
}
