use monotable::Entity;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Entity)]
struct Order {
    id: String,
}

fn main() {}
