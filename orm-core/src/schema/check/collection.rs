//! Rules over the members of an item collection.

use crate::key::{PartKind, Segment, Slot};
use crate::schema::EntitySchema;
use crate::schema::text::{Text, equal};

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
