use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = ["TENANT#<tenant>", "ORDER#<id>"])]
struct Order {
    id: String,
    tenant: String,
}

fn main() {}
