//! The rule for two entities of one table: their keys must not be mistaken for each other.

use super::shape::{self, Row};
use super::text::{Text, equal, is_among};
use super::{EntityIndex, EntitySchema, IndexSchema, KeyAttribute, TableSchema, UniqueField};
use crate::key::{Segment, Slot};

/// The mistake of two entities of one table, on the table and on every index that both use.
///
/// `listed`: both are in `entities(..)`, where each one's lists know what the other allows.
pub const fn told_apart(
    table: &TableSchema,
    a: &EntitySchema,
    b: &EntitySchema,
    listed: bool,
) -> Text {
    if a.pk.template.text.is_empty() || b.pk.template.text.is_empty() {
        // A derive that failed, and said so.
        return Text::EMPTY;
    }
    if a.sk.is_some() != table.sk.is_some() || b.sk.is_some() != table.sk.is_some() {
        // `halves` says what is missing.
        return Text::EMPTY;
    }
    let (by_a, by_b) = (is_among(b.name, a.overlap), is_among(a.name, b.overlap));
    if !listed && by_a != by_b {
        let (one, other) = if by_a { (a, b) } else { (b, a) };
        return Text::of(&[
            "`",
            one.name,
            "` allows the overlap with `",
            other.name,
            "`, which is not known to the lists of `",
            other.name,
            "`: write `allow(overlap(",
            one.name,
            "))` there too, or name both in `entities(..)`",
        ]);
    }
    let guards = from_guards(table, a, b);
    if !guards.is_empty() {
        return guards;
    }
    let guards = from_guards(table, b, a);
    if !guards.is_empty() {
        return guards;
    }
    let allowed = by_a || by_b;
    let typed = table.type_attribute.is_some();
    if typed && let Some(name) = common_type(a, b) {
        return Text::of(&[
            "`",
            a.name,
            "` and `",
            b.name,
            "` both have the type `",
            name,
            "`: give each a `type_name` of its own, which no `type_alias` of the other has",
        ]);
    }
    let (a_key, b_key) = (Halves::table(a), Halves::table(b));
    let clash = collide(a_key, b_key);
    match clash {
        Clash::None => {}
        Clash::Key if allowed && typed => {}
        Clash::Block if allowed => {}
        clash => {
            return report(a, b, "", a_key, b_key, clash, allowed);
        }
    }
    let by_type_alone = matches!(clash, Clash::Key);
    let mut at = 0;
    while at < table.indexes.len() {
        let index = &table.indexes[at];
        at += 1;
        if !(has_patterns(a, index) || has_patterns(b, index)) {
            continue;
        }
        let (Some(x), Some(y)) = (key_in(a, index), key_in(b, index)) else { continue };
        if allowed && by_type_alone && !has_type(table, index.name) {
            return Text::of(&[
                "`",
                a.name,
                "` and `",
                b.name,
                "` are told apart by the type attribute alone, which the index `",
                index.name,
                "` does not project: write `projection = include(\"",
                type_attribute(table),
                "\")` or `projection = all` on it",
            ]);
        }
        if !allowed {
            match collide(x, y) {
                Clash::None => {}
                clash => return report(a, b, index.name, x, y, clash, false),
            }
        }
    }
    Text::EMPTY
}

/// The mistake of an entity that is in an index without taking part in it, since other keys of the
/// entity fill all of its attributes: there it has few partitions, and nobody said that this is fine.
pub const fn fills_few_partitions(table: &TableSchema, entity: &EntitySchema) -> Text {
    let mut at = 0;
    while at < table.indexes.len() {
        let index = &table.indexes[at];
        at += 1;
        if index.local || has_patterns(entity, index) {
            continue;
        }
        let Some(key) = key_in(entity, index) else { continue };
        if !key.has_few_partitions() {
            continue;
        }
        let text =
            Text::of(&["every `", entity.name, "` is in the index `", index.name, "`, since its "]);
        let text = text.push("other keys have all attributes of it; there the partition key ");
        let text = text.push(quote(Halves { sk: [None; 4], ..key }).as_str());
        let text = text.push(" has few values, so the index throttles writes of the table: take part in it, with `#[index(");
        let text = text
            .push(index.name)
            .push(", …, allow(hot_partition = \"reason\"))]` and the templates ");
        return text.push(quote(key).as_str()).push(", or give the index an attribute of its own");
    }
    Text::EMPTY
}

const fn has_patterns(entity: &EntitySchema, index: &IndexSchema) -> bool {
    let mut at = 0;
    while at < entity.indexes.len() {
        if equal(entity.indexes[at].name, index.name) {
            return true;
        }
        at += 1;
    }
    false
}

