use std::ops::Bound::{Excluded, Unbounded};

use monotable::{Entity, IntoPattern, Table};
use serde::{Deserialize, Serialize};
use tests::models::library::{Book, Library, Loan};
use tests::models::shop::{Order, OrderLine, OrderSummary, Shop, Status, date, order};

fn explain<P: IntoPattern>(pattern: P) -> String {
    let client = monotable::testing::local_client("http://127.0.0.1:1").unwrap();
    let table: Table<<P::Entity as Entity>::Table> = Table::new(client, "t");
    table.query(pattern).explain().unwrap().to_string()
}

/// The condition and its values; the rest is the same in each form.
fn condition<P: IntoPattern>(pattern: P) -> String {
    let text = explain(pattern);
    let Some(first) = text.lines().next() else { return "nothing is sent".to_owned() };
    let body: serde_json::Value =
        serde_json::from_str(first.strip_prefix("Query ").unwrap()).unwrap();
    let condition = body["KeyConditionExpression"].as_str().unwrap();
    format!("{condition}  {}", body["ExpressionAttributeValues"])
}

macro_rules! forms {
    ($($name:literal: $pattern:expr,)*) => {
        [$(format!("{}\n    {}", $name, condition($pattern))),*].join("\n")
    };
}

#[test]
fn forms_of_a_composite_sort_key() {
    let c = || OrderSummary::by_customer_id("c42");
    let (first, last) = (date(2026, 9, 1), date(2026, 9, 30));
    insta::assert_snapshot!(forms! {
        "list": c(),
        "date": c().date(first),
        "date, order": c().date(first).order_id("o1"),
        "a..=b": c().date_range(first..=last),
        "a..b": c().date_range(first..last),
        "a..": c().date_range(first..),
        "..=b": c().date_range(..=last),
        "..b": c().date_range(..last),
        "(a..": c().date_range((Excluded(first), Unbounded)),
        "b..=a": c().date_range(last..=first),
        "prefix year": c().date_prefix("2026"),
        "prefix month": c().date_prefix("2026-09"),
        "date, id a..=b": c().date(first).order_id_range("a"..="b"),
        "date, id a..b": c().date(first).order_id_range("a".."b"),
        "date, id ..b": c().date(first).order_id_range(.."b"),
        "date, id a..": c().date(first).order_id_range("a"..),
        "date, id prefix": c().date(first).order_id_prefix("o#"),
    });
}

#[test]
fn forms_of_a_sort_key_that_begins_with_a_component() {
    let pending = || Order::by_status(Status::Pending).shard(0);
    let at = |second| order("o1", Status::Pending, second).placed_at;
    let sku = || OrderLine::by_sku("KB-104");
    insta::assert_snapshot!(forms! {
        "block": pending(),
        "time": pending().placed_at(at(0)),
        "time a..=b": pending().placed_at_range(at(0)..=at(59)),
        "time a..b": pending().placed_at_range(at(0)..at(59)),
        "time a..": pending().placed_at_range(at(0)..),
        "time, order": pending().placed_at(at(0)).order_id("o1"),
        "date a..": sku().order_date_range(date(2026, 9, 1)..),
        "title": Book::by_title("north"),
        "title a..b": Book::by_title("north").title_range("a".."b"),
        "title a..": Book::by_title("north").title_range("a"..),
        "title ..b": Book::by_title("north").title_range(.."b"),
        "title ..=b": Book::by_title("north").title_range(..="b"),
        "title prefix": Book::by_title("north").title_prefix("Mo"),
        "due": Loan::by_due_branch("north").due(date(2026, 9, 1)),
    });
}

#[test]
fn the_whole_request_of_a_shard_and_of_a_local_index() {
    insta::assert_snapshot!("shard", explain(Order::by_status(Status::Pending).shard(9)));
    insta::assert_snapshot!("local", explain(Book::by_title("north")));
    let shards = explain(Order::by_status(Status::Pending));
    assert_eq!(shards.lines().count(), 10);
}

#[derive(Debug, Table)]
#[table(pk = "PK", sk = ("at", N))]
struct Readings;

#[derive(Debug, Serialize, Deserialize, Entity)]
#[entity(table = Readings, pk = "SENSOR#<sensor>", sk = "<at>")]
struct Reading {
    sensor: u32,
    at: i64,
}

#[test]
fn forms_of_a_natural_number() {
    let s = || Reading::by_sensor(7u32);
    let (low, high) = (-5, 5);
    insta::assert_snapshot!(forms! {
        "list": s(),
        "at": s().at(-5),
        "a..=b": s().at_range(-5..=5),
        "a..b": s().at_range(-5..5),
        "a..": s().at_range(-5..),
        "..b": s().at_range(..5),
        "..=b": s().at_range(..=5),
        "b..=a": s().at_range(high..=low),
    });
}

#[test]
fn layouts() {
    insta::assert_snapshot!("layout_shop", Shop::layout());
    insta::assert_snapshot!("layout_library", Library::layout());
}

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(by_region, pk = ["tenant", "region"], sk = ["status", ("amount", N), "GSI1SK"])]
#[gsi(inverted, pk = "SK", sk = "PK")]
struct Invoices;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Invoices, pk = "INVOICE#<id>", sk = "TENANT#<tenant>")]
#[index(by_region, pk = ["<tenant>", "<region>"], sk = ["<status>", "<amount>", "D#<day:2>#<id>"])]
#[index(inverted, pk = "TENANT#<tenant>", sk = "INVOICE#<id>", name = "by_tenant")]
struct Invoice {
    id: String,
    tenant: String,
    region: String,
    status: String,
    amount: i64,
    day: u8,
}

#[test]
fn forms_of_keys_of_several_attributes() {
    let all = || Invoice::by_tenant_and_region("t", "eu");
    let amount = || all().status("open").amount(-5);
    insta::assert_snapshot!(forms! {
        "list": all(),
        "status": all().status("open"),
        "status prefix": all().status_prefix("o"),
        "status, amount": amount(),
        "status, amount a..b": all().status("open").amount_range(1..5),
        "status, amount ..=b": all().status("open").amount_range(..=5),
        "status, amount a..a": all().status("open").amount_range(5..5),
        "status, amount, day": amount().day(3),
        "status, amount, day a..=b": amount().day_range(3..=4),
        "status, amount, day, id": amount().day(3).id("i1"),
        "status, amount, day, id prefix": amount().day(3).id_prefix("i"),
        "inverted": Invoice::by_tenant("t"),
        "inverted, id": Invoice::by_tenant("t").id("i1"),
        "inverted, id a..b": Invoice::by_tenant("t").id_range("a".."b"),
    });
}
