//! A thousand items of ten shards, merged, against the same items from one list, both ours.

use std::collections::BTreeMap;
use std::rc::Rc;

use chrono::NaiveDate;
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::Work;
use crate::bodies;
use crate::measure::Contender;
use crate::memory::Memory;
use crate::model::{Address, CUSTOMER, Line, Order};

const MERGED: &str = "ours, ten shards merged";
const ONE_LIST: &str = "ours, one list of ten pages";
const PAGE: usize = 100;
const SHARDS: usize = 10;

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", type_attribute = "_type", entities(Sale))]
#[gsi(feed, pk = "FEED", sk = "FEED_AT")]
struct Market;

/// An order in a list that is spread over ten partitions of an index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Market, pk = "CUST#<customer>", sk = "SALE#<date>#<order>")]
#[index(feed, pk = "CARRIER#<carrier>#<shard>", sk = "<date>#<order>", shard(by = order, count = 10))]
struct Sale {
    customer: String,
    date: NaiveDate,
    order: String,
    status: String,
    total: u64,
    weight: f64,
    priority: u8,
    paid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    carrier: String,
    lines: Vec<Line>,
    address: Address,
}

pub fn work(runtime: &Rc<Runtime>) -> Work {
    let sales = evenly_spread();
    let merged = {
        let market = Market::table(shards(&sales).client(), "market");
        let carrier = sales[0].sale.carrier.clone();
        async move || market.query(Sale::by_carrier(&carrier)).all().await.unwrap()
    };
    let one_list = {
        let market = Market::table(pages(&sales).client(), "market");
        async move || market.query(Sale::by_customer(CUSTOMER)).all().await.unwrap()
    };
    let expected: Vec<Sale> = sales.into_iter().map(|stored| stored.sale).collect();
    assert!(runtime.block_on(merged()) == expected, "{MERGED}");
    assert!(runtime.block_on(one_list()) == expected, "{ONE_LIST}");
    let contenders = vec![
        Contender::asynchronous(ONE_LIST, runtime, one_list),
        Contender::asynchronous(MERGED, runtime, merged),
    ];
    Work { contenders, ratio: [MERGED, ONE_LIST] }
}

/// A sale and what is stored of it.
struct Stored {
    sale: Sale,
    item: Value,
}

impl Stored {
    fn of(order: Order) -> Self {
        let sale = Sale::from(order);
        let mut item = bodies::attributes(&sale);
        for name in ["PK", "SK", "_type", "FEED", "FEED_AT"] {
            let stored = sale.to_item().unwrap();
            item.insert(name.to_owned(), json!({ "S": stored[name].as_s().unwrap() }));
        }
        Stored { sale, item: item.into() }
    }

    fn text(&self, name: &str) -> &str {
        self.item[name]["S"].as_str().unwrap()
    }
}

/// A page of sales for each shard, in the order of their sort keys: of many orders those whose
/// shard has room.
fn evenly_spread() -> Vec<Stored> {
    let mut room = BTreeMap::<String, usize>::new();
    let mut sales: Vec<Stored> =
        Order::some(2 * PAGE * SHARDS).into_iter().map(Stored::of).collect();
    sales.retain(|sale| {
        let used = room.entry(sale.text("FEED").to_owned()).or_default();
        *used += 1;
        *used <= PAGE
    });
    assert_eq!((room.len(), sales.len()), (SHARDS, PAGE * SHARDS));
    sales
}

/// The page of the shard whose partition the request asks for.
fn shards(sales: &[Stored]) -> Memory {
    let mut shards = BTreeMap::<String, Vec<Value>>::new();
    for sale in sales {
        shards.entry(format!("\"{}\"", sale.text("FEED"))).or_default().push(sale.item.clone());
    }
    Memory::by_text(shards.into_iter().map(|(text, items)| (text, bodies::page(&items, None))))
}

/// The page that follows the key in the request, which is the last one of the page before.
fn pages(sales: &[Stored]) -> Memory {
    let last = |sale: &Stored| json!({ "PK": sale.item["PK"], "SK": sale.item["SK"] });
    let pages: Vec<&[Stored]> = sales.chunks(PAGE).collect();
    let answer = |at: usize| {
        let items: Vec<Value> = pages[at].iter().map(|sale| sale.item.clone()).collect();
        let next = (at + 1 < pages.len()).then(|| last(pages[at].last().unwrap()));
        let asked_by = match at {
            0 => String::new(),
            at => format!("\"{}\"", pages[at - 1].last().unwrap().text("SK")),
        };
        (asked_by, bodies::page(&items, next.as_ref()))
    };
    // The first page is the answer to what no other page is.
    Memory::by_text((0..pages.len()).rev().map(answer))
}

impl From<Order> for Sale {
    fn from(order: Order) -> Self {
        Sale {
            customer: order.customer,
            date: order.date,
            order: order.order,
            status: order.status,
            total: order.total,
            weight: order.weight,
            priority: order.priority,
            paid: order.paid,
            note: order.note,
            carrier: order.carrier,
            lines: order.lines,
            address: order.address,
        }
    }
}
