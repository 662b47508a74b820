use monotable::{Entity, ItemCollection, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "LINE#<line:4>")]
#[index(gsi1, pk = "ID#<id>", name = "in_gsi1")]
struct Line { id: String, line: u16 }

#[derive(ItemCollection)]
#[collection(table = Shop, pk = "ORDER#<id>")]
struct Page {
    lines: Vec<Line>,
}

fn main() {}
fn read(shop: &Table<Shop>) {
    let _ = shop.collection(Page::by_id("o1")).range_of(Line::in_gsi1("o1"));
}
