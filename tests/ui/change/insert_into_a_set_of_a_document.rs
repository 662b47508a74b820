use monotable::{Document, Entity, Set, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK")]
struct Shop;

#[derive(Serialize, Deserialize, Document)]
struct Labels {
    tags: Set<String>,
}

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>")]
struct Order {
    id: String,
    labels: Labels,
}

fn main() {}

fn orders(shop: &Table<Shop>) {
    let _ = shop.update(Order::key("o1")).change(|o| o.labels.tags.insert(["new"]));
}
