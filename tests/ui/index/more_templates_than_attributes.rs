use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
#[gsi(by_tenant, pk = "tenant", sk = "id")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
#[index(by_tenant, pk = "<tenant>", sk = ["<id>", "<total:4>"])]
struct Order {
    id: String,
    tenant: String,
    total: u16,
}

fn main() {}