/// The key of the entity's items in an index: they are in it where they have all of its attributes,
/// whether the entity takes part or its other keys have them.
const fn key_in<'a>(entity: &'a EntitySchema, index: &IndexSchema) -> Option<Halves<'a>> {
    let mut at = 0;
    while at < entity.indexes.len() {
        if equal(entity.indexes[at].name, index.name) {
            return Some(Halves::index(&entity.indexes[at]));
        }
        at += 1;
    }
    match (slots_of(entity, index.pk), slots_of(entity, index.sk)) {
        (Some(pk), Some(sk)) => Some(Halves { pk, sk }),
        _ => None,
    }
}

type Half<'a> = [Option<&'a Slot>; 4];

const fn slots_of<'a>(entity: &'a EntitySchema, attributes: &[KeyAttribute]) -> Option<Half<'a>> {
    let mut half = [None; 4];
    let mut at = 0;
    while at < attributes.len() && at < half.len() {
        half[at] = slot_of(entity, attributes[at].name);
        if half[at].is_none() {
            return None;
        }
        at += 1;
    }
    Some(half)
}

const fn slot_of<'a>(entity: &'a EntitySchema, attribute: &str) -> Option<&'a Slot> {
    if equal(entity.pk.attribute.name, attribute) {
        return Some(&entity.pk);
    }
    if let Some(sk) = &entity.sk
        && equal(sk.attribute.name, attribute)
    {
        return Some(sk);
    }
    let mut at = 0;
    while at < entity.indexes.len() {
        let index = &entity.indexes[at];
        let mut position = 0;
        while position < index.pk.len() + index.sk.len() {
            if equal(index.slot(position).attribute.name, attribute) {
                return Some(index.slot(position));
            }
            position += 1;
        }
        at += 1;
    }
    None
}

/// The guards of unique fields are items too: no key of `other` is one of theirs.
pub(crate) const fn from_guards(
    table: &TableSchema,
    entity: &EntitySchema,
    other: &EntitySchema,
) -> Text {
    let mut at = 0;
    while at < entity.unique.len() {
        let guard = &entity.unique[at];
        let key = Halves::of(std::slice::from_ref(&guard.pk), guard.sk.as_slice());
        let mut meets = !matches!(collide(key, Halves::table(other)), Clash::None);
        let mut index = 0;
        while index < table.indexes.len() {
            let found = &table.indexes[index];
            if has_patterns(other, found)
                && let Some(key) = guard_in(guard, found)
                && let Some(other) = key_in(other, found)
            {
                meets = meets || !matches!(collide(key, other), Clash::None);
            }
            index += 1;
        }
        if meets {
            return Text::of(&[
                "a key of `",
                other.name,
                "` could be that of a guard of `",
                guard.field,
                "` of `",
                entity.name,
                "`, `",
                guard.pk.template.text,
                "`: begin the partition key template of `",
                other.name,
                "` with a literal of its own",
            ]);
        }
        at += 1;
    }
    Text::EMPTY
}

/// The key of a guard in an index of the table's key attributes.
const fn guard_in<'a>(guard: &'a UniqueField, index: &IndexSchema) -> Option<Halves<'a>> {
    const fn half<'a>(guard: &'a UniqueField, attributes: &[KeyAttribute]) -> Option<Half<'a>> {
        let mut half = [None; 4];
        let mut at = 0;
        while at < attributes.len() && at < half.len() {
            half[at] = match &guard.sk {
                Some(sk) if equal(sk.attribute.name, attributes[at].name) => Some(sk),
                _ if equal(guard.pk.attribute.name, attributes[at].name) => Some(&guard.pk),
                _ => return None,
            };
            at += 1;
        }
        Some(half)
    }
    match (half(guard, index.pk), half(guard, index.sk)) {
        (Some(pk), Some(sk)) => Some(Halves { pk, sk }),
        _ => None,
    }
}

/// A type name or alias that both have.
const fn common_type<'a>(a: &'a EntitySchema, b: &EntitySchema) -> Option<&'a str> {
    if equal(a.type_name, b.type_name) || is_among(a.type_name, b.type_aliases) {
        return Some(a.type_name);
    }
    let mut at = 0;
    while at < a.type_aliases.len() {
        let alias = a.type_aliases[at];
        if equal(alias, b.type_name) || is_among(alias, b.type_aliases) {
            return Some(alias);
        }
        at += 1;
    }
    None
}

/// Whether reads of the index see the type attribute.
const fn has_type(table: &TableSchema, index: &str) -> bool {
    match (table.index(index), table.type_attribute) {
        (Some(index), Some(attribute)) => index.projects(attribute),
        _ => false,
    }
}

const fn type_attribute(table: &TableSchema) -> &'static str {
    match table.type_attribute {
        Some(attribute) => attribute,
        None => "",
    }
}

#[derive(Clone, Copy)]
enum Clash {
    None,
    /// A list pattern of one reads keys of the other.
    Block,
    /// One key can belong to both.
    Key,
}

/// The slots of a key, those that are there first.
#[derive(Clone, Copy)]
struct Halves<'a> {
    pk: Half<'a>,
    sk: Half<'a>,
}

