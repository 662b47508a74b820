use std::fmt;

use aws_sdk_dynamodb::operation::delete_item::builders::DeleteItemFluentBuilder;

use super::action::{Action, Custom, Plan};
use super::plan::{Deletion, Planner};
use super::subject::IntoDelete;
use super::transact::TransactWrite;
use super::with_capacity::capacity_method;
use super::{Explanation, write};
use crate::entity::{Entity, Key};
use crate::error::Error;
use crate::expr::{IntoCondition, Node, Reading};
use crate::item;
use crate::table::Table;
use crate::wire::{CustomDelete, Customize, customize_method};

/// One DeleteItem: the item is gone afterwards, whether it was there or not.
///
/// Given an item of an entity with a version, the version is checked; with unique fields, their guards
/// are deleted with it, in one TransactWriteItems, if it still has the values. Such an item must be
/// there.
///
/// Costs one write capacity unit per KB of the deleted item, on the table and on each index that it
/// leaves; <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteItem.html>.
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct Delete<E: Entity> {
    table: Table<E::Table>,
    key: Key<E>,
    /// What deleting an item asks, and does besides.
    item: Result<Deletion, Error>,
    condition: Node,
    custom: CustomDelete,
    repeat: bool,
}

impl<E: Entity> Delete<E> {
    pub(crate) fn new(table: Table<E::Table>, target: &impl IntoDelete<Entity = E>) -> Self {
        let key = target.key();
        let item = Planner::new(&table, &key).and_then(|planner| planner.deletion(target.item()));
        Delete { table, key, item, condition: Node::ALWAYS, custom: Customize::NONE, repeat: false }
    }

    /// Deletes only where the condition holds for the item that is stored; given again, both must
    /// hold.
    pub fn condition<C: IntoCondition>(
        mut self,
        condition: impl FnOnce(&E::Fields<Reading>) -> C,
    ) -> Self {
        self.condition = self.condition.and(condition(&E::fields()).into_condition().0);
        self
    }

    /// The deleted item is returned by `send`.
    pub fn returning_old(self) -> DeleteReturningOld<E> {
        DeleteReturningOld(self)
    }

    write::retry_unsafe_method!();
    capacity_method!(table);
    customize_method!(delete_item, DeleteItemOutput, DeleteItemError, DeleteItemFluentBuilder);

    /// The SDK's builder, filled. It has the SDK's own retries.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered,
    /// [`Error::is_invalid_expression`], or an item with unique fields, whose `delete` is a
    /// transaction.
    pub fn into_sdk(self) -> Result<DeleteItemFluentBuilder, Error> {
        let (table, mut plan) = (self.table.clone(), self.planned()?);
        let mut action = write::single(&mut plan)?;
        Ok(action.delete_item(table.client()))
    }

    /// The request, unsent.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered, or
    /// [`Error::is_invalid_expression`].
    pub fn explain(&self) -> Result<Explanation, Error> {
        let plan = Plan::of(self.actions()?);
        plan.explain(&self.table, None)
    }

    /// Deletes the item.
    ///
    /// # Errors
    ///
    /// [`Error::is_condition_failed`] where a condition, or the version, does not hold, with the
    /// stored item in [`Error::current`]; [`Error::is_item_missing`] where there is none to hold for;
    /// [`Error::is_invalid_key`] or [`Error::is_invalid_expression`] before a request; else what DynamoDB or the way to it
    /// reports.
    pub async fn send(self) -> Result<(), Error> {
        let (table, custom) = (self.table.clone(), self.custom.clone());
        self.planned()?.send(&table, None, Some(Custom::Delete(custom))).await.map(drop)
    }

    fn actions(&self) -> Result<Vec<Action>, Error> {
        let deletion = self.item.as_ref().map_err(Clone::clone)?.clone();
        Planner::new(&self.table, &self.key)?.delete(deletion, &self.condition)
    }

    fn planned(self) -> Result<Plan<'static>, Error> {
        let actions = self.actions()?;
        let is_idempotent = self.repeat || actions.iter().all(|action| action.condition.is_none());
        Ok(Plan { actions, is_idempotent, wrote: None })
    }
}

impl<'a, E: Entity> TransactWrite<'a> for Delete<E> {
    fn plan(self) -> Result<Plan<'a>, Error> {
        write::not_customized(&self.custom)?;
        self.planned()
    }
}

/// A [`Delete`] whose `send` returns the deleted item.
#[must_use = "an operation does nothing until `.send().await`"]
pub struct DeleteReturningOld<E: Entity>(Delete<E>);

impl<E: Entity> DeleteReturningOld<E> {
    capacity_method!(0.table);

    /// The request, unsent.
    ///
    /// # Errors
    ///
    /// As [`Delete::explain`].
    pub fn explain(&self) -> Result<Explanation, Error> {
        let plan = Plan::of(self.0.actions()?);
        plan.explain(&self.0.table, Some(&write::ALL_OLD))
    }

    /// Deletes the item; what was there, if anything. After a lost answer it is not sent again,
    /// since the second one would find nothing.
    ///
    /// # Errors
    ///
    /// As [`Delete::send`], and [`Error::is_decode`] if the deleted item is no `E`; with unique
    /// fields, whose transaction returns nothing, a usage error.
    pub async fn send(self) -> Result<Option<E>, Error> {
        let Delete { table, custom, repeat, .. } = &self.0;
        let (table, custom, repeat) = (table.clone(), custom.clone(), *repeat);
        let plan = Plan { is_idempotent: repeat, ..self.0.planned()? };
        write::returns(&plan)?;
        let old = plan.send(&table, Some(write::ALL_OLD), Some(Custom::Delete(custom))).await?;
        old.map(|old| old.decode_with(item::decoder::<E>)).transpose()
    }
}

impl<E: Entity> fmt::Debug for DeleteReturningOld<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DeleteReturningOld").field(&self.0.key).finish()
    }
}
