use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "<date>#<date_range>")]
struct Booking {
    customer: String,
    date: String,
    date_range: String,
}

fn main() {}
