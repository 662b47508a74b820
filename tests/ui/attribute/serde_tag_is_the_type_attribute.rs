use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", type_attribute = "_et")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[serde(tag = "_et")]
#[entity(table = Shop, pk = "ORDER#<id>")]
struct Order {
    id: String,
}

fn main() {}
