//! Law 7: after any write the stored keys equal those that a fresh put of the resulting item
//! writes, for every index.
//!
//! Sequences of writes of all kinds, against a model in plain Rust. `MONOTABLE_CASES` is the number
//! of writes of each entity (1 300 on the embedded engine else, 100 on another).

// Two indexes may have sort keys alike.
#![allow(clippy::unwrap_used, clippy::duplicated_attributes)]

mod index_truth {
    #[macro_use]
    mod edit;
    mod account;
    mod login;
    mod member;
    mod meter;
    mod parcel;
    mod run;
    mod session;
    mod shipment;
    mod stored;
    mod subject;
    mod tally;
    mod ticket;
    mod write;
}
