//! dynamodb-facade, by its entry points that take a client.

use aws_sdk_dynamodb::Client;
use chrono::NaiveDate;
use dynamodb_facade::explicit_client::{DynamoDBItemOp, dynamodb_batch_write};
use dynamodb_facade::{
    DynamoDBItemBatchOp, KeyId, StringAttribute, attribute_definitions, dynamodb_item,
    table_definitions,
};

use super::{Library, Result};
use crate::model::{Mixed, Order};

pub struct DynamodbFacade(Client);

impl Library for DynamodbFacade {
    const NAME: &'static str = "dynamodb-facade";
    type Mixed = Mixed;

    fn new(client: Client) -> Self {
        DynamodbFacade(client)
    }

    async fn get(&self, order: &Order) -> Result<Option<Order>> {
        let key = KeyId::pk(order.customer.as_str()).sk((order.date, order.order.as_str()));
        Ok(Order::get(self.0.clone(), key).await?)
    }

    async fn query(&self, customer: &str) -> Result<Vec<Order>> {
        let orders = Order::key_condition(customer).sk_begins_with("ORDER#");
        Ok(Order::query(self.0.clone(), orders).all().await?)
    }

    async fn mixed(&self, pk: &str) -> Result<Vec<Mixed>> {
        Ok(Mixed::query(self.0.clone(), Mixed::key_condition(pk)).all().await?)
    }

    async fn put(&self, order: &Order) -> Result<()> {
        Ok(order.put(self.0.clone()).await?)
    }

    async fn batch_write(&self, orders: &[Order]) -> Result<()> {
        let requests = orders.iter().map(|order| order.batch_put()).collect();
        Ok(dynamodb_batch_write::<ShopTable>(self.0.clone(), requests).await?)
    }
}

attribute_definitions! {
    PK { "PK": StringAttribute }
    SK { "SK": StringAttribute }
    ItemType { "_type": StringAttribute }
    MixedPk { "pk": StringAttribute }
    MixedSk { "sk": StringAttribute }
}

table_definitions! {
    ShopTable {
        type PartitionKey = PK;
        type SortKey = SK;
        fn table_name() -> String {
            "shop".to_owned()
        }
    }
    MixedTable {
        type PartitionKey = MixedPk;
        type SortKey = MixedSk;
        fn table_name() -> String {
            "mixed".to_owned()
        }
    }
}

dynamodb_item! {
    #[table = ShopTable]
    Order {
        #[partition_key]
        PK {
            fn attribute_id(&self) -> &'id str { &self.customer }
            fn attribute_value(id) -> String { format!("CUST#{id}") }
        }
        #[sort_key]
        SK {
            fn attribute_id(&self) -> (NaiveDate, &'id str) { (self.date, &self.order) }
            fn attribute_value(id) -> String { format!("ORDER#{}#{}", id.0, id.1) }
        }
        ItemType { const VALUE: &'static str = "Order"; }
    }
}

dynamodb_item! {
    #[table = MixedTable]
    Mixed {
        #[partition_key]
        MixedPk {
            fn attribute_id(&self) -> &'id str { &self.pk }
            fn attribute_value(id) -> String { id.to_owned() }
        }
        #[sort_key]
        MixedSk {
            fn attribute_id(&self) -> &'id str { &self.sk }
            fn attribute_value(id) -> String { id.to_owned() }
        }
    }
}
