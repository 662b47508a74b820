//! Partitions spread over shards: which one an item goes to, and how all of them are read as one.

mod choose;
mod merge;

pub use choose::shard_of;
pub(crate) use merge::{CONCURRENCY, Keep, Merge, Source};
