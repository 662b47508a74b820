use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Order))]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<year:4>#<order>")]
struct Order { customer: String, year: u16, order: String }

fn main() {
    let _ = Order::by_customer("c42").order("o1");
}
