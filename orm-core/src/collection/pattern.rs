use std::fmt;
use std::marker::PhantomData;

use super::ItemCollection;
use crate::entity::Entity;
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
        let absent = |text| KeyError::new(C::NAME, text, "is absent");
        let partition = match E::SCHEMA.first_slots(C::INDEX) {
            Some((slot, _)) => slot
                .render(parts, None)
                .and_then(|value| value.ok_or_else(|| absent(slot.template.text))),
            None => Err(absent("the partition key")),
        };
        CollectionPattern { partition, collection: PhantomData }
    }

    /// What a stub answers.
    #[doc(hidden)]
    pub fn not_derived() -> Self {
        let partition = Err(KeyError::new(C::NAME, "the partition key", "was not derived"));
        CollectionPattern { partition, collection: PhantomData }
    }

    pub(crate) fn partition(&self) -> Result<KeyValue, KeyError> {
        self.partition.clone()
    }
}

/// What reads the same kind of place as a collection.
#[diagnostic::on_unimplemented(
    message = "this pattern reads another place than the collection",
    label = "the pattern is `{Self}`, and the collection `{I}`",
    note = "take the member's pattern of the table or index that the collection reads"
)]
pub trait SameIndex<I> {}

#[diagnostic::do_not_recommend]
impl<I> SameIndex<I> for I {}

impl<C> Clone for CollectionPattern<C> {
    fn clone(&self) -> Self {
        CollectionPattern { partition: self.partition.clone(), collection: PhantomData }
    }
}

impl<C: ItemCollection> fmt::Debug for CollectionPattern<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CollectionPattern")
            .field("collection", &C::NAME)
            .field("index", &C::INDEX)
            .field("partition", &self.partition)
            .finish()
    }
}
