use monotable::{Entity, Projection, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer_id>", sk = "ORDER#<order_id>")]
struct Order { customer_id: String, order_id: String, total: u64 }

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<id>", sk = "PROFILE")]
struct Customer { id: String }

#[derive(Deserialize, Projection)]
#[projection(entity = Order)]
struct Row { total: u64 }

fn rows(shop: &Table<Shop>) {
    let _ = shop.get(Customer::key("c1")).select::<Row>();
}

fn main() {}
