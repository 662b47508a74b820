use std::fmt;

use aws_sdk_dynamodb::types::AttributeValue;

use super::action::{Action, Plan};
use super::plan::{Planner, item_of};
use super::stored::Stored;
use super::with_capacity::capacity_method;
use super::{Explanation, write};
use crate::entity::{Entity, Item, Key, LeavesUnique};
use crate::error::Error;
use crate::expr::{self, ByKey, IntoChanges};
use crate::item;
use crate::table::Table;
use crate::ttl;
use crate::wire::Backoff;

/// Changes an item, which is `initial` if it was missing: the changes apply in both cases.
///
/// One UpdateItem where that can say it: no index key depends on a field outside of the primary key,
/// items do not expire, and every attribute of `initial` is either set by the changes or one that
/// each item has, so that it is missing where the item is. Else an UpdateItem of an item that must
/// exist and, if there is none, a PutItem of the changed `initial` that must not; where others create
/// and delete the item meanwhile both are made again, with growing pauses.
/// [`explain`](Self::explain) shows which.
///
/// # Examples
///
/// ```
/// # use monotable::{Entity, Table};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Table)]
/// # #[table(pk = "PK")]
/// # struct App;
/// # #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
/// # #[entity(table = App, pk = "PAGE#<path>")]
/// # struct Page { path: String, views: u64 }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let app = engine.table::<App>("app").await?;
/// let fresh = Page { path: "/".into(), views: 0 };
/// for _ in 0..2 {
///     app.upsert(&fresh).change(|page| page.views.add(1)).send().await?;
/// }
/// assert_eq!(app.get(&fresh).send().await?.map(|page| page.views), Some(2));
/// # }
/// # Ok(()) }
/// ```
#[must_use = "an operation does nothing until `.send().await`"]
pub struct Upsert<'a, E: Entity> {
    table: Table<E::Table>,
    initial: &'a E,
    changes: Vec<expr::Action>,
    max_attempts: u32,
    repeat: bool,
}

const MAX_ATTEMPTS: u32 = 10;

/// How an upsert is written.
enum Way {
    /// One update that says what the item begins with.
    One(Vec<expr::Action>),
    /// An update of an item that exists, or a put of this one.
    Two(Item),
}

impl<'a, E: Entity<Unique: LeavesUnique<E>>> Upsert<'a, E> {
    pub(crate) fn new(table: Table<E::Table>, initial: &'a E) -> Self {
        Upsert { table, initial, changes: Vec::new(), max_attempts: MAX_ATTEMPTS, repeat: false }
    }

    /// What is changed; given again, both. The fields are those of an update by key.
    pub fn change<C: IntoChanges>(mut self, change: impl FnOnce(&E::Fields<ByKey>) -> C) -> Self {
        self.changes.extend(change(&E::fields()).into_changes().0);
        self
    }

    /// Makes both requests at most so many times; 10 unless set, and at least 1.
    pub fn max_attempts(mut self, n: u32) -> Self {
        self.max_attempts = n;
        self
    }

    capacity_method!(table);

    write::retry_unsafe_method!();

    /// The requests, unsent: one, or the update and, for a missing item, the put.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`], [`Error::is_encode`] or [`Error::is_invalid_expression`].
    pub fn explain(&self) -> Result<Explanation, Error> {
        let explain = |actions| Plan::of(actions).explain(&self.table, None);
        match self.way()? {
            Way::One(changes) => explain(self.one(&changes)?),
            Way::Two(item) => Ok(explain(self.update()?)?.and(explain(self.create(item)?)?)),
        }
    }

