//! The table, and the lines of ratios below it.

use crate::contender::{Library, SdkSerdeDynamo};
use crate::measure::Measured;

/// The contenders of a work, and the two that its ratio is of.
pub struct Row {
    pub work: &'static str,
    pub measured: Vec<Measured>,
    pub ratio: [&'static str; 2],
}

impl Row {
    fn of(&self, name: &str) -> Option<&Measured> {
        self.measured.iter().find(|measured| measured.name == name)
    }
}

pub fn print(rows: &[Row]) {
    println!("| work | contender | median time | × | allocations | × | bytes | × |");
    println!("|---|---|--:|--:|--:|--:|--:|--:|");
    for row in rows {
        let base = row.of(SdkSerdeDynamo::NAME).or(row.of(row.ratio[1]));
        let base = base.unwrap_or(&row.measured[0]);
        for measured in &row.measured {
            println!(
                "| {} | {} | {} | {} | {:.0} | {} | {:.0} | {} |",
                row.work,
                measured.name,
                time(measured.time()),
                times(measured.time_of(base)),
                measured.allocations,
                times(measured.allocations / base.allocations),
                measured.bytes,
                times(measured.bytes / base.bytes),
            );
        }
    }
    println!();
    line(rows, "ratio", Measured::time_of);
    line(rows, "allocations", |ours, base| ours.allocations / base.allocations);
    line(rows, "bytes", |ours, base| ours.bytes / base.bytes);
}

/// A line for each work.
fn line(rows: &[Row], what: &str, ratio: impl Fn(&Measured, &Measured) -> f64) {
    for row in rows {
        if let [Some(ours), Some(base)] = row.ratio.map(|name| row.of(name)) {
            println!("{what} {} {}", row.work, times(ratio(ours, base)));
        }
    }
}

fn times(ratio: f64) -> String {
    format!("{ratio:.3}")
}

fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns < 1e3 => format!("{ns:.1} ns"),
        ns if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        ns => format!("{:.3} ms", ns / 1e6),
    }
}
