use std::fmt;

use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;

use super::action::{Action, Custom, Plan};
use super::plan::Planner;
use super::stored::Stored;
use super::subject::{Counted, IntoItem};
use super::transact::TransactWrite;
use super::with_capacity::capacity_method;
use super::{Explanation, write};
use crate::entity::{Entity, Key};
use crate::error::Error;
use crate::table::Table;
use crate::wire::{CustomPut, Customize, customize_method};

/// One PutItem with `attribute_not_exists` on the partition key: it fails if the item exists. An
/// expired item counts as absent.
///
/// An entity with a version is stored with version 1. An entity with unique fields is written in
/// one TransactWriteItems, together with a guard for each value: an item of the same table, which
/// must not exist either.
///
/// A failed condition costs write capacity too, by the size of the stored item;
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/WorkingWithItems.html#WorkingWithItems.ConditionalUpdate>.
///
/// It is sent again only while no attempt may have taken effect: throttled, or without a connection.
/// After an attempt that got no answer a second one could find the item of the first and report it
/// as another's, so the error is [`Error::is_outcome_unknown`] instead; to know more, read the item,
/// or opt in by [`retry_unsafe`](Self::retry_unsafe).
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct Create<'a, E: Entity> {
    table: Table<E::Table>,
    key: Key<E>,
    actions: Result<Vec<Action>, Error>,
    counted: Counted<'a, E>,
    custom: CustomPut,
    repeat: bool,
}

impl<'a, E: Entity> Create<'a, E> {
    pub(crate) fn new(table: Table<E::Table>, item: impl IntoItem<'a, Entity = E>) -> Self {
        let entity = item.item();
        let key = entity.key();
        let actions = Planner::new(&table, &key).and_then(|planner| {
            let stored = Stored::of(table.connection(), entity, key.parts()?, Some(1))?;
            planner.create(entity, stored)
        });
        Create {
            table,
            key,
            actions,
            counted: item.counted(),
            custom: Customize::NONE,
            repeat: false,
        }
    }

    /// An item that exists is an answer, and no error. The caller's item stays as it is then.
    pub fn or_existing(self) -> CreateOrExisting<'a, E> {
        CreateOrExisting(self)
    }

    write::retry_unsafe_method!();
    capacity_method!(table);
    customize_method!(put_item, PutItemOutput, PutItemError, PutItemFluentBuilder);

    /// The SDK's builder, filled. It has the SDK's own retries, and does not change the caller's
    /// item.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`], [`Error::is_encode`], an item over 400 KB, or an entity with
    /// unique fields, whose `create` is a transaction.
    pub fn into_sdk(self) -> Result<PutItemFluentBuilder, Error> {
        let (table, mut plan) = (self.table.clone(), self.planned()?);
        let mut action = write::single(&mut plan)?;
        Ok(action.put_item(table.client()))
    }

    /// The request, unsent.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`], [`Error::is_encode`], or an item over 400 KB.
    pub fn explain(&self) -> Result<Explanation, Error> {
        let actions = self.actions.as_ref().map_err(Clone::clone)?.clone();
        let plan = Plan::of(actions);
        plan.explain(&self.table, None)
    }

    /// Writes the item.
    ///
    /// # Errors
    ///
    /// [`Error::is_condition_failed`] if it exists, with the stored item in [`Error::current`], or
    /// if another item has the value of a unique field, which [`Error::taken_field`] names;
    /// [`Error::is_invalid_key`], [`Error::is_encode`] or an item over 400 KB before a request;
    /// else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<(), Error> {
        let (table, custom) = (self.table.clone(), self.custom.clone());
        self.planned()?.send(&table, None, Some(Custom::Put(custom))).await.map(drop)
    }

    fn planned(self) -> Result<Plan<'a>, Error> {
        let wrote = E::SCHEMA.version.and_then(|_| self.counted.at(1));
        Ok(Plan { actions: self.actions?, is_idempotent: self.repeat, wrote })
    }
}

impl<'a, E: Entity> TransactWrite<'a> for Create<'a, E> {
    fn plan(self) -> Result<Plan<'a>, Error> {
        write::not_customized(&self.custom)?;
        self.planned()
    }
}

/// A [`Create`] whose `send` tells whether the item was there.
#[must_use = "an operation does nothing until `.send().await`"]
pub struct CreateOrExisting<'a, E: Entity>(Create<'a, E>);

/// What [`CreateOrExisting::send`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Created<E> {
    /// The item was written.
    Created,
    /// This item was there, and still is.
    Exists(E),
}

impl<E: Entity> CreateOrExisting<'_, E> {
    capacity_method!(0.table);

    /// The request, unsent.
    ///
    /// # Errors
    ///
    /// As [`Create::explain`].
    pub fn explain(&self) -> Result<Explanation, Error> {
        self.0.explain()
    }

    /// Writes the item if there is none.
    ///
    /// # Errors
    ///
    /// As [`Create::send`], but for the item that exists; [`Error::is_decode`] if that is no `E`.
    pub async fn send(self) -> Result<Created<E>, Error> {
        match self.0.send().await {
            Ok(()) => Ok(Created::Created),
            Err(error) if error.taken_field().is_none() && !error.is_outcome_unknown() => {
                match error.current_item().cloned() {
                    Some(item) => E::from_item(item).map(Created::Exists),
                    None => Err(error),
                }
            }
            Err(error) => Err(error),
        }
    }
}

impl<E: Entity> fmt::Debug for CreateOrExisting<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CreateOrExisting").field(&self.0.key).finish()
    }
}
