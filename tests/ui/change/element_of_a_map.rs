use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Table)]
#[table(pk = "PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
struct Order {
    id: String,
    prices: BTreeMap<String, u32>,
}

fn main() {}

fn orders(shop: &Table<Shop>) {
    let _ = shop.update(Order::key("o1")).change(|o| o.prices.at(0).set(1));
}
