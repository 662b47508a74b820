//! The rule for two entities of one table: their keys must not be mistaken for each other.

use super::shape::Row;
use super::text::{Text, equal, is_among};
use super::{EntitySchema, TableSchema};
use crate::key::{Segment, Slot};

/// The mistake of two entities of one table, on the table and on every index that both use.
pub const fn told_apart(table: &TableSchema, a: &EntitySchema, b: &EntitySchema) -> Text {
    if a.pk.template.text.is_empty() || b.pk.template.text.is_empty() {
        // A derive that failed, and said so.
        return Text::EMPTY;
    }
    let allowed = is_among(b.name, a.overlap) || is_among(a.name, b.overlap);
    let typed = table.type_attribute.is_some();
    match collide(&a.pk, a.sk.as_ref(), &b.pk, b.sk.as_ref()) {
        Clash::None => {}
        Clash::Key if allowed && typed => {}
        Clash::Block if allowed => {}
        clash => return report(a, b, "", &a.pk, a.sk.as_ref(), &b.pk, b.sk.as_ref(), clash, allowed),
    }
    let mut i = 0;
    while i < a.indexes.len() {
        let mut j = 0;
        while j < b.indexes.len() {
            let (x, y) = (&a.indexes[i], &b.indexes[j]);
            if equal(x.name, y.name) && !allowed {
                match collide(&x.pk, x.sk.as_ref(), &y.pk, y.sk.as_ref()) {
                    Clash::None => {}
                    clash => {
                        return report(
                            a, b, x.name, &x.pk, x.sk.as_ref(), &y.pk, y.sk.as_ref(), clash, false,
                        );
                    }
                }
            }
            j += 1;
        }
        i += 1;
    }
    Text::EMPTY
}

#[derive(Clone, Copy)]
enum Clash {
    None,
    /// A list pattern of one reads keys of the other.
    Block,
    /// One key can belong to both.
    Key,
}

const fn collide(a_pk: &Slot, a_sk: Option<&Slot>, b_pk: &Slot, b_sk: Option<&Slot>) -> Clash {
    let a_row = Row::whole(a_pk);
    if !a_row.meets(&Row::whole(b_pk), false) {
        return Clash::None;
    }
    let (Some(a), Some(b)) = (a_sk, b_sk) else {
        return Clash::Key;
    };
    let (a_row, b_row) = (Row::whole(a), Row::whole(b));
    if a_row.meets(&b_row, false) {
        Clash::Key
    } else if reads(a, &b_row) || reads(b, &a_row) {
        Clash::Block
    } else {
        Clash::None
    }
}

/// Whether the list pattern of `slot` reads a key of `other`.
const fn reads(slot: &Slot, other: &Row) -> bool {
    let segments = slot.template.segments;
    if let ([Segment::Literal(_)], false) = (segments, slot.natural) {
        return false;
    }
    let head = Row::head(slot);
    head.meets(other, true) || head.closed().meets(other, false)
}

#[allow(clippy::too_many_arguments)]
const fn report(
    a: &EntitySchema,
    b: &EntitySchema,
    index: &str,
    a_pk: &Slot,
    a_sk: Option<&Slot>,
    b_pk: &Slot,
    b_sk: Option<&Slot>,
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
    text = text.push(": ").push(quote(a_pk, a_sk).as_str());
    text = text.push(" against ").push(quote(b_pk, b_sk).as_str());
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

const fn quote(pk: &Slot, sk: Option<&Slot>) -> Text {
    let text = Text::of(&["`", pk.template.text, "`"]);
    match sk {
        Some(sk) => text.push(" + `").push(sk.template.text).push("`"),
        None => text,
    }
}
