//! Legal but odd inputs of the derives: each compiles without a warning, and runs.

#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub)]
#![deny(clippy::pedantic, clippy::nursery)]
// It contradicts `unreachable_pub`.
#![allow(clippy::redundant_pub_crate)]
#![deny(unused_qualifications, unused_results, single_use_lifetimes, unnameable_types)]

mod pass {
    mod arguments;
    mod crate_path;
    mod documented;
    mod documents;
    mod erased;
    mod futures;
    mod generic;
    mod helpers;
    mod index_names;
    mod macro_rules;
    mod overlap;
    mod paths;
    mod private;
    mod projections;
    mod raw_identifiers;
    mod repeated;
    mod reserved;
    mod serde_attributes;
    mod shadowed;
}
