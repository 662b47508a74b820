use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", ttl = "ttl")]
#[gsi(gsi1, pk = "GSI1PK", projection = keys_only)]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", ttl = expires_at)]
#[index(gsi1, pk = "OPEN#<id>", name = "open")]
struct Order {
    id: String,
    expires_at: u64,
}

fn main() {}
