//! Rules over how an entity takes part in an index.

use crate::key::Slot;
use crate::schema::text::{Text, equal};
use crate::schema::{
    EntitySchema, KeyAttribute, KeyType, Projection, TableSchema, target as targets,
};

/// The index exists, and a partition half is given exactly where the index is global.
pub const fn index(table: &TableSchema, entity: &str, index: &str, pk_given: bool) -> Text {
    match table.index(index) {
        None if table.is_stub() => Text::EMPTY,
        None => {
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

/// The index's key attribute, or a stand-in where [`index`] reports the mistake.
pub const fn index_attribute(table: &TableSchema, index: &str, sort: bool) -> KeyAttribute {
    match table.index(index) {
        Some(found) if !sort && found.local => KeyAttribute::new("", KeyType::S),
        Some(found) => {
            let half = if sort { found.sk } else { found.pk };
            if half.is_empty() { KeyAttribute::new("", KeyType::S) } else { half[0] }
        }
        None => KeyAttribute::new("", KeyType::S),
    }
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
    let index = &entity.indexes[index];
    if any_own(index.pk) || any_own(index.sk) {
        return Text::EMPTY;
    }
    Text::of(&[
        "`only_when` of `",
        entity.name,
        "` on `",
        index.name,
        "` has no key attribute to leave out, since all of them are fields of the item: give the index an attribute of its own",
    ])
}

/// Whether an attribute is neither a field nor of the table's key.
const fn any_own(slots: &[Slot]) -> bool {
    let mut at = 0;
    while at < slots.len() {
        if !slots[at].natural && !slots[at].primary {
            return true;
        }
        at += 1;
    }
    false
}

/// The codes of [`filter`].
const KEY: u8 = 1;
pub(super) const NOT_PROJECTED: u8 = 2;

/// Whether a query of the table, or of an index, may filter by an attribute: 0, or why not.
/// See [`Flag`](crate::private::Flag).
pub const fn filter(table: &TableSchema, index: &str, stored: &str) -> u8 {
    let is_key = match table.index(index) {
        Some(index) => index.has_key(stored),
        None => is_table_key(table, stored),
    };
    if is_key {
        return KEY;
    }
    match table.index(index) {
        Some(index) if !index.local && !index.projects(stored) && !is_table_key(table, stored) => {
            NOT_PROJECTED
        }
        _ => 0,
    }
}

const fn is_table_key(table: &TableSchema, stored: &str) -> bool {
    let is_sk = match table.sk {
        Some(sk) => equal(sk.name, stored),
        None => false,
    };
    is_sk || equal(table.pk.name, stored)
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
