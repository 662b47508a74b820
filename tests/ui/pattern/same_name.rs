use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "LINE#<line:2>")]
#[index(gsi1, pk = "ID#<id>", sk = "<line:2>")]
struct OrderLine {
    id: String,
    line: u8,
}

fn main() {}
