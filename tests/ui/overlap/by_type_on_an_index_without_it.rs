use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", type_attribute = "_et", entities(A, B))]
#[gsi(gsi1, pk = "GSI1PK", projection = keys_only)]
struct App;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "X#<id>", allow(overlap(B)))]
#[index(gsi1, pk = "G#<group>")]
struct A {
    id: String,
    group: String,
}

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "X#<id>")]
#[index(gsi1, pk = "G#<group>")]
struct B {
    id: String,
    group: String,
}

fn main() {}
