use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = ("line", N))]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "<line>")]
struct Order {
    id: String,
    line: u32,
}

fn main() {}

fn orders(shop: &Table<Shop>) {
    let _ = shop.query(Order::by_id("o1")).filter(|o| o.line.gt(1));
}
