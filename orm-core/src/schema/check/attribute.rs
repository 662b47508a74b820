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

/// One attribute, one template: an index does not write what the table or another index writes.
pub const fn one_template(entity: &EntitySchema) -> Text {
    let mut at = 0;
    while at < entity.indexes.len() {
        let index = &entity.indexes[at];
        let mut position = 0;
        while position < index.pk.len() + index.sk.len() {
            let is_sort = position >= index.pk.len();
            let slot =
                if is_sort { &index.sk[position - index.pk.len()] } else { &index.pk[position] };
            // A local index has the table's partition key slot itself.
            let own = is_sort || !slot.primary;
            if own && written_before(entity, at, slot, position) {
                return Text::of(&[
                    "`",
                    entity.name,
                    "` has two templates for the attribute `",
                    slot.attribute.name,
                    "`: an attribute has one template; give the index `",
                    index.name,
                    "` key attributes of its own",
                ]);
            }
            position += 1;
        }
        at += 1;
    }
    Text::EMPTY
}

/// Whether the table, an index before this one, or an attribute in front of `position` has another
/// template for the slot's attribute.
const fn written_before(entity: &EntitySchema, index: usize, slot: &Slot, position: usize) -> bool {
    if clash(&entity.pk, slot) {
        return true;
    }
    if let Some(sk) = &entity.sk
        && clash(sk, slot)
    {
        return true;
    }
    let mut at = 0;
    while at < index {
        let before = &entity.indexes[at];
        if any_clash(before.pk, slot, before.pk.len())
            || any_clash(before.sk, slot, before.sk.len())
        {
            return true;
        }
        at += 1;
    }
    let own = &entity.indexes[index];
    match position.checked_sub(own.pk.len()) {
        Some(sort) => any_clash(own.pk, slot, own.pk.len()) || any_clash(own.sk, slot, sort),
        None => any_clash(own.pk, slot, position),
    }
}

/// One of the first `count` slots.
const fn any_clash(slots: &[Slot], slot: &Slot, count: usize) -> bool {
    let mut at = 0;
    while at < count {
        if clash(&slots[at], slot) {
            return true;
        }
        at += 1;
    }
    false
}

const fn clash(a: &Slot, b: &Slot) -> bool {
    // A stand-in for an attribute that does not exist has no name, and its own message.
    let both_natural = a.natural && b.natural;
    !a.attribute.name.is_empty() && !both_natural && equal(a.attribute.name, b.attribute.name)
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
