use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
#[index(gsi1, pk = "OPEN#<id>", sk = "<due:sparse:none_last>", name = "by_due")]
struct Order {
    id: String,
    due: Option<chrono::NaiveDate>,
}

fn main() {}
