use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer_id>", sk = "ORDER#<order_id:6>", key_only(order_id))]
struct Order {
    customer_id: String,
    #[serde(serialize_with = "text")]
    order_id: u32,
}

fn text<S: serde::Serializer>(value: &u32, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

fn main() {}
