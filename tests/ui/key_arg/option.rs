use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "TASK#<id>", sk = "META")]
#[index(gsi1, pk = "OWNER#<owner>", sk = "<id>")]
struct Task {
    id: String,
    owner: Option<String>,
}

fn main() {
    let _ = Task::by_owner(Some("ana"));
}
