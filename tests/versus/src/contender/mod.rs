//! One file a library: the operations as its documentation writes them.

use std::error::Error;

use aws_sdk_dynamodb::Client;

use crate::model::{self, Order};

mod dynamodb_facade;
pub mod limit;
mod modyne;
mod ours;
mod sdk_by_hand;
mod sdk_serde_dynamo;

pub use dynamodb_facade::DynamodbFacade;
pub use modyne::Modyne;
pub use ours::{Ours, Shop};
pub use sdk_by_hand::SdkByHand;
pub use sdk_serde_dynamo::SdkSerdeDynamo;

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What a library does, over a client of the SDK.
pub trait Library: 'static {
    const NAME: &'static str;

    /// The mixed item, where the library has sets of its own.
    type Mixed: Into<model::Mixed>;

    fn new(client: Client) -> Self;

    /// GetItem of an order.
    async fn get(&self, order: &Order) -> Result<Option<Order>>;

    /// Query of the orders of a customer.
    async fn query(&self, customer: &str) -> Result<Vec<Order>>;

    /// Query of the mixed items of a partition.
    async fn mixed(&self, pk: &str) -> Result<Vec<Self::Mixed>>;

    /// PutItem of an order, which the caller keeps.
    async fn put(&self, order: &Order) -> Result<()>;

    /// BatchWriteItem of orders, which the caller keeps.
    async fn batch_write(&self, orders: &[Order]) -> Result<()>;
}
