use std::collections::HashMap;

use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;

use super::json::Json;
use super::{Explanation, Request, write};
use crate::entity::{Entity, Item, Key};
use crate::error::Error;
use crate::schema::Schema;
use crate::table::Table;
use crate::wire::{CustomPut, Customize, Repeat, customize_method, send, span};

/// One PutItem with `attribute_not_exists` on the partition key: it fails if the item exists.
///
/// A failed condition costs write capacity too, by the size of the stored item;
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithItems.html#WorkingWithItems.ConditionalUpdate>.
///
/// When an answer is lost, the request is not sent again: a second attempt may find the item of the
/// first, and cannot say whose it is. The error is [`Error::is_outcome_unknown`]. The SDK's retries
/// go on where the first attempt surely had no effect: throttled, or not connected.
/// [`retry_unsafe`](Self::retry_unsafe) gives up that distinction.
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct Create<E: Entity> {
    table: Table<E::Table>,
    key: Key<E>,
    item: Result<Item, Error>,
    repeat: Repeat,
    custom: CustomPut,
}

const CONDITION: &str = "attribute_not_exists(#pk)";

impl<E: Entity> Create<E> {
    pub(crate) fn new(table: Table<E::Table>, entity: &E) -> Self {
        let (key, item) = (entity.key(), write::item_of(entity));
        Create { table, key, item, repeat: Repeat::OnlyIfUnsent, custom: Customize::NONE }
    }

    /// Lets the SDK send the request again after an attempt whose answer was lost.
    ///
    /// Then the second attempt may find the item of the first: an error that is both
    /// [`Error::is_condition_failed`] and [`Error::is_outcome_unknown`] does not say whose item it
    /// is. [`Error::current`] has the stored item to compare with.
    pub fn retry_unsafe(mut self) -> Self {
        self.repeat = Repeat::Any;
        self
    }

    customize_method!(put_item, PutItemOutput, PutItemError, PutItemFluentBuilder);

    /// The SDK's builder, filled.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`], [`Error::is_encode`], or an item over 400 KB.
    pub fn into_sdk(self) -> Result<PutItemFluentBuilder, Error> {
        let builder = self.table.client().put_item().table_name(self.table.name());
        Ok(builder
            .set_item(Some(self.item?))
            .condition_expression(CONDITION)
            .set_expression_attribute_names(Some(names::<E>()))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld))
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
                ("ConditionExpression", Some(Json::text(CONDITION))),
                ("ExpressionAttributeNames", Some(Json::names(&names::<E>()))),
                ("ReturnValuesOnConditionCheckFailure", Some(Json::text("ALL_OLD"))),
            ],
        );
        Ok(Explanation::writes(request, write::max_units::<E>()))
    }

    /// Writes the item.
    ///
    /// # Errors
    ///
    /// [`Error::is_condition_failed`] if it exists, with the stored item in
    /// [`Error::current`]; [`Error::is_outcome_unknown`] if the answer was lost;
    /// [`Error::is_invalid_key`], [`Error::is_encode`] or an item over 400 KB before a request; else
    /// what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<(), Error> {
        let (table, custom, key) = (self.table.clone(), self.custom.clone(), self.key.clone());
        let repeat = self.repeat;
        let span = span!("PutItem", table);
        let builder = self.into_sdk()?;
        send!(table, builder, custom, repeat, span).map_err(|(error, lost)| {
            let item = match error.as_service_error() {
                Some(PutItemError::ConditionalCheckFailedException(failed)) => {
                    failed.item().filter(|item| !item.is_empty()).cloned()
                }
                _ => None,
            };
            let context = write::context(&table, "PutItem", E::SCHEMA.name, key.to_string(), lost);
            Error::request(context, error, item)
        })?;
        Ok(())
    }
}

fn names<E: Entity>() -> HashMap<String, String> {
    HashMap::from([("#pk".to_owned(), E::Table::TABLE.pk.name.to_owned())])
}
