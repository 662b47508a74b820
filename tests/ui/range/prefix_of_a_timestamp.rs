use chrono::{DateTime, Utc};
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<at:s>")]
struct Order {
    customer: String,
    at: DateTime<Utc>,
}

fn main() {
    let _ = Order::by_customer("c42").at_prefix("2026-09");
}
