use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
#[index(gsi1, pk = "ALL#<shard>", shard(by = id, count = 4000000000), name = "all")]
struct Order {
    id: String,
}

fn main() {}
