use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Order, OrderNote))]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<order>")]
struct Order { customer: String, order: String }

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<order>#<note:3>")]
struct OrderNote { customer: String, order: String, note: u16 }

fn main() {}
