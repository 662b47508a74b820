use std::fmt;
use std::marker::PhantomData;
use std::ops::Bound;

use crate::entity::Entity;
use crate::error::Error;
use crate::expr::FilteringAny;
use crate::key::condition::{KeyRange, SortCondition, SortRange};
use crate::key::range::{self, Edge};
use crate::key::{Component, KeyError, KeyValue, Slot};
use crate::schema::EntityIndex;

/// Which items of `E` a query reads: a partition of the table or of an index, and what is fixed of
/// the sort key. `I` is [`OnTable`], [`OnLocalIndex`], [`OnGlobalIndex`] or [`OnPartialIndex`].
///
/// The functions `by_…` that the derive makes return a builder of their own, whose methods narrow
/// the sort key; [`Table::query`](crate::Table::query) takes both. `.erase()` turns the builder
/// into this type, for code that narrows in one branch only.
#[must_use = "a pattern does nothing until it is queried"]
pub struct Pattern<E, I> {
    state: Result<State, KeyError>,
    marker: PhantomData<fn() -> (E, I)>,
}

#[derive(Debug, Clone)]
struct State {
    index: Option<&'static EntityIndex>,
    /// The values of the partition key's attributes, for each shard.
    partitions: Vec<Vec<KeyValue>>,
    /// The attributes of the sort key.
    sort: Vec<SortKey>,
}

/// One attribute of a sort key.
#[derive(Debug, Clone)]
struct SortKey {
    slot: &'static Slot,
    /// The stored texts of the components that are fixed.
    texts: Vec<Option<String>>,
    /// Set by a natural key, a prefix or a range.
    narrowed: Option<SortRange>,
}

/// A pattern on the table.
#[derive(Debug)]
#[non_exhaustive]
pub struct OnTable;
/// A pattern on a local secondary index.
#[derive(Debug)]
#[non_exhaustive]
pub struct OnLocalIndex;
/// A pattern on a global secondary index that projects every attribute.
#[derive(Debug)]
#[non_exhaustive]
pub struct OnGlobalIndex;
/// A pattern on a global secondary index that projects a part of the attributes.
#[derive(Debug)]
#[non_exhaustive]
pub struct OnPartialIndex;

/// Tables and local indexes.
#[diagnostic::on_unimplemented(
    message = "a global secondary index has no consistent reads",
    label = "`.consistent()` is for the table and local indexes",
    note = "drop `.consistent()`, or read by the table's own key; <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html>"
)]
pub trait ConsistentReads {}
#[diagnostic::do_not_recommend]
impl ConsistentReads for OnTable {}
#[diagnostic::do_not_recommend]
impl ConsistentReads for OnLocalIndex {}

/// A pattern, or a builder that the derive made.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a pattern",
    label = "expected a pattern such as `Order::by_customer_id(..)`",
    note = "a key reads one item with `get`; a pattern reads many with `query`"
)]
pub trait IntoPattern {
    /// What it finds.
    type Entity: Entity;
    /// Where it reads.
    type Index;
    /// Which paths a filter has.
    type Filter: 'static;
    /// The pattern.
    fn into_pattern(self) -> Pattern<Self::Entity, Self::Index>;
}

#[diagnostic::do_not_recommend]
impl<E: Entity, I> IntoPattern for Pattern<E, I> {
    type Entity = E;
    type Index = I;
    type Filter = FilteringAny;
    fn into_pattern(self) -> Pattern<E, I> {
        self
    }
}

