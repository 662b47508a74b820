//! Whole operations of several libraries over an HTTP client in memory, side by side.
#![allow(async_fn_in_trait)]

pub mod allocations;
pub mod bodies;
pub mod contender;
pub mod measure;
pub mod memory;
pub mod model;
pub mod report;
pub mod work;
