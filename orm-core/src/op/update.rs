use std::fmt;
use std::marker::PhantomData;

use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::ReturnValue;

use super::action::{Action, Custom, Plan};
use super::plan::{Planner, item_of};
use super::subject::{Subject, next_version};
use super::transact::TransactWrite;
use super::with_capacity::capacity_method;
use super::{Explanation, write};
use crate::entity::{Entity, Item};
use crate::error::Error;
use crate::expr::{self, IntoChanges, IntoCondition, Node, Path, Reading};
use crate::found::Found;
use crate::item;
use crate::table::Table;
use crate::wire::{CustomUpdate, Customize, customize_method};

#[doc = include_str!("../docs/update.md")]
#[must_use = "an operation does nothing until `.send().await`"]
pub struct Update<'a, E: Entity, M, R = Nothing> {
    table: Table<E::Table>,
    subject: Subject<'a, E>,
    changes: Vec<expr::Action>,
    condition: Node,
    custom: CustomUpdate,
    repeat: bool,
    mode: PhantomData<fn() -> (M, R)>,
}

/// An update returns nothing.
#[derive(Debug)]
#[non_exhaustive]
pub struct Nothing;
/// An update returns the item as it was.
#[derive(Debug)]
#[non_exhaustive]
pub struct Old;
/// An update returns the item as it is.
#[derive(Debug)]
#[non_exhaustive]
pub struct New;
/// An update returns the attributes that it changed, as they are.
#[derive(Debug)]
#[non_exhaustive]
pub struct Changed;

/// What an update returns.
pub trait Returns<E> {
    /// The type of that.
    type Output;
    #[doc(hidden)]
    fn asked() -> Option<ReturnValue>;
    #[doc(hidden)]
    fn read(attributes: Option<Found>) -> Result<Self::Output, Error>;
}

impl<E> Returns<E> for Nothing {
    type Output = ();
    fn asked() -> Option<ReturnValue> {
        None
    }
    fn read(_: Option<Found>) -> Result<(), Error> {
        Ok(())
    }
}

impl<E: Entity> Returns<E> for Old {
    type Output = E;
    fn asked() -> Option<ReturnValue> {
        Some(ReturnValue::AllOld)
    }
    fn read(attributes: Option<Found>) -> Result<E, Error> {
        let attributes = attributes.unwrap_or_else(|| Item::new().into());
        attributes.decode_with(item::decoder::<E>)
    }
}

impl<E: Entity> Returns<E> for New {
    type Output = E;
    fn asked() -> Option<ReturnValue> {
        Some(ReturnValue::AllNew)
    }
    fn read(attributes: Option<Found>) -> Result<E, Error> {
        let attributes = attributes.unwrap_or_else(|| Item::new().into());
        attributes.decode_with(item::decoder::<E>)
    }
}

impl<E: Entity> Returns<E> for Changed {
    type Output = ChangedAttributes<E>;
    fn asked() -> Option<ReturnValue> {
        Some(ReturnValue::UpdatedNew)
    }
    fn read(attributes: Option<Found>) -> Result<ChangedAttributes<E>, Error> {
        let item = attributes.map(Found::into_item).transpose()?.unwrap_or_default();
        Ok(ChangedAttributes { item, entity: PhantomData })
    }
}

/// The attributes that an update changed, as they are now; index keys are among them.
pub struct ChangedAttributes<E> {
    item: Item,
    entity: PhantomData<fn() -> E>,
}

impl<E: Entity> ChangedAttributes<E> {
    /// The value of a path, if the update changed it: `changed.get(|o| &o.total)`.
    ///
    /// # Errors
    ///
    /// [`Error::is_decode`] if it is not of the field's type.
    pub fn get<T, K>(
        &self,
        path: impl FnOnce(&E::Fields<Reading>) -> &Path<T, K, Reading>,
    ) -> Result<Option<T>, Error> {
        let fields = E::fields();
        let value = path(&fields).read(&self.item);
        value.map_err(|error| Error::decode(E::SCHEMA.name, None, error))
    }

    /// The attributes as stored.
    pub fn item(&self) -> &Item {
        &self.item
    }
}

impl<E: Entity> fmt::Debug for ChangedAttributes<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ChangedAttributes").field(&self.item).finish()
    }
}

impl<'a, E: Entity, M: 'static> Update<'a, E, M> {
    pub(crate) fn new(table: Table<E::Table>, subject: Subject<'a, E>) -> Self {
        Update {
            table,
            subject,
            changes: Vec::new(),
            condition: Node::ALWAYS,
            custom: Customize::NONE,
            repeat: false,
            mode: PhantomData,
        }
    }

    /// `send` returns the item as it was. After a lost answer it is not sent again, since the second
    /// one would return the item of the first.
    pub fn returning_old(self) -> Update<'a, E, M, Old> {
        self.returning()
    }

    /// `send` returns the item as it is.
    pub fn returning_new(self) -> Update<'a, E, M, New> {
        self.returning()
    }

    /// `send` returns the attributes that were changed, as they are: less than the whole item.
    pub fn returning_changed(self) -> Update<'a, E, M, Changed> {
        self.returning()
    }

    fn returning<R>(self) -> Update<'a, E, M, R> {
        let Update { table, subject, changes, condition, custom, repeat, .. } = self;
        Update { table, subject, changes, condition, custom, repeat, mode: PhantomData }
    }
}

