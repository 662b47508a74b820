use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META", null(due))]
#[index(gsi1, pk = "DUE#<due>", sk = "<id>")]
struct Order {
    id: String,
    due: Option<String>,
}

fn main() {}
