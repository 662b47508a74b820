use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META", name = "by_a1")]
#[index(gsi1, pk = "X#<id>", name = "by_a_1")]
struct Order {
    id: String,
}

fn main() {}
