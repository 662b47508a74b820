use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
#[index(gsi1, pk = "STATUS#<status>#<region>", sk = "<due>#<status>")]
struct Order {
    id: String,
    status: String,
    region: String,
    due: String,
}

fn main() {}

fn orders(shop: &Table<Shop>) {
    let _ = shop.update(Order::key("o1")).change(|o| o.due.set("2026-10-01"));
}
