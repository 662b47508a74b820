use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;

use super::action::{Action, Expected, Plan, Write};
use super::json::Json;
use super::transact::TransactWrite;
use super::{Explanation, Request, write};
use crate::entity::{Entity, Item, Key};
use crate::error::Error;
use crate::expr::Aliases;
use crate::table::Table;
use crate::wire::{CustomPut, Customize, customize_method, send, span};

/// One PutItem: the item replaces whatever is stored under its key, attributes that the struct
/// does not know included.
///
/// Costs one write capacity unit per KB of the new or the replaced item, whichever is larger, on the
/// table and on each index that the item enters or leaves; <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html>.
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct Put<E: Entity> {
    table: Table<E::Table>,
    key: Key<E>,
    item: Result<Item, Error>,
    custom: CustomPut,
}

impl<E: Entity> Put<E> {
    pub(crate) fn new(table: Table<E::Table>, entity: &E) -> Self {
        let (key, item) = (entity.key(), write::item_of(entity));
        Put { table, key, item, custom: Customize::NONE }
    }

    customize_method!(put_item, PutItemOutput, PutItemError, PutItemFluentBuilder);

    /// The SDK's builder, filled.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`], [`Error::is_encode`], or an item over 400 KB.
    pub fn into_sdk(self) -> Result<PutItemFluentBuilder, Error> {
        let builder = self.table.client().put_item().table_name(self.table.name());
        Ok(builder.set_item(Some(self.item?)))
    }

    /// The request, unsent.
    ///
    /// # Errors
    ///
    /// As [`into_sdk`](Self::into_sdk).
    pub fn explain(&self) -> Result<Explanation, Error> {
        let item = self.item.as_ref().map_err(Clone::clone)?;
        let request = Request::new(
            "PutItem",
            vec![
                ("TableName", Some(Json::text(self.table.name()))),
                ("Item", Some(Json::item(item))),
            ],
        );
        Ok(Explanation::writes(request, write::max_units::<E>()))
    }

    /// Writes the item.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`], [`Error::is_encode`] or an item over 400 KB before a request;
    /// else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<(), Error> {
        let (table, custom, key) = (self.table.clone(), self.custom.clone(), self.key.clone());
        let span = span!("PutItem", table);
        let builder = self.into_sdk()?;
        send!(table, builder, custom, span).map_err(|(error, lost)| {
            let context = write::context(&table, "PutItem", E::SCHEMA.name, key.to_string(), lost);
            Error::request(context, error, None)
        })?;
        Ok(())
    }
}

impl<'a, E: Entity> TransactWrite<'a> for Put<E> {
    fn plan(self) -> Result<Plan<'a>, Error> {
        write::not_customized(&self.custom)?;
        let action = Action {
            table: self.table.name().to_owned(),
            entity: E::SCHEMA.name,
            key: self.key.parts()?.clone(),
            key_item: self.key.to_item()?,
            write: Write::Put(self.item?),
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
