use monotable::{Entity, Table};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
struct Order {
    id: String,
}

fn main() {}