/// What generated code calls.
#[doc(hidden)]
impl<E: Entity, I> Pattern<E, I> {
    /// `index`: position in the schema. `pk`: the components of each attribute of the partition
    /// key. `known`: the sort-key components whose fields are in the partition key too, by attribute
    /// and position.
    pub fn start(
        index: Option<usize>,
        pk: &[&[&dyn Component]],
        known: &[(usize, usize, &dyn Component)],
    ) -> Self {
        let schema = E::SCHEMA;
        let index = index.and_then(|at| schema.indexes.get(at));
        let (slots, sort) = match index {
            Some(index) => (index.pk, index.sk),
            None => (std::slice::from_ref(&schema.pk), schema.sk.as_slice()),
        };
        let shards = index.and_then(|index| index.shards).map_or(1, |shards| shards.reads());
        let partition = |shard| {
            let values = slots.iter().zip(pk).map(|(slot, components)| {
                slot.render(components, Some(shard))?
                    .ok_or_else(|| KeyError::new(schema.name, slot.template.text, "is absent"))
            });
            values.collect::<Result<_, KeyError>>()
        };
        let sort_key = |slot: &'static Slot| {
            let texts = vec![None; slot.template.parts().count()];
            SortKey { slot, texts, narrowed: None }
        };
        let partitions = (0..shards).map(partition).collect::<Result<_, _>>();
        let state = partitions.map(|partitions| State {
            index,
            partitions,
            sort: sort.iter().map(sort_key).collect(),
        });
        let mut pattern = Pattern { state, marker: PhantomData };
        for (slot, at, component) in known {
            pattern = pattern.fix(*slot, *at, *component);
        }
        pattern
    }

    /// The pattern, or why an argument contradicts `only_when`.
    pub fn require(mut self, holds: bool, condition: &'static str) -> Self {
        if !holds && self.state.is_ok() {
            self.state = Err(KeyError::new(
                E::SCHEMA.name,
                "this pattern",
                format_args!(
                    "asks for items that are never in the index, which holds them only when {condition}"
                ),
            ));
        }
        self
    }

    /// Component `at` of attribute `slot` of the sort key.
    pub fn fix(self, slot: usize, at: usize, component: &dyn Component) -> Self {
        self.with_sort(slot, |SortKey { slot, texts, narrowed }| {
            if slot.natural {
                let value = slot.natural(component)?;
                let condition = value.map_or(SortCondition::Nothing, SortCondition::Equal);
                *narrowed = Some(SortRange::exactly(condition));
                return Ok(());
            }
            let Some(part) = slot.template.parts().nth(at) else { return Ok(()) };
            let value = component.value().map_err(|error| slot.error_at(part, error))?;
            texts[at] = value.map(|value| slot.text(part, &value)).transpose()?;
            Ok(())
        })
    }

    /// Component `at` of attribute `slot`, where the value is missing.
    pub fn fix_none(self, slot: usize, at: usize) -> Self {
        self.with_sort(slot, |SortKey { slot, texts, .. }| {
            let part = slot.template.parts().nth(at);
            texts[at] = part.and_then(|part| part.none_text()).map(str::to_owned);
            Ok(())
        })
    }

    pub fn prefix(self, slot: usize, at: usize, prefix: &str) -> Self {
        self.with_sort(slot, |SortKey { slot, texts, narrowed }| {
            *narrowed = Some(range::prefix(slot, texts, at, prefix)?);
            Ok(())
        })
    }

    pub fn range(self, slot: usize, at: usize, start: Edge<'_>, end: Edge<'_>) -> Self {
        self.with_sort(slot, |SortKey { slot, texts, narrowed }| {
            *narrowed = Some(range::between(slot, texts, at, start, end)?);
            Ok(())
        })
    }

    pub fn shard(mut self, shard: u32) -> Self {
        if let Ok(state) = &mut self.state {
            let count = state.partitions.len();
            match state.partitions.get(shard as usize) {
                Some(partition) => state.partitions = vec![partition.clone()],
                None => {
                    let problem =
                        format!("does not exist; the index is read in {count} shards, from 0");
                    self.state =
                        Err(KeyError::new(E::SCHEMA.name, format!("shard {shard}"), problem));
                }
            }
        }
        self
    }

    fn with_sort(
        mut self,
        slot: usize,
        change: impl FnOnce(&mut SortKey) -> Result<(), KeyError>,
    ) -> Self {
        if let Ok(state) = &mut self.state
            && let Some(key) = state.sort.get_mut(slot)
            && let Err(error) = change(key)
        {
            self.state = Err(error);
        }
        self
    }
}

