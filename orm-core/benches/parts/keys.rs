//! The primary key of one item, against the same texts by `format!`.

use std::hint::black_box;

use criterion::Criterion;
use monotable::Key;

use crate::model::Order;

pub(crate) fn bench(criterion: &mut Criterion) {
    let order = Order::numbered(0);
    assert_eq!(texts(&by_template(&order)), by_format(&order));
    // `format!` writes a key here that another customer's order could have.
    let escaped = Order { customer: "c#42".to_owned(), ..order.clone() };
    assert_eq!(texts(&by_template(&escaped)).0, "CUST#c%2342");

    let mut group = criterion.benchmark_group("keys");
    group.bench_function("template", |bencher| bencher.iter(|| by_template(black_box(&order))));
    group.bench_function("format", |bencher| bencher.iter(|| by_format(black_box(&order))));
    group.bench_function("escaped", |bencher| {
        bencher.iter(|| by_template(black_box(&escaped)));
    });
    group.finish();
}

fn by_template(order: &Order) -> Key<Order> {
    Order::key(&order.customer, order.date, &order.order)
}

fn by_format(order: &Order) -> (String, String) {
    (format!("CUST#{}", order.customer), format!("ORDER#{}#{}", order.date, order.order))
}

fn texts(key: &Key<Order>) -> (String, String) {
    let texts = key.partition_key().and_then(|pk| Ok((pk, key.sort_key()?)));
    texts.expect("the key of an order")
}
