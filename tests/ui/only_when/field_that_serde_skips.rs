use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
#[index(gsi1, pk = "OPEN#<id>", name = "open", only_when(open = true))]
struct Order {
    id: String,
    #[serde(skip)]
    open: bool,
}

fn main() {}
