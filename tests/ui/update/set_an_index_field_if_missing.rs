use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
#[gsi(gsi1, pk = "GSI1PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
#[index(gsi1, pk = "OWNER#<owner>")]
struct Order {
    id: String,
    owner: String,
}

fn main() {}

fn orders(shop: &Table<Shop>) {
    let _ = shop.update(Order::key("o1")).change(|o| o.owner.set_if_missing("ana"));
}
