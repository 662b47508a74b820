use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "X#<id>", sk = "<n:39>")]
struct Balance {
    id: String,
    n: i128,
}

fn main() {}
