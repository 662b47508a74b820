use std::fmt;

use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;

use super::action::{Action, Custom, Plan};
use super::plan::Planner;
use super::stored::Stored;
use super::subject::{Counted, IntoItem, next_version};
use super::transact::TransactWrite;
use super::with_capacity::capacity_method;
use super::{Explanation, write};
use crate::entity::{Entity, Key};
use crate::error::Error;
use crate::expr::{IntoCondition, Node, Reading};
use crate::item;
use crate::table::Table;
use crate::wire::{CustomPut, Customize, customize_method};

/// One PutItem: the item replaces whatever is stored under its key, attributes that the struct
/// does not know included.
///
/// An entity with a version is put only over the version that the item has (version 0: over none),
/// and stored, and then left in the caller's item, with the next one.
///
/// Costs one write capacity unit per KB of the new or the replaced item, whichever is larger, on the
/// table and on each index that the item enters or leaves; <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html>.
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct Put<'a, E: Entity> {
    table: Table<E::Table>,
    key: Key<E>,
    item: Result<Stored, Error>,
    /// The version that the stored item must have.
    has: Option<u64>,
    counted: Counted<'a, E>,
    condition: Node,
    custom: CustomPut,
    repeat: bool,
}

impl<'a, E: Entity> Put<'a, E> {
    pub(crate) fn new(table: Table<E::Table>, item: impl IntoItem<'a, Entity = E>) -> Self {
        let entity = item.item();
        let key = entity.key();
        let has = E::SCHEMA.version.map(|_| entity.version());
        let next = has.map(next_version::<E>).transpose();
        let stored =
            next.and_then(|next| Stored::of(table.connection(), entity, key.parts()?, next));
        Put {
            table,
            key,
            item: stored,
            has,
            counted: item.counted(),
            condition: Node::ALWAYS,
            custom: Customize::NONE,
            repeat: false,
        }
    }

    /// Writes only where the condition holds for the item that is stored; given again, both must
    /// hold. Where there is none, nothing is equal, less or greater, and every field is missing.
    pub fn condition<C: IntoCondition>(
        mut self,
        condition: impl FnOnce(&E::Fields<Reading>) -> C,
    ) -> Self {
        self.condition = self.condition.and(condition(&E::fields()).into_condition().0);
        self
    }

    /// The replaced item is returned by `send`.
    pub fn returning_old(self) -> PutReturningOld<'a, E> {
        PutReturningOld(self)
    }

    write::retry_unsafe_method!();
    capacity_method!(table);
    customize_method!(put_item, PutItemOutput, PutItemError, PutItemFluentBuilder);

    /// The SDK's builder, filled. It has the SDK's own retries, and does not change the caller's
    /// item.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`], [`Error::is_encode`], [`Error::is_invalid_expression`], or an
    /// item over 400 KB.
    pub fn into_sdk(self) -> Result<PutItemFluentBuilder, Error> {
        let (table, mut plan) = (self.table.clone(), self.planned()?);
        let mut action = write::single(&mut plan)?;
        Ok(action.put_item(table.client()))
    }

    /// The request, unsent.
    ///
    /// # Errors
    ///
    /// As [`into_sdk`](Self::into_sdk).
    pub fn explain(&self) -> Result<Explanation, Error> {
        let plan = Plan::of(self.actions()?);
        plan.explain(&self.table, None)
    }

    /// Writes the item.
    ///
    /// # Errors
    ///
    /// [`Error::is_condition_failed`] where a condition, or the version, does not hold, with the
    /// stored item in [`Error::current`]; [`Error::is_item_missing`] too if it has a version and
    /// there is no item; [`Error::is_invalid_key`], [`Error::is_encode`],
    /// [`Error::is_invalid_expression`] or an item over 400 KB before a request; else what DynamoDB
    /// or the way to it reports.
    pub async fn send(self) -> Result<(), Error> {
        let (table, custom) = (self.table.clone(), self.custom.clone());
        self.planned()?.send(&table, None, Some(Custom::Put(custom))).await.map(drop)
    }

    fn actions(&self) -> Result<Vec<Action>, Error> {
        let item = self.item.clone()?;
        Planner::new(&self.table, &self.key)?.put(item, self.has, self.condition.clone())
    }

    fn planned(self) -> Result<Plan<'a>, Error> {
        let planner = Planner::new(&self.table, &self.key)?;
        let actions = planner.put(self.item?, self.has, self.condition)?;
        let is_idempotent = self.repeat || actions.iter().all(|action| action.condition.is_none());
        let wrote = self.has.and_then(|has| self.counted.at(has.saturating_add(1)));
        Ok(Plan { actions, is_idempotent, wrote })
    }
}

impl<'a, E: Entity> TransactWrite<'a> for Put<'a, E> {
    fn plan(self) -> Result<Plan<'a>, Error> {
        write::not_customized(&self.custom)?;
        self.planned()
    }
}

/// A [`Put`] whose `send` returns the replaced item.
#[must_use = "an operation does nothing until `.send().await`"]
pub struct PutReturningOld<'a, E: Entity>(Put<'a, E>);

impl<E: Entity> PutReturningOld<'_, E> {
    capacity_method!(0.table);

    /// The request, unsent.
    ///
    /// # Errors
    ///
    /// As [`Put::into_sdk`].
    pub fn explain(&self) -> Result<Explanation, Error> {
        let plan = Plan::of(self.0.actions()?);
        plan.explain(&self.0.table, Some(&write::ALL_OLD))
    }

    /// Writes the item; the one that it replaced, if any. After a lost answer it is not sent again,
    /// since the second one would return the first one's item.
    ///
    /// # Errors
    ///
    /// As [`Put::send`], and [`Error::is_decode`] if the replaced item is no `E`.
    pub async fn send(self) -> Result<Option<E>, Error> {
        let Put { table, custom, repeat, .. } = &self.0;
        let (table, custom, repeat) = (table.clone(), custom.clone(), *repeat);
        let plan = Plan { is_idempotent: repeat, ..self.0.planned()? };
        let old = plan.send(&table, Some(write::ALL_OLD), Some(Custom::Put(custom))).await?;
        old.map(|old| old.decode_with(item::decoder::<E>)).transpose()
    }
}

impl<E: Entity> fmt::Debug for PutReturningOld<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PutReturningOld").field(&self.0.key).finish()
    }
}
