use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
#[gsi(by_day, pk = ["GSI1PK", "kind"], sk = "id")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
#[index(by_day, pk = ["DAY#<day>", "ORDER"], sk = "<id>")]
struct Order {
    id: String,
    day: chrono::NaiveDate,
}

fn main() {}
