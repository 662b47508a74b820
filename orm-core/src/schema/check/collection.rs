//! Rules over the members of an item collection.

use super::index::no_index;
use crate::key::{PartKind, Segment, Slot};
use crate::schema::distinct::told_apart;
use crate::schema::text::{Text, equal, is_among};
use crate::schema::{EntitySchema, Projection, TableSchema};

/// A kind of an item collection: of another entity than those before it, and told apart from them
/// where the lists of the table do not see to it.
pub const fn kind(
    table: &TableSchema,
    collection: &str,
    entity: &EntitySchema,
    earlier: &[&EntitySchema],
    is_enum: bool,
) -> Text {
    let mut at = 0;
    while at < earlier.len() {
        if equal(earlier[at].name, entity.name) {
            let text = Text::of(&["`", collection, "` has two "]);
            if is_enum {
                return text
                    .push("variants of the kind `")
                    .push(entity.name)
                    .push("`: leave one out");
            }
            return text
                .push("members of the kind `")
                .push(entity.name)
                .push("`: make it one `Vec<")
                .push(entity.name)
                .push(">`");
        }
        at += 1;
    }
    let mut at = 0;
    while at < earlier.len() {
        let both_listed =
            is_among(entity.name, table.listed) && is_among(earlier[at].name, table.listed);
        if !both_listed {
            let clash = told_apart(table, earlier[at], entity, false);
            if !clash.is_empty() {
                return clash;
            }
        }
        at += 1;
    }
    Text::EMPTY
}

/// The index that a collection reads exists, and holds whole items.
pub const fn collection_index(table: &TableSchema, collection: &str, index: &str) -> Text {
    match table.index(index) {
        None if table.is_stub() => Text::EMPTY,
        None => no_index(table, index),
        Some(found) if !found.local && !matches!(found.projection, Projection::All) => Text::of(&[
            "the global index `",
            index,
            "` holds a part of the attributes, and `",
            collection,
            "` reads whole items: write `projection = all` on the index, or query it for `.keys()`",
        ]),
        _ => Text::EMPTY,
    }
}

/// What an item collection reads.
#[derive(Debug, Clone, Copy)]
pub struct Partition<'a> {
    pub collection: &'a str,
    pub table: &'a TableSchema,
    /// The index's name, or nothing for the table.
    pub index: &'a str,
    pub template: &'a str,
}

/// A member of an item collection is stored under the collection's partition key.
pub const fn member(
    read: Partition<'_>,
    field: &str,
    entity: &EntitySchema,
    with: bool,
    earlier: &[&EntitySchema],
) -> Text {
    let Partition { collection, table, index, template } = read;
    let on_index = !index.is_empty();
    if entity.pk.template.text.is_empty() || (on_index && table.index(index).is_none()) {
        // A derive that failed, or `collection_index`, says so.
        return Text::EMPTY;
    }
    let Some(pk) = partition(entity, index) else {
        return Text::of(&[
            "`",
            entity.name,
            "` takes no part in the index `",
            index,
            "`, which `",
            collection,
            "` reads: write `#[index(",
            index,
            ", ..)]` on it",
        ]);
    };
    if let Some(at) = position(entity, index) {
        let found = &entity.indexes[at];
        if found.shards.is_some() {
            return Text::of(&[
                "`",
                entity.name,
                "` spreads its partitions of the index `",
                index,
                "` over shards, and a collection is one partition: query its kinds one by one, or leave `shard(..)` out",
            ]);
        }
        if found.pk.len() > 1 {
            return Text::of(&[
                "the partition key of the index `",
                index,
                "` has several attributes, which `",
                collection,
                "` cannot name: query its kinds one by one",
            ]);
        }
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
    if !alike_but_names(pk.template.text, template) {
        let text = Text::of(&[
            "`",
            collection,
            "` reads the partition `",
            template,
            "`, but `",
            entity.name,
            "` of the member `",
            field,
            "` is stored under `",
            pk.template.text,
        ]);
        let text = if on_index { text.push("` in the index `").push(index) } else { text };
        return text.push("`: a collection is one partition");
    }
    if let [first, ..] = earlier
        && let Some(first_pk) = partition(first, index)
        && !first.pk.template.text.is_empty()
        && !same_text(first_pk, pk)
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
    if !on_index && entity.sk.is_none() {
        return Text::of(&[
            "`",
            entity.name,
            "` has no sort key, so a partition of it holds one item: use `get`",
        ]);
    }
    Text::EMPTY
}

/// Where an index is in an entity's list; `usize::MAX` if it takes no part in it.
pub const fn index_position(entity: &EntitySchema, index: &str) -> usize {
    match position(entity, index) {
        Some(at) => at,
        None => usize::MAX,
    }
}

const fn position(entity: &EntitySchema, index: &str) -> Option<usize> {
    let mut at = 0;
    while at < entity.indexes.len() {
        if equal(entity.indexes[at].name, index) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// The partition key of the table or of an index.
const fn partition<'a>(entity: &'a EntitySchema, index: &str) -> Option<&'a Slot> {
    if index.is_empty() {
        return Some(&entity.pk);
    }
    match position(entity, index) {
        Some(at) => Some(&entity.indexes[at].pk[0]),
        None => None,
    }
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
