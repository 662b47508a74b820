//! Rules over how an entity takes part in an index.

use crate::schema::text::Text;
use crate::schema::{
    EntitySchema, KeyAttribute, KeyType, Projection, TableSchema, has, target as targets,
};

/// The index exists, and a partition half is given exactly where the index is global.
pub const fn index(table: &TableSchema, entity: &str, index: &str, pk_given: bool) -> Text {
    match table.index(index) {
        None if table.is_stub() => Text::EMPTY,
        None => no_index(table, index),
        Some(found) if found.local && pk_given => Text::of(&[
            "`",
            index,
            "` is a local index and shares the table's partition key: drop `pk` of `",
            entity,
            "`",
        ]),
        Some(found) if !found.local && !pk_given => {
            Text::of(&["`", index, "` is a global index: write `pk = \"…\"` for `", entity, "`"])
        }
        _ => Text::EMPTY,
    }
}

/// That a table does not have the index.
pub(super) const fn no_index(table: &TableSchema, index: &str) -> Text {
    let mut text = Text::of(&["`", table.name, "` has no index `", index, "`"]);
    if table.indexes.is_empty() {
        return text.push(": declare it with `#[gsi(..)]` or `#[lsi(..)]` on the table");
    }
    text = text.push("; its indexes are");
    let mut at = 0;
    while at < table.indexes.len() {
        text = text.push(if at == 0 { " `" } else { ", `" });
        text = text.push(table.indexes[at].name).push("`");
        at += 1;
    }
    text
}

/// The index's key attribute, or a stand-in where [`index`] reports the mistake.
pub const fn index_attribute(
    table: &TableSchema,
    index: &str,
    sort: bool,
    at: usize,
) -> KeyAttribute {
    match table.index(index) {
        Some(found) if !sort && found.local => KeyAttribute::new("", KeyType::S),
        Some(found) => {
            let half = if sort { found.sk } else { found.pk };
            if at < half.len() { half[at] } else { KeyAttribute::new("", KeyType::S) }
        }
        None => KeyAttribute::new("", KeyType::S),
    }
}

/// Each attribute of a half has a template; that a half is there at all is the rule of [`index`]
/// and of [`halves`](super::halves).
pub const fn attribute_count(
    table: &TableSchema,
    entity: &str,
    index: &str,
    sort: bool,
    given: usize,
) -> Text {
    const COUNTS: [&str; 5] = ["no", "one", "two", "three", "four"];
    const fn count(number: usize) -> &'static str {
        if number < COUNTS.len() { COUNTS[number] } else { "more" }
    }
    let Some(found) = table.index(index) else { return Text::EMPTY };
    let half = if sort { found.sk } else { found.pk };
    if given == 0 || half.is_empty() || half.len() == given || (!sort && found.local) {
        return Text::EMPTY;
    }
    let mut text = Text::of(&[
        "the ",
        if sort { "sort" } else { "partition" },
        " key of the index `",
        index,
        "` has ",
        count(half.len()),
        if half.len() == 1 { " attribute," } else { " attributes," },
    ]);
    let mut at = 0;
    while at < half.len() {
        text = text.push(if at == 0 { " `" } else { ", `" }).push(half[at].name).push("`");
        at += 1;
    }
    text.push(", and `")
        .push(entity)
        .push("` gives ")
        .push(count(given))
        .push(if given == 1 { " template" } else { " templates" })
        .push(": write one for each attribute, in that order")
}

/// Whether the attribute belongs to the table's key.
pub const fn is_primary(table: &TableSchema, attribute: &KeyAttribute) -> bool {
    !attribute.name.is_empty() && table.has_key(attribute.name)
}

/// The greatest size in bytes: 2048, or 1024 where some index, or the table, has the attribute in
/// its sort key. `sort`: in the index at hand it has.
pub const fn limit(table: &TableSchema, attribute: &KeyAttribute, sort: bool) -> usize {
    let mut sort = sort;
    let mut at = 0;
    while at < table.indexes.len() {
        sort = sort || has(table.indexes[at].sk, attribute.name);
        at += 1;
    }
    if sort { 1024 } else { 2048 }
}

