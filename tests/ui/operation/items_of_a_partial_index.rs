use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK", projection = keys_only)]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
#[index(gsi1, pk = "OWNER#<owner>")]
struct Order {
    id: String,
    owner: String,
}

fn main() {}

async fn orders(shop: &Table<Shop>) {
    let _ = shop.query(Order::by_owner("ana")).all().await;
}
