use futures_util::stream::TryStreamExt;

use super::{FullScan, ItemStream, failed, is_over};
use crate::collection::{ItemKind, kind_of};
use crate::entity::KeyParts;
use crate::error::Error;
use crate::found::Found;
use crate::schema::Schema;

/// Scans of an entity or of an enum of entities.
impl<K: ItemKind> FullScan<K::Table, K> {
    /// Makes an item of no listed kind an error instead of skipping or keeping it. A filter may
    /// leave it out before it is seen.
    pub fn refuse_unknown(mut self) -> Self {
        self.refuse_unknown = true;
        self
    }

    /// Every item of the kinds.
    ///
    /// # Errors
    ///
    /// Arguments out of range, and an index that projects a part, before a request;
    /// [`Error::is_decode`] for an item that is not what its kind expects, or an unknown one where
    /// they are refused; else what DynamoDB or the way to it reports.
    pub async fn all(self) -> Result<Vec<K>, Error> {
        self.stream().try_collect().await
    }

    /// Every item of the kinds, each page read when its items are asked for. An error ends the
    /// stream.
    pub fn stream(self) -> ItemStream<K> {
        if let Err(error) = self.check() {
            return failed(error);
        }
        let (table, include_expired) = (self.table.clone(), self.include_expired);
        let refuse_unknown = self.refuse_unknown;
        ItemStream::new(self.items().try_filter_map(move |item| {
            let found = match kind_of::<K>(&item) {
                Some(at)
                    if !include_expired
                        && is_over::<K::Table>(K::KINDS[at], &item, table.now()) =>
                {
                    Ok(None)
                }
                Some(at) => K::decode(at, item).map(Some),
                None if refuse_unknown => Err(unknown::<K>(&item)),
                None => item.into_item().map(K::raw),
            };
            std::future::ready(found)
        }))
    }
}

fn unknown<K: ItemKind>(item: &Found) -> Error {
    let key = KeyParts::of_item(K::Table::TABLE, item);
    let key = key.map(|key| key.to_string()).unwrap_or_default();
    Error::kind_unknown(K::NAME, key, K::KINDS)
}
