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
                time(measured.nanoseconds),
                times(measured.nanoseconds, base.nanoseconds),
                measured.allocations,
                times(measured.allocations, base.allocations),
                measured.bytes,
                times(measured.bytes, base.bytes),
            );
        }
    }
    println!();
    for (what, value) in [
        ("ratio", (|measured| measured.nanoseconds) as fn(&Measured) -> f64),
        ("allocations", |measured| measured.allocations),
        ("bytes", |measured| measured.bytes),
    ] {
        for row in rows {
            let [ours, base] = row.ratio.map(|name| row.of(name).map(value));
            if let (Some(ours), Some(base)) = (ours, base) {
                println!("{what} {} {}", row.work, times(ours, base));
            }
        }
    }
}

fn times(value: f64, base: f64) -> String {
    format!("{:.3}", value / base)
}

fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns < 1e3 => format!("{ns:.1} ns"),
        ns if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        ns => format!("{:.3} ms", ns / 1e6),
    }
}
