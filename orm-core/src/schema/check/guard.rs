//! Rules over the version, the time to live and the unique fields of an entity.

use crate::key::{Part, PartKind, Slot};
use crate::schema::text::{Text, equal};
use crate::schema::{EntitySchema, KeyType, Projection, TableSchema, distinct};

/// The table has a TTL attribute, and the field's own attribute is another one, unless it holds
/// these seconds.
pub const fn ttl(table: &TableSchema, entity: &str, stored: &str, seconds: bool) -> Text {
    if table.is_stub() {
        return Text::EMPTY;
    }
    match table.ttl {
        None => Text::of(&[
            "`",
            table.name,
            "` has no TTL attribute, which `ttl` of `",
            entity,
            "` is written to: declare one, as in `#[table(ttl = \"expires_at\")]`",
        ]),
        Some(name) if equal(name, stored) && !seconds => Text::of(&[
            "the attribute `",
            name,
            "` holds whole seconds, and serde writes this field of `",
            entity,
            "` otherwise: give the TTL attribute of `",
            table.name,
            "` another name, or make the field an integer of seconds",
        ]),
        Some(_) => Text::EMPTY,
    }
}

/// Expired items are told by the TTL attribute, in an index as well.
pub const fn ttl_in_index(
    table: &TableSchema,
    entity: &EntitySchema,
    index: &str,
    allowed: bool,
) -> Text {
    if allowed || entity.ttl.is_none() {
        return Text::EMPTY;
    }
    match (table.index(index), table.ttl) {
        (Some(found), Some(ttl))
            if !matches!(found.projection, Projection::All) && !found.projects(ttl) =>
        {
            Text::of(&[
                "the index `",
                index,
                "` does not project the TTL attribute `",
                ttl,
                "`, so expired items of `",
                entity.name,
                "` would be found in it: write `projection = include(\"",
                ttl,
                "\")` on the index, or `allow(expired)` here",
            ])
        }
        _ => Text::EMPTY,
    }
}

/// The TTL attribute of the table is written by the library where it is not the field itself.
pub const fn ttl_attribute(table: &TableSchema, entity: &EntitySchema, stored: &str) -> Text {
    match (table.ttl, entity.ttl) {
        (Some(ttl), Some(field)) if equal(ttl, stored) && !equal(field, stored) => Text::of(&[
            "attribute `",
            stored,
            "` of `",
            entity.name,
            "` is the TTL attribute of `",
            table.name,
            "`, which is written from `",
            field,
            "`: rename the field with `#[serde(rename = \"…\")]`",
        ]),
        _ => Text::EMPTY,
    }
}

/// A guard's key tells two values apart, and one value has one key.
pub const fn unique_part(slot: &Slot, part: &Part) -> Text {
    let problem = match part.kind {
        PartKind::Timestamp => {
            "a timestamp, which is stored by a unit that `unique(..)` does not say: make it text, or an integer of seconds or milliseconds"
        }
        PartKind::Bytes => "binary, and the key of a guard is text: make it text",
        _ => return Text::EMPTY,
    };
    Text::of(&["the unique field `", part.field, "` of `", slot.entity, "` is ", problem])
}

/// A guard is an item with text keys, and none of the entity's own.
pub const fn unique(table: &TableSchema, entity: &EntitySchema) -> Text {
    if table.is_stub() {
        return Text::EMPTY;
    }
    let is_text = matches!(table.pk.ty, KeyType::S)
        && match table.sk {
            Some(sk) => matches!(sk.ty, KeyType::S),
            None => true,
        };
    if !is_text {
        return Text::of(&[
            "`unique` of `",
            entity.name,
            "` needs a table with text keys, since a guard is an item with a key of text: `",
            table.name,
            "` has keys of another type",
        ]);
    }
    distinct::from_guards(table, entity, entity)
}
