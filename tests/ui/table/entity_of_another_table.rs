use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Order))]
struct Shop;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Archive;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Archive, pk = "ORDER#<id>", sk = "META")]
struct Order {
    id: String,
}

fn main() {}
