use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "at")]
struct Shop;

mod stamp {
    pub fn serialize<S: serde::Serializer>(_: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str("")
    }
}

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "SENSOR#<sensor>", sk = "<at>")]
struct Reading {
    sensor: String,
    #[serde(serialize_with = "stamp::serialize")]
    at: u64,
}

fn main() {
    let _ = Reading::by_sensor("s1").at_range(1..);
}
