use monotable::Table;
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize)]
struct Order {
    id: String,
}

fn main() {}

fn order(shop: &Table<Shop>, order: &Order) {
    let _ = shop.put(order);
}