impl<'a, E: Entity, M: 'static, R: Returns<E>> Update<'a, E, M, R> {
    /// What is changed; given again, both. See [`expr`](crate::expr) for what there is to do.
    pub fn change<C: IntoChanges>(mut self, change: impl FnOnce(&E::Fields<M>) -> C) -> Self {
        self.changes.extend(change(&E::fields()).into_changes().0);
        self
    }

    /// Changes the item only where the condition holds for it; given again, both must hold.
    pub fn condition<C: IntoCondition>(
        mut self,
        condition: impl FnOnce(&E::Fields<Reading>) -> C,
    ) -> Self {
        self.condition = self.condition.and(condition(&E::fields()).into_condition().0);
        self
    }

    write::retry_unsafe_method!();
    capacity_method!(table);
    customize_method!(update_item, UpdateItemOutput, UpdateItemError, UpdateItemFluentBuilder);

    /// The SDK's builder, filled. It has the SDK's own retries, and does not change the caller's
    /// item.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`], [`Error::is_invalid_expression`], or changes of unique fields,
    /// which are a transaction.
    pub fn into_sdk(self) -> Result<UpdateItemFluentBuilder, Error> {
        let (table, mut plan) = (self.table.clone(), self.planned()?);
        let mut action = write::single(&mut plan)?;
        Ok(action.update_item(table.client()).set_return_values(R::asked()))
    }

    /// The request, unsent.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] or [`Error::is_invalid_expression`].
    pub fn explain(&self) -> Result<Explanation, Error> {
        let plan = Plan::of(self.actions()?);
        plan.explain(&self.table, R::asked().as_ref())
    }

    /// Changes the item.
    ///
    /// # Errors
    ///
    /// [`Error::is_item_missing`] if there is no such item; [`Error::is_condition_failed`] for that
    /// and where a condition, or the version, does not hold, with the stored item in
    /// [`Error::current`]; [`Error::is_conflict`] if another write came between;
    /// [`Error::is_invalid_key`], [`Error::is_encode`] or [`Error::is_invalid_expression`] before a
    /// request; else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<R::Output, Error> {
        let (table, custom) = (self.table.clone(), self.custom.clone());
        let plan = self.planned()?;
        if R::asked().is_some() {
            write::returns(&plan)?;
        }
        let key = plan.actions.first().map(|action| action.key.to_string());
        let attributes = plan.send(&table, R::asked(), Some(Custom::Update(custom))).await?;
        let read = R::read(attributes);
        read.map_err(|error| Error::update_is_done(E::SCHEMA.name, key, &error))
    }

    fn actions(&self) -> Result<Vec<Action>, Error> {
        let key = self.subject.key();
        let planner = Planner::new(&self.table, &key)?;
        planner.update(self.subject.item(), &self.changes, &self.condition)
    }

    fn planned(self) -> Result<Plan<'a>, Error> {
        let actions = self.actions()?;
        let is_safe =
            matches!(R::asked(), None | Some(ReturnValue::AllNew | ReturnValue::UpdatedNew))
                && E::SCHEMA.version.is_none()
                && self.condition.is_always()
                && !write::sets_ttl::<E>(&self.changes)
                && actions.iter().all(|action| action.expected.unchanged.is_empty())
                && self.changes.iter().all(expr::Action::is_idempotent);
        let new = match self.subject.item() {
            Some(item) if self.subject.is_mut() => Some(changed(item, &self.changes)?),
            _ => None,
        };
        let wrote = self.subject.replace(new);
        Ok(Plan { actions, is_idempotent: self.repeat || is_safe, wrote })
    }
}

/// What the changes make of the caller's item.
fn changed<E: Entity>(item: &E, changes: &[expr::Action]) -> Result<E, Error> {
    let version = E::SCHEMA.version.map(|_| next_version::<E>(item.version())).transpose()?;
    let mut stored = item_of(item, version)?;
    expr::apply(&mut stored, changes)?;
    E::from_item(stored).map_err(|error| {
        Error::expression(format!(
            "the changes make an item that is no `{}`: {error}",
            E::SCHEMA.name
        ))
    })
}

impl<'a, E: Entity, M: 'static> TransactWrite<'a> for Update<'a, E, M> {
    fn plan(self) -> Result<Plan<'a>, Error> {
        write::not_customized(&self.custom)?;
        self.planned()
    }
}

impl<E: Entity, M, R> fmt::Debug for Update<'_, E, M, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Update")
            .field("table", &self.table)
            .field("subject", &self.subject)
            .field("changes", &self.changes)
            .field("condition", &self.condition)
            .finish_non_exhaustive()
    }
}
