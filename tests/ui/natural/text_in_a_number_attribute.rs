use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = ("rank", N))]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "GAME#<game>", sk = "<rank>")]
struct Score {
    game: String,
    rank: String,
}

fn main() {}
