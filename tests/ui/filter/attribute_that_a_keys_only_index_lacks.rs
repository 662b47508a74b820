use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
#[gsi(gsi1, pk = "GSI1PK", projection = keys_only)]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
#[index(gsi1, pk = "OWNER#<owner>")]
struct Order {
    id: String,
    owner: String,
    total: u32,
}

fn main() {}

fn orders(shop: &Table<Shop>) {
    let _ = shop.query(Order::by_owner("ana")).filter(|o| o.total.gt(1));
}
