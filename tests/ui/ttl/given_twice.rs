use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", ttl = "ttl")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", ttl = expires_at, ttl = expires_at)]
struct Order {
    id: String,
    expires_at: u64,
}

fn main() {}
