//! Entity to item and back: fields by the codec, keys by the slots.

use std::borrow::Cow;
use std::sync::Arc;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::DeserializeOwned;

use crate::codec::json::{self, Restored, Shown, Span, Text, Unread, Unwritten, append};
use crate::codec::{self, CodecError};
use crate::entity::{Entity, Item, Key, KeyParts};
use crate::error::Error;
use crate::found::{Attributes, Decoder, Found, Kept};
use crate::key::{KeyError, KeyRef, KeyValue, Slot};
use crate::key_only;
use crate::known::Known;
use crate::projection::Projection;
use crate::schema::{EntitySchema, IndexSchema, KeyAttribute, KeyType, Schema, TableSchema};
use crate::ttl;

/// What a fresh put writes.
pub(crate) fn encode<E: Entity>(entity: &E) -> Result<Item, Error> {
    let (table, schema) = (E::Table::TABLE, E::SCHEMA);
    let mut item = fields(entity)?;
    key_only::strip::<E>(&mut item);
    check_naturals(table, schema, &mut item)?;
    for (name, value) in own(entity, entity.key().parts()?, |name| item.contains_key(name))? {
        if item.insert(name.to_owned(), value).is_some() {
            return Err(reserved(schema, name).into());
        }
    }
    check_index_sizes(table, schema, &item)?;
    Ok(item)
}

/// What serde writes.
pub(crate) fn fields<E: Entity>(entity: &E) -> Result<Item, Error> {
    codec::to_item(entity, E::SCHEMA.nulls).map_err(|error| {
        let key = entity.key().parts().ok().map(ToString::to_string);
        Error::encode(E::SCHEMA.name, key, error)
    })
}

/// The item as JSON, with this version. What is an error or unusual is left to [`encode`].
pub(crate) fn encode_json<E: Entity>(
    entity: &E,
    key: &KeyParts,
    version: Option<u64>,
) -> Result<String, Unwritten> {
    let (table, schema) = (E::Table::TABLE, E::SCHEMA);
    let version = schema.version.zip(version);
    let mut naturals: Vec<&'static str> = Vec::new();
    let lengths = lengths_of_own::<E>();
    let mut keep = |name: &str, json: &str| {
        if lengths >> (name.len() & 63) & 1 == 0 {
            return Ok(true);
        }
        if schema.key_only.contains(&name) {
            return Ok(false);
        }
        if table.is_key(name) {
            let slot = schema.natural(name).ok_or(Unwritten)?;
            let value = json::value(&mut Text::new(json)).map_err(|_| Unwritten)?;
            if let (AttributeValue::Null(_), false) = (&value, slot.primary) {
                return Ok(false);
            }
            check_natural(schema.name, slot, &value).map_err(|_| Unwritten)?;
            if too_long(table, name, &value).is_some() {
                return Err(Unwritten);
            }
            naturals.push(slot.attribute.name);
        } else if is_own::<E>(name) && schema.ttl != Some(name) {
            return Err(Unwritten);
        }
        Ok(version.is_none_or(|(attribute, _)| attribute != name))
    };
    let mut out = json::open_item(entity, schema.nulls, &mut keep)?;
    let own = own(entity, key, |name| naturals.contains(&name)).map_err(|_| Unwritten)?;
    let version = version.map(|(name, version)| (name, AttributeValue::N(version.to_string())));
    for (at, (name, value)) in own.iter().chain(&version).enumerate() {
        let is_twice = own.iter().take(at).any(|(before, _)| before == name);
        if is_twice || too_long(table, name, value).is_some() {
            return Err(Unwritten);
        }
        if out.len() > 1 {
            out.push(',');
        }
        append::string(&mut out, name);
        out.push(':');
        append::value(&mut out, value)?;
    }
    out.push('}');
    Ok(out)
}

