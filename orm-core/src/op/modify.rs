use std::fmt;

use aws_sdk_dynamodb::types::AttributeValue;

use super::action::{Plan, Unchanged};
use super::get::Get;
use super::plan::{Planner, item_of};
use super::subject::next_version;
use super::with_capacity::capacity_method;
use crate::entity::{Entity, Item, Key};
use crate::error::Error;
use crate::expr;
use crate::item;
use crate::table::Table;
use crate::ttl;
use crate::wire::Backoff;

/// One consistent GetItem, and one UpdateItem of what the closure changed: attributes that the
/// struct does not know survive, and so do changes of others between the two, since the update asks
/// for the version that was read or, without one, for every field as it was read (so an entity of more
/// than about 100 fields needs a version: DynamoDB allows 300 operators in a condition). If that fails, both
/// requests are made again, and the closure is called again, up to
/// [`max_attempts`](Self::max_attempts) times with growing pauses.
///
/// The closure returns nothing, or a `Result` whose error ends it without a write
/// ([`Error::is_aborted`], with that error as `source()`). A closure that changes nothing writes
/// nothing. The primary key stays; changed unique fields are written with their guards, in one
/// TransactWriteItems.
///
/// # Examples
///
/// ```
/// # use monotable::{Entity, Table};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Table)]
/// # #[table(pk = "PK")]
/// # struct Bank;
/// # #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
/// # #[entity(table = Bank, pk = "ACCOUNT#<id>", version = version)]
/// # struct Account { id: String, balance: u32, version: u64 }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let bank = engine.table::<Bank>("bank").await?;
/// bank.create(&mut Account { id: "a".into(), balance: 10, version: 0 }).send().await?;
/// let withdraw = |amount: u32| {
///     bank.modify(Account::key("a"), move |account| {
///         account.balance = account.balance.checked_sub(amount).ok_or("not enough")?;
///         Ok::<_, &str>(())
///     })
/// };
/// assert_eq!(withdraw(7).send().await?.balance, 3);
/// assert!(withdraw(7).send().await.unwrap_err().is_aborted());
/// # }
/// # Ok(()) }
/// ```
#[must_use = "an operation does nothing until `.send().await`"]
pub struct Modify<E: Entity, F> {
    table: Table<E::Table>,
    key: Key<E>,
    change: F,
    max_attempts: u32,
}

/// What the closure of `modify` returns.
#[diagnostic::on_unimplemented(
    message = "the closure of `modify` returns `()` or a `Result`, and not `{Self}`",
    label = "it changes the item in place"
)]
pub trait Outcome {
    /// Whether to write.
    #[doc(hidden)]
    fn outcome(self) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;
}

impl Outcome for () {
    fn outcome(self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Ok(())
    }
}

impl<E: Into<Box<dyn std::error::Error + Send + Sync>>> Outcome for Result<(), E> {
    fn outcome(self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        self.map_err(Into::into)
    }
}

const MAX_ATTEMPTS: u32 = 10;

impl<E: Entity, F, O: Outcome> Modify<E, F>
where
    F: FnMut(&mut E) -> O,
{
    pub(crate) fn new(table: Table<E::Table>, key: Key<E>, change: F) -> Self {
        Modify { table, key, change, max_attempts: MAX_ATTEMPTS }
    }

    /// Reads and writes at most so many times; 10 unless set, and at least 1.
    pub fn max_attempts(mut self, n: u32) -> Self {
        self.max_attempts = n;
        self
    }

    capacity_method!(table);

    /// Changes the item, and returns it as it is stored.
    ///
    /// # Errors
    ///
    /// [`Error::is_item_missing`] if there is no such item; [`Error::is_conflict`] if other writes
    /// came between every time; [`Error::is_aborted`] if the closure refused; what reading and
    /// writing report. An update whose answer was lost is not repeated:
    /// [`Error::is_outcome_unknown`].
    pub async fn send(mut self) -> Result<E, Error> {
        let mut backoff = Backoff::new(self.max_attempts);
        loop {
            let error = match self.attempt().await {
                Ok(item) => return Ok(item),
                Err(error) if is_conflict(&error) => error,
                Err(error) => return Err(error),
            };
            if !backoff.pause(false).await {
                return Err(error);
            }
        }
    }

    async fn attempt(&mut self) -> Result<E, Error> {
        let stored = Get::new(self.table.clone(), self.key.clone()).consistent().raw().await?;
        let now = self.table.now();
        let Some(stored) = stored.filter(|item| !ttl::is_expired::<E>(item, now)) else {
            return Err(Error::item_missing(E::SCHEMA.name, &self.key.to_string()));
        };
        let before = E::from_item(stored.clone())?;
        let mut after = E::from_item(stored.clone())?;
        (self.change)(&mut after)
            .outcome()
            .map_err(|reason| Error::aborted(E::SCHEMA.name, &self.key.to_string(), reason))?;
        if before.key() != after.key() {
            return Err(Error::usage(format!(
                "`modify` of `{}` ({}) changed the primary key, which says which item it is: `create` the other and `delete` this one",
                E::SCHEMA.name,
                self.key
            )));
        }
        let version = E::SCHEMA.version.map(|_| next_version::<E>(before.version())).transpose()?;
        // The version is counted, whatever the closure made of it.
        after.set_version(before.version());
        let (old, new) = (item_of(&before, None)?, item_of(&after, None)?);
        let changes = difference::<E>(&stored, &old, &new);
        if changes.is_empty() {
            return Ok(after);
        }
        let mut unchanged = Vec::new();
        if E::SCHEMA.version.is_none() {
            let fields = E::SCHEMA.attributes.iter().map(|name| (*name).to_owned());
            let flattened = old.keys().filter(|name| !item::is_own::<E>(name)).cloned();
            let mut names: Vec<String> = fields.chain(flattened).collect();
            names.retain(|name| !E::SCHEMA.is_primary(name));
            names.sort();
            names.dedup();
            unchanged.extend(names.into_iter().map(|name| {
                let value = stored.get(&name).cloned();
                Unchanged { name, value, or_missing: false }
            }));
        }
        let planner = Planner::new(&self.table, &self.key)?;
        let actions = planner.modify(&before, &after, &changes, unchanged, version)?;
        Plan { actions, is_idempotent: false, wrote: None }.send(&self.table, None, None).await?;
        if let Some(version) = version {
            after.set_version(version);
        }
        Ok(after)
    }
}

/// What makes the new item out of the old one. Index keys are compared with what is stored, so one
/// that another program left behind is put right.
fn difference<E: Entity>(stored: &Item, old: &Item, new: &Item) -> Vec<expr::Action> {
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    let own: Vec<String> = E::SCHEMA
        .slots()
        .iter()
        .filter(|slot| !slot.natural && !slot.primary)
        .map(|slot| slot.attribute.name.to_owned())
        .collect();
    names.extend(&own);
    names.sort();
    names.dedup();
    let is_version = |name: &&String| E::SCHEMA.version != Some(name.as_str());
    names
        .into_iter()
        .filter(is_version)
        .filter_map(|name| {
            let was = if own.contains(name) { stored.get(name) } else { old.get(name) };
            let value: Option<&AttributeValue> = new.get(name);
            (was != value).then(|| expr::Action::Set {
                at: expr::attribute(name.clone()),
                value: value.cloned(),
                typed: None,
            })
        })
        .collect()
}

/// Whether another write came between.
fn is_conflict(error: &Error) -> bool {
    !error.is_outcome_unknown() && error.taken_field().is_none() && error.is_conflict()
}

impl<E: Entity, F> fmt::Debug for Modify<E, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Modify")
            .field("table", &self.table)
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}
