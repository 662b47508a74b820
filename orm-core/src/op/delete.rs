use aws_sdk_dynamodb::operation::delete_item::builders::DeleteItemFluentBuilder;

use super::action::{Action, Expected, Plan, Write};
use super::json::Json;
use super::transact::TransactWrite;
use super::{Explanation, Request, write};
use crate::entity::{Entity, Key};
use crate::error::Error;
use crate::expr::Aliases;
use crate::table::Table;
use crate::wire::{CustomDelete, Customize, customize_method, send, span};

/// One DeleteItem: the item is gone afterwards, whether it was there or not.
///
/// Costs one write capacity unit per KB of the deleted item, on the table and on each index that it
/// leaves; <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteItem.html>.
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct Delete<E: Entity> {
    table: Table<E::Table>,
    key: Key<E>,
    custom: CustomDelete,
}

impl<E: Entity> Delete<E> {
    pub(crate) fn new(table: Table<E::Table>, key: Key<E>) -> Self {
        Delete { table, key, custom: Customize::NONE }
    }

    customize_method!(delete_item, DeleteItemOutput, DeleteItemError, DeleteItemFluentBuilder);

    /// The SDK's builder, filled.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered.
    pub fn into_sdk(self) -> Result<DeleteItemFluentBuilder, Error> {
        let builder = self.table.client().delete_item().table_name(self.table.name());
        Ok(builder.set_key(Some(self.key.to_item()?)))
    }

    /// The request, unsent.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered.
    pub fn explain(&self) -> Result<Explanation, Error> {
        let request = Request::new(
            "DeleteItem",
            vec![
                ("TableName", Some(Json::text(self.table.name()))),
                ("Key", Some(Json::item(&self.key.to_item()?))),
            ],
        );
        Ok(Explanation::writes(request, write::max_units::<E>()))
    }

    /// Deletes the item.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] before a request; else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<(), Error> {
        let (table, custom, key) = (self.table.clone(), self.custom.clone(), self.key.clone());
        let span = span!("DeleteItem", table);
        let builder = self.into_sdk()?;
        send!(table, builder, custom, span).map_err(|(error, lost)| {
            let context =
                write::context(&table, "DeleteItem", E::SCHEMA.name, key.to_string(), lost);
            Error::request(context, error, None)
        })?;
        Ok(())
    }
}

impl<'a, E: Entity> TransactWrite<'a> for Delete<E> {
    fn plan(self) -> Result<Plan<'a>, Error> {
        write::not_customized(&self.custom)?;
        let action = Action {
            table: self.table.name().to_owned(),
            entity: E::SCHEMA.name,
            key: self.key.parts()?.clone(),
            key_item: self.key.to_item()?,
            write: Write::Delete,
            condition: None,
            aliases: Aliases::default(),
            expected: Expected::NOTHING,
        };
        Ok(Plan { actions: vec![action], is_idempotent: true, wrote: None })
    }

    fn max_units(&self) -> f64 {
        write::max_units::<E>()
    }
}
