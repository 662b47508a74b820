//! The library under another name, as a crate that re-exports it has it.

use serde::{Deserialize, Serialize};

mod framework {
    pub(super) use monotable as orm;
}
use framework::orm::{Document, Entity, ItemCollection, KeyPart, Table};

// The name that the derives use where nobody says otherwise means something else here.
#[allow(unused_imports)]
use std as monotable;

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Order), crate = framework::orm)]
struct Shop;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[key(crate = framework::orm)]
struct OrderId(String);

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[key(crate = "framework::orm")]
enum Part {
    Header,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "<part>", crate = "framework::orm")]
struct Order {
    id: OrderId,
    part: Part,
    details: Details,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, Document)]
#[document(crate = "framework::orm")]
struct Details {
    note: String,
}

#[derive(Debug, PartialEq, Eq, ItemCollection)]
#[collection(table = Shop, pk = "ORDER#<id>", crate = framework::orm)]
struct Page {
    order: Order,
}

#[test]
fn keys_are_the_same() {
    let key = Order::key(OrderId("o1".into()), Part::Header);
    assert_eq!(key.to_string(), "ORDER#o1 + Header");
    assert!(format!("{:?}", Page::by_id(OrderId("o1".into()))).contains("ORDER#o1"));
    let shop = super::paths::table::<Shop>();
    let update = shop.update(key).change(|o| o.details.note.set("late"));
    assert!(format!("{update:?}").contains("note"));
    assert!(Shop::layout().contains("ORDER#<id>"));
}
