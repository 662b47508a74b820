//! Partition key and sort key of an order as texts.

use super::Work;
use crate::measure::Contender;
use crate::model::Order;

const BY_HAND: &str = "format! by hand";
const OURS: &str = "ours";

pub fn work() -> Work {
    let order = Order::some(1).remove(0);
    let key = key(&order);
    assert_eq!(key.partition_key().unwrap(), order.pk());
    assert_eq!(key.sort_key().unwrap(), order.sk());
    let the_same = order.clone();
    let contenders = vec![
        Contender::plain(BY_HAND, move || (the_same.pk(), the_same.sk())),
        Contender::plain(OURS, move || self::key(&order)),
    ];
    Work { contenders, ratio: [OURS, BY_HAND] }
}

fn key(order: &Order) -> monotable::Key<Order> {
    Order::key(&order.customer, order.date, &order.order)
}
