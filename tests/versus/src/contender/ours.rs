//! monotable.

use aws_sdk_dynamodb::Client;
use monotable::{Entity, Set, Table};
use serde::{Deserialize, Serialize};

use super::{Library, Result};
use crate::model::{self, MapObject, Order};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", type_attribute = "_type", entities(Order))]
pub struct Shop;

#[derive(Debug, Table)]
#[table(pk = "pk", sk = "sk", entities(Mixed))]
pub struct MixedTable;

#[derive(Debug, Serialize, Deserialize, Entity)]
#[entity(table = MixedTable, pk = "<pk>", sk = "<sk>")]
pub struct Mixed {
    pk: String,
    sk: String,
    m: MapObject,
    l1: Vec<MapObject>,
    l2: Vec<MapObject>,
    l3: Vec<MapObject>,
    ss: Set<String>,
    ns: Set<i32>,
    s: String,
    n: i32,
    b: bool,
}

pub struct Ours {
    shop: Table<Shop>,
    mixed: Table<MixedTable>,
}

impl Library for Ours {
    const NAME: &'static str = "ours";
    type Mixed = Mixed;

    fn new(client: Client) -> Self {
        Ours {
            shop: Shop::table(client.clone(), "shop"),
            mixed: MixedTable::table(client, "mixed"),
        }
    }

    async fn get(&self, order: &Order) -> Result<Option<Order>> {
        Ok(self.shop.get(Order::key(&order.customer, order.date, &order.order)).send().await?)
    }

    async fn query(&self, customer: &str) -> Result<Vec<Order>> {
        Ok(self.shop.query(Order::by_customer(customer)).all().await?)
    }

    async fn mixed(&self, pk: &str) -> Result<Vec<Mixed>> {
        Ok(self.mixed.query(Mixed::by_pk(pk)).all().await?)
    }

    async fn put(&self, order: &Order) -> Result<()> {
        Ok(self.shop.put(order).send().await?)
    }

    async fn batch_write(&self, orders: &[Order]) -> Result<()> {
        Ok(self.shop.batch_write().put_all(orders).send().await?)
    }
}

impl From<Mixed> for model::Mixed {
    fn from(mixed: Mixed) -> Self {
        let Mixed { pk, sk, m, l1, l2, l3, ss, ns, s, n, b } = mixed;
        model::Mixed { pk, sk, m, l1, l2, l3, ss: ss.into_inner(), ns: ns.into_inner(), s, n, b }
    }
}
