//! Rules over the attributes that a projection names.

use super::filter;
use crate::schema::text::{Text, equal, nearest};
use crate::schema::{EntitySchema, TableSchema};

/// The attribute is one of the entity's fields.
pub const fn projected(entity: &EntitySchema, attribute: &str) -> Text {
    if entity.is_stub() || position(entity, attribute) != usize::MAX {
        return Text::EMPTY;
    }
    let mut text =
        Text::of(&["`", entity.name, "` has no field that is stored as `", attribute, "`"]);
    let near = nearest(attribute, entity.attributes);
    if !near.is_empty() {
        text = text.push(", did you mean `").push(near).push("`?");
    }
    if entity.attributes.is_empty() {
        return text;
    }
    text = text.push(if near.is_empty() { "; its attributes are" } else { " its attributes are" });
    let mut at = 0;
    while at < entity.attributes.len() {
        text = text.push(if at == 0 { " `" } else { ", `" });
        text = text.push(entity.attributes[at]).push("`");
        at += 1;
    }
    text
}

/// The place of an attribute among the entity's; `usize::MAX` if it has none.
pub const fn position(entity: &EntitySchema, attribute: &str) -> usize {
    let mut at = 0;
    while at < entity.attributes.len() {
        if equal(entity.attributes[at], attribute) {
            return at;
        }
        at += 1;
    }
    usize::MAX
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
        if filter(table, index, attributes[at]) == super::index::NOT_PROJECTED {
            return at + 1;
        }
        at += 1;
    }
    0
}
