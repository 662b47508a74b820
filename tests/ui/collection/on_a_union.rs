use monotable::{ItemCollection, Table};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(ItemCollection)]
#[collection(table = Shop, pk = "ORDER#<id>")]
union Page {
    order: u8,
}

fn main() {}
