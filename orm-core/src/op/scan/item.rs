use crate::codec::CodecError;
use crate::entity::{Entity, Item, KeyParts};
use crate::error::Error;
use crate::item;
use crate::schema::{EntitySchema, Schema};

/// An item of a scan, and the entity it is.
#[derive(Debug, Clone)]
pub struct ScannedItem {
    entity: Option<&'static EntitySchema>,
    item: Item,
    /// The index that holds a part of the item.
    partial: Option<&'static str>,
}

impl ScannedItem {
    pub(super) fn new<T: Schema>(found: Item, partial: Option<&'static str>) -> Self {
        let mut entities = T::entities().iter().map(|entry| entry.schema);
        let entity = entities.find(|schema| item::is_of(T::TABLE, schema, &found));
        ScannedItem { entity, item: found, partial }
    }

    pub(super) fn is_over<T: Schema>(&self, now: i64) -> bool {
        self.entity.is_some_and(|entity| super::is_over::<T>(entity, &self.item, now))
    }

    /// The name of the entity of `entities(..)` that the item is; `None` for a stranger.
    pub fn entity(&self) -> Option<&'static str> {
        self.entity.map(|entity| entity.name)
    }

    /// Whether the item is an `E`: by the type attribute, else by its key.
    pub fn is<E: Entity>(&self) -> bool {
        item::is_of(<E::Table as Schema>::TABLE, E::SCHEMA, &self.item)
    }

    /// The item as stored; of an index that projects a part, that part.
    pub fn item(&self) -> &Item {
        &self.item
    }

    /// The item as stored; of an index that projects a part, that part.
    pub fn into_item(self) -> Item {
        self.item
    }

    /// The item as an `E`.
    ///
    /// # Errors
    ///
    /// [`Error::is_decode`] if it is none, or comes from an index that does not project the whole
    /// item.
    pub fn decode<E: Entity>(self) -> Result<E, Error> {
        if let Some(index) = self.partial {
            let key = KeyParts::of_item(<E::Table as Schema>::TABLE, &self.item);
            let problem = CodecError::new(format_args!(
                "the index `{index}` holds a part of it; read the whole one by its key, or project all"
            ));
            return Err(Error::decode(E::SCHEMA.name, key.map(|key| key.to_string()), problem));
        }
        E::from_item(self.item)
    }
}

impl PartialEq for ScannedItem {
    fn eq(&self, other: &Self) -> bool {
        self.entity() == other.entity() && self.item == other.item
    }
}
