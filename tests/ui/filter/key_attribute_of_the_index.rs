use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
#[gsi(gsi1, pk = "GSI1PK", sk = "due")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
#[index(gsi1, pk = "OWNER#<owner>", sk = "<due>")]
struct Order {
    id: String,
    owner: String,
    due: String,
}

fn main() {}

fn orders(shop: &Table<Shop>) {
    let _ = shop.query(Order::by_owner("ana")).filter(|o| o.due.gt("2026"));
}
