use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META", attributes("v" = "1"))]
struct Order {
    id: String,
    #[serde(rename = "v")]
    version: u32,
}

fn main() {}
