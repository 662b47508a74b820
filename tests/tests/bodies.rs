//! Answers of every kind through the real seam: what an operation of the library makes of a body is
//! what the SDK and `from_item` make of it, or both refuse it.

#![allow(clippy::unwrap_used)]

mod bodies {
    mod client;
    mod corpus;
    mod names_twice;
    mod note;
    mod operation;
    mod others;
    mod retries;
}
