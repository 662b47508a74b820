#![allow(unreachable_patterns)]
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
struct Order {
    id: String,
    total: u32,
    #[serde(rename = "total")]
    sum: u32,
}

fn main() {}
