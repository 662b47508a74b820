//! The fields that a write knows: what keys are rendered from, whichever way an item is written.

use std::cell::RefCell;
use std::fmt;

use crate::entity::{Entity, KeyParts};
use crate::expr::Typed;
use crate::key::{Arg, KeyError, KeyPart, KeyValue, PartKind, PartValue, Slot};

/// New values of changed fields, then the item as the caller has it, then the key.
///
/// A put knows the item, an update by key the changes and the key, an update of an item all three.
/// Index keys come from here in every case, so that each write stores what a fresh put would.
pub struct Known<'a, E> {
    changes: Vec<(&'a str, &'a Typed)>,
    item: Option<&'a E>,
    key: Option<&'a KeyParts>,
    /// Everything counts as changed.
    whole: bool,
    /// The fields taken from the item, whose stored values must still be these.
    used: RefCell<Vec<&'static str>>,
}

impl<'a, E: Entity> Known<'a, E> {
    /// All of an item, for a put.
    pub(crate) fn item(item: &'a E) -> Self {
        let used = RefCell::default();
        Known { changes: Vec::new(), item: Some(item), key: None, whole: true, used }
    }

    /// The changes of an update, by attribute.
    pub(crate) fn update(
        changes: Vec<(&'a str, &'a Typed)>,
        item: Option<&'a E>,
        key: &'a KeyParts,
    ) -> Self {
        Known { changes, item, key: Some(key), whole: false, used: RefCell::default() }
    }

    /// Whether everything counts as changed.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole
    }

    /// The unchanged fields that what was asked depends on.
    pub(crate) fn used(self) -> Vec<&'static str> {
        self.used.into_inner()
    }
}

/// What generated code calls.
#[doc(hidden)]
impl<'a, E: Entity> Known<'a, E> {
    /// Whether one of these attributes is written.
    pub fn touches(&self, attributes: &[&str]) -> bool {
        self.whole || self.changes.iter().any(|(name, _)| attributes.contains(name))
    }

    /// A field, by its attribute.
    pub fn field<T: 'static>(
        &self,
        attribute: &'static str,
        of: fn(&E) -> &T,
    ) -> Result<&'a T, KeyError> {
        if !self.whole {
            let changed = self.changes.iter().find(|(name, _)| *name == attribute);
            if let Some(value) = changed.and_then(|(_, typed)| typed.get()) {
                return Ok(value);
            }
            let mut used = self.used.borrow_mut();
            if !used.contains(&attribute) {
                used.push(attribute);
            }
        }
        self.item.map(of).ok_or_else(|| self.unknown(attribute))
    }

    /// A field of the primary key; `slot` and `at` say where the key has it.
    pub fn primary<P: KeyPart>(
        &self,
        field: &'static str,
        of: fn(&E) -> Option<&P>,
        slot: &'static Slot,
        at: usize,
    ) -> Result<Arg<'a, P>, KeyError> {
        if let Some(part) = self.item.and_then(of) {
            return Ok(Arg::Borrowed(part));
        }
        let is_sort_key = E::SCHEMA.sk.is_some_and(|own| own.attribute == slot.attribute);
        let stored = self.key.map(|key| match &key.sk {
            Some(sk) if is_sort_key => sk,
            _ => &key.pk,
        });
        let value = stored.and_then(|stored| part_of(slot, at, stored));
        let part = value.and_then(|value| P::from_value(value).ok());
        part.map(Arg::Owned).ok_or_else(|| {
            KeyError::new(
                E::SCHEMA.name,
                format!("the key `{}`", self.key.map(ToString::to_string).unwrap_or_default()),
                format_args!(
                    "is not one that `{}` renders, so `{field}` is not known from it: use `update(&item)`",
                    slot.template.text
                ),
            )
        })
    }

    fn unknown(&self, attribute: &str) -> KeyError {
        KeyError::new(
            E::SCHEMA.name,
            format!("attribute `{attribute}`"),
            "is not known, and an index key depends on it: use `update(&item)` or `modify`",
        )
    }
}

/// The value of a component in a stored key.
pub(crate) fn part_of<'v>(
    slot: &'static Slot,
    at: usize,
    stored: &'v KeyValue,
) -> Option<PartValue<'v>> {
    if !slot.natural {
        let KeyValue::S(text) = stored else { return None };
        return slot.template.parse(text)?.into_iter().nth(at);
    }
    let part = slot.template.parts().nth(at)?;
    match (part.kind, stored) {
        (PartKind::Text, KeyValue::S(text)) => Some(PartValue::Text(text.into())),
        (PartKind::Bytes, KeyValue::B(bytes)) => Some(PartValue::Bytes(bytes.into())),
        (_, KeyValue::S(text) | KeyValue::N(text)) => part.read(text),
        _ => None,
    }
}

impl<E: Entity> fmt::Debug for Known<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Known").field("entity", &E::SCHEMA.name).finish_non_exhaustive()
    }
}
