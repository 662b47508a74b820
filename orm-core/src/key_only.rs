//! Fields that live in the primary key alone: not stored, and told by the key where an item is read.

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;

use crate::codec::{self, CodecError};
use crate::entity::{Entity, Item, KeyParts};
use crate::key::{KeyPart, KeyValue, Slot};
use crate::known::part_of;

/// A stored primary key, from which generated code reads fields.
#[derive(Debug)]
pub struct StoredKey<'a>(&'a KeyParts);

impl StoredKey<'_> {
    /// A field of the partition key as serde writes it; `at` is its position in the template.
    pub fn partition<P: KeyPart + Serialize>(
        &self,
        slot: &'static Slot,
        at: usize,
    ) -> Result<Option<AttributeValue>, CodecError> {
        attribute::<P>(slot, at, &self.0.pk)
    }

    /// The same of the sort key.
    pub fn sort<P: KeyPart + Serialize>(
        &self,
        slot: &'static Slot,
        at: usize,
    ) -> Result<Option<AttributeValue>, CodecError> {
        match &self.0.sk {
            Some(sk) => attribute::<P>(slot, at, sk),
            None => Err(CodecError::new("the key has no sort key")),
        }
    }
}

fn attribute<P: KeyPart + Serialize>(
    slot: &'static Slot,
    at: usize,
    stored: &KeyValue,
) -> Result<Option<AttributeValue>, CodecError> {
    let template = slot.template.text;
    let part = part_of(slot, at, stored).ok_or_else(|| {
        CodecError::new(format_args!("`{stored}` is no key that `{template}` renders"))
    })?;
    let part = P::from_value(part).map_err(|error| {
        CodecError::new(format_args!("in `{stored}`, a key of `{template}`, it {error}"))
    })?;
    codec::to_field(&part)
}

/// One of these fields as serde writes it, by its name.
pub(crate) fn field<E: Entity>(
    key: &KeyParts,
    name: &str,
) -> Result<Option<AttributeValue>, CodecError> {
    E::key_only(&StoredKey(key), name)
}

/// Gives an item the attributes that serde reads these fields from. The key wins over an attribute
/// that is stored nevertheless: it is what the item is found by.
pub(crate) fn restore<E: Entity>(
    item: &mut Item,
    key: Option<&KeyParts>,
    attributes: &[&'static str],
) -> Result<(), CodecError> {
    for name in attributes {
        let value = match key {
            Some(key) => field::<E>(key, name),
            None => Err(CodecError::new("the item came without its key")),
        };
        let value = value.map_err(|error| {
            CodecError::new(format_args!("`{name}` lives in the key alone, and {error}"))
        })?;
        match value {
            Some(value) => item.insert((*name).to_owned(), value),
            None => item.remove(*name),
        };
    }
    Ok(())
}

/// Takes out what serde wrote of fields that are not stored.
pub(crate) fn strip<E: Entity>(item: &mut Item) {
    for name in E::SCHEMA.key_only {
        item.remove(*name);
    }
}
