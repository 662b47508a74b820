//! Stored forms that never change within a major version: rendered keys are data on disk.
//!
//! Every row of the table of stored forms, type × spec, with values of the ordinary kind, extremes
//! and what needs an escape. The texts are written out here and computed nowhere.

// Rows are made by macros, which derive for items that nothing else names.
#![allow(
    clippy::unwrap_used,
    missing_debug_implementations,
    missing_docs,
    unreachable_pub,
    unused_parens
)]

#[path = "known_values/limits.rs"]
mod limits;
#[path = "known_values/partition.rs"]
mod partition;
#[path = "known_values/shard.rs"]
mod shard;
#[path = "known_values/sort.rs"]
mod sort;
#[path = "known_values/values.rs"]
mod values;

use monotable::{Entity, Table};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
pub struct Stored;

/// The stored text of an index key attribute.
pub fn stored<E: Entity>(entity: &E, attribute: &str) -> String {
    entity.to_item().unwrap()[attribute].as_s().unwrap().clone()
}

/// A row of the table: one entity whose key half is the template, and what its values are stored as.
#[macro_export]
macro_rules! row {
    (sort $name:ident: $ty:ty, $template:tt, { $($value:expr => $text:literal,)* }) => {
        #[test]
        fn $name() {
            #[derive(serde::Serialize, serde::Deserialize, monotable::Entity)]
            #[entity(table = $crate::Stored, pk = "ID#<id>", sk = "ROW")]
            #[index(gsi1, pk = "ID#<id>", sk = $template, name = "on_index")]
            struct Row { id: String, x: $ty }

            $(
                let row = Row { id: "1".to_owned(), x: $value };
                assert_eq!($crate::stored(&row, "GSI1SK"), $text, "{}", stringify!($value));
            )*
        }
    };
    (partition $name:ident: $ty:ty, $template:tt, { $($value:expr => $text:literal,)* }) => {
        #[test]
        fn $name() {
            #[derive(serde::Serialize, serde::Deserialize, monotable::Entity)]
            #[entity(table = $crate::Stored, pk = "ID#<id>", sk = "ROW")]
            #[index(gsi1, pk = $template, sk = "ID#<id>", name = "on_index",
                    allow(hot_partition = "one value at a time"))]
            struct Row { id: String, x: $ty }

            $(
                let row = Row { id: "1".to_owned(), x: $value };
                assert_eq!($crate::stored(&row, "GSI1PK"), $text, "{}", stringify!($value));
            )*
        }
    };
}