/// The lengths of the names of attributes that are more than fields, modulo 64, a bit for each: most
/// names of fields have another one.
fn lengths_of_own<E: Entity>() -> u64 {
    let (table, schema) = (E::Table::TABLE, E::SCHEMA);
    let indexes = table.indexes.iter().flat_map(|index| index.pk.iter().chain(index.sk));
    let keys = std::iter::once(&table.pk).chain(&table.sk).chain(indexes).map(|key| key.name);
    let constants = schema.constants.iter().map(|(name, _)| *name);
    let others = [table.type_attribute, ttl::attribute_of::<E>(), schema.version];
    let others = others.into_iter().flatten();
    let names = keys.chain(constants).chain(schema.key_only.iter().copied()).chain(others);
    names.fold(0, |lengths, name| lengths | 1 << (name.len() & 63))
}

/// The attributes that the library writes; `has` tells which natural keys serde wrote.
fn own<E: Entity>(
    entity: &E,
    key: &KeyParts,
    has: impl Fn(&str) -> bool,
) -> Result<Vec<(&'static str, AttributeValue)>, Error> {
    let (table, schema) = (E::Table::TABLE, E::SCHEMA);
    let mut own = Vec::with_capacity(4 + 2 * schema.indexes.len());
    let names = std::iter::once(table.pk.name).chain(table.sk.map(|sk| sk.name));
    for (name, value) in names.zip(std::iter::once(&key.pk).chain(&key.sk)) {
        if !has(name) || !schema.is_natural(name) {
            own.push((name, value.clone().into()));
        }
    }
    let known = Known::item(entity);
    let index_keys = E::index_keys(&known)?.into_iter();
    own.extend(index_keys.filter_map(|(name, value)| Some((name, value?.into()))));
    if let (Some(ttl), Some(Some(at))) = (ttl::attribute_of::<E>(), E::expires(&known)?)
        && schema.ttl != Some(ttl)
    {
        own.push((ttl, AttributeValue::N(at.to_string())));
    }
    if let Some(attribute) = table.type_attribute {
        own.push((attribute, AttributeValue::S(schema.type_name.to_owned())));
    }
    for (name, value) in schema.constants {
        own.push((name, AttributeValue::S((*value).to_owned())));
    }
    Ok(own)
}

/// What is a partition key elsewhere, and may be longer there, may be the sort key of an index.
fn check_index_sizes(
    table: &TableSchema,
    schema: &EntitySchema,
    item: &Item,
) -> Result<(), KeyError> {
    for attribute in table.indexes.iter().flat_map(|index| index.sk) {
        let value = item.get(attribute.name);
        let Some((index, size)) = value.and_then(|it| too_long(table, attribute.name, it)) else {
            continue;
        };
        return Err(KeyError::new(
            schema.name,
            format!("attribute `{}`", attribute.name),
            format_args!(
                "has {size} bytes; as a sort key of the index `{index}` DynamoDB allows {SORT_KEY}"
            ),
        ));
    }
    Ok(())
}

/// The index whose sort key the value cannot be, and its size.
fn too_long(
    table: &TableSchema,
    name: &str,
    value: &AttributeValue,
) -> Option<(&'static str, usize)> {
    let size = match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::B(blob) => blob.as_ref().len(),
        _ => return None,
    };
    let is_key = |attribute: &KeyAttribute| attribute.name == name && attribute.ty != KeyType::N;
    let mut indexes = table.indexes.iter().filter(|_| size > SORT_KEY);
    let index = indexes.find(|index| index.sk.iter().any(is_key))?;
    Some((index.name, size))
}

/// The greatest size of a sort key in bytes:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>.
const SORT_KEY: usize = 1024;

