use chrono::{DateTime, Utc};
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", ttl = "ttl")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", ttl = ttl)]
struct Order {
    id: String,
    ttl: DateTime<Utc>,
}

fn main() {}
