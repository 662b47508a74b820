use chrono::NaiveDate;
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer_id>", sk = "ORDER#<date:hour>")]
struct Order {
    customer_id: String,
    date: NaiveDate,
}

fn main() {}
