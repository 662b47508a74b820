use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[lsi(by_date, sk = "LSI1SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer_id>", sk = "ORDER#<id>")]
#[index(by_date, pk = "DATE#<date>", sk = "<date>#<id>")]
struct Order {
    customer_id: String,
    id: String,
    date: String,
}

fn main() {}
