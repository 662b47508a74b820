use monotable::{Entity, ItemCollection, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
struct Order {
    id: String,
}

#[derive(ItemCollection)]
#[collection(table = Shop, pk = "ORDER#<id>")]
struct OrderPage {
    order: Order,
}

fn main() {}

fn order(shop: &Table<Shop>) {
    let _ = shop.full_scan().of::<OrderPage>();
}
