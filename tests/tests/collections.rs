//! What a collection reads is what a plain model in Rust says: on the table, on a global and on a
//! local index, as structs and as enums, in both directions, on pages of 1 to 5 items.
//!
//! `MONOTABLE_CASES` is the number of partitions (500 on the embedded engine else, 60 on another);
//! each is read by several collections of one place.

// Two indexes may have sort keys alike.
#![allow(clippy::unwrap_used, clippy::duplicated_attributes)]

mod collections {
    mod case;
    mod model;
    mod read;
}
