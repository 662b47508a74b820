use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<date>#<order_id>")]
struct Order {
    customer: String,
    date: String,
    order_id: String,
}

fn main() {
    let _ = Order::by_customer("c42").dat("2026-09-01");
}
