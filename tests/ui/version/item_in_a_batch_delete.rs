use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", version = version)]
struct Order {
    id: String,
    version: u64,
}

fn delete(shop: &Table<Shop>, order: &Order) {
    let _ = shop.batch_write().delete(order);
}

fn main() {}
