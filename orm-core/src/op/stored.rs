//! What a put stores.

use std::borrow::Cow;
use std::sync::Arc;

use crate::capacity::{MAX_ITEM, json_size, least_item_size};
use crate::codec::json::{self, Text};
use crate::entity::{Entity, Item, KeyParts};
use crate::error::Error;
use crate::item;
use crate::wire::Connection;

/// An item to be written.
#[derive(Debug, Clone)]
pub(crate) enum Stored {
    Item(Item),
    /// As it stands in the body of a request.
    Json(Arc<str>),
}

impl Default for Stored {
    fn default() -> Self {
        Stored::Item(Item::new())
    }
}

impl Stored {
    /// The item of a put, with this version, checked against the limit of 400 KB.
    pub(super) fn of<E: Entity>(
        connection: &Connection,
        entity: &E,
        key: &KeyParts,
        version: Option<u64>,
    ) -> Result<Stored, Error> {
        if connection.takes_json()
            && let Ok(json) = item::encode_json(entity, key, version)
            // The size of an item is below that of its JSON.
            && json.len() <= MAX_ITEM
        {
            return Ok(Stored::Json(json.into()));
        }
        super::plan::item_of(entity, version).map(Stored::Item)
    }

    /// The attributes.
    pub(super) fn item(&self) -> Cow<'_, Item> {
        match self {
            Stored::Item(item) => Cow::Borrowed(item),
            Stored::Json(json) => Cow::Owned(parsed(json)),
        }
    }

    pub(super) fn into_item(self) -> Item {
        match self {
            Stored::Item(item) => item,
            Stored::Json(json) => parsed(&json),
        }
    }

    /// The JSON, for the place of the item without attributes that is left here.
    pub(super) fn take_json(&mut self) -> Option<Arc<str>> {
        let Stored::Json(json) = self else { return None };
        let json = Arc::clone(json);
        *self = Stored::default();
        Some(json)
    }

    /// Bytes that are no fewer than those of the item, and little to find out.
    pub(super) fn size_at_most(&self) -> usize {
        match self {
            Stored::Item(item) => least_item_size(item),
            Stored::Json(json) => json.len(),
        }
    }

    /// Bytes of JSON at most.
    pub(super) fn json_size(&self) -> usize {
        match self {
            Stored::Item(item) => json_size(item),
            Stored::Json(json) => json.len(),
        }
    }
}

/// [`item::encode_json`] writes what can be read.
fn parsed(json: &str) -> Item {
    json::item(&mut Text::new(json)).unwrap_or_default()
}
