use monotable::{Entity, Projection, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(by_total, pk = "GSI1PK", sk = "GSI1SK", projection = keys_only)]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer_id>", sk = "ORDER#<order_id>")]
#[index(by_total, pk = "TOTAL#<total:8>", sk = "<order_id>")]
struct Order { customer_id: String, order_id: String, total: u32, note: String }

#[derive(Deserialize, Projection)]
#[projection(entity = Order)]
struct Row { total: u32, note: String }

fn rows(shop: &Table<Shop>) {
    let _ = shop.query(Order::by_total(3)).select::<Row>();
}

fn main() {}
