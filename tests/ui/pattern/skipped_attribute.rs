use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
#[gsi(by_tenant, pk = "tenant", sk = ["status", ("total", N)])]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
#[index(by_tenant, pk = "<tenant>", sk = ["<status>", "<total>"])]
struct Order {
    id: String,
    tenant: String,
    status: String,
    total: u16,
}

fn main() {
    let _ = Order::by_tenant("t1").total(5);
}
