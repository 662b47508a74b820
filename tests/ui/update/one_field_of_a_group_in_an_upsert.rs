use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
#[gsi(gsi1, pk = "GSI1PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
#[index(gsi1, pk = "STATUS#<status>#<region>")]
struct Order {
    id: String,
    status: String,
    region: String,
}

fn main() {}

fn orders(shop: &Table<Shop>, order: &Order) {
    let _ = shop.upsert(order).change(|o| o.status.set("paid"));
}
