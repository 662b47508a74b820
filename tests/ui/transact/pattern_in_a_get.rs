use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
struct Order {
    id: String,
}

fn main() {}

fn orders(shop: &Table<Shop>) {
    let _ = shop.transact_get((Order::by_id("o1"),));
}
