use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
#[index(gsi1, pk = "OPEN#<open>#<shard>", sk = "<id>", shard(by = owner, count = 10))]
struct Order {
    id: String,
    owner: String,
    open: bool,
}

fn main() {}
