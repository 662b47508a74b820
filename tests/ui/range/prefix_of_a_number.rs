use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "LINE#<line:4>")]
struct OrderLine {
    id: String,
    line: u16,
}

fn main() {
    let _ = OrderLine::by_id("o1").line_prefix("00");
}
