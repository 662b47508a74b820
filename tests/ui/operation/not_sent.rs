#![deny(unused_must_use)]
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
struct Order {
    id: String,
}

fn main() {}

fn order(shop: &Table<Shop>) {
    shop.get(Order::key("o1"));
}
