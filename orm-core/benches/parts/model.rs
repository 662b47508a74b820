//! An order with scalars, an optional field, a list of structs and a struct.

use chrono::{Days, NaiveDate};
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", type_attribute = "_type", entities(Order))]
pub(crate) struct Shop;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<date>#<order>")]
pub(crate) struct Order {
    pub(crate) customer: String,
    pub(crate) date: NaiveDate,
    pub(crate) order: String,
    pub(crate) status: String,
    pub(crate) total: u64,
    pub(crate) weight: f64,
    pub(crate) paid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    pub(crate) lines: Vec<Line>,
    pub(crate) address: Address,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) sku: String,
    pub(crate) count: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Address {
    pub(crate) city: String,
    pub(crate) zip: String,
}

impl Order {
    pub(crate) fn numbered(n: u32) -> Order {
        let line = |at| Line { sku: format!("KB-{}", 100 + (n + at) % 37), count: 1 + n % 3 };
        Order {
            customer: "c42".to_owned(),
            date: NaiveDate::default() + Days::new(20_000 + u64::from(n / 4)),
            order: format!("o{:06}", 1000 + n),
            status: if n.is_multiple_of(3) { "pending" } else { "shipped" }.to_owned(),
            total: 1990 + u64::from(n) * 7,
            weight: 0.25 + f64::from(n % 40) / 8.0,
            paid: n.is_multiple_of(2),
            note: n.is_multiple_of(2).then(|| format!("ring {} times", n % 4)),
            lines: (0..1 + n % 2).map(line).collect(),
            address: Address { city: "Leipzig".to_owned(), zip: format!("04{:03}", n % 400) },
        }
    }
}
