//! The exact request of every operation and every form of a pattern: as `explain` shows it, as a
//! snapshot, and as it is on the wire, which must be the same JSON.

#![allow(clippy::unwrap_used)]

mod requests {
    mod bodies;
    mod edges;
    mod forms;
    mod operations;
    mod writes;
}
