use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", unique(email))]
struct Order {
    id: String,
    email: String,
}

fn main() {}

fn orders(shop: &Table<Shop>) {
    let _ = shop.batch_write().delete(Order::key("o1"));
}
