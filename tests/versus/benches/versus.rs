//! Prints the table of all works, or of those whose names contain an argument.

use std::rc::Rc;

use versus::measure::measure;
use versus::report::{self, Row};
use versus::work;

fn main() {
    // Cargo adds `--bench`.
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let runtime = Rc::new(runtime);
    let is_wanted =
        |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    let rows: Vec<Row> = work::ALL
        .iter()
        .filter(|(name, _)| is_wanted(name))
        .map(|&(name, build)| {
            let work = build(&runtime);
            Row { work: name, measured: measure(&work.contenders), ratio: work.ratio }
        })
        .collect();
    assert!(!rows.is_empty(), "no work is named like {wanted:?}");
    report::print(&rows);
}
