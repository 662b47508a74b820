use monotable::{Entity, Projection, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer_id>", sk = "ORDER#<order_id>")]
struct Order { customer_id: String, order_id: String, total: u64 }

struct Total;

#[derive(Deserialize, Projection)]
#[projection(entity = Total)]
struct Row { total: u64 }

fn main() {}
