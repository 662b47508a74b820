//! Pages never lie: `send`, `all`, `stream`, `first`, `one`, `count`, `keys`, cursors and `after`
//! against a list in memory, over random items, ranges, limits, page sizes, filters and directions,
//! on the table and on every kind of index.
//!
//! `MONOTABLE_CASES` is the number of cases of all kinds together (10 000 on the embedded engine else,
//! 400 on another).

// What a failure prints is taken by value.
#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

mod pages {
    mod check;
    mod oracle;
    mod post;
    mod run;
}
