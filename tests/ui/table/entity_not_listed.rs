use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Customer))]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<id>", sk = "PROFILE")]
struct Customer {
    id: String,
}

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<id>", sk = "PROFILE")]
struct Forgotten {
    id: String,
}

fn main() {}
