//! What the suites share: an engine with a table on it, a recorder of the requests that went out,
//! an HTTP server with canned answers, an HTTP client with faults, random choices, and models.

#![allow(clippy::unwrap_used, missing_docs)]

pub mod bench;
pub mod canned;
pub mod engine;
pub mod faults;
pub mod gauge;
pub mod models;
pub mod placeholders;
#[cfg(doctest)]
mod readme;
pub mod recorder;
pub mod streams;
pub mod tape;
