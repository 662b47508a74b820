use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "TENANT#<tenant>", sk = "PROJECT#{project}")]
struct Project {
    tenant: String,
    project: String,
}

fn main() {}
