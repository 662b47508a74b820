use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
#[gsi(by_region, pk = ["tenant", "region"], sk = "id")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
#[index(by_region, pk = "<tenant>", sk = "<id>")]
struct Order {
    id: String,
    tenant: String,
}

fn main() {}
