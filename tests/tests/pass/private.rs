//! Entities that only a part of the crate sees.

mod store {
    use monotable::{Entity, ItemCollection, Table};
    use serde::{Deserialize, Serialize};

    #[derive(Table)]
    #[table(pk = "PK", sk = "SK", entities(orders::Order, orders::Line))]
    #[gsi(gsi1, pk = "GSI1PK")]
    pub(crate) struct Shop;

    pub(crate) mod orders {
        use super::{Deserialize, Entity, Serialize, Shop};

        #[derive(Debug, Serialize, Deserialize, Entity)]
        #[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
        #[index(gsi1, pk = "NOTE#<id>#<note>#<mark>", name = "noted")]
        pub(crate) struct Order {
            pub(super) id: Id,
            note: Note,
            mark: Note,
            details: Details,
        }

        #[derive(Debug, Serialize, Deserialize, monotable::Document)]
        struct Details {
            text: Note,
        }

        pub(crate) fn marked(shop: &monotable::Table<Shop>) -> String {
            let note = || Note("late".into());
            let update = shop
                .update(Order::key(Id(7)))
                .change(|o| (o.note_and_mark.set(note(), note()), o.details.text.set(note())));
            format!("{:?}", update.explain())
        }

        // An index takes a type that nobody else sees.
        #[derive(Debug, Serialize, Deserialize, monotable::KeyPart)]
        struct Note(String);

        pub(crate) fn noted() -> String {
            format!("{:?}", Order::noted(Id(7), Note("late".into()), Note("red".into())))
        }

        #[derive(Debug, Serialize, Deserialize, Entity)]
        #[entity(table = super::Shop, pk = "ORDER#<id>", sk = "LINE#<line:2>")]
        pub(in crate::pass::private) struct Line {
            id: Id,
            line: u8,
        }

        #[derive(Debug, Serialize, Deserialize, monotable::KeyPart)]
        pub(crate) struct Id(pub(in crate::pass::private) u32);
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
    assert!(store::orders::noted().contains("NOTE#7#late"));
    assert!(store::orders::marked(&super::paths::table()).contains("NOTE#7#late#late"));
    assert!(store::Shop::layout().contains("LINE#<line:2>"));
}
