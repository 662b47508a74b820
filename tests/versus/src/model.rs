//! What is read and written: the same structs for every contender, but for the sets of the mixed
//! item, which each library has a type of its own for.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use monotable::Entity;
use serde::{Deserialize, Serialize};

use crate::contender::Shop;

pub const CUSTOMER: &str = "c42";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<date>#<order>")]
pub struct Order {
    pub customer: String,
    pub date: NaiveDate,
    pub order: String,
    pub status: String,
    pub total: u64,
    pub weight: f64,
    pub priority: u8,
    pub paid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    pub carrier: String,
    pub lines: Vec<Line>,
    pub address: Address,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub sku: String,
    pub count: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Address {
    pub city: String,
    pub zip: String,
}

impl Order {
    /// Orders of one customer in the order of their sort keys.
    pub fn some(count: usize) -> Vec<Order> {
        (0..count as u64).map(Order::numbered).collect()
    }

    fn numbered(n: u64) -> Order {
        let day = NaiveDate::from_ymd_opt(2026, 1, 1).unwrap() + chrono::Days::new(n / 4);
        let line =
            |i| Line { sku: format!("KB-{}", 100 + (n + i) % 37), count: 1 + (n % 3) as u32 };
        Order {
            customer: CUSTOMER.to_owned(),
            date: day,
            order: format!("o{:06}", 1000 + n),
            status: ["pending", "shipped", "delivered"][(n % 3) as usize].to_owned(),
            total: 1990 + n * 7,
            weight: 0.25 + (n % 40) as f64 / 8.0,
            priority: (n % 5) as u8,
            paid: n.is_multiple_of(2),
            note: (n.is_multiple_of(2)).then(|| format!("ring {} times", n % 4)),
            carrier: "DHL".to_owned(),
            lines: (0..1 + n % 2).map(line).collect(),
            address: Address { city: "Leipzig".to_owned(), zip: format!("04{:03}", n % 400) },
        }
    }

    pub fn pk(&self) -> String {
        format!("CUST#{}", self.customer)
    }

    pub fn sk(&self) -> String {
        format!("ORDER#{}#{}", self.date, self.order)
    }
}

/// The item of EfficientDynamoDb's public benchmark: a map, lists of maps, sets and scalars.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mixed {
    pub pk: String,
    pub sk: String,
    pub m: MapObject,
    pub l1: Vec<MapObject>,
    pub l2: Vec<MapObject>,
    pub l3: Vec<MapObject>,
    #[serde(with = "serde_dynamo::string_set")]
    pub ss: BTreeSet<String>,
    #[serde(with = "serde_dynamo::number_set")]
    pub ns: BTreeSet<i32>,
    pub s: String,
    pub n: i32,
    pub b: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MapObject {
    pub p1: String,
}

pub const PARTITION: &str = "test";

impl Mixed {
    pub fn some(count: usize) -> Vec<Mixed> {
        (0..count as i32).map(Mixed::numbered).collect()
    }

    fn numbered(n: i32) -> Mixed {
        let object = |name: &str| MapObject { p1: format!("{name}_{n}") };
        Mixed {
            pk: PARTITION.to_owned(),
            sk: format!("sort_{n:06}"),
            m: object("map"),
            l1: vec![object("first")],
            l2: vec![object("second")],
            l3: vec![object("third")],
            ss: [format!("a_{n}"), format!("b_{n}")].into(),
            ns: [n, n + 1, n + 2].into(),
            s: format!("text_{n}"),
            n,
            b: n % 2 == 0,
        }
    }
}
