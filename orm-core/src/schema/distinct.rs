//! The rule for two entities of one table: their keys must not be mistaken for each other.

use super::shape::{self, Row};
use super::text::{Text, equal, is_among};
use super::{EntityIndex, EntitySchema, TableSchema};
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
    let guards = from_guards(a, b);
    if !guards.is_empty() {
        return guards;
    }
    let guards = from_guards(b, a);
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
    let mut i = 0;
    while i < a.indexes.len() {
        let mut j = 0;
        while j < b.indexes.len() {
            let (x, y) = (&a.indexes[i], &b.indexes[j]);
            if equal(x.name, y.name) && allowed && by_type_alone && !has_type(table, x.name) {
                return Text::of(&[
                    "`",
                    a.name,
                    "` and `",
                    b.name,
                    "` are told apart by the type attribute alone, which the index `",
                    x.name,
                    "` does not project: write `projection = include(\"",
                    type_attribute(table),
                    "\")` or `projection = all` on it",
                ]);
            }
            if equal(x.name, y.name) && !allowed {
                let (x_key, y_key) = (Halves::index(x), Halves::index(y));
                match collide(x_key, y_key) {
                    Clash::None => {}
                    clash => return report(a, b, x.name, x_key, y_key, clash, false),
                }
            }
            j += 1;
        }
        i += 1;
    }
    Text::EMPTY
}

/// The guards of unique fields are items too: no key of `other` is one of theirs.
pub(crate) const fn from_guards(entity: &EntitySchema, other: &EntitySchema) -> Text {
    let mut at = 0;
    while at < entity.unique.len() {
        let guard = &entity.unique[at];
        let key = Halves { pk: std::slice::from_ref(&guard.pk), sk: guard.sk.as_slice() };
        if !matches!(collide(key, Halves::table(other)), Clash::None) {
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

/// The slots of a key.
#[derive(Clone, Copy)]
struct Halves<'a> {
    pk: &'a [Slot],
    sk: &'a [Slot],
}

impl<'a> Halves<'a> {
    const fn table(entity: &'a EntitySchema) -> Self {
        Halves { pk: std::slice::from_ref(&entity.pk), sk: entity.sk.as_slice() }
    }

    const fn index(index: &EntityIndex) -> Self {
        Halves { pk: index.pk, sk: index.sk }
    }
}

const fn collide(a: Halves<'_>, b: Halves<'_>) -> Clash {
    let mut at = 0;
    while at < a.pk.len() && at < b.pk.len() {
        if !Row::whole(&a.pk[at]).meets(&Row::whole(&b.pk[at]), false) {
            return Clash::None;
        }
        at += 1;
    }
    // A list reads what lies in its block of the first attribute; the others tell keys apart.
    let mut clash = Clash::Key;
    let mut at = 0;
    while at < a.sk.len() && at < b.sk.len() {
        let (x, y) = (&a.sk[at], &b.sk[at]);
        let (x_row, y_row) = (Row::whole(x), Row::whole(y));
        if !x_row.meets(&y_row, false) {
            if at > 0 || reads(x, &y_row) || reads(y, &x_row) {
                clash = Clash::Block;
            } else {
                return Clash::None;
            }
        }
        at += 1;
    }
    clash
}

/// Whether the list pattern of `slot` reads a key of `other`.
const fn reads(slot: &Slot, other: &Row) -> bool {
    let segments = slot.template.segments;
    if let ([Segment::Literal(_)], false) = (segments, slot.natural) {
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
    text = text.push("; give each a literal of its own, for example `ORDER#` and `LINE#`, or write `allow(overlap(");
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
        let slot = if at < key.pk.len() { &key.pk[at] } else { &key.sk[at - key.pk.len()] };
        text = text.push(if at == 0 { "`" } else { " + `" });
        text = text.push(slot.template.text).push("`");
        at += 1;
    }
    text
}
