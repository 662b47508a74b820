use std::collections::HashMap;

use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;

use super::action::{Action, Expected, Plan, State, Write};
use super::json::Json;
use super::transact::TransactWrite;
use super::{Explanation, Request, write};
use crate::entity::{Entity, Item, Key};
use crate::error::Error;
use crate::expr::Aliases;
use crate::schema::Schema;
use crate::table::Table;
use crate::wire::{CustomPut, Customize, customize_method, send, span};

/// One PutItem with `attribute_not_exists` on the partition key: it fails if the item exists.
///
/// A failed condition costs write capacity too, by the size of the stored item;
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithItems.html#WorkingWithItems.ConditionalUpdate>.
///
/// When an answer is lost, the SDK sends the request again, and the second attempt may find the
/// item of the first: an error that is both [`Error::is_condition_failed`] and
/// [`Error::is_outcome_unknown`] does not say whose item it is. [`Error::current`] has the stored
/// item to compare with.
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct Create<E: Entity> {
    table: Table<E::Table>,
    key: Key<E>,
    item: Result<Item, Error>,
    custom: CustomPut,
}

const CONDITION: &str = "attribute_not_exists(#pk)";

impl<E: Entity> Create<E> {
    pub(crate) fn new(table: Table<E::Table>, entity: &E) -> Self {
        let (key, item) = (entity.key(), write::item_of(entity));
        Create { table, key, item, custom: Customize::NONE }
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
    /// [`Error::current`]; [`Error::is_invalid_key`], [`Error::is_encode`] or an item over 400 KB
    /// before a request; else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<(), Error> {
        let (table, custom, key) = (self.table.clone(), self.custom.clone(), self.key.clone());
        let span = span!("PutItem", table);
        let builder = self.into_sdk()?;
        send!(table, builder, custom, span).map_err(|(error, lost)| {
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

impl<'a, E: Entity> TransactWrite<'a> for Create<E> {
    fn plan(self) -> Result<Plan<'a>, Error> {
        write::not_customized(&self.custom)?;
        let mut aliases = Aliases::default();
        aliases.define_name("#pk", E::Table::TABLE.pk.name);
        let action = Action {
            table: self.table.name().to_owned(),
            entity: E::SCHEMA.name,
            key: self.key.parts()?.clone(),
            key_item: self.key.to_item()?,
            write: Write::Put(self.item?),
            condition: Some(CONDITION.to_owned()),
            aliases,
            expected: Expected { state: State::Absent, ..Expected::NOTHING },
        };
        Ok(Plan { actions: vec![action], is_idempotent: false, wrote: None })
    }

    fn max_units(&self) -> f64 {
        write::max_units::<E>()
    }
}
