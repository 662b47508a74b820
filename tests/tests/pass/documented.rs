//! Public types: the lints of the test crate, `missing_docs` among them, meet what is generated.

/// A crate's public interface.
#[allow(unreachable_pub)]
pub mod api {
    use monotable::{Document, Entity, ItemCollection, KeyPart, Table};
    use serde::{Deserialize, Serialize};

    /// A shop.
    #[derive(Debug, Clone, Copy, Table)]
    #[table(pk = "PK", sk = "SK", ttl = "ttl", entities(Order, Line, Account))]
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
    #[entity(table = Shop, pk = "ORDER#<id>", sk = "LINE#<number:2>", key_only(number, id))]
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

    /// An account: counted, expiring, with unique fields, a group and documents.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Entity)]
    #[entity(table = Shop, pk = "ACCOUNT#<id>", sk = "META", version = version, ttl = until,
             unique(email))]
    #[index(gsi1, pk = "PLAN#<plan>#<region>", sk = "<id>")]
    pub struct Account {
        /// Its number.
        pub id: String,
        /// Of nobody else.
        pub email: String,
        /// What it pays for.
        pub plan: String,
        /// Where it is.
        pub region: String,
        /// Until when it is kept.
        pub until: Option<jiff::Timestamp>,
        /// The writes.
        pub version: u64,
        /// Where its bills go.
        pub address: Address,
    }

    /// An address.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Document)]
    pub struct Address {
        /// The city.
        pub city: String,
        #[serde(with = "as_text", default)]
        hidden: u8,
        hidden_place: Option<Place>,
    }

    /// A place of nobody else.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Document)]
    struct Place {
        name: String,
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

    /// One item of an order.
    #[derive(Debug, Clone, PartialEq, ItemCollection)]
    #[collection(table = Shop, pk = "ORDER#<id>")]
    pub enum Entry {
        /// The order.
        Order(Order),
        /// One of its lines.
        Line(Line),
        /// Something else.
        #[collection(other)]
        Other(monotable::Item),
    }

    /// What a scan finds.
    #[derive(Debug, Clone, PartialEq, Eq, ItemCollection)]
    #[collection(table = Shop)]
    pub enum Scanned {
        /// An order.
        Order(Order),
    }
}

#[test]
fn patterns_are_types_of_the_interface() {
    use api::{Entry, Line, Order, Page, Status};
    assert!(format!("{:?}", Order::by_status(Status::Open).shard(1)).contains("STATUS#Open#1"));
    assert!(format!("{:?}", Order::latest("o1")).contains("ORDER#o1"));
    assert!(format!("{:?}", Line::by_id("o1").number_range(..=9)).contains("LINE#09"));
    assert!(format!("{:?}", Page::by_id("o1")).contains("ORDER#o1"));
    assert!(format!("{:?}", Entry::by_id("o1")).contains("ORDER#o1"));
    assert_eq!(<api::Scanned as monotable::ItemKind>::NAME, "Scanned");
}

#[test]
fn paths_are_types_of_the_interface() -> Result<(), monotable::Error> {
    use api::{Account, Order, Shop, Status};
    let shop = super::paths::table::<Shop>();
    let order = shop.update(Order::key("o1")).change(|o| o.status.set(Status::Closed));
    assert!(format!("{:?}", order.explain()?).contains("GSI1PK"));
    let account = shop
        .update(Account::key("a1"))
        .change(|a| (a.plan_and_region.set("pro", "eu"), a.address.city.set("Graz")))
        .condition(|a| a.until.is_none() & a.version.gt(1));
    assert!(format!("{:?}", account.explain()?).contains("PLAN#pro#eu"));
    Ok(())
}
