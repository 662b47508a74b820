//! A shop in one table: customers, their orders, the lines of an order, the orders that wait, and
//! the orders that hold a product. Run it with `cargo run --example shop`; it needs no account.

use chrono::{DateTime, NaiveDate, Utc};
use monotable::testing::Embedded;
use monotable::{Entity, Error, ItemCollection, KeyPart, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Customer, OrderSummary, Order, OrderLine))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(gsi2, pk = "GSI2PK", sk = "GSI2SK")]
pub struct Shop;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer_id>", sk = "PROFILE")]
pub struct Customer {
    pub customer_id: String,
    pub name: String,
}

/// An order as its customer sees it in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer_id>", sk = "ORDER#<date>#<order_id>")]
pub struct OrderSummary {
    pub customer_id: String,
    pub date: NaiveDate,
    pub order_id: String,
    pub total: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    Pending,
    Shipped,
}

/// The header of an order. Only pending orders are in `gsi1`, spread over ten partitions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<order_id>", sk = "META")]
#[index(gsi1, pk = "STATUS#<status>#<shard>", sk = "<placed_at:s>#<order_id>",
        shard(by = order_id, count = 10), only_when(status = Status::Pending))]
pub struct Order {
    pub order_id: String,
    pub customer_id: String,
    pub status: Status,
    pub placed_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<order_id>", sk = "LINE#<line:2>")]
#[index(gsi2, pk = "SKU#<sku>", sk = "<order_date>#<order_id>")]
pub struct OrderLine {
    pub order_id: String,
    pub line: u8,
    pub sku: String,
    pub qty: u32,
    pub order_date: NaiveDate,
}

/// An order with everything that belongs to it: one Query.
#[derive(Debug, PartialEq, ItemCollection)]
#[collection(table = Shop, pk = "ORDER#<order_id>")]
pub struct OrderPage {
    pub order: Order,
    pub lines: Vec<OrderLine>,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Embedded::start().await?;
    let shop: Table<Shop> = engine.table("shop").await?;
    fill(&shop).await?;

    // A: the latest orders of a customer.
    let latest = shop.query(OrderSummary::by_customer_id("c42")).descending().limit(2);
    let request = latest.explain()?;
    let latest = sort_keys(&latest.send().await?)?;
    println!("A. latest 2 orders for c42: {latest:?}\n   {request}");
    assert_eq!(latest, ["ORDER#2026-10-01#o1033", "ORDER#2026-09-14#o1017"]);

    // B: a month of them, the last day included.
    let september = date(2026, 9, 1)..=date(2026, 9, 30);
    let sept = shop.query(OrderSummary::by_customer_id("c42").date_range(september));
    let request = sept.explain()?;
    let sept = sort_keys(&sept.all().await?)?;
    println!("B. c42 orders in September: {sept:?}\n   {request}");
    assert_eq!(sept, ["ORDER#2026-09-14#o1017"]);

    // C: an order with its lines.
    let page = shop.collection(OrderPage::by_order_id("o1033"));
    let request = page.explain()?;
    let page = page.send().await?.ok_or("o1033 exists")?;
    let mut keys = sort_keys(&page.lines)?;
    keys.push(page.order.key().sort_key()?);
    println!("C. order o1033 with its lines: {keys:?}\n   {request}");
    assert_eq!(keys, ["LINE#01", "LINE#02", "META"]);

    // D: all pending orders, oldest first, merged from ten shards.
    let pending = shop.query(Order::by_status(Status::Pending)).limit(50);
    let requests = pending.explain()?;
    let pending = order_ids(&pending.send().await?);
    println!("D. pending orders: {pending:?}\n   {}", requests.requests()[0]);
    println!("   … and {} more, one for each shard", requests.requests().len() - 1);
    assert_eq!(pending, ["o1033"]);
    assert_eq!(requests.requests().len(), 10);

    // E: one item by its key.
    let profile = shop.get(Customer::key("c42"));
    let request = profile.explain()?;
    let ana = profile.send().await?.ok_or("c42 exists")?;
    println!("E. profile of c42: {}\n   {request}", ana.name);
    assert_eq!(ana.name, "Ana Ruiz");

    // Shipping the order takes it out of the index in the same request.
    let shipped = Order { status: Status::Shipped, ..page.order };
    let put = shop.put(&shipped);
    println!("ship o1033\n   {}", put.explain()?);
    put.send().await?;
    let pending = shop.query(Order::by_status(Status::Pending)).all().await?;
    println!("D. pending orders: {:?}", order_ids(&pending));
    assert!(pending.is_empty());

    // Asking the index for what it never holds is an error, not an empty answer.
    let error = shop.query(Order::by_status(Status::Shipped)).all().await.unwrap_err();
    assert!(error.is_invalid_key());

    // Recall: the orders of the last 30 days that hold a product.
    let recall = shop.query(OrderLine::by_sku("KB-104").order_date_range(date(2026, 9, 5)..));
    let request = recall.explain()?;
    let recall: Vec<_> = recall.all().await?.into_iter().map(|line| line.order_id).collect();
    println!("recall KB-104: {recall:?}\n   {request}");
    assert_eq!(recall, ["o1033"]);
    Ok(())
}

async fn fill(shop: &Table<Shop>) -> Result<(), Error> {
    let customer_id = || "c42".to_owned();
    shop.create(&Customer { customer_id: customer_id(), name: "Ana Ruiz".into() }).send().await?;

    let orders = [
        ("o1001", date(2026, 8, 3), 59),
        ("o1017", date(2026, 9, 14), 120),
        ("o1033", date(2026, 10, 1), 18),
    ];
    for (order_id, date, total) in orders {
        let order_id = order_id.to_owned();
        let is_shipped = date < self::date(2026, 10, 1);
        let header = Order {
            order_id: order_id.clone(),
            customer_id: customer_id(),
            status: if is_shipped { Status::Shipped } else { Status::Pending },
            placed_at: date.and_hms_opt(9, 14, 0).unwrap_or_default().and_utc(),
        };
        let summary = OrderSummary { customer_id: customer_id(), date, order_id, total };
        shop.create(&summary).send().await?;
        shop.create(&header).send().await?;
    }

    for (line, sku, qty) in [(1, "KB-104", 1), (2, "MS-220", 2)] {
        let line = OrderLine {
            order_id: "o1033".into(),
            line,
            sku: sku.into(),
            qty,
            order_date: date(2026, 10, 1),
        };
        shop.create(&line).send().await?;
    }
    Ok(())
}

fn date(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).expect("a date of the calendar")
}

fn sort_keys<E: Entity>(items: &[E]) -> Result<Vec<String>, Error> {
    items.iter().map(|item| item.key().sort_key()).collect()
}

fn order_ids(orders: &[Order]) -> Vec<String> {
    orders.iter().map(|order| order.order_id.clone()).collect()
}
