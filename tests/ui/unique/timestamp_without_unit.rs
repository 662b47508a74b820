use chrono::{DateTime, Utc};
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", unique(at))]
struct Order {
    id: String,
    at: DateTime<Utc>,
}

fn main() {}
