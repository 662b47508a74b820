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

fn orders(shop: &Table<Shop>, order: &Order) {
    let _ = shop.transact_get((shop.put(order),));
}
