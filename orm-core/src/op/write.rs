//! What the writes share.

use aws_sdk_dynamodb::types::ReturnValue;

use super::action::{Action, Plan};
use crate::entity::Entity;
use crate::error::{Context, Error};
use crate::expr;
use crate::schema::Schema;
use crate::table::Table;
use crate::wire::{CustomTransactWrite, Customize};

pub(super) fn context<T: Schema>(
    table: &Table<T>,
    operation: &'static str,
    entity: &'static str,
    key: String,
    is_lost: bool,
) -> Context {
    Context { entity, target: key, is_write: true, is_lost, ..table.context(operation) }
}

/// Changes to a request that is not sent are refused, not dropped.
pub(super) fn not_customized<T, E, B>(
    custom: &Customize<T, E, B>,
) -> Result<CustomTransactWrite, Error> {
    if custom.is_none() {
        return Ok(Customize::NONE);
    }
    Err(Error::usage(
        "the write is sent as a part of a TransactWriteItems: `customize` that one, as in `table.transact().add(..).customize(..)`",
    ))
}

/// What a write that returns the item before it asks for.
pub(super) const ALL_OLD: ReturnValue = ReturnValue::AllOld;

/// Whether the changes decide when the item expires: done a second time, they may find it expired.
pub(super) fn sets_ttl<E: Entity>(changes: &[expr::Action]) -> bool {
    let mut paths = changes.iter().filter_map(expr::Action::at);
    E::SCHEMA.ttl.is_some_and(|ttl| paths.any(|at| at.root() == ttl))
}

/// The only request of a plan.
pub(super) fn single(plan: &mut Plan<'_>) -> Result<Action, Error> {
    match (plan.actions.pop(), plan.actions.is_empty()) {
        (Some(action), true) => Ok(action),
        _ => Err(Error::usage(
            "with unique fields this write is a TransactWriteItems: `table.transact().add(..).into_sdk()` has that",
        )),
    }
}

/// A transaction returns no attributes.
pub(super) fn returns(plan: &Plan<'_>) -> Result<(), Error> {
    if plan.actions.len() == 1 {
        return Ok(());
    }
    Err(Error::usage(
        "with unique fields this write is a TransactWriteItems, and that returns no item: leave out `returning_..`",
    ))
}

/// `.retry_unsafe()` of an operation.
macro_rules! retry_unsafe_method {
    () => {
        /// Lets the SDK send it again although an attempt may have taken effect: it may then happen
        /// twice, or its own first attempt fail the condition of the second.
        pub fn retry_unsafe(mut self) -> Self {
            self.repeat = true;
            self
        }
    };
}

pub(super) use retry_unsafe_method;
