use monotable::{Entity, ItemCollection, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "LINE#<a>")]
struct Line { id: String, a: String }

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "LINE#<a>#<b>")]
struct Note { id: String, a: String, b: String }

#[derive(ItemCollection)]
#[collection(table = Shop, pk = "ORDER#<id>")]
enum Entry {
    Line(Line),
    Note(Note),
}

fn main() {}
