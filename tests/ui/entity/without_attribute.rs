use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Entity)]
struct Order {
    id: String,
}

fn main() {}
