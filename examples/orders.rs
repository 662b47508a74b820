//! Tables whose key attributes have names and types of their own: no `PK` and `SK`, no prefixes.
//! Run it with `cargo run --example orders`; it needs no account.

use chrono::NaiveDate;
use monotable::testing::Embedded;
use monotable::{Entity, Error, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "customer_id", sk = "order_id", entities(Order))]
struct Orders;

/// `<customer_id>` alone on the attribute of that name is a natural key: the attribute holds the
/// field as serde writes it, once. `order_id` is no field: the library makes it of two that are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Orders, pk = "<customer_id>", sk = "<date>#<code>")]
struct Order {
    customer_id: String,
    date: NaiveDate,
    code: String,
    total: u32,
}

/// A table with a partition key only.
#[derive(Table)]
#[table(pk = "iso_code", entities(Country))]
struct Countries;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Countries, pk = "<iso_code>")]
struct Country {
    iso_code: String,
    vat_percent: u8,
}

/// A key attribute of type number; text is what the others are.
#[derive(Table)]
#[table(pk = ("user_id", N), entities(User))]
struct Users;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Users, pk = "<user_id>")]
struct User {
    user_id: u64,
    name: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Embedded::start().await?;
    let orders: Table<Orders> = engine.table("orders").await?;
    fill(&orders).await?;

    // What is stored: the fields, and `order_id` beside them.
    let order =
        Order { customer_id: "c1".into(), date: date(2025, 3, 31), code: "K7".into(), total: 75 };
    let mut stored: Vec<_> = order.to_item()?.into_iter().collect();
    stored.sort_by(|a, b| a.0.cmp(&b.0));
    println!("an item of orders:");
    for (attribute, value) in &stored {
        println!("   {attribute} = {value:?}");
    }
    let names: Vec<_> = stored.iter().map(|(attribute, _)| attribute.as_str()).collect();
    assert_eq!(names, ["code", "customer_id", "date", "order_id", "total"]);

    // One item by its full key.
    let get = orders.get(Order::key("c1", date(2025, 3, 31), "K7"));
    let request = get.explain()?;
    let found = get.send().await?.ok_or("K7 exists")?;
    println!("order K7 of c1: total {}\n   {request}", found.total);
    assert_eq!(found, order);

    // March by its first and its last day. A plain BETWEEN up to "2025-03-31" would lose the orders
    // of that day, whose keys go on with `#…`; the bound that is sent lies behind them.
    let march = date(2025, 3, 1)..=date(2025, 3, 31);
    let by_range = orders.query(Order::by_customer_id("c1").date_range(march));
    let request = by_range.explain()?;
    let by_range = codes(&by_range.all().await?);
    println!("c1 in March, by range: {by_range:?}\n   {request}");
    assert_eq!(by_range, ["K4", "K5", "K6", "K7"]);

    // The same by the beginning of the date. What begins no date is an error before any request.
    let by_prefix = orders.query(Order::by_customer_id("c1").date_prefix("2025-03"));
    let request = by_prefix.explain()?;
    let by_prefix = codes(&by_prefix.all().await?);
    println!("c1 in March, by prefix: {by_prefix:?}\n   {request}");
    assert_eq!(by_prefix, by_range);

    let slip = orders.query(Order::by_customer_id("c1").date_prefix("2025-3"));
    let error = slip.all().await.unwrap_err();
    println!("a slip: {error}");
    assert!(error.is_invalid_key());

    // A key of one attribute: get by it, and create refuses to take it twice.
    let countries: Table<Countries> = engine.table("countries").await?;
    let spain = Country { iso_code: "ES".into(), vat_percent: 21 };
    countries.create(&spain).send().await?;
    let get = countries.get(Country::key("ES"));
    let request = get.explain()?;
    let found = get.send().await?;
    println!("country ES: {found:?}\n   {request}");
    assert_eq!(found.as_ref(), Some(&spain));
    assert!(countries.create(&spain).send().await.unwrap_err().is_condition_failed());

    // A key of type number takes the integer itself.
    let users: Table<Users> = engine.table("users").await?;
    let ana = User { user_id: 42, name: "Ana Ruiz".into() };
    users.create(&ana).send().await?;
    let get = users.get(User::key(42));
    let request = get.explain()?;
    let found = get.send().await?;
    println!("user 42: {found:?}\n   {request}");
    assert_eq!(found, Some(ana));
    Ok(())
}

/// Orders of `c1` around March 2025, both of its ends met, and one of somebody else in March.
async fn fill(orders: &Table<Orders>) -> Result<(), Error> {
    let rows = [
        ("c1", date(2025, 2, 28), "K3", 20),
        ("c1", date(2025, 3, 1), "K4", 35),
        ("c1", date(2025, 3, 17), "K5", 12),
        ("c1", date(2025, 3, 31), "K6", 60),
        ("c1", date(2025, 3, 31), "K7", 75),
        ("c1", date(2025, 4, 1), "K8", 48),
        ("c2", date(2025, 3, 14), "K9", 99),
    ];
    for (customer_id, date, code, total) in rows {
        let (customer_id, code) = (customer_id.into(), code.into());
        orders.create(&Order { customer_id, date, code, total }).send().await?;
    }
    Ok(())
}

fn date(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).expect("a date of the calendar")
}

fn codes(orders: &[Order]) -> Vec<String> {
    orders.iter().map(|order| order.code.clone()).collect()
}
