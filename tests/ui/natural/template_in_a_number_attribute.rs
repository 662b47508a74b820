use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = ("rank", N))]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "GAME#<game>", sk = "RANK#<place:4>")]
struct Score {
    game: String,
    place: u32,
}

fn main() {}
