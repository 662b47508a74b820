//! The SDK, with `serde_dynamo` between items and structs.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use serde_dynamo::{from_item, from_items, to_item};

use super::{Library, Result};
use crate::model::{Mixed, Order};

pub struct SdkSerdeDynamo(Client);

impl Library for SdkSerdeDynamo {
    const NAME: &'static str = "SDK + serde_dynamo";
    type Mixed = Mixed;

    fn new(client: Client) -> Self {
        SdkSerdeDynamo(client)
    }

    async fn get(&self, order: &Order) -> Result<Option<Order>> {
        let answer = self
            .0
            .get_item()
            .table_name("shop")
            .key("PK", AttributeValue::S(order.pk()))
            .key("SK", AttributeValue::S(order.sk()))
            .send()
            .await?;
        Ok(answer.item.map(from_item).transpose()?)
    }

    async fn query(&self, customer: &str) -> Result<Vec<Order>> {
        let answer = self
            .0
            .query()
            .table_name("shop")
            .key_condition_expression("PK = :pk AND begins_with(SK, :sk)")
            .expression_attribute_values(":pk", AttributeValue::S(format!("CUST#{customer}")))
            .expression_attribute_values(":sk", AttributeValue::S("ORDER#".to_owned()))
            .send()
            .await?;
        Ok(from_items(answer.items.unwrap_or_default())?)
    }

    async fn mixed(&self, pk: &str) -> Result<Vec<Mixed>> {
        let answer = self
            .0
            .query()
            .table_name("mixed")
            .key_condition_expression("pk = :pk")
            .expression_attribute_values(":pk", AttributeValue::S(pk.to_owned()))
            .send()
            .await?;
        Ok(from_items(answer.items.unwrap_or_default())?)
    }

    async fn put(&self, order: &Order) -> Result<()> {
        self.0
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

    async fn batch_write(&self, orders: &[Order]) -> Result<()> {
        let requests = orders.iter().map(|order| {
            let put = PutRequest::builder()
                .set_item(Some(to_item(order)?))
                .item("PK", AttributeValue::S(order.pk()))
                .item("SK", AttributeValue::S(order.sk()))
                .item("_type", AttributeValue::S("Order".to_owned()))
                .build()?;
            Ok(WriteRequest::builder().put_request(put).build())
        });
        let requests = requests.collect::<Result<Vec<_>>>()?;
        let answer = self.0.batch_write_item().request_items("shop", requests).send().await?;
        match answer.unprocessed_items {
            Some(left) if !left.is_empty() => Err("some orders are not written".into()),
            _ => Ok(()),
        }
    }
}
