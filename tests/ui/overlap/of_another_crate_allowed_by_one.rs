use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", type_attribute = "_et")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "<id>", allow(overlap(Quote)))]
struct Order {
    customer: String,
    id: String,
}

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "<number>")]
struct Quote {
    customer: String,
    number: String,
}

monotable::assert_distinct!(Shop: Order, Quote);

fn main() {}
