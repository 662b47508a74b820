//! What the writes share.

use crate::capacity::{MAX_ITEM, least_item_size, write_units};
use crate::entity::{Entity, Item};
use crate::error::{Context, Error};
use crate::schema::Schema;
use crate::table::Table;
use crate::wire::{CustomTransactWrite, Customize};

/// The item of a put, checked against the limit of 400 KB.
pub(super) fn item_of<E: Entity>(entity: &E) -> Result<Item, Error> {
    let item = entity.to_item()?;
    let size = least_item_size(&item);
    if size > MAX_ITEM {
        let problem =
            format!("has {size} bytes; DynamoDB allows {MAX_ITEM}, attribute names included");
        return Err(Error::too_large(E::SCHEMA.name, &entity.key().to_string(), &problem));
    }
    Ok(item)
}

/// What a write costs at most. The larger of the old and the new item counts, on the table and, for
/// an old and a new key, twice on each index.
#[allow(clippy::cast_precision_loss)]
pub(super) fn max_units<E: Entity>() -> f64 {
    let indexes = E::Table::TABLE.indexes.len() as f64;
    write_units(MAX_ITEM) * (1.0 + 2.0 * indexes)
}

pub(super) fn context<T: Schema>(
    table: &Table<T>,
    operation: &'static str,
    entity: &'static str,
    key: String,
    is_lost: bool,
) -> Context {
    Context { entity, target: key, is_write: true, is_lost, ..table.context(operation) }
}

/// Changes to a request that is not sent are refused, not dropped.
pub(super) fn not_customized<T, E, B>(
    custom: &Customize<T, E, B>,
) -> Result<CustomTransactWrite, Error> {
    if custom.is_none() {
        return Ok(Customize::NONE);
    }
    Err(Error::usage(
        "the write is sent as a part of a TransactWriteItems: `customize` that one, as in `table.transact().add(..).customize(..)`",
    ))
}
