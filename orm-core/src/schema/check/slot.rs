//! Rules over one slot: its components' types, specs and delimiters, and its partition key.

use crate::key::{Follow, Part, PartKind, Segment, Slot, TextForm, Unit, Width};
use crate::schema::text::{Text, equal};
use crate::schema::{KeyAttribute, KeyType, class as classes, shape};

/// Whether a slot is natural: the derive found a lone component without a spec, and the attribute
/// has the field's own name.
pub const fn is_natural(attribute: KeyAttribute, stored_name: &str) -> bool {
    equal(attribute.name, stored_name)
}

/// A component's type, spec and delimiter.
///
/// `sort` is false in partition halves.
pub const fn part(slot: &Slot, part: &Part, sort: bool) -> Text {
    if slot.natural {
        return Text::EMPTY;
    }
    let problem = match spec(part, sort) {
        None => delimiter(part),
        some => some,
    };
    match problem {
        None => Text::EMPTY,
        Some(problem) => Text::of(&[
            "field `",
            part.field,
            "` of `",
            slot.entity,
            "` in the template `",
            slot.template.text,
            "` ",
            problem,
        ]),
    }
}

/// Which words a type takes.
const fn spec(part: &Part, sort: bool) -> Option<&'static str> {
    let spec = &part.spec;
    let is_text = matches!(part.kind, PartKind::Text);
    let is_number = matches!(part.kind, PartKind::Unsigned { .. } | PartKind::Signed { .. });
    if let (PartKind::Signed { .. }, Some(Width::Digits(39..))) = (part.kind, spec.width) {
        return Some(
            "is signed: its width is at most 38 digits, which is what the complement of a negative number can hold",
        );
    }
    if spec.width.is_some() && !is_number {
        return Some("is no number: `:N` and `:plain` are for integers");
    }
    if (spec.lower || !matches!(spec.text, TextForm::Encoded)) && !is_text {
        return Some("is no text: `:ordered`, `:raw`, `:rest` and `:lower` are for text");
    }
    if spec.desc && !sort {
        return Some("is in a partition key, which has no order: drop `:desc`");
    }
    if let PartKind::Bytes = part.kind {
        return Some(
            "is binary: bytes stand alone in a key attribute of type B that has the field's own name",
        );
    }
    if let (PartKind::Date, Some(unit)) = (part.kind, spec.unit)
        && !matches!(unit, Unit::Year | Unit::Month | Unit::Day)
    {
        return Some("is a date: it takes no unit, or the bucket `:year`, `:month` or `:day`");
    }
    if let PartKind::Timestamp = part.kind {
        return match spec.unit {
            None => Some(
                "is a timestamp: say how it is stored, `:s`, `:ms`, `:us` or `:ns` (or a bucket, `:year`, `:month`, `:day`, `:hour`)",
            ),
            Some(Unit::EpochSecond | Unit::EpochMilli) if !sort => Some(
                "is in a partition key: use `:s` or `:ms`; `:epoch_s` and `:epoch_ms` are for sort keys",
            ),
            _ => None,
        };
    }
    if spec.unit.is_some() && !matches!(part.kind, PartKind::Date) {
        return Some("is no date or timestamp: units and buckets are for those");
    }
    if is_number && sort && spec.width.is_none() {
        return Some(
            "is a number in a sort key: give its width, for example `:4` (stored data for ever), or `:plain` to do without order",
        );
    }
    if spec.desc
        && (is_text
            || matches!(part.kind, PartKind::Name(_) | PartKind::Uuid)
            || matches!(spec.width, Some(Width::Plain)))
    {
        return Some(
            "has no fixed width in digits: `:desc` is for padded numbers, dates and timestamps",
        );
    }
    None
}

/// What may stand behind a component of variable width.
const fn delimiter(part: &Part) -> Option<&'static str> {
    let fixed = part.form_exists();
    match part.follow {
        Follow::End => None,
        _ if fixed => None,
        Follow::Component => Some(
            "has no fixed width and touches the next component: put a delimiter between them, for example `#`",
        ),
        Follow::Literal(byte) if !byte.is_ascii_punctuation() => Some(
            "has no fixed width: the literal behind it must begin with ASCII punctuation, for example `#`",
        ),
        Follow::Literal(byte) => match part.kind {
            PartKind::Text => match part.spec.text {
                TextForm::Ordered if byte > b'#' => Some(
                    "is `:ordered`: the delimiter behind it must be `#` (or `!` or `\"`), which sorts below every encoded byte",
                ),
                TextForm::Encoded if byte == b'%' => {
                    Some("cannot have `%` as its delimiter: `%` begins the encoded bytes; use `#`")
                }
                _ => None,
            },
            kind if shape::rendered(kind, &part.spec, part.follow).has(byte) => {
                Some("can render its own delimiter: choose another one, for example `#`")
            }
            _ => None,
        },
    }
}

/// `Option` in templates: refused in the primary key, a choice in a sort half.
pub const fn option(slot: &Slot, part: &Part, sort: bool) -> Text {
    let problem = if part.optional && slot.primary {
        "is an `Option`, and every item needs its primary key: use a field that is always there"
    } else if part.optional
        && sort
        && !part.spec.sparse
        && part.spec.none.is_none()
        && !slot.natural
    {
        "is an `Option` in a sort half: write `:sparse` to leave items without it out of the index, or `:none_first` or `:none_last` to keep them in front of the others or behind them"
    } else if !part.optional && part.spec.sparse {
        "is no `Option`: drop `:sparse`"
    } else if !part.optional && part.spec.none.is_some() {
        "is no `Option`: drop `:none_first` or `:none_last`"
    } else {
        return Text::EMPTY;
    };
    Text::of(&["field `", part.field, "` of `", slot.entity, "` ", problem])
}

