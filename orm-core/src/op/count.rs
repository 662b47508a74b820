//! Counting without the items.

use std::sync::Arc;

use futures_util::stream::{self, StreamExt, TryStreamExt};

use super::prepare::Prepared;
use crate::cursor::KeyOrder;
use crate::error::Error;
use crate::item;
use crate::schema::Schema;
use crate::shard::{CONCURRENCY, Source};

/// The sum over all pages of all ranges. Where items are dropped after reading, their keys are read
/// and counted here, since DynamoDB would count them too.
pub(super) async fn count<T: Schema>(prepared: Prepared<T>) -> Result<u64, Error> {
    let prepared = Arc::new(prepared);
    let sources = prepared.sources.clone();
    let counts: Vec<_> = sources
        .into_iter()
        .filter(|source| !source.is_at_end())
        .map(|source| range_count(Arc::clone(&prepared), source))
        .collect();
    stream::iter(counts)
        .buffer_unordered(CONCURRENCY)
        .try_fold(0, |sum, count| async move { Ok(sum + count) })
        .await
}

async fn range_count<T: Schema>(
    prepared: Arc<Prepared<T>>,
    mut source: Source,
) -> Result<u64, Error> {
    let reader = &prepared.reader;
    let keys = KeyOrder::of(T::TABLE, reader.index);
    let decoder = item::undecoded(T::TABLE, reader.index);
    let mut total = 0;
    loop {
        let start = source.start_key(&keys);
        let size = prepared.count_size(total);
        let page = reader.page(source.range(), size, start, &decoder).await?;
        let counted = page.count;
        let kept = source.turn(page, &keys, &prepared.keep, reader.descending)?.len();
        let count = if prepared.counts_keys() { kept } else { counted };
        total += u64::try_from(count).unwrap_or(0);
        let enough = prepared.limit.is_some_and(|limit| total >= limit as u64);
        if enough || source.is_at_end() {
            return Ok(total);
        }
    }
}
