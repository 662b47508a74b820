//! A list of items as structs: DynamoDB's JSON by the reader of answers, by maps of `AttributeValue`,
//! from such maps that are there already, and plain JSON of the same values.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput};
use monotable::testing::parts;
use monotable::{Entity, Item};

use crate::model::Order;

pub(crate) fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read");
    for count in [1, 100] {
        let orders: Vec<Order> = (0..count).map(Order::numbered).collect();
        let items: Option<Vec<String>> = orders.iter().map(parts::write).collect();
        let json = format!("[{}]", items.expect("orders are written fast").join(","));
        let maps = parts::read_maps(&json).expect("a list of items");
        let plain = serde_json::to_string(&orders).expect("orders as JSON");
        assert_eq!(parts::read(&json).as_ref(), Some(&orders));
        assert_eq!(from_maps(maps.clone()), orders);
        assert_eq!(by_maps(&json), orders);
        assert_eq!(from_plain(&plain), orders);

        group.throughput(Throughput::Elements(count.into()));
        group.bench_function(BenchmarkId::new("json", count), |bencher| {
            bencher.iter(|| parts::read::<Order>(black_box(&json)));
        });
        group.bench_function(BenchmarkId::new("json_by_maps", count), |bencher| {
            bencher.iter(|| by_maps(black_box(&json)));
        });
        group.bench_function(BenchmarkId::new("maps", count), |bencher| {
            // Dropping the orders counts everywhere.
            let routine = |maps| drop(black_box(from_maps(maps)));
            bencher.iter_batched(|| maps.clone(), routine, BatchSize::SmallInput);
        });
        group.bench_function(BenchmarkId::new("serde_json", count), |bencher| {
            bencher.iter(|| from_plain(black_box(&plain)));
        });
    }
    group.finish();
}

fn from_maps(maps: Vec<Item>) -> Vec<Order> {
    let orders: Result<_, _> = maps.into_iter().map(Order::from_item).collect();
    orders.expect("items of orders")
}

fn by_maps(json: &str) -> Vec<Order> {
    from_maps(parts::read_maps(json).expect("a list of items"))
}

fn from_plain(plain: &str) -> Vec<Order> {
    serde_json::from_str(plain).expect("orders as JSON")
}
