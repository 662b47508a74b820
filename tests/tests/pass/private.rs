//! Entities that only a part of the crate sees.

mod store {
    use monotable::{Entity, ItemCollection, Table};
    use serde::{Deserialize, Serialize};

    #[derive(Table)]
    #[table(pk = "PK", sk = "SK", entities(orders::Order, orders::Line))]
    pub(crate) struct Shop;

    pub(crate) mod orders {
        use super::{Deserialize, Entity, Serialize, Shop};

        #[derive(Debug, Serialize, Deserialize, Entity)]
        #[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
        pub(crate) struct Order {
            pub(super) id: Id,
        }

        #[derive(Debug, Serialize, Deserialize, Entity)]
        #[entity(table = super::Shop, pk = "ORDER#<id>", sk = "LINE#<line:2>")]
        pub(in crate::pass::private) struct Line {
            id: Id,
            line: u8,
        }

        #[derive(Debug, Serialize, Deserialize, monotable::KeyPart)]
        pub(in crate::pass::private) struct Id(pub(in crate::pass::private) u32);
    }

    #[derive(ItemCollection)]
    #[collection(table = self::Shop, pk = "ORDER#<id>")]
    pub(crate) struct Page {
        pub(crate) _order: orders::Order,
        pub(crate) _lines: Vec<orders::Line>,
    }
}

#[test]
fn the_rest_of_the_module_sees_them() {
    use store::orders::{Id, Line, Order};
    assert_eq!(Order::key(Id(7)).to_string(), "ORDER#7 + META");
    assert!(format!("{:?}", Line::by_id(Id(7)).line(1)).contains("LINE#01"));
    assert!(format!("{:?}", store::Page::by_id(Id(7))).contains("ORDER#7"));
    assert!(store::Shop::layout().contains("LINE#<line:2>"));
}