/// The entity of an item.
pub(crate) fn decode<E: Entity>(mut item: Item) -> Result<E, Error> {
    let (table, schema) = (E::Table::TABLE, E::SCHEMA);
    let key = KeyParts::of_item(table, &item);
    let failed = |error| Error::decode(schema.name, key.as_ref().map(ToString::to_string), error);
    if let Some(other) = other_kind::<E>(&item) {
        let told = CodecError::new(format_args!("its type attribute says that it is a `{other}`"));
        return Err(failed(told));
    }
    for attribute in table.key_attributes() {
        if !schema.is_natural(attribute.name) {
            item.remove(attribute.name);
        }
    }
    if let Some(attribute) = table.type_attribute {
        item.remove(attribute);
    }
    if let Some(attribute) = ttl::attribute_of::<E>().filter(|name| schema.ttl != Some(*name)) {
        item.remove(attribute);
    }
    for (name, _) in schema.constants {
        item.remove(*name);
    }
    key_only::restore::<E>(&mut item, key.as_ref(), schema.key_only).map_err(failed)?;
    codec::from_item(item).map_err(failed)
}

/// The projection of an item: serde sees the attributes that it names, and no others.
pub(crate) fn decode_part<P: Projection>(mut item: Item) -> Result<P, Error> {
    let table = <<P::Entity as Entity>::Table as Schema>::TABLE;
    let name = <P::Entity as Entity>::SCHEMA.name;
    let key = KeyParts::of_item(table, &item);
    let failed = |error| Error::decode(name, key.as_ref().map(ToString::to_string), error);
    // A few optional fields fit many kinds, so the key has a say too.
    if let Some(other) = declared_other::<P::Entity>(&item) {
        let told = CodecError::new(format_args!(
            "its type attribute or its key says that it is a `{other}`"
        ));
        return Err(failed(told));
    }
    item.retain(|name, _| P::ATTRIBUTES.contains(&name.as_str()));
    key_only::restore::<P::Entity>(&mut item, key.as_ref(), P::KEY_ONLY).map_err(failed)?;
    codec::from_item(item).map_err(failed)
}

/// How items of an answer become entities. `index`: the one that is read.
pub(crate) fn decoder<E: Entity>(index: Option<&'static IndexSchema>) -> Decoder<E> {
    let (table, schema) = (E::Table::TABLE, E::SCHEMA);
    let is_hidden = |name: &str| {
        (table.is_key(name) && !schema.is_natural(name))
            || table.type_attribute == Some(name)
            || (ttl::attribute_of::<E>() == Some(name) && schema.ttl != Some(name))
    };
    let kept = kept(table, index);
    let keys = table.indexes.iter().flat_map(|index| index.pk.iter().chain(index.sk));
    let keys = keys.map(|attribute| attribute.name);
    let hidden = keys.filter(|name| is_hidden(name) && !kept.contains(name));
    let hidden: Vec<_> = hidden
        .chain(schema.constants.iter().map(|(name, _)| *name))
        .chain(schema.key_only.iter().copied())
        .collect();
    let kept = kept.into_iter().map(|name| (name, is_hidden(name)));
    Decoder {
        shown: Arc::new(Shown::new(kept, hidden, None)),
        read: |text, shown, kept| {
            let other = |kept: &Kept<'_>| other_kind::<E>(kept);
            read::<E, E>(text, shown, kept, other, E::SCHEMA.key_only)
        },
        later: |found| E::from_item(found.into_item()?),
    }
}

/// The same for projections.
pub(crate) fn part_decoder<P: Projection>(index: Option<&'static IndexSchema>) -> Decoder<P> {
    let kept = kept(<<P::Entity as Entity>::Table as Schema>::TABLE, index);
    let kept = kept.into_iter().map(|name| (name, false));
    let hidden = P::KEY_ONLY.iter().copied();
    Decoder {
        shown: Arc::new(Shown::new(kept, hidden, Some(P::ATTRIBUTES))),
        read: |text, shown, kept| {
            let other = |kept: &Kept<'_>| declared_other::<P::Entity>(kept);
            read::<P::Entity, P>(text, shown, kept, other, P::KEY_ONLY)
        },
        later: |found| P::from_item(found.into_item()?),
    }
}

/// Of items that are looked at before it is known what they are.
pub(crate) fn undecoded(
    table: &'static TableSchema,
    index: Option<&'static IndexSchema>,
) -> Decoder<Found> {
    keeping(kept(table, index))
}

