use monotable::{Entity, Item, ItemCollection, Table};
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
struct Page {
    order: Order,
    #[collection(other)]
    other: Item,
}

fn main() {}
