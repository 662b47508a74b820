//! The SDK, with conversions written by hand: values are moved out of the item, never cloned.

use std::collections::{BTreeSet, HashMap};
use std::str::FromStr;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::AttributeValue::{self, Bool, L, M, N, Null, S};
use aws_sdk_dynamodb::types::{PutRequest, WriteRequest};

use super::{Library, Result};
use crate::model::{Address, Line, MapObject, Mixed, Order};

type Item = HashMap<String, AttributeValue>;

pub struct SdkByHand(Client);

impl Library for SdkByHand {
    const NAME: &'static str = "SDK by hand";
    type Mixed = Mixed;

    fn new(client: Client) -> Self {
        SdkByHand(client)
    }

    async fn get(&self, order: &Order) -> Result<Option<Order>> {
        let answer = self
            .0
            .get_item()
            .table_name("shop")
            .key("PK", S(order.pk()))
            .key("SK", S(order.sk()))
            .send()
            .await?;
        answer.item.map(Order::try_from).transpose()
    }

    async fn query(&self, customer: &str) -> Result<Vec<Order>> {
        let answer = self
            .0
            .query()
            .table_name("shop")
            .key_condition_expression("PK = :pk AND begins_with(SK, :sk)")
            .expression_attribute_values(":pk", S(format!("CUST#{customer}")))
            .expression_attribute_values(":sk", S("ORDER#".to_owned()))
            .send()
            .await?;
        answer.items.unwrap_or_default().into_iter().map(Order::try_from).collect()
    }

    async fn mixed(&self, pk: &str) -> Result<Vec<Mixed>> {
        let answer = self
            .0
            .query()
            .table_name("mixed")
            .key_condition_expression("pk = :pk")
            .expression_attribute_values(":pk", S(pk.to_owned()))
            .send()
            .await?;
        answer.items.unwrap_or_default().into_iter().map(Mixed::try_from).collect()
    }

    async fn put(&self, order: &Order) -> Result<()> {
        self.0.put_item().table_name("shop").set_item(Some(order.into())).send().await?;
        Ok(())
    }

    async fn batch_write(&self, orders: &[Order]) -> Result<()> {
        let mut requests = Vec::with_capacity(orders.len());
        for order in orders {
            let put = PutRequest::builder().set_item(Some(order.into())).build()?;
            requests.push(WriteRequest::builder().put_request(put).build());
        }
        let answer = self.0.batch_write_item().request_items("shop", requests).send().await?;
        match answer.unprocessed_items {
            Some(left) if !left.is_empty() => Err("some orders are not written".into()),
            _ => Ok(()),
        }
    }
}

impl TryFrom<Item> for Order {
    type Error = Box<dyn std::error::Error>;

    fn try_from(mut item: Item) -> Result<Self> {
        Ok(Order {
            customer: text(&mut item, "customer")?,
            date: text(&mut item, "date")?.parse()?,
            order: text(&mut item, "order")?,
            status: text(&mut item, "status")?,
            total: number(&mut item, "total")?,
            weight: number(&mut item, "weight")?,
            priority: number(&mut item, "priority")?,
            paid: bool(&mut item, "paid")?,
            note: match item.remove("note") {
                Some(S(text)) => Some(text),
                Some(Null(_)) | None => None,
                Some(_) => return Err(wrong("note")),
            },
            carrier: text(&mut item, "carrier")?,
            lines: list(&mut item, "lines")?,
            address: map(&mut item, "address")?,
        })
    }
}

impl TryFrom<Item> for Line {
    type Error = Box<dyn std::error::Error>;

    fn try_from(mut item: Item) -> Result<Self> {
        Ok(Line { sku: text(&mut item, "sku")?, count: number(&mut item, "count")? })
    }
}

impl TryFrom<Item> for Address {
    type Error = Box<dyn std::error::Error>;

    fn try_from(mut item: Item) -> Result<Self> {
        Ok(Address { city: text(&mut item, "city")?, zip: text(&mut item, "zip")? })
    }
}

impl TryFrom<Item> for Mixed {
    type Error = Box<dyn std::error::Error>;