/// The same for items of any table.
pub(crate) fn unkept() -> Decoder<Found> {
    keeping(Vec::new())
}

fn keeping(kept: Vec<&'static str>) -> Decoder<Found> {
    let kept = kept.into_iter().map(|name| (name, false));
    Decoder {
        shown: Arc::new(Shown::new(kept, [], None)),
        read: |text, shown, kept| json::skip(text, shown, kept).map(|()| None),
        later: Ok,
    }
}

/// How items become their keys.
pub(crate) fn key_decoder<E: Entity>(index: Option<&'static IndexSchema>) -> Decoder<Key<E>> {
    let kept = kept(E::Table::TABLE, index).into_iter().map(|name| (name, false));
    Decoder {
        shown: Arc::new(Shown::new(kept, [], None)),
        read: |text, shown, places| {
            let item = *text;
            json::skip(text, shown, places)?;
            Key::of_item(&Kept { text: item, shown, places }).map(Some).ok_or(Unread)
        },
        later: |found| {
            let key = Key::of_item(&found);
            key.ok_or_else(|| Error::answer("an item came without its primary key"))
        },
    }
}

/// What reads look at beside the value: keys, type and time to live.
fn kept(table: &'static TableSchema, index: Option<&'static IndexSchema>) -> Vec<&'static str> {
    let mut kept = Vec::with_capacity(6);
    kept.push(table.pk.name);
    kept.extend(table.sk.map(|sk| sk.name));
    let index = index.into_iter().flat_map(|index| index.pk.iter().chain(index.sk));
    let others = index.map(|attribute| attribute.name).chain(table.type_attribute).chain(table.ttl);
    for name in others {
        if !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}

/// The value of an item, which is next in the text. An item of another kind is left to the way that
/// says so.
fn read<E: Entity, V: DeserializeOwned>(
    text: &mut Text<'_>,
    shown: &Shown,
    places: &mut [Span],
    other: fn(&Kept<'_>) -> Option<&'static str>,
    key_only: &[&'static str],
) -> Result<Option<V>, Unread> {
    let item = *text;
    let restore = |places: &[Span]| -> Option<Restored> {
        if key_only.is_empty() {
            return Some(Restored::new());
        }
        let key = KeyParts::of_item(E::Table::TABLE, &Kept { text: item, shown, places })?;
        let fields =
            key_only.iter().map(|name| Some((*name, key_only::field::<E>(&key, name).ok()?)));
        let fields: Option<Vec<_>> = fields.collect();
        Some(fields?.into_iter().filter_map(|(name, value)| Some((name, value?))).collect())
    };
    let value = json::read(text, shown, places, &restore)?;
    match other(&Kept { text: item, shown, places }) {
        None => Ok(Some(value)),
        Some(_) => Err(Unread),
    }
}

/// The declared entity that the type attribute names, if that is not `E`. A name that no entity has
/// is left to the decoder, so that a table of another program can be read.
fn other_kind<E: Entity>(item: &impl Attributes) -> Option<&'static str> {
    type_name(E::Table::TABLE, item)?;
    declared_other::<E>(item)
}

/// The declared entity that the item is of, if that is not `E`.
fn declared_other<E: Entity>(item: &impl Attributes) -> Option<&'static str> {
    let table = E::Table::TABLE;
    if is_of(table, E::SCHEMA, item) {
        return None;
    }
    let others = E::Table::entities().iter().map(|entry| entry.schema);
    others.into_iter().find(|other| is_of(table, other, item)).map(|other| other.name)
}

/// Whether an item is one of this entity's: by the type attribute, else by its keys.
pub(crate) fn is_of(
    table: &TableSchema,
    schema: &'static EntitySchema,
    item: &impl Attributes,
) -> bool {
    match type_name(table, item) {
        Some(name) => schema.type_names().any(|own| own == name),
        None => has_keys(table, schema, item),
    }
}

