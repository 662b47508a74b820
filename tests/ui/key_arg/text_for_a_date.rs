use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<date>")]
struct Order {
    customer: String,
    date: chrono::NaiveDate,
}

fn main() {
    let _ = Order::by_customer("c42").date("2026-09-01");
}
