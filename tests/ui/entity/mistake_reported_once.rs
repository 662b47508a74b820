use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Order))]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<custmer>", sk = "ORDER#<date>#<id>")]
struct Order {
    customer: String,
    date: String,
    id: String,
}

fn main() {}

fn orders(shop: &Table<Shop>, order: &Order) {
    let _ = shop.get(Order::key("c42", "2026-09-01", "o1"));
    let _ = shop.put(order);
    let _ = shop.query(Order::by_custmer("c42").date_prefix("2026-09")).descending();
}