/// Whether the library writes the attribute, and no field.
pub(crate) fn is_own<E: Entity>(name: &str) -> bool {
    E::SCHEMA.all_slots().any(|slot| !slot.natural && slot.attribute.name == name)
        || E::SCHEMA.constants.iter().any(|(constant, _)| *constant == name)
        || E::Table::TABLE.type_attribute == Some(name)
        || ttl::attribute_of::<E>() == Some(name)
}

/// How the partition key of a guard of a unique field begins. No template's literal does, which is
/// checked while compiling.
const GUARD: &str = "$unique#";

/// Whether an item is a guard of a unique field.
pub(crate) fn is_guard(table: &TableSchema, item: &impl Attributes) -> bool {
    let is_text = |attribute: KeyAttribute, fits: fn(&str) -> bool| {
        let key = item.key(attribute.name);
        matches!(key, Some(KeyRef::S(text)) if fits(&text))
    };
    is_text(table.pk, |text| text.starts_with(GUARD))
        && table.sk.is_none_or(|sk| is_text(sk, |text| text == "$unique"))
}

/// Whether the primary key is one that the entity's templates render.
pub(crate) fn has_keys(
    table: &TableSchema,
    schema: &'static EntitySchema,
    item: &impl Attributes,
) -> bool {
    let Some(key) = KeyParts::of_item(table, item) else { return false };
    schema.pk.matches(&key.pk)
        && match (&schema.sk, &key.sk) {
            (Some(slot), Some(sk)) => slot.matches(sk),
            (None, None) => true,
            _ => false,
        }
}

/// The stored type name: text, or the only element of a list or a set of text.
pub(crate) fn type_name<'a>(
    table: &TableSchema,
    item: &'a impl Attributes,
) -> Option<Cow<'a, str>> {
    let attribute = table.type_attribute?;
    if let Some(KeyRef::S(name)) = item.key(attribute) {
        return Some(name);
    }
    match item.attribute(attribute)?.as_ref() {
        AttributeValue::L(list) => match &list[..] {
            [AttributeValue::S(name)] => Some(Cow::Owned(name.clone())),
            _ => None,
        },
        AttributeValue::Ss(set) => match &set[..] {
            [name] => Some(Cow::Owned(name.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// Key attributes that serde wrote: natural ones must be valid keys, others must not be there.
fn check_naturals(
    table: &TableSchema,
    schema: &'static EntitySchema,
    item: &mut Item,
) -> Result<(), Error> {
    for attribute in table.key_attributes() {
        let Some(value) = item.get(attribute.name) else { continue };
        let slot = schema
            .slots()
            .into_iter()
            .find(|slot| slot.natural && slot.attribute.name == attribute.name);
        let Some(slot) = slot else {
            return Err(reserved(schema, attribute.name).into());
        };
        if let (AttributeValue::Null(_), false) = (value, slot.primary) {
            // NULL in an index key is refused by DynamoDB; absent is what it means.
            item.remove(attribute.name);
            continue;
        }
        check_natural(schema.name, slot, value)?;
    }
    Ok(())
}

/// A field that is a key itself must be a valid one.
pub(crate) fn check_natural(
    entity: &'static str,
    slot: &'static Slot,
    value: &AttributeValue,
) -> Result<(), KeyError> {
    let attribute = slot.attribute;
    match KeyValue::from_attribute(value) {
        Some(value) if value.type_name() == attribute.ty.name() => {
            slot.natural_year(&value)?;
            slot.sized(value).map(drop)
        }
        _ => {
            let problem =
                format!("is not stored as {}, as the table declares it", attribute.ty.name());
            Err(KeyError::new(entity, format!("attribute `{}`", attribute.name), problem))
        }
    }
}

fn reserved(schema: &EntitySchema, name: &str) -> KeyError {
    KeyError::new(
        schema.name,
        format!("attribute `{name}`"),
        "is written by the library and cannot come from a flattened field; rename it there",
    )
}
