use monotable::{Entity, Projection, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer_id>", sk = "ORDER#<order_id>")]
struct Order { customer_id: String, order_id: String, total: u64 }

#[derive(Deserialize, Projection)]
#[projection(entity = Order)]
struct Row { total: u64 }

fn write(shop: &Table<Shop>, row: &Row) {
    let _ = shop.put(row);
}

fn main() {}
