//! One type for patterns of several depths.

use chrono::NaiveDate;
use monotable::{Entity, OnTable, Pattern, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Debug, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<date>#<id>")]
struct Order {
    customer: String,
    date: NaiveDate,
    id: String,
}

fn orders(day: Option<NaiveDate>, month: Option<&str>) -> Pattern<Order, OnTable> {
    let orders = Order::by_customer("c42");
    match (day, month) {
        (Some(day), _) => orders.date(day).erase(),
        (None, Some(month)) => orders.date_prefix(month).erase(),
        (None, None) => orders.erase(),
    }
}

#[test]
fn each_branch_narrows_in_its_own_way() {
    let day = NaiveDate::from_ymd_opt(2026, 9, 1);
    assert!(format!("{:?}", orders(day, None)).contains("ORDER#2026-09-01#"));
    assert!(format!("{:?}", orders(None, Some("2026-09"))).contains("ORDER#2026-09"));
    assert!(format!("{:?}", orders(None, None)).contains("ORDER#"));
}