    /// Changes the item, or creates it.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`], [`Error::is_encode`] or [`Error::is_invalid_expression`] before a
    /// request; [`Error::is_condition_failed`] if others created and deleted the item every time;
    /// else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<(), Error> {
        let item = match self.way()? {
            Way::One(changes) => {
                let is_idempotent = self.repeat || self.is_idempotent();
                let plan = Plan { actions: self.one(&changes)?, is_idempotent, wrote: None };
                return plan.send(&self.table, None, None).await.map(drop);
            }
            Way::Two(item) => item,
        };
        let mut backoff = Backoff::new(self.max_attempts);
        loop {
            let is_idempotent = self.repeat || self.is_idempotent();
            let update = Plan { actions: self.update()?, is_idempotent, wrote: None };
            match update.send(&self.table, None, None).await {
                // Where an attempt got no answer it may have changed the item before another deleted
                // it: changes that may be repeated are made again on a new one.
                Err(error)
                    if error.is_item_missing()
                        && (is_idempotent || !error.is_outcome_unknown()) => {}
                done => return done.map(drop),
            }
            let actions = self.create(item.clone())?;
            let create = Plan { actions, is_idempotent: self.repeat, wrote: None };
            let error = match create.send(&self.table, None, None).await {
                Err(error) if error.is_condition_failed() && !error.is_outcome_unknown() => error,
                done => return done.map(drop),
            };
            if !backoff.pause(false).await {
                return Err(error);
            }
        }
    }

    fn is_idempotent(&self) -> bool {
        E::SCHEMA.version.is_none()
            && !write::sets_ttl::<E>(&self.changes)
            && self.changes.iter().all(expr::Action::is_idempotent)
    }

    fn way(&self) -> Result<Way, Error> {
        let version = E::SCHEMA.version.map(|_| 0);
        let mut initial = item_of(self.initial, version)?;
        if let Some(one) = one_update::<E>(&initial, &self.changes)? {
            return Ok(Way::One(one));
        }
        expr::apply(&mut initial, &self.changes)?;
        let mut changed = E::from_item(initial).map_err(|error| {
            Error::expression(format!(
                "the changes make an item that is no `{}`: {error}",
                E::SCHEMA.name
            ))
        })?;
        changed.set_version(1);
        Ok(Way::Two(item_of(&changed, version.map(|_| 1))?))
    }

    fn one(&self, changes: &[expr::Action]) -> Result<Vec<Action>, Error> {
        Planner::new(&self.table, &self.key())?.upsert(changes)
    }

    fn update(&self) -> Result<Vec<Action>, Error> {
        let key = self.key();
        let planner = Planner::new(&self.table, &key)?;
        planner.update(None, &self.changes, &expr::Node::ALWAYS)
    }

    fn create(&self, item: Item) -> Result<Vec<Action>, Error> {
        Planner::new(&self.table, &self.key())?.create(self.initial, Stored::Item(item))
    }

    fn key(&self) -> Key<E> {
        self.initial.key()
    }
}

/// The changes of the only update, if there is one that says both.
fn one_update<E: Entity>(
    initial: &Item,
    changes: &[expr::Action],
) -> Result<Option<Vec<expr::Action>>, Error> {
    if !E::KEYS_FOLLOW || ttl::attribute_of::<E>().is_some() {
        return Ok(None);
    }
    // What a stored item has, whoever wrote it: without it the item does not decode.
    let is_always_there = |name: &str| {
        let mut without = initial.clone();
        without.remove(name);
        E::from_item(without).is_err()
    };
    let mut all = Vec::new();
    for change in changes {
        let Some(at) = change.at() else { return Ok(None) };
        if let expr::Action::Refused(error) = change {
            return Err(error.clone());
        }
        let first = initial.get(at.root());
        let begin = match first {
            None => None,
            Some(first) if at.is_top_level() && is_always_there(at.root()) => Some(first.clone()),
            Some(_) if matches!(change, expr::Action::Set { .. }) && at.is_top_level() => None,
            Some(_) => return Ok(None),
        };
        match change.beginning_with(begin) {
            Some(change) => all.push(change),
            None => return Ok(None),
        }
    }
    let changed =
        |name: &str| changes.iter().filter_map(expr::Action::at).any(|at| at.root() == name);
    for (name, value) in initial {
        let is_primary = E::SCHEMA.is_primary(name);
        if is_primary || changed(name) || E::SCHEMA.version == Some(name) {
            continue;
        }
        // A flattened field may have other attributes in an item that exists.
        let is_field = E::SCHEMA.attributes.contains(&name.as_str());
        let is_known = item::is_own::<E>(name) || (is_field && is_always_there(name));
        if !is_known {
            return Ok(None);
        }
        all.push(expr::Action::SetIfMissing {
            at: expr::attribute(name.clone()),
            value: value.clone(),
        });
    }
    if let Some(version) = E::SCHEMA.version {
        all.push(expr::Action::Add {
            at: expr::attribute(version),
            number: "1".to_owned(),
            begin: None::<AttributeValue>,
        });
    }
    // `initial` is a map, and a request reads better in an order.
    all.sort_by_cached_key(|change| change.at().map(ToString::to_string));
    Ok(Some(all))
}

impl<E: Entity> fmt::Debug for Upsert<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upsert")
            .field("table", &self.table)
            .field("key", &self.initial.key())
            .field("changes", &self.changes)
            .finish_non_exhaustive()
    }
}
