use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "LINE#<line:2>", name = "by-order")]
struct OrderLine {
    id: String,
    line: u8,
}

fn main() {}
