use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = ("id", N))]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "<id>", unique(email))]
struct Order {
    id: u64,
    email: String,
}

fn main() {}
