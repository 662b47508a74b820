use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", ttl = "expires_at")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer_id>", sk = "ORDER#<until:12>", ttl = until, key_only(until))]
struct Order {
    customer_id: String,
    until: u64,
}

fn main() {}
