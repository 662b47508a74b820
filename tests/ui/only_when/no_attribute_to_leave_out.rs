use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(by_owner, pk = "owner")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
#[index(by_owner, pk = "<owner>", only_when(open = true))]
struct Order {
    id: String,
    owner: String,
    open: bool,
}

fn main() {}
