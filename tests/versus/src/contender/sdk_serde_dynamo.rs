//! The SDK, with `serde_dynamo` between items and structs.

use std::error::Error;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::AttributeValue;
use serde_dynamo::{from_item, from_items, to_item};

use crate::model::Order;

pub const NAME: &str = "SDK + serde_dynamo";

pub async fn get(client: &Client, order: &Order) -> Result<Option<Order>, Box<dyn Error>> {
    let answer = client
        .get_item()
        .table_name("shop")
        .key("PK", AttributeValue::S(order.pk()))
        .key("SK", AttributeValue::S(order.sk()))
        .send()
        .await?;
    Ok(answer.item.map(from_item).transpose()?)
}

pub async fn query(client: &Client, customer: &str) -> Result<Vec<Order>, Box<dyn Error>> {
    let answer = client
        .query()
        .table_name("shop")
        .key_condition_expression("PK = :pk AND begins_with(SK, :sk)")
        .expression_attribute_values(":pk", AttributeValue::S(format!("CUST#{customer}")))
        .expression_attribute_values(":sk", AttributeValue::S("ORDER#".to_owned()))
        .send()
        .await?;
    Ok(from_items(answer.items.unwrap_or_default())?)
}

pub async fn put(client: &Client, order: &Order) -> Result<(), Box<dyn Error>> {
    client
        .put_item()
        .table_name("shop")
        .set_item(Some(to_item(order)?))
        .item("PK", AttributeValue::S(order.pk()))
        .item("SK", AttributeValue::S(order.sk()))
        .item("_type", AttributeValue::S("Order".to_owned()))
        .send()
        .await?;
    Ok(())
}
