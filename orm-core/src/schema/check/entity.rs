//! Rules over how an entity takes part in its table.

use crate::schema::text::{Text, is_among};
use crate::schema::{KeyAttribute, KeyType, TableSchema};

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

/// The table's sort key, or a stand-in where [`halves`] reports the mistake.
pub const fn sort_attribute(table: &TableSchema) -> KeyAttribute {
    match table.sk {
        Some(sk) => sk,
        None => KeyAttribute::new("", KeyType::S),
    }
}

/// A table that lists its entities compares each with all others, so that none is forgotten.
pub const fn listed(table: &TableSchema, entity: &str, allowed: bool) -> Text {
    if allowed || table.listed.is_empty() || is_among(entity, table.listed) {
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
