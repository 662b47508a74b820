use aws_sdk_dynamodb::operation::get_item::builders::GetItemFluentBuilder;

use super::get::fetch;
use super::json::Json;
use super::with_capacity::capacity_method;
use super::{Explanation, Request};
use crate::entity::{Entity, Key};
use crate::error::Error;
use crate::expr::Aliases;
use crate::item;
use crate::schema::Schema;
use crate::table::Table;
use crate::ttl;
use crate::wire::{CustomGet, Customize, customize_method};

/// One GetItem that returns the partition key alone: whether the item exists.
///
/// The answer is small, the cost is not: DynamoDB bills the whole item, as for
/// [`Get`](super::Get), half a read capacity unit per 4 KB, twice that when consistent;
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html>. To write only
/// where nothing is, [`create`](Table::create) asks and writes in one request.
///
/// # Examples
///
/// ```
/// # use monotable::{Entity, Table};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Table)]
/// # #[table(pk = "PK", entities(User))]
/// # struct App;
/// # #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
/// # #[entity(table = App, pk = "USER#<id>")]
/// # struct User { id: u32 }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let app = engine.table::<App>("app").await?;
/// app.put(&User { id: 7 }).send().await?;
/// assert!(app.exists(User::key(7)).consistent().send().await?);
/// assert!(!app.exists(User::key(8)).send().await?);
/// # }
/// # Ok(()) }
/// ```
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct Exists<E: Entity> {
    table: Table<E::Table>,
    key: Key<E>,
    consistent: bool,
    custom: CustomGet,
}

impl<E: Entity> Exists<E> {
    pub(crate) fn new(table: Table<E::Table>, key: Key<E>) -> Self {
        Exists { table, key, consistent: false, custom: Customize::NONE }
    }

    /// Reads what the last successful write stored, at twice the cost.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    capacity_method!(table);
    customize_method!(get_item, GetItemOutput, GetItemError, GetItemFluentBuilder);

    /// The SDK's builder, filled.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered.
    pub fn into_sdk(self) -> Result<GetItemFluentBuilder, Error> {
        let builder = self.table.client().get_item().table_name(self.table.name());
        let (aliases, projection) = projection::<E>();
        Ok(builder
            .set_key(Some(self.key.to_item()?))
            .set_consistent_read(self.consistent.then_some(true))
            .projection_expression(projection)
            .set_expression_attribute_names(aliases.names()))
    }

    /// The request, unsent.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered.
    pub fn explain(&self) -> Result<Explanation, Error> {
        let (aliases, projection) = projection::<E>();
        let request = Request::new(
            "GetItem",
            vec![
                ("TableName", Some(Json::text(self.table.name()))),
                ("Key", Some(Json::item(&self.key.to_item()?))),
                ("ConsistentRead", self.consistent.then_some(Json::Bool(true))),
                ("ProjectionExpression", Some(Json::text(projection))),
                ("ExpressionAttributeNames", aliases.names().as_ref().map(Json::names)),
            ],
        );
        Ok(Explanation::of(vec![request]))
    }

    /// Whether an item has the key, of whatever shape it is, and is not expired.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] before a request; else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<bool, Error> {
        let Exists { table, key, consistent, custom } = &self;
        let (table, key, consistent, custom) =
            (table.clone(), key.clone(), *consistent, custom.clone());
        let decoder = item::undecoded(E::Table::TABLE, None);
        let row = fetch(&table, &key, consistent, self.into_sdk()?, custom, &decoder).await?;
        Ok(row.is_some_and(|row| !ttl::is_expired::<E>(&row.found, table.now())))
    }
}

/// The partition key, and the time to live where items expire.
fn projection<E: Entity>() -> (Aliases, String) {
    let mut aliases = Aliases::default();
    aliases.define_name("#pk", E::Table::TABLE.pk.name);
    let names = std::iter::once(E::Table::TABLE.pk.name).chain(ttl::attribute_of::<E>());
    let projection = aliases.projection(names);
    (aliases, projection)
}
