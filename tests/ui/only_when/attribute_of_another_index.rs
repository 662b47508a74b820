use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
#[gsi(by_owner, pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(by_owner_alone, pk = "GSI1PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
#[index(by_owner, pk = "OWNER#<owner>", sk = "<id>")]
#[index(by_owner_alone, pk = "OWNER#<owner>", name = "open", only_when(open = true))]
struct Order {
    id: String,
    owner: String,
    open: bool,
}

fn main() {}
