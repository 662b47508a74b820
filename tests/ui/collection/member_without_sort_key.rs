use monotable::{Entity, ItemCollection, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
struct Order {
    id: String,
}

#[derive(ItemCollection)]
#[collection(table = Shop, pk = "ORDER#<id>")]
struct Page {
    order: Order,
}

fn main() {}
