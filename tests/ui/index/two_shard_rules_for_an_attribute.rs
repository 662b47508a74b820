use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
#[gsi(by_day, pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(by_total, pk = "GSI1PK", sk = "GSI2SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
#[index(by_day, pk = "D#<day>#<shard>", sk = "<id>", shard(by = id, count = 4))]
#[index(by_total, pk = "D#<day>#<shard>", sk = "<total:4>", name = "by_total",
        shard(by = id, count = 8))]
struct Order {
    id: String,
    day: chrono::NaiveDate,
    total: u16,
}

fn main() {}
