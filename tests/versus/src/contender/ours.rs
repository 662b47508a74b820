//! monotable.

use aws_sdk_dynamodb::Client;
use monotable::{Error, Table};

use crate::model::{Order, Shop};

pub const NAME: &str = "ours";

pub fn shop(client: Client) -> Table<Shop> {
    Shop::table(client, "shop")
}

pub async fn get(shop: &Table<Shop>, order: &Order) -> Result<Option<Order>, Error> {
    shop.get(Order::key(&order.customer, order.date, &order.order)).send().await
}

pub async fn query(shop: &Table<Shop>, customer: &str) -> Result<Vec<Order>, Error> {
    shop.query(Order::by_customer(customer)).all().await
}

pub async fn put(shop: &Table<Shop>, order: &Order) -> Result<(), Error> {
    shop.put(order).send().await
}
