//! A cursor to text and back, of a query that reads one partition and of one that reads ten shards.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use monotable::Cursor;
use monotable::testing::parts;

pub(crate) fn bench(criterion: &mut Criterion) {
    // The sort key of the index, and the primary key of the table.
    let item: &[&str] = &["2026-09-30#c42", "CUST#c42", "ORDER#2026-09-30#o001031"];
    let mut group = criterion.benchmark_group("cursor");
    for count in [1, 10] {
        let cursor = parts::cursor(&vec![item; count]);
        let text = cursor.to_string();
        assert_eq!(text.parse::<Cursor>().ok().as_ref(), Some(&cursor));

        group.bench_function(BenchmarkId::new("write", count), |bencher| {
            bencher.iter(|| black_box(&cursor).to_string());
        });
        group.bench_function(BenchmarkId::new("read", count), |bencher| {
            bencher.iter(|| black_box(&text).parse::<Cursor>());
        });
    }
    group.finish();
}
