use chrono::{DateTime, Utc};
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "at")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "SENSOR#<sensor>", sk = "<at>")]
struct Reading {
    sensor: String,
    at: DateTime<Utc>,
}

fn main() {}
