//! Rules over the attributes that a projection names.

use super::filter;
use crate::schema::text::{Text, equal, is_among, nearest};
use crate::schema::{EntitySchema, TableSchema};

/// The attribute is one of the entity's fields.
pub const fn projected(entity: &EntitySchema, attribute: &str) -> Text {
    if entity.is_stub() || position(entity, attribute) != usize::MAX {
        return Text::EMPTY;
    }
    let mut text =
        Text::of(&["`", entity.name, "` has no field that is stored as `", attribute, "`"]);
    let mut near = nearest(attribute, entity.attributes);
    if near.is_empty() {
        near = nearest(attribute, entity.key_only);
    }
    if !near.is_empty() {
        text = text.push(", did you mean `").push(near).push("`?");
    }
    let count = entity.attributes.len() + entity.key_only.len();
    if count == 0 {
        return text;
    }
    text = text.push(if near.is_empty() { "; its attributes are" } else { " its attributes are" });
    let mut at = 0;
    while at < count {
        text = text.push(if at == 0 { " `" } else { ", `" });
        text = text.push(name_at(entity, at)).push("`");
        at += 1;
    }
    text
}

/// The place of an attribute among the entity's, those of the key alone last; `usize::MAX` if it has
/// none.
pub const fn position(entity: &EntitySchema, attribute: &str) -> usize {
    let mut at = 0;
    while at < entity.attributes.len() + entity.key_only.len() {
        if equal(name_at(entity, at), attribute) {
            return at;
        }
        at += 1;
    }
    usize::MAX
}

const fn name_at(entity: &EntitySchema, at: usize) -> &'static str {
    let stored = entity.attributes.len();
    if at < stored { entity.attributes[at] } else { entity.key_only[at - stored] }
}

/// How many of these attributes live in the key alone, or, without `key_only`, are stored.
pub const fn count(entity: &EntitySchema, attributes: &[&str], key_only: bool) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < attributes.len() {
        if is_among(attributes[at], entity.key_only) == key_only {
            count += 1;
        }
        at += 1;
    }
    count
}

/// These of the attributes; `N` is their [`count`].
pub const fn only<const N: usize>(
    entity: &EntitySchema,
    attributes: &[&'static str],
    key_only: bool,
) -> [&'static str; N] {
    let mut found = [""; N];
    let (mut at, mut next) = (0, 0);
    while at < attributes.len() {
        if is_among(attributes[at], entity.key_only) == key_only {
            found[next] = attributes[at];
            next += 1;
        }
        at += 1;
    }
    found
}

/// A field that serde reads by a function of the user, in both structs or in none.
pub const fn read_alike(
    entity: &EntitySchema,
    attribute: &str,
    in_entity: bool,
    in_projection: bool,
) -> Text {
    if in_entity == in_projection {
        return Text::EMPTY;
    }
    let problem = if in_entity {
        "` is read by `#[serde(with)]` or `#[serde(deserialize_with)]`: write the same on this field"
    } else {
        "` is read without `#[serde(with)]`: remove it from this field"
    };
    Text::of(&["`", attribute, "` of `", entity.name, problem])
}

/// The first attribute, counted from 1, that the table (0) or one of the entity's indexes (from 1)
/// does not have; 0 if it has all.
pub const fn lacks(
    table: &TableSchema,
    entity: &EntitySchema,
    place: usize,
    attributes: &[&str],
) -> usize {
    if place == 0 || place > entity.indexes.len() {
        return 0;
    }
    let index = entity.indexes[place - 1].name;
    let mut at = 0;
    while at < attributes.len() {
        // Every index has the key.
        let is_stored = !is_among(attributes[at], entity.key_only);
        if is_stored && filter(table, index, attributes[at]) == super::index::NOT_PROJECTED {
            return at + 1;
        }
        at += 1;
    }
    0
}
