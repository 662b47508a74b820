use chrono::{DateTime, Utc};
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "AT#<placed_at:epoch_s>", sk = "META")]
struct Order {
    placed_at: DateTime<Utc>,
}

fn main() {}
