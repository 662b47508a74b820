use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "TASK#<id>", sk = "DUE#<due:sparse>")]
struct Task {
    id: String,
    due: Option<String>,
}

fn main() {}
