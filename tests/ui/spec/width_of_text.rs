use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<order_id>", sk = "LINE#<line:2>")]
struct OrderLine {
    order_id: String,
    line: String,
}

fn main() {}
