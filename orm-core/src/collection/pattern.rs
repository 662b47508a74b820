use std::fmt;
use std::marker::PhantomData;

use super::ItemCollection;
use crate::entity::Entity;
use crate::key::range::{self, KeyRange, SortCondition, SortRange};
use crate::key::{Component, KeyError, KeyValue};

/// Which partition a collection reads, as `by_…(..)` of `#[derive(ItemCollection)]` makes it.
#[must_use = "a pattern does nothing until it is read"]
pub struct CollectionPattern<C> {
    partition: Result<KeyValue, KeyError>,
    collection: PhantomData<fn() -> C>,
}

impl<C: ItemCollection> CollectionPattern<C> {
    /// `E` is any member: the derive checks that all have the same partition key.
    #[doc(hidden)]
    pub fn of<E: Entity>(parts: &[&dyn Component]) -> Self {
        let slot = &E::SCHEMA.pk;
        let partition = slot.render(parts, None).and_then(|value| {
            value.ok_or_else(|| KeyError::new(C::NAME, slot.template.text, "is absent"))
        });
        CollectionPattern { partition, collection: PhantomData }
    }

    /// What a stub answers.
    #[doc(hidden)]
    pub fn not_derived() -> Self {
        let partition = Err(KeyError::new(C::NAME, "the partition key", "was not derived"));
        CollectionPattern { partition, collection: PhantomData }
    }

    pub(crate) fn range(&self) -> Result<KeyRange, KeyError> {
        let partition = vec![self.partition.clone()?];
        let sort = SortRange::exactly(Self::span()?);
        Ok(KeyRange { partition, equal: Vec::new(), sort })
    }

    /// The sort keys from the first member's to the last's; what else lies between is skipped
    /// after reading.
    fn span() -> Result<SortCondition, KeyError> {
        let mut span: Option<(String, Option<String>)> = None;
        for member in C::MEMBERS {
            let Some(slot) = &member.entity.sk else { return Ok(SortCondition::All) };
            let unknown = vec![None; slot.template.parts().count()];
            let condition = range::fixed(slot, &unknown)?.condition;
            if C::MEMBERS.len() == 1 {
                return Ok(condition);
            }
            let Some((low, high)) = ends(condition) else { return Ok(SortCondition::All) };
            span = Some(match span {
                None => (low, high),
                Some((least, greatest)) => {
                    (least.min(low), greatest.zip(high).map(|(a, b)| a.max(b)))
                }
            });
        }
        Ok(match span {
            None => SortCondition::All,
            Some((low, Some(high))) => SortCondition::Between(KeyValue::S(low), KeyValue::S(high)),
            Some((low, None)) => SortCondition::AtLeast(KeyValue::S(low)),
        })
    }
}

/// Both ends of a condition on text; `None` where it has no lower end or is not text.
fn ends(condition: SortCondition) -> Option<(String, Option<String>)> {
    match condition {
        SortCondition::Equal(KeyValue::S(text)) => Some((text.clone(), Some(text))),
        SortCondition::BeginsWith(KeyValue::S(text)) => {
            let end = range::successor(&text);
            Some((text, end))
        }
        SortCondition::Between(KeyValue::S(low), KeyValue::S(high)) => Some((low, Some(high))),
        SortCondition::AtLeast(KeyValue::S(low)) => Some((low, None)),
        _ => None,
    }
}

impl<C> Clone for CollectionPattern<C> {
    fn clone(&self) -> Self {
        CollectionPattern { partition: self.partition.clone(), collection: PhantomData }
    }
}

impl<C: ItemCollection> fmt::Debug for CollectionPattern<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CollectionPattern")
            .field("collection", &C::NAME)
            .field("partition", &self.partition)
            .finish()
    }
}
