use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entitis(Order))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
#[index(gsi1, pk = "OWNER#<owner>", sk = "<id>")]
struct Order {
    id: String,
    owner: String,
}

fn main() {}

fn orders(shop: &Table<Shop>) {
    let _ = shop.query(Order::by_owner("ana"));
    let _ = shop.get(Order::key("o1"));
    let _ = Shop::layout();
}
