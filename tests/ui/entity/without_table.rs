use monotable::Entity;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Entity)]
#[entity(pk = "ORDER#<id>", sk = "META")]
struct Order {
    id: String,
}

fn main() {}
