use monotable::Entity;
use serde::{Deserialize, Serialize};

struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
struct Order {
    id: String,
}

fn main() {}