/// Whether a write of the entity writes the attribute for this index: neither serde, nor the
/// table's key, nor an index before does.
pub const fn writes(entity: &EntitySchema, index: usize, at: usize) -> bool {
    let slot = entity.indexes[index].slot(at);
    if slot.natural || slot.primary {
        return false;
    }
    let mut before = 0;
    while before < index {
        if entity.indexes[before].fills(slot.attribute.name) {
            return false;
        }
        before += 1;
    }
    true
}

/// Whether `only_when` of the index decides about the attribute: the first one that no other key
/// of the entity has.
pub const fn decides(entity: &EntitySchema, index: usize, at: usize) -> bool {
    let mut before = 0;
    while before < at {
        if is_own(entity, index, before) {
            return false;
        }
        before += 1;
    }
    is_own(entity, index, at)
}

/// Whether the attribute is neither a field nor in another key of the entity.
const fn is_own(entity: &EntitySchema, index: usize, at: usize) -> bool {
    let slot = entity.indexes[index].slot(at);
    if slot.natural || slot.primary {
        return false;
    }
    let mut other = 0;
    while other < entity.indexes.len() {
        if other != index && entity.indexes[other].fills(slot.attribute.name) {
            return false;
        }
        other += 1;
    }
    true
}

/// The sort key an index declares; where [`index`] reports the mistake, what the entity gave is
/// taken as right.
pub const fn index_sk(table: &TableSchema, index: &str, given: bool) -> Option<KeyAttribute> {
    match table.index(index) {
        Some(found) if found.sk.is_empty() => None,
        Some(found) => Some(found.sk[0]),
        None if given => Some(KeyAttribute::new("", KeyType::S)),
        None => None,
    }
}

/// How messages call an index.
pub const fn index_label(table: &TableSchema, index: &str) -> Text {
    match table.index(index) {
        Some(found) if found.local => Text::of(&["the local index `", index, "`"]),
        _ => Text::of(&["the global index `", index, "`"]),
    }
}

/// `only_when` decides about an attribute, so the index needs one that is its own.
pub const fn only_when(entity: &EntitySchema, index: usize) -> Text {
    let found = &entity.indexes[index];
    let mut at = 0;
    while at < found.pk.len() + found.sk.len() {
        if is_own(entity, index, at) {
            return Text::EMPTY;
        }
        at += 1;
    }
    Text::of(&[
        "`only_when` of `",
        entity.name,
        "` on `",
        found.name,
        "` has no key attribute to leave out, since all of them are fields of the item or in another key: give the index an attribute of its own",
    ])
}

/// The codes of [`filter`].
const KEY: u8 = 1;
pub(super) const NOT_PROJECTED: u8 = 2;

/// Whether a query of the table, or of an index, may filter by an attribute: 0, or why not.
/// See [`Flag`](crate::private::Flag).
pub const fn filter(table: &TableSchema, index: &str, stored: &str) -> u8 {
    let is_key = match table.index(index) {
        Some(index) => index.has_key(stored),
        None => table.has_key(stored),
    };
    if is_key {
        return KEY;
    }
    match table.index(index) {
        Some(index) if !index.local && !index.projects(stored) && !table.has_key(stored) => {
            NOT_PROJECTED
        }
        _ => 0,
    }
}

/// What kind of index a pattern reads; see [`Target`](crate::private::Target).
pub const fn target(table: &TableSchema, index: &str) -> u8 {
    match table.index(index) {
        Some(index) if index.local => targets::LOCAL,
        Some(index) => match index.projection {
            Projection::All => targets::GLOBAL,
            _ => targets::PARTIAL,
        },
        None => targets::GLOBAL,
    }
}
