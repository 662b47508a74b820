use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
#[gsi(gsi1, pk = "GSI1PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", version = version)]
#[index(gsi1, pk = "NEW#<id>", name = "new", only_when(version = 1))]
struct Order {
    id: String,
    version: u64,
}

fn main() {}
