use monotable::Table;
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Order))]
struct Shop;

#[derive(Serialize, Deserialize)]
struct Order {
    id: String,
}

fn main() {}
