use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Order, Balance))]
struct App;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "U#<user>", sk = "order#<order:4>")]
struct Order {
    user: String,
    order: u32,
}

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "U#<user>", sk = "<balance:6>")]
struct Balance {
    user: String,
    balance: i64,
}

fn main() {}
