//! What the writes share.

use crate::capacity::{MAX_ITEM, item_size, write_units};
use crate::entity::{Entity, Item};
use crate::error::{Context, Error};
use crate::schema::Schema;
use crate::table::Table;

/// The item of a put, checked against the limit of 400 KB.
pub(super) fn item_of<E: Entity>(entity: &E) -> Result<Item, Error> {
    let item = entity.to_item()?;
    let size = item_size(&item);
    if size > MAX_ITEM {
        return Err(Error::usage(format!(
            "the item `{}` of `{}` has {size} bytes; DynamoDB allows {MAX_ITEM}, attribute names included",
            entity.key(),
            E::SCHEMA.name
        )));
    }
    Ok(item)
}

/// What a put costs at most: each index may lose an old key and gain a new one.
#[allow(clippy::cast_precision_loss)]
pub(super) fn max_units<E: Entity>(item_bytes: usize) -> f64 {
    let indexes = E::Table::TABLE.indexes.len() as f64;
    write_units(item_bytes) * (1.0 + 2.0 * indexes)
}

pub(super) fn context<T: Schema>(
    table: &Table<T>,
    operation: &'static str,
    entity: &'static str,
    key: String,
) -> Context {
    Context { entity, target: key, is_write: true, ..table.context(operation) }
}
