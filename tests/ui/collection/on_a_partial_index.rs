use monotable::{Entity, ItemCollection, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK", projection = keys_only)]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
#[index(gsi1, pk = "ID#<id>", name = "in_gsi1")]
struct Order {
    id: String,
}

#[derive(ItemCollection)]
#[collection(table = Shop, index = gsi1, pk = "ID#<id>")]
struct Page {
    orders: Vec<Order>,
}

fn main() {}