/// What a query needs to know.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) index: Option<&'static EntityIndex>,
    /// One for each partition, and several for one where several patterns read it.
    pub(crate) ranges: Vec<KeyRange>,
}

impl Plan {
    /// Several patterns as one. Given twice, a pattern counts once; two that could read one item are
    /// an error, since it would be found twice.
    pub(crate) fn join<E: Entity>(
        plans: impl IntoIterator<Item = Result<Plan, KeyError>>,
    ) -> Result<Plan, Error> {
        let mut joined: Option<Plan> = None;
        for plan in plans {
            let plan = plan?;
            let Some(Plan { index, ranges }) = &mut joined else {
                joined = Some(plan);
                continue;
            };
            let name = |index: Option<&EntityIndex>| {
                index.map_or_else(
                    || "the table".to_owned(),
                    |index| format!("index `{}`", index.name),
                )
            };
            if name(*index) != name(plan.index) {
                return Err(Error::usage(format!(
                    "patterns of one query read one index: these of `{}` read {} and {}",
                    E::SCHEMA.name,
                    name(*index),
                    name(plan.index)
                )));
            }
            for range in plan.ranges {
                if ranges.contains(&range) {
                    continue;
                }
                if ranges.iter().any(|other| other.overlaps(&range)) {
                    return Err(Error::usage(format!(
                        "two patterns of `{}` read the partition `{}` in ranges that overlap: an item would be found twice, so make them one pattern, or ranges that are apart",
                        E::SCHEMA.name,
                        range.partition_text()
                    )));
                }
                ranges.push(range);
            }
        }
        let mut plan = joined.unwrap_or(Plan { index: None, ranges: Vec::new() });
        plan.ranges.sort_by(KeyRange::order);
        Ok(plan)
    }
}

impl<E: Entity, I> Pattern<E, I> {
    pub(crate) fn plan(&self) -> Result<Plan, KeyError> {
        let state = self.state.as_ref().map_err(Clone::clone)?;
        let (mut equal, mut sort) = (Vec::new(), SortRange::ALL);
        for (at, key) in state.sort.iter().enumerate() {
            sort = match &key.narrowed {
                Some(range) => range.clone(),
                None => range::fixed(key.slot, &key.texts)?,
            };
            // Only behind an attribute that is fixed in whole does the next one count.
            match &sort.condition {
                SortCondition::Equal(value) if at + 1 < state.sort.len() => {
                    equal.push(value.clone());
                    sort = SortRange::ALL;
                }
                _ => break,
            }
        }
        let range = |partition: &Vec<KeyValue>| KeyRange {
            partition: partition.clone(),
            equal: equal.clone(),
            sort: sort.clone(),
        };
        let ranges = state.partitions.iter().map(range).collect();
        Ok(Plan { index: state.index, ranges })
    }
}

impl<E, I> Clone for Pattern<E, I> {
    fn clone(&self) -> Self {
        Pattern { state: self.state.clone(), marker: PhantomData }
    }
}

impl<E: Entity, I> fmt::Debug for Pattern<E, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Pattern");
        out.field("entity", &E::SCHEMA.name);
        match self.plan() {
            Ok(plan) => out
                .field("index", &plan.index.map(|index| index.name))
                .field("ranges", &plan.ranges)
                .finish(),
            Err(error) => out.field("error", &error.to_string()).finish(),
        }
    }
}

/// Both ends of a range, with the arguments turned into parts.
#[doc(hidden)]
pub fn edges<'a, T>(start: Bound<&'a T>, end: Bound<&'a T>) -> (Edge<'a>, Edge<'a>)
where
    T: Component,
{
    let erase = |component: &'a T| component as &dyn Component;
    (start.map(erase), end.map(erase))
}
