use monotable::{Entity, ItemCollection, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "LINE#<line:2>")]
struct Line {
    id: String,
    line: u8,
}

#[derive(ItemCollection)]
#[collection(table = Shop, pk = "ORDER#<id>")]
struct Page {
    first: Option<Line>,
    lines: Vec<Line>,
}

fn main() {}
