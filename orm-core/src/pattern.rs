use std::fmt;
use std::marker::PhantomData;
use std::ops::Bound;

use crate::entity::Entity;
use crate::expr::FilteringAny;
use crate::key::range::{self, Edge, SortCondition, SortRange};
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
    partitions: Vec<KeyValue>,
    sort: Option<&'static Slot>,
    /// The stored texts of the sort-key components that are fixed.
    texts: Vec<Option<String>>,
    /// Set by a natural sort key, a prefix or a range.
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

/// What holds, or can fetch, every attribute of an item.
#[diagnostic::on_unimplemented(
    message = "this index does not project every attribute, so the items cannot be read from it",
    label = "use `.keys()` or `.count()` here, or `projection = all` on the index"
)]
pub trait WholeItems {}
#[diagnostic::do_not_recommend]
impl WholeItems for OnTable {}
#[diagnostic::do_not_recommend]
impl WholeItems for OnLocalIndex {}
#[diagnostic::do_not_recommend]
impl WholeItems for OnGlobalIndex {}

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
    /// `index`: position in the schema. `known`: the sort-key components whose fields are in the
    /// partition key too.
    pub fn start(
        index: Option<usize>,
        pk: &[&dyn Component],
        known: &[(usize, &dyn Component)],
    ) -> Self {
        let schema = E::SCHEMA;
        let index = index.and_then(|at| schema.indexes.get(at));
        let (slot, sort) = match index {
            Some(index) => (&index.pk, index.sk.as_ref()),
            None => (&schema.pk, schema.sk.as_ref()),
        };
        let shards = index.and_then(|index| index.shards).map_or(1, |shards| shards.reads());
        let partition = |shard| {
            slot.render(pk, Some(shard))?
                .ok_or_else(|| KeyError::new(schema.name, slot.template.text, "is absent"))
        };
        let state = (0..shards).map(partition).collect::<Result<_, _>>().map(|partitions| State {
            index,
            partitions,
            sort,
            texts: vec![None; sort.map_or(0, |slot| slot.template.parts().count())],
            narrowed: None,
        });
        let mut pattern = Pattern { state, marker: PhantomData };
        for (at, component) in known {
            pattern = pattern.fix(*at, *component);
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

    pub fn fix(self, at: usize, component: &dyn Component) -> Self {
        self.with_sort(|slot, state| {
            if slot.natural {
                let value = slot.natural(component)?;
                let condition = value.map_or(SortCondition::Nothing, SortCondition::Equal);
                state.narrowed = Some(SortRange { condition, excluded: Vec::new() });
                return Ok(());
            }
            let Some(part) = slot.template.parts().nth(at) else { return Ok(()) };
            let value = component.value().map_err(|error| slot.error_at(part, error))?;
            state.texts[at] = value.map(|value| slot.text(part, &value)).transpose()?;
            Ok(())
        })
    }

    pub fn prefix(self, at: usize, prefix: &str) -> Self {
        self.with_sort(|slot, state| {
            state.narrowed = Some(range::prefix(slot, &state.texts, at, prefix)?);
            Ok(())
        })
    }

    pub fn range(self, at: usize, start: Edge<'_>, end: Edge<'_>) -> Self {
        self.with_sort(|slot, state| {
            state.narrowed = Some(range::between(slot, &state.texts, at, start, end)?);
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
        change: impl FnOnce(&'static Slot, &mut State) -> Result<(), KeyError>,
    ) -> Self {
        if let Ok(state) = &mut self.state
            && let Some(slot) = state.sort
            && let Err(error) = change(slot, state)
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
    pub(crate) partitions: Vec<KeyValue>,
    pub(crate) range: SortRange,
}

impl<E: Entity, I> Pattern<E, I> {
    pub(crate) fn plan(&self) -> Result<Plan, KeyError> {
        let state = self.state.as_ref().map_err(Clone::clone)?;
        let range = match (&state.narrowed, state.sort) {
            (Some(range), _) => range.clone(),
            (None, Some(slot)) => range::fixed(slot, &state.texts)?,
            (None, None) => SortRange { condition: SortCondition::All, excluded: Vec::new() },
        };
        Ok(Plan { index: state.index, partitions: state.partitions.clone(), range })
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
                .field("partitions", &plan.partitions)
                .field("sort", &plan.range.condition)
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
