//! A struct as an item: as the text that a put sends, as a map of `AttributeValue`, which the SDK has
//! yet to write, and as plain JSON of the same values. The first two make its keys too.

use std::hint::black_box;

use criterion::Criterion;
use monotable::Entity;
use monotable::testing::parts;

use crate::model::Order;

pub(crate) fn bench(criterion: &mut Criterion) {
    let order = Order::numbered(0);
    let json = parts::write(&order).expect("an order is written fast");
    let map = order.to_item().expect("an order is an item");
    assert_eq!(parts::read_maps(&format!("[{json}]")), Some(vec![map]));
    let plain = serde_json::to_string(&order).expect("an order as JSON");
    assert_eq!(serde_json::from_str::<Order>(&plain).ok().as_ref(), Some(&order));

    let mut group = criterion.benchmark_group("write");
    group.bench_function("json", |bencher| bencher.iter(|| parts::write(black_box(&order))));
    group.bench_function("map", |bencher| bencher.iter(|| black_box(&order).to_item()));
    group.bench_function("serde_json", |bencher| {
        bencher.iter(|| serde_json::to_string(black_box(&order)));
    });
    group.finish();
}
