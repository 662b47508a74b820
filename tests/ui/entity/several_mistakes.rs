use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<ordr_id>", sk = "LINE#<line:plane>", typ_name = "line")]
#[index(gsi1, pk = "SKU#<sku", sk = "<order_id>")]
struct OrderLine {
    order_id: String,
    line: u8,
    #[serde(skip)]
    sku: String,
}

fn main() {}
