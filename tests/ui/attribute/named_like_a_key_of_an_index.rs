use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(by_owner, pk = "owner")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
#[index(by_owner, pk = "OWNER#<owner>")]
struct Order {
    id: String,
    owner: String,
}

fn main() {}
