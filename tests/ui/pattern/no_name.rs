use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CONFIG", sk = "<key>", allow(hot_partition = "few items"))]
struct Setting {
    key: String,
}

fn main() {}