    fn try_from(mut item: Item) -> Result<Self> {
        Ok(Mixed {
            pk: text(&mut item, "pk")?,
            sk: text(&mut item, "sk")?,
            m: map(&mut item, "m")?,
            l1: list(&mut item, "l1")?,
            l2: list(&mut item, "l2")?,
            l3: list(&mut item, "l3")?,
            ss: match item.remove("ss") {
                Some(AttributeValue::Ss(texts)) => texts.into_iter().collect(),
                _ => return Err(wrong("ss")),
            },
            ns: match item.remove("ns") {
                Some(AttributeValue::Ns(numbers)) => {
                    let numbers = numbers.iter().map(|number| number.parse());
                    numbers.collect::<std::result::Result<BTreeSet<_>, _>>()?
                }
                _ => return Err(wrong("ns")),
            },
            s: text(&mut item, "s")?,
            n: number(&mut item, "n")?,
            b: bool(&mut item, "b")?,
        })
    }
}

impl TryFrom<Item> for MapObject {
    type Error = Box<dyn std::error::Error>;

    fn try_from(mut item: Item) -> Result<Self> {
        Ok(MapObject { p1: text(&mut item, "p1")? })
    }
}

fn text(item: &mut Item, name: &'static str) -> Result<String> {
    match item.remove(name) {
        Some(S(text)) => Ok(text),
        _ => Err(wrong(name)),
    }
}

fn number<T>(item: &mut Item, name: &'static str) -> Result<T>
where
    T: FromStr<Err: std::error::Error + 'static>,
{
    match item.remove(name) {
        Some(N(number)) => Ok(number.parse()?),
        _ => Err(wrong(name)),
    }
}

fn bool(item: &mut Item, name: &'static str) -> Result<bool> {
    match item.remove(name) {
        Some(Bool(bool)) => Ok(bool),
        _ => Err(wrong(name)),
    }
}

fn map<T>(item: &mut Item, name: &'static str) -> Result<T>
where
    T: TryFrom<Item, Error = Box<dyn std::error::Error>>,
{
    match item.remove(name) {
        Some(M(map)) => map.try_into(),
        _ => Err(wrong(name)),
    }
}

fn list<T>(item: &mut Item, name: &'static str) -> Result<Vec<T>>
where
    T: TryFrom<Item, Error = Box<dyn std::error::Error>>,
{
    let Some(L(list)) = item.remove(name) else {
        return Err(wrong(name));
    };
    let elements = list.into_iter().map(|element| match element {
        M(map) => map.try_into(),
        _ => Err(wrong(name)),
    });
    elements.collect()
}

fn wrong(name: &str) -> Box<dyn std::error::Error> {
    format!("`{name}` is absent or of another type").into()
}

impl From<&Order> for Item {
    fn from(order: &Order) -> Item {
        let mut item = Item::with_capacity(15);
        let mut put = |name: &str, value| item.insert(name.to_owned(), value);
        put("PK", S(order.pk()));
        put("SK", S(order.sk()));
        put("_type", S("Order".to_owned()));
        put("customer", S(order.customer.clone()));
        put("date", S(order.date.to_string()));
        put("order", S(order.order.clone()));
        put("status", S(order.status.clone()));
        put("total", N(order.total.to_string()));
        put("weight", N(order.weight.to_string()));
        put("priority", N(order.priority.to_string()));
        put("paid", Bool(order.paid));
        if let Some(note) = &order.note {
            put("note", S(note.clone()));
        }
        put("carrier", S(order.carrier.clone()));
        put("lines", L(order.lines.iter().map(|line| M(line.into())).collect()));
        put("address", M((&order.address).into()));
        item
    }
}

impl From<&Line> for Item {
    fn from(line: &Line) -> Item {
        Item::from([
            ("sku".to_owned(), S(line.sku.clone())),
            ("count".to_owned(), N(line.count.to_string())),
        ])
    }
}

impl From<&Address> for Item {
    fn from(address: &Address) -> Item {
        Item::from([
            ("city".to_owned(), S(address.city.clone())),
            ("zip".to_owned(), S(address.zip.clone())),
        ])
    }
}
