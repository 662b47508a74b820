use monotable::{Entity, KeyPart, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "snake_case")]
enum Kind {
    GiftCard,
}

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer_id>", sk = "<kind>_<id>")]
struct Note {
    customer_id: String,
    kind: Kind,
    id: String,
}

fn main() {}
