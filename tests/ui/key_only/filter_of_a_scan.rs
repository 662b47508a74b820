use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer_id>", sk = "ORDER#<order_id>", key_only(order_id))]
struct Order {
    customer_id: String,
    order_id: String,
    total: u32,
}

fn main() {}

fn orders(shop: &Table<Shop>) {
    let _ = shop.full_scan().filter::<Order, _>(|o| o.order_id.eq("o1"));
}
