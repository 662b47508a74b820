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
enum Entry {
    First(Order),
    Second(Order),
}

fn main() {}
