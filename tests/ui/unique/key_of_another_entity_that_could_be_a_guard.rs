use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", entities(User, Order))]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "USER#<id>", unique(email))]
struct User {
    id: String,
    email: String,
}

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "$unique#User#<id>#<n>", name = "by_id")]
struct Order {
    id: String,
    n: u32,
}

fn main() {}
