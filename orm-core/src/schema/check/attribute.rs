//! Rules over attribute names: each has one meaning and one template.

use crate::key::Slot;
use crate::schema::text::{Text, equal};
use crate::schema::{EntitySchema, TableSchema};

/// A stored attribute against the table's own attribute names.
pub const fn attribute(table: &TableSchema, entity: &EntitySchema, stored: &str) -> Text {
    let mut problem = "";
    if equal(table.pk.name, stored) && !fills(&entity.pk, stored) {
        problem = "the partition key of `";
    }
    if let Some(sk) = table.sk
        && equal(sk.name, stored)
    {
        match &entity.sk {
            Some(slot) if fills(slot, stored) => {}
            _ => problem = "the sort key of `",
        }
    }
    let mut at = 0;
    while at < table.indexes.len() {
        let index = &table.indexes[at];
        if index.has_key(stored) && !any_fills(entity, stored) {
            problem = "a key attribute of an index of `";
        }
        at += 1;
    }
    let is_key = !problem.is_empty();
    if let Some(name) = table.type_attribute
        && equal(name, stored)
    {
        problem = "the type attribute of `";
    }
    if problem.is_empty() {
        return Text::EMPTY;
    }
    let text = Text::of(&[
        "attribute `",
        stored,
        "` of `",
        entity.name,
        "` is ",
        problem,
        table.name,
        "`: rename the field with `#[serde(rename = \"…\")]`",
    ]);
    if is_key {
        text.push(", or make it the key itself with the template `<").push(stored).push(">`")
    } else {
        text
    }
}

/// A field of `key_only(..)` is no key attribute itself.
pub const fn key_only(entity: &EntitySchema, stored: &str) -> Text {
    let of_table = match &entity.sk {
        Some(sk) if fills(sk, stored) => true,
        _ => fills(&entity.pk, stored),
    };
    if of_table {
        return Text::of(&[
            "`",
            stored,
            "` of `",
            entity.name,
            "` is the key attribute itself, so it lives in the key alone already: leave it out of `key_only(..)`",
        ]);
    }
    if any_fills(entity, stored) {
        return Text::of(&[
            "`",
            stored,
            "` of `",
            entity.name,
            "` is a key attribute of an index, which DynamoDB reads from the stored item: leave it out of `key_only(..)`",
        ]);
    }
    Text::EMPTY
}

const fn fills(slot: &Slot, attribute: &str) -> bool {
    slot.natural && equal(slot.attribute.name, attribute)
}

const fn one_fills(slots: &[Slot], attribute: &str) -> bool {
    let mut at = 0;
    while at < slots.len() {
        if fills(&slots[at], attribute) {
            return true;
        }
        at += 1;
    }
    false
}

const fn any_fills(entity: &EntitySchema, attribute: &str) -> bool {
    let mut at = 0;
    while at < entity.indexes.len() {
        let index = &entity.indexes[at];
        if one_fills(index.pk, attribute) || one_fills(index.sk, attribute) {
            return true;
        }
        at += 1;
    }
    match &entity.sk {
        Some(sk) if fills(sk, attribute) => true,
        _ => fills(&entity.pk, attribute),
    }
}

/// One attribute, one template: an index that has an attribute of the table's key, or of an index
/// before it, has the template that is there.
pub const fn one_template(entity: &EntitySchema) -> Text {
    let mut at = 0;
    while at < entity.indexes.len() {
        let index = &entity.indexes[at];
        let mut position = 0;
        while position < index.pk.len() + index.sk.len() {
            let slot = index.slot(position);
            if let Some(other) = other_template(entity, at, slot) {
                return Text::of(&[
                    "`",
                    entity.name,
                    "` has two templates for the attribute `",
                    slot.attribute.name,
                    "`, `",
                    other,
                    "` and `",
                    slot.template.text,
                    "`: an attribute has one template; write `",
                    other,
                    "` for the index `",
                    index.name,
                    "` too, which then only gets patterns, or give it key attributes of its own",
                ]);
            }
            if let Some(other) = other_shards(entity, at, slot) {
                return Text::of(&[
                    "the indexes `",
                    other,
                    "` and `",
                    index.name,
                    "` of `",
                    entity.name,
                    "` share the attribute `",
                    slot.attribute.name,
                    "`, which has one shard number: write the same `shard(..)` on both",
                ]);
            }
            position += 1;
        }
        at += 1;
    }
    Text::EMPTY
}

/// Another template that the table, or an index before this one, has for the slot's attribute.
const fn other_template(entity: &EntitySchema, index: usize, slot: &Slot) -> Option<&'static str> {
    if clash(&entity.pk, slot) {
        return Some(entity.pk.template.text);
    }
    if let Some(sk) = &entity.sk
        && clash(sk, slot)
    {
        return Some(sk.template.text);
    }
    let mut at = 0;
    while at < index {
        let before = &entity.indexes[at];
        let mut position = 0;
        while position < before.pk.len() + before.sk.len() {
            if clash(before.slot(position), slot) {
                return Some(before.slot(position).template.text);
            }
            position += 1;
        }
        at += 1;
    }
    None
}

/// An index before this one that has the slot's attribute and spreads it otherwise.
const fn other_shards(entity: &EntitySchema, index: usize, slot: &Slot) -> Option<&'static str> {
    let mut at = 0;
    while at < index {
        let (before, own) = (&entity.indexes[at], &entity.indexes[index]);
        if slot.template.has_shard()
            && before.fills(slot.attribute.name)
            && let (Some(a), Some(b)) = (&before.shards, &own.shards)
            && !(equal(a.by, b.by) && a.count == b.count && a.read == b.read)
        {
            return Some(before.name);
        }
        at += 1;
    }
    None
}

const fn clash(a: &Slot, b: &Slot) -> bool {
    let alike = if a.natural || b.natural {
        a.natural && b.natural
    } else {
        equal(a.template.text, b.template.text)
    };
    // A stand-in for an attribute that does not exist has no name, and its own message.
    !a.attribute.name.is_empty() && !alike && equal(a.attribute.name, b.attribute.name)
}

/// A constant attribute against key attributes and the type attribute.
pub const fn constant(table: &TableSchema, entity: &EntitySchema, name: &str) -> Text {
    let mut taken = equal(table.pk.name, name);
    if let Some(sk) = table.sk {
        taken = taken || equal(sk.name, name);
    }
    if let Some(attribute) = table.type_attribute {
        taken = taken || equal(attribute, name);
    }
    let mut at = 0;
    while at < table.indexes.len() {
        taken = taken || table.indexes[at].has_key(name);
        at += 1;
    }
    if !taken {
        return match (table.ttl, entity.ttl) {
            (Some(ttl), Some(field)) if equal(ttl, name) => Text::of(&[
                "the constant attribute `",
                name,
                "` of `",
                entity.name,
                "` is the TTL attribute of `",
                table.name,
                "`, which is written from `",
                field,
                "`: choose another name",
            ]),
            _ => Text::EMPTY,
        };
    }
    Text::of(&[
        "the constant attribute `",
        name,
        "` of `",
        entity.name,
        "` is a key attribute or the type attribute of `",
        table.name,
        "`: choose another name",
    ])
}
