//! What each operation does when a request goes wrong on its way: the SDK's client and its retries
//! are real, the engine is real, and the faults stand between them.
//!
//! An operation is one entry of `operations` with its outcomes as data, one a plan of faults.

#![allow(clippy::unwrap_used)]

mod faults {
    mod client;
    mod operations;
    mod outcomes;
    mod plans;
}
