use aws_sdk_dynamodb::operation::transact_write_items::builders::TransactWriteItemsFluentBuilder;

use super::action::{Custom, Plan};
use super::plan::Planner;
use super::transact::{self, TransactWrite};
use super::with_capacity::capacity_method;
use super::{Explanation, write};
use crate::entity::{Entity, Key};
use crate::error::Error;
use crate::expr::{IntoCondition, Node, Reading};
use crate::table::Table;
use crate::wire::{CustomTransactWrite, Customize, customize_method};

/// An item must exist, and is not changed: a ConditionCheck, which only a TransactWriteItems has. In
/// a [`Transact`](super::Transact) the other operations happen only if it does; alone it is a
/// transaction of its own. There is no operation beside it on the same item: that takes the
/// condition itself.
///
/// Costs write capacity, two units per KB of the item;
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ConditionCheck.html>.
///
/// # Examples
///
/// ```
/// use monotable::{Entity, Table};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Table)]
/// #[table(pk = "PK")]
/// struct Tokens;
///
/// #[derive(Serialize, Deserialize, Entity)]
/// #[entity(table = Tokens, pk = "TOKEN#<token>")]
/// struct Token { token: String }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let tokens = engine.table::<Tokens>("tokens").await?;
/// let error = tokens.check(Token::key("t1")).send().await.unwrap_err();
/// assert!(error.is_item_missing() && error.is_condition_failed());
/// tokens.create(&Token { token: "t1".into() }).send().await?;
/// tokens.check(Token::key("t1")).send().await?;
/// # }
/// # Ok(()) }
/// ```
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct Check<E: Entity> {
    table: Table<E::Table>,
    key: Key<E>,
    condition: Node,
    custom: CustomTransactWrite,
}

impl<E: Entity> Check<E> {
    pub(crate) fn new(table: Table<E::Table>, key: Key<E>) -> Self {
        Check { table, key, condition: Node::ALWAYS, custom: Customize::NONE }
    }

    /// What must hold of the item besides; given again, both must.
    pub fn condition<C: IntoCondition>(
        mut self,
        condition: impl FnOnce(&E::Fields<Reading>) -> C,
    ) -> Self {
        self.condition = self.condition.and(condition(&E::fields()).into_condition().0);
        self
    }

    capacity_method!(table);
    customize_method!(
        transact_write_items,
        TransactWriteItemsOutput,
        TransactWriteItemsError,
        TransactWriteItemsFluentBuilder
    );

    /// The SDK's builder, filled: a transaction of this check.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`], or [`Error::is_invalid_expression`] for the condition.
    pub fn into_sdk(self) -> Result<TransactWriteItemsFluentBuilder, Error> {
        let connection = self.table.connection().clone();
        transact::into_sdk(&connection, vec![self.to_plan()?], None)
    }

    /// The request, unsent.
    ///
    /// # Errors
    ///
    /// As [`into_sdk`](Self::into_sdk).
    pub fn explain(&self) -> Result<Explanation, Error> {
        self.to_plan()?.explain(&self.table, None)
    }

    /// Checks it.
    ///
    /// # Errors
    ///
    /// [`Error::is_item_missing`] if there is no item, [`Error::is_condition_failed`] then and if a
    /// condition does not hold, with the stored item in [`Error::current`];
    /// [`Error::is_invalid_key`] and [`Error::is_invalid_expression`] before a request; else what
    /// DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<(), Error> {
        let plan = self.to_plan()?;
        plan.send(&self.table, None, Some(Custom::Transact(self.custom))).await?;
        Ok(())
    }

    fn to_plan(&self) -> Result<Plan<'static>, Error> {
        let actions = Planner::new(&self.table, &self.key)?.check(&self.condition)?;
        // The client token makes a repeated transaction the same.
        Ok(Plan::of(actions))
    }
}

impl<'a, E: Entity> TransactWrite<'a> for Check<E> {
    fn plan(self) -> Result<Plan<'a>, Error> {
        write::not_customized(&self.custom)?;
        self.to_plan()
    }
}
