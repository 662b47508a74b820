use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(OrderLine))]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<order>", sk = "LINE#<line>")]
struct OrderLine { order: String, line: u8 }

fn main() {}
