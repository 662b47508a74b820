use monotable::{Item, ItemCollection, Table};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(ItemCollection)]
#[collection(table = Shop, pk = "ORDER#<id>")]
enum Entry {
    #[collection(other)]
    Other(Item),
}

fn main() {}
