use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(by_status, pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(by_sku, pk = "GSI2PK", sk = "GSI2SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
#[index(by_state, pk = "OWNER#<owner>", sk = "<id>")]
struct Order {
    id: String,
    owner: String,
}

fn main() {}
