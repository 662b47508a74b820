use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "BUCKET#<bucket>", sk = "FILE#<path:rest>#<version:4>")]
struct File {
    bucket: String,
    path: String,
    version: u32,
}

fn main() {}
