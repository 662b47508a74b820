use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Order, Dated))]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<id>")]
struct Order {
    customer: String,
    id: String,
}

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<date>#<id>")]
struct Dated {
    customer: String,
    date: String,
    id: String,
}

fn main() {}
