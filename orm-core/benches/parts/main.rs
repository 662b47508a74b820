//! The library's own part of an operation, piece by piece: no client, no request. Whole operations
//! are measured in `tests/versus`.

mod cursor;
mod keys;
mod merge;
mod model;
mod read;
mod write;

use criterion::Criterion;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for bench in [keys::bench, read::bench, write::bench, cursor::bench, merge::bench] {
        bench(&mut criterion);
    }
    criterion.final_summary();
}