/// A natural key's type against the declared attribute type. `with`: the field has
/// `#[serde(with)]`, so what is stored is known only when it is written.
pub const fn natural(slot: &Slot, part: &Part, with: bool) -> Text {
    let (problem, ty) = if !slot.natural || with {
        return Text::EMPTY;
    } else {
        match (part.kind, slot.attribute.ty) {
            (PartKind::Name(names), _) if names.len() == 2 && equal(names[0], "false") => (
                "is a bool, which no key attribute can hold: use a template on an attribute of another name",
                "",
            ),
            (PartKind::Timestamp, KeyType::S) => (
                "is a timestamp, which serde stores with a varying number of digits: use a template with `:s` on an attribute of another name, or store seconds in an attribute of type N with `#[serde(with)]`",
                "",
            ),
            (PartKind::Text | PartKind::Name(_) | PartKind::Date | PartKind::Uuid, KeyType::S)
            | (PartKind::Unsigned { .. } | PartKind::Signed { .. }, KeyType::N)
            | (PartKind::Bytes, KeyType::B) => return Text::EMPTY,
            (PartKind::Unsigned { .. } | PartKind::Signed { .. }, _) => ("is a number", "N"),
            (PartKind::Bytes, _) => ("is binary", "B"),
            _ => ("is text", "S"),
        }
    };
    let text = Text::of(&[
        "field `",
        part.field,
        "` of `",
        slot.entity,
        "` is the key attribute `",
        slot.attribute.name,
        "` itself, and it ",
        problem,
    ]);
    if ty.is_empty() {
        return text;
    }
    text.push(": declare the attribute as `(\"")
        .push(slot.attribute.name)
        .push("\", ")
        .push(ty)
        .push(")` on the table")
}

/// N and B attributes hold a field, never a template.
pub const fn text_attribute(slot: &Slot) -> Text {
    if slot.natural || matches!(slot.attribute.ty, KeyType::S) {
        return Text::EMPTY;
    }
    Text::of(&[
        "the key attribute `",
        slot.attribute.name,
        "` has type ",
        slot.attribute.ty.name(),
        ", and a template makes text: write the field of that name alone, `<",
        slot.attribute.name,
        ">`, or declare the attribute as S",
    ])
}

/// A partition key with few values throttles: one partition serves 3000 reads and 1000 writes a
/// second, <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html>.
///
/// `slots`: the attributes of the partition key, which has as many values as they have together.
pub const fn hot_partition(slots: &[Slot], allowed: bool) -> Text {
    if allowed || slots.is_empty() || !have_few_values(slots) {
        return Text::EMPTY;
    }
    let mut primary = true;
    let mut text = Text::of(&["the partition key `"]);
    let mut at = 0;
    while at < slots.len() {
        primary = primary && slots[at].primary;
        text = text.push(if at == 0 { "" } else { "` + `" }).push(slots[at].template.text);
        at += 1;
    }
    let remedy = if primary {
        ": add a field with many values, or write `allow(hot_partition = \"reason\")`"
    } else {
        ": add `<shard>` and `shard(by = …, count = …)`, or write `allow(hot_partition = \"reason\")`"
    };
    text.push("` of `")
        .push(slots[0].entity)
        .push("` has few values, so all items share a few partitions and throttle")
        .push(remedy)
}

/// Whether the attributes have few values together.
const fn have_few_values(slots: &[Slot]) -> bool {
    let mut at = 0;
    while at < slots.len() {
        if !has_few_values(&slots[at]) {
            return false;
        }
        at += 1;
    }
    true
}

/// Whether few values are written to the attribute.
pub(crate) const fn has_few_values(slot: &Slot) -> bool {
    let segments = slot.template.segments;
    let mut at = 0;
    while at < segments.len() {
        match &segments[at] {
            Segment::Shard => return false,
            Segment::Part(part) if !is_one_of_few(part) => return false,
            _ => {}
        }
        at += 1;
    }
    true
}

const fn is_one_of_few(part: &Part) -> bool {
    match part.kind {
        PartKind::Name(_) | PartKind::Date => true,
        PartKind::Timestamp => matches!(part.spec.unit, Some(unit) if unit.is_bucket()),
        _ => false,
    }
}

/// Which methods a sort-key component has; see [`Class`](crate::private::Class).
pub const fn class(slot: &Slot, part: &Part, with: bool) -> u8 {
    if slot.natural {
        return match (slot.attribute.ty, part.kind) {
            (KeyType::N | KeyType::B, _) => classes::ORDERED,
            (KeyType::S, _) if with => classes::UNKNOWN,
            (_, PartKind::Name(_)) => classes::NAMED,
            (_, PartKind::Text | PartKind::Date) => classes::PREFIXED,
            _ => classes::ORDERED,
        };
    }
    let last = matches!(part.follow, Follow::End);
    match part.kind {
        PartKind::Name(_) => classes::NAMED,
        PartKind::Unsigned { .. } | PartKind::Signed { .. } => match part.spec.width {
            Some(Width::Digits(_)) => classes::ORDERED,
            _ => classes::UNPADDED,
        },
        PartKind::Text if last || matches!(part.spec.text, TextForm::Ordered) => classes::PREFIXED,
        PartKind::Text => classes::INSIDE,
        PartKind::Date => classes::PREFIXED,
        _ => classes::ORDERED,
    }
}
