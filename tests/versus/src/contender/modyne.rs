//! modyne: a table, entities, and queries into aggregates.

use aws_sdk_dynamodb::Client;
use chrono::NaiveDate;
use modyne::keys::{Key, KeyDefinition, Primary, PrimaryKey, PrimaryKeyDefinition};
use modyne::model::BatchWrite;
use modyne::{
    Aggregate, Entity, EntityDef, EntityExt, EntityTypeNameRef, Error, Item, ProjectionExt,
    QueryInput, QueryInputExt, Table, expr, keys, read_projection,
};

use super::{Library, Result};
use crate::model::{Mixed, Order};

pub struct Modyne {
    shop: Shop,
    mixed: MixedTable,
}

impl Library for Modyne {
    const NAME: &'static str = "modyne";
    type Mixed = Mixed;

    fn new(client: Client) -> Self {
        Modyne { shop: Shop(client.clone()), mixed: MixedTable(client) }
    }

    async fn get(&self, order: &Order) -> Result<Option<Order>> {
        let key = (order.customer.as_str(), order.date, order.order.as_str());
        let answer = Order::get(key).execute(&self.shop).await?;
        Ok(answer.item.map(Order::from_item).transpose()?)
    }

    async fn query(&self, customer: &str) -> Result<Vec<Order>> {
        let answer = OrdersOf(customer).query().execute(&self.shop).await?;
        let mut orders = Orders::default();
        orders.reduce(answer.items.unwrap_or_default())?;
        Ok(orders.0)
    }

    async fn mixed(&self, pk: &str) -> Result<Vec<Mixed>> {
        let answer = MixedOf(pk).query().execute(&self.mixed).await?;
        let mut items = MixedItems::default();
        items.reduce(answer.items.unwrap_or_default())?;
        Ok(items.0)
    }

    // `put` takes the entity itself, so who keeps it clones it.
    async fn put(&self, order: &Order) -> Result<()> {
        order.clone().put().execute(&self.shop).await?;
        Ok(())
    }

    async fn batch_write(&self, orders: &[Order]) -> Result<()> {
        let batch = orders
            .iter()
            .fold(BatchWrite::new(), |batch, order| batch.operation(order.clone().put()));
        let answer = batch.execute(&self.shop).await?;
        match answer.unprocessed_items {
            Some(left) if !left.is_empty() => Err("some orders are not written".into()),
            _ => Ok(()),
        }
    }
}

pub struct Shop(Client);

impl Table for Shop {
    const ENTITY_TYPE_ATTRIBUTE: &'static str = "_type";
    type PrimaryKey = Primary;
    type IndexKeys = ();

    fn table_name(&self) -> &str {
        "shop"
    }

    fn client(&self) -> &Client {
        &self.0
    }
}

// As `derive(EntityDef)` writes it; the derive reads `#[entity(..)]`, which is another's on this
// struct.
impl EntityDef for Order {
    const ENTITY_TYPE: &'static EntityTypeNameRef = EntityTypeNameRef::from_static("Order");
    const PROJECTED_ATTRIBUTES: &'static [&'static str] = &[
        "customer", "date", "order", "status", "total", "weight", "priority", "paid", "note",
        "carrier", "lines", "address",
    ];
}

impl Entity for Order {
    type KeyInput<'a> = (&'a str, NaiveDate, &'a str);
    type Table = Shop;
    type IndexKeys = ();

    fn primary_key((customer, date, order): Self::KeyInput<'_>) -> Primary {
        Primary { hash: format!("CUST#{customer}"), range: format!("ORDER#{date}#{order}") }
    }

    fn full_key(&self) -> keys::FullKey<Primary, ()> {
        let key = (self.customer.as_str(), self.date, self.order.as_str());
        keys::FullKey { primary: Self::primary_key(key), indexes: () }
    }
}

struct OrdersOf<'a>(&'a str);

impl QueryInput for OrdersOf<'_> {
    type Index = Primary;
    type Aggregate = Orders;

    fn key_condition(&self) -> expr::KeyCondition<Primary> {
        expr::KeyCondition::in_partition(format!("CUST#{}", self.0)).begins_with("ORDER#")
    }
}

#[derive(Default)]
struct Orders(Vec<Order>);

impl Aggregate for Orders {
    type Projections = Order;

    fn merge(&mut self, item: Item) -> std::result::Result<(), Error> {
        self.0.push(read_projection!(item)?);
        Ok(())
    }
}

pub struct MixedTable(Client);

impl Table for MixedTable {
    type PrimaryKey = MixedKey;
    type IndexKeys = ();

    fn table_name(&self) -> &str {
        "mixed"
    }

    fn client(&self) -> &Client {
        &self.0
    }
}

#[derive(Debug, serde::Serialize)]
pub struct MixedKey {
    pk: String,
    sk: String,
}

impl PrimaryKey for MixedKey {
    const PRIMARY_KEY_DEFINITION: PrimaryKeyDefinition =
        PrimaryKeyDefinition { hash_key: "pk", range_key: Some("sk") };
}

impl Key for MixedKey {
    const DEFINITION: KeyDefinition =
        <Self as PrimaryKey>::PRIMARY_KEY_DEFINITION.into_key_definition();
}

impl EntityDef for Mixed {
    const ENTITY_TYPE: &'static EntityTypeNameRef = EntityTypeNameRef::from_static("Mixed");
    const PROJECTED_ATTRIBUTES: &'static [&'static str] =
        &["pk", "sk", "m", "l1", "l2", "l3", "ss", "ns", "s", "n", "b"];
}

impl Entity for Mixed {
    type KeyInput<'a> = (&'a str, &'a str);
    type Table = MixedTable;
    type IndexKeys = ();

    fn primary_key((pk, sk): Self::KeyInput<'_>) -> MixedKey {
        MixedKey { pk: pk.to_owned(), sk: sk.to_owned() }
    }

    fn full_key(&self) -> keys::FullKey<MixedKey, ()> {
        keys::FullKey { primary: Self::primary_key((&self.pk, &self.sk)), indexes: () }
    }
}

struct MixedOf<'a>(&'a str);

impl QueryInput for MixedOf<'_> {
    type Index = MixedKey;
    type Aggregate = MixedItems;

    fn key_condition(&self) -> expr::KeyCondition<MixedKey> {
        expr::KeyCondition::in_partition(self.0)
    }
}

/// The items have no type attribute, so each is read without looking for one.
#[derive(Default)]
struct MixedItems(Vec<Mixed>);

impl Aggregate for MixedItems {
    type Projections = Mixed;

    fn merge(&mut self, item: Item) -> std::result::Result<(), Error> {
        self.0.push(Mixed::from_item(item)?);
        Ok(())
    }
}
