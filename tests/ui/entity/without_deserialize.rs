use monotable::{Entity, Table};
use serde::Serialize;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
struct Order {
    id: String,
}

fn main() {}
