use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", type_attribute = "_et", entities(Old, New))]
struct App;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "U#<id>", sk = "OLD", type_name = "x")]
struct Old {
    id: String,
}

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "U#<id>", sk = "NEW", type_name = "y", type_alias("x"))]
struct New {
    id: String,
}

fn main() {}
