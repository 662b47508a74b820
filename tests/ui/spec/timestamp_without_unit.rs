use chrono::{DateTime, Utc};
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer_id>", sk = "ORDER#<placed_at>")]
struct Order {
    customer_id: String,
    placed_at: DateTime<Utc>,
}

fn main() {}
