//! The rules for one entity, as constant functions. Each returns the text of the mistake, or an
//! empty text; the derive turns a text into a compile error at the place of the mistake.

use super::shape;
use super::text::{Text, equal};
use super::{EntitySchema, KeyAttribute, KeyType, TableSchema};
use crate::key::{Follow, Part, PartKind, Segment, Slot, TextForm, Width};

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
        && !matches!(unit, crate::key::Unit::Year | crate::key::Unit::Month | crate::key::Unit::Day)
    {
        return Some("is a date: it takes no unit, or the bucket `:year`, `:month` or `:day`");
    }
    if let PartKind::Timestamp = part.kind {
        use crate::key::Unit;
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

/// `Option` in templates: refused in the primary key, chosen with `:sparse` in a sort half.
pub const fn option(slot: &Slot, part: &Part, sort: bool) -> Text {
    let problem = if part.optional && slot.primary {
        "is an `Option`, and every item needs its primary key: use a field that is always there"
    } else if part.optional && sort && !part.spec.sparse && !slot.natural {
        "is an `Option` in a sort half: write `:sparse` to leave items without it out of the index"
    } else if !part.optional && part.spec.sparse {
        "is no `Option`: drop `:sparse`"
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

/// Whether the entity fills both halves that the table or index has.
pub const fn halves(
    table: &TableSchema,
    entity: &str,
    of: &str,
    declared: Option<KeyAttribute>,
    given: bool,
) -> Text {
    match declared {
        _ if table.is_stub() => Text::EMPTY,
        Some(sk) if !given => Text::of(&[
            of,
            " has the sort key `",
            sk.name,
            "`: write `sk = \"…\"` for `",
            entity,
            "` too",
        ]),
        None if given => Text::of(&[
            of,
            " has no sort key: drop `sk` of `",
            entity,
            "`, or declare one, as in `sk = \"SK\"`",
        ]),
        _ => Text::EMPTY,
    }
}

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
        Some(found) if !sort => found.pk,
        Some(found) => match found.sk {
            Some(sk) => sk,
            None => KeyAttribute::new("", KeyType::S),
        },
        None => KeyAttribute::new("", KeyType::S),
    }
}

/// The sort key an index declares; where [`index`] reports the mistake, what the entity gave is
/// taken as right.
pub const fn index_sk(table: &TableSchema, index: &str, given: bool) -> Option<KeyAttribute> {
    match table.index(index) {
        Some(found) => found.sk,
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

/// The table's sort key, or a stand-in where [`halves`] reports the mistake.
pub const fn sort_attribute(table: &TableSchema) -> KeyAttribute {
    match table.sk {
        Some(sk) => sk,
        None => KeyAttribute::new("", KeyType::S),
    }
}

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
        if equal(index.pk.name, stored) && !any_fills(entity, stored) {
            problem = "a key attribute of an index of `";
        }
        if let Some(sk) = index.sk
            && equal(sk.name, stored)
            && !any_fills(entity, stored)
        {
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

const fn any_fills(entity: &EntitySchema, attribute: &str) -> bool {
    let mut at = 0;
    while at < entity.indexes.len() {
        let index = &entity.indexes[at];
        if fills(&index.pk, attribute) {
            return true;
        }
        if let Some(sk) = &index.sk
            && fills(sk, attribute)
        {
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
        let slots = [Some(&index.pk), index.sk.as_ref()];
        let mut half = 0;
        while half < 2 {
            if let Some(slot) = slots[half] {
                // A local index has the table's partition key slot itself.
                let own = half == 1 || !slot.primary;
                if own && written_before(entity, at, slot, half) {
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
            }
            half += 1;
        }
        at += 1;
    }
    Text::EMPTY
}

const fn written_before(entity: &EntitySchema, index: usize, slot: &Slot, half: usize) -> bool {
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
        if clash(&entity.indexes[at].pk, slot) {
            return true;
        }
        if let Some(sk) = &entity.indexes[at].sk
            && clash(sk, slot)
        {
            return true;
        }
        at += 1;
    }
    half == 1 && clash(&entity.indexes[index].pk, slot)
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
        taken = taken || equal(table.indexes[at].pk.name, name);
        if let Some(sk) = table.indexes[at].sk {
            taken = taken || equal(sk.name, name);
        }
        at += 1;
    }
    if !taken {
        return Text::EMPTY;
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

/// A partition key with few values throttles: one partition serves 3000 reads and 1000 writes a
/// second, <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html>.
pub const fn hot_partition(slot: &Slot, allowed: bool) -> Text {
    if allowed {
        return Text::EMPTY;
    }
    let mut at = 0;
    while at < slot.template.segments.len() {
        match &slot.template.segments[at] {
            Segment::Shard => return Text::EMPTY,
            Segment::Part(part) if !has_few_values(part) => return Text::EMPTY,
            _ => {}
        }
        at += 1;
    }
    let remedy = if slot.primary {
        ": add a field with many values, or write `allow(hot_partition = \"reason\")`"
    } else {
        ": add `<shard>` and `shard(by = …, count = …)`, or write `allow(hot_partition = \"reason\")`"
    };
    Text::of(&[
        "the partition key `",
        slot.template.text,
        "` of `",
        slot.entity,
        "` has few values, so all items share a few partitions and throttle",
        remedy,
    ])
}

const fn has_few_values(part: &Part) -> bool {
    match part.kind {
        PartKind::Name(_) | PartKind::Date => true,
        PartKind::Timestamp => matches!(part.spec.unit, Some(unit) if unit.is_bucket()),
        _ => false,
    }
}

/// `only_when` decides about an attribute, so the index needs one that is its own.
pub const fn only_when(entity: &EntitySchema, index: usize) -> Text {
    let index = &entity.indexes[index];
    let own_pk = !index.pk.natural && !index.pk.primary;
    let own_sk = match &index.sk {
        Some(sk) => !sk.natural && !sk.primary,
        None => false,
    };
    if own_pk || own_sk {
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

/// Which methods a sort-key component has; see [`Class`](crate::private::Class).
pub const fn class(slot: &Slot, part: &Part, with: bool) -> u8 {
    if slot.natural {
        return match (slot.attribute.ty, part.kind) {
            (KeyType::N | KeyType::B, _) => super::class::ORDERED,
            (KeyType::S, _) if with => super::class::UNKNOWN,
            (_, PartKind::Name(_)) => super::class::NAMED,
            (_, PartKind::Text | PartKind::Date) => super::class::PREFIXED,
            _ => super::class::ORDERED,
        };
    }
    let last = matches!(part.follow, Follow::End);
    match part.kind {
        PartKind::Name(_) => super::class::NAMED,
        PartKind::Unsigned { .. } | PartKind::Signed { .. } => match part.spec.width {
            Some(Width::Digits(_)) => super::class::ORDERED,
            _ => super::class::UNPADDED,
        },
        PartKind::Text if last || matches!(part.spec.text, TextForm::Ordered) => {
            super::class::PREFIXED
        }
        PartKind::Text => super::class::INSIDE,
        PartKind::Date => super::class::PREFIXED,
        _ => super::class::ORDERED,
    }
}

/// What kind of index a pattern reads; see [`Target`](crate::private::Target).
pub const fn target(table: &TableSchema, index: &str) -> u8 {
    match table.index(index) {
        Some(index) if index.local => super::target::LOCAL,
        Some(index) => match index.projection {
            super::Projection::All => super::target::GLOBAL,
            _ => super::target::PARTIAL,
        },
        None => super::target::GLOBAL,
    }
}

/// A member of an item collection: stored under the collection's partition key, and of another
/// kind than the members before it.
pub const fn member(
    collection: &str,
    template: &str,
    field: &str,
    entity: &EntitySchema,
    with: bool,
    earlier: &[&EntitySchema],
) -> Text {
    if entity.pk.template.text.is_empty() {
        // A derive that failed, and said so.
        return Text::EMPTY;
    }
    if with {
        return Text::of(&[
            "`",
            entity.name,
            "` has a natural partition key with `#[serde(with)]`, which `",
            collection,
            "` cannot write: query its kinds one by one",
        ]);
    }
    let mut at = 0;
    while at < earlier.len() {
        if equal(earlier[at].name, entity.name) {
            return Text::of(&[
                "`",
                collection,
                "` has two members of the kind `",
                entity.name,
                "`: make it one `Vec<",
                entity.name,
                ">`",
            ]);
        }
        at += 1;
    }
    if !alike_but_names(entity.pk.template.text, template) {
        return Text::of(&[
            "`",
            collection,
            "` reads the partition `",
            template,
            "`, but `",
            entity.name,
            "` of the member `",
            field,
            "` is stored under `",
            entity.pk.template.text,
            "`: a collection is one partition",
        ]);
    }
    if let [first, ..] = earlier
        && !first.pk.template.text.is_empty()
        && !same_text(&first.pk, &entity.pk)
    {
        return Text::of(&[
            "`",
            first.name,
            "` and `",
            entity.name,
            "` of `",
            collection,
            "` write the partition key `",
            template,
            "` from fields of different types: a collection is one partition, so give them the same types",
        ]);
    }
    if entity.sk.is_none() {
        return Text::of(&[
            "`",
            entity.name,
            "` has no sort key, so a partition of it holds one item: use `get`",
        ]);
    }
    Text::EMPTY
}

/// Two templates that differ in the names of their fields only.
const fn alike_but_names(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] != b[j] {
            return false;
        }
        if a[i] == b'<' {
            (i, j) = (behind_name(a, i), behind_name(b, j));
        } else {
            (i, j) = (i + 1, j + 1);
        }
    }
    i == a.len() && j == b.len()
}

const fn behind_name(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at] != b'>' && text[at] != b':' {
        at += 1;
    }
    at
}

/// Two slots of one template, but for names, that make the same text of the same values.
const fn same_text(a: &Slot, b: &Slot) -> bool {
    let (x, y) = (a.template.segments, b.template.segments);
    if a.natural != b.natural || x.len() != y.len() {
        return false;
    }
    let mut at = 0;
    while at < x.len() {
        if let (Segment::Part(x), Segment::Part(y)) = (&x[at], &y[at])
            && !same_kind(x.kind, y.kind)
        {
            return false;
        }
        at += 1;
    }
    true
}

const fn same_kind(a: PartKind, b: PartKind) -> bool {
    match (a, b) {
        (PartKind::Name(a), PartKind::Name(b)) => {
            let mut at = 0;
            while at < a.len() && at < b.len() && equal(a[at], b[at]) {
                at += 1;
            }
            at == a.len() && at == b.len()
        }
        (PartKind::Text, PartKind::Text)
        | (PartKind::Unsigned { .. }, PartKind::Unsigned { .. })
        | (PartKind::Signed { .. }, PartKind::Signed { .. })
        | (PartKind::Date, PartKind::Date)
        | (PartKind::Timestamp, PartKind::Timestamp)
        | (PartKind::Uuid, PartKind::Uuid)
        | (PartKind::Bytes, PartKind::Bytes) => true,
        _ => false,
    }
}

/// A table that lists its entities compares each with all others, so that none is forgotten.
pub const fn listed(table: &TableSchema, entity: &str, allowed: bool) -> Text {
    if allowed || table.listed.is_empty() || super::text::is_among(entity, table.listed) {
        return Text::EMPTY;
    }
    Text::of(&[
        "`",
        entity,
        "` is not in `entities(..)` of `",
        table.name,
        "`, so its keys are compared with nobody's: add it there, or, where the table cannot name it, write `allow(unlisted)` and compare it with `assert_distinct!`",
    ])
}
