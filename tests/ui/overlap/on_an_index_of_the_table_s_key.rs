use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Membership, Invitation))]
#[gsi(inverted, pk = "SK", sk = "PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "<user>", sk = "GROUP#<group>")]
#[index(inverted, pk = "GROUP#<group>", sk = "<user>")]
struct Membership {
    user: String,
    group: String,
}

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "INVITATION#<id>", sk = "GROUP#<group>")]
struct Invitation {
    id: String,
    group: String,
}

fn main() {}
