//! Public types: the lints of the test crate, `missing_docs` among them, meet what is generated.

/// A crate's public interface.
#[allow(unreachable_pub)]
pub mod api {
    use monotable::{Entity, ItemCollection, KeyPart, Table};
    use serde::{Deserialize, Serialize};

    /// A shop.
    #[derive(Debug, Clone, Copy, Table)]
    #[table(pk = "PK", sk = "SK", entities(Order, Line))]
    #[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
    #[lsi(lsi1, sk = "LSI1SK")]
    pub struct Shop;

    /// A status.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
    pub enum Status {
        /// Open.
        Open,
        /// Closed.
        Closed,
    }

    /// An order.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Entity)]
    #[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
    #[index(gsi1, pk = "STATUS#<status>#<shard>", sk = "<at:s>#<id>",
            shard(by = id, count = 2), only_when(status = Status::Open))]
    #[index(lsi1, sk = "<at:ms:desc>", name = "latest")]
    pub struct Order {
        /// Its number.
        pub id: String,
        /// Whether it is open.
        pub status: Status,
        /// When it was placed.
        pub at: jiff::Timestamp,
    }

    /// A line of an order.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Entity)]
    #[entity(table = Shop, pk = "ORDER#<id>", sk = "LINE#<number:2>")]
    pub struct Line {
        /// The order's number.
        pub id: String,
        /// Its own number.
        pub number: u8,
        #[serde(with = "as_text", default)]
        hidden: u8,
    }

    mod as_text {
        use serde::{Deserialize, Deserializer, Serializer};

        #[allow(clippy::trivially_copy_pass_by_ref)]
        pub(super) fn serialize<S: Serializer>(value: &u8, to: S) -> Result<S::Ok, S::Error> {
            to.collect_str(value)
        }

        pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
            let text = String::deserialize(from)?;
            text.parse().map_err(serde::de::Error::custom)
        }
    }

    /// An order with its lines.
    #[derive(Debug, Clone, PartialEq, Eq, ItemCollection)]
    #[collection(table = Shop, pk = "ORDER#<id>")]
    pub struct Page {
        /// The order.
        pub order: Option<Order>,
        /// Its lines.
        pub lines: Vec<Line>,
    }
}

#[test]
fn patterns_are_types_of_the_interface() {
    use api::{Line, Order, Page, Status};
    assert!(format!("{:?}", Order::by_status(Status::Open).shard(1)).contains("STATUS#Open#1"));
    assert!(format!("{:?}", Order::latest("o1")).contains("ORDER#o1"));
    assert!(format!("{:?}", Line::by_id("o1").number_range(..=9)).contains("LINE#09"));
    assert!(format!("{:?}", Page::by_id("o1")).contains("ORDER#o1"));
}
