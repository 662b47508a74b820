use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
struct Order {
    id: String,
    total: u32,
}

fn main() {}

fn orders(shop: &Table<Shop>) {
    let _ = shop.update(Order::key("o1")).condition(|o| o.total > 5);
}
