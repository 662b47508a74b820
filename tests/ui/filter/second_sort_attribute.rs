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

fn f(shop: monotable::Table<Shop>) {
    let _ = shop.query(Order::by_tenant("t1")).filter(|o| o.total.gt(5));
}
fn main() {}
