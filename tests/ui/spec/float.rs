use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "PLAYER#<player>", sk = "SCORE#<score:8>")]
struct Score {
    player: String,
    score: f64,
}

fn main() {}
