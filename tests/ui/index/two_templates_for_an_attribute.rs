use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(inverted, pk = "SK", sk = "PK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "USER#<user>", sk = "GROUP#<group>")]
#[index(inverted, pk = "GROUP#<group>", sk = "MEMBER#<user>")]
struct Membership {
    user: String,
    group: String,
}

fn main() {}
