use monotable::{Entity, KeyPart, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, KeyPart)]
enum Status {
    Open,
    Closed,
}

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "<status>")]
struct Order {
    customer: String,
    status: Status,
}

fn main() {
    let _ = Order::by_customer("c42").status_range(Status::Open..=Status::Closed);
}