impl<'a> Halves<'a> {
    const fn of(pk: &'a [Slot], sk: &'a [Slot]) -> Self {
        const fn half(slots: &[Slot]) -> Half<'_> {
            let mut half = [None; 4];
            let mut at = 0;
            while at < slots.len() && at < half.len() {
                half[at] = Some(&slots[at]);
                at += 1;
            }
            half
        }
        Halves { pk: half(pk), sk: half(sk) }
    }

    const fn table(entity: &'a EntitySchema) -> Self {
        Halves::of(std::slice::from_ref(&entity.pk), entity.sk.as_slice())
    }

    const fn index(index: &EntityIndex) -> Self {
        Halves::of(index.pk, index.sk)
    }

    const fn has_few_partitions(&self) -> bool {
        let mut at = 0;
        while at < self.pk.len() {
            if let Some(slot) = self.pk[at]
                && !super::check::has_few_values(slot)
            {
                return false;
            }
            at += 1;
        }
        true
    }

    /// Whether no literal of a template tells its keys.
    const fn is_natural(&self) -> bool {
        let mut at = 0;
        while at < self.pk.len() + self.sk.len() {
            if let Some(slot) = self.slot(at)
                && !slot.natural
            {
                return false;
            }
            at += 1;
        }
        true
    }

    const fn slot(&self, at: usize) -> Option<&'a Slot> {
        if at < self.pk.len() { self.pk[at] } else { self.sk[at - self.pk.len()] }
    }
}

const fn collide(a: Halves<'_>, b: Halves<'_>) -> Clash {
    let mut at = 0;
    while at < a.pk.len() {
        if let (Some(x), Some(y)) = (a.pk[at], b.pk[at])
            && !Row::whole(x).meets(&Row::whole(y), false)
        {
            return Clash::None;
        }
        at += 1;
    }
    // A list reads what lies in its block of the first attribute that is not a literal alone; the
    // ones behind it tell keys apart.
    let mut clash = Clash::Key;
    let mut is_listed = true;
    let mut at = 0;
    while at < a.sk.len() {
        if let (Some(x), Some(y)) = (a.sk[at], b.sk[at]) {
            let (x_row, y_row) = (Row::whole(x), Row::whole(y));
            if !x_row.meets(&y_row, false) {
                if !is_listed || reads(x, &y_row) || reads(y, &x_row) {
                    clash = Clash::Block;
                } else {
                    return Clash::None;
                }
            }
            is_listed = is_listed && is_literal(x) && is_literal(y);
        }
        at += 1;
    }
    clash
}

const fn is_literal(slot: &Slot) -> bool {
    !slot.natural && matches!(slot.template.segments, [Segment::Literal(_)])
}

/// Whether the list pattern of `slot` reads a key of `other`.
const fn reads(slot: &Slot, other: &Row) -> bool {
    let segments = slot.template.segments;
    if is_literal(slot) {
        return false;
    }
    let head = Row::head(slot);
    let begins = head.meets(other, true) || head.closed().meets(other, false);
    // A list that begins with a component reads from its least to its greatest text.
    begins
        || match segments {
            [Segment::Part(part), ..] => shape::first_bytes(part).meets(other.first()),
            _ => false,
        }
}

const fn report(
    a: &EntitySchema,
    b: &EntitySchema,
    index: &str,
    a_key: Halves<'_>,
    b_key: Halves<'_>,
    clash: Clash,
    allowed: bool,
) -> Text {
    let mut text = Text::of(&["`", a.name, "` and `", b.name, "` "]);
    text = text.push(match clash {
        Clash::Key => "can have the same key",
        _ => "can be mistaken for each other in one partition",
    });
    if !index.is_empty() {
        text = text.push(" of the index `").push(index).push("`");
    }
    text = text.push(": ").push(quote(a_key).as_str());
    text = text.push(" against ").push(quote(b_key).as_str());
    if allowed {
        return text.push("; `allow(overlap(..))` needs a `type_attribute` on the table, since keys alone do not tell them apart");
    }
    text = text.push(if a_key.is_natural() || b_key.is_natural() {
        "; the fields themselves can be any text, so a natural index is one entity's: declare an attribute in front that holds a literal of each entity's own, or write `allow(overlap("
    } else {
        "; give each a literal of its own, for example `ORDER#` and `LINE#`, or write `allow(overlap("
    });
    text = text.push(b.name).push("))` on `").push(a.name).push("`");
    text.push(if index.is_empty() && matches!(clash, Clash::Key) {
        " and `type_attribute` on the table"
    } else {
        ", and lists leave the other out after reading"
    })
}

const fn quote(key: Halves<'_>) -> Text {
    let mut text = Text::EMPTY;
    let mut at = 0;
    while at < key.pk.len() + key.sk.len() {
        if let Some(slot) = key.slot(at) {
            text = text.push(if text.is_empty() { "`" } else { " + `" });
            text = text.push(slot.template.text).push("`");
        }
        at += 1;
    }
    text
}
