use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<id>")]
struct Order {
    customer: String,
    id: String,
}

fn main() {}

fn page(shop: &Table<Shop>) {
    let _ = shop.query(Order::by_customer("c42")).after(Order::key("c42", "o1"));
}
