//! Counting without the items.

use futures_util::stream::{self, StreamExt, TryStreamExt};

use super::query::Prepared;
use crate::error::Error;
use crate::key::range::KeyRange;
use crate::schema::Schema;
use crate::shard::CONCURRENCY;

/// The sum over all pages of all partitions. Where items are dropped after reading, their keys are
/// read and counted here, since DynamoDB would count them too.
pub(super) async fn count<T: Schema>(prepared: &Prepared<T>) -> Result<u64, Error> {
    let counts: Vec<_> =
        prepared.ranges.iter().map(|range| range_count(prepared.clone(), range.clone())).collect();
    stream::iter(counts)
        .buffer_unordered(CONCURRENCY)
        .try_fold(0, |sum, count| async move { Ok(sum + count) })
        .await
}

async fn range_count<T: Schema>(prepared: Prepared<T>, range: KeyRange) -> Result<u64, Error> {
    let (mut total, mut start) = (0, None);
    loop {
        let page = prepared.reader.page(&range, prepared.page_size, start).await?;
        let count = match &prepared.keep {
            Some(keep) => page.items.iter().filter(|item| keep(&range, item)).count(),
            None => page.count,
        };
        total += u64::try_from(count).unwrap_or(0);
        let enough = prepared.limit.is_some_and(|limit| total >= limit as u64);
        match page.next {
            Some(next) if !enough => start = Some(next),
            _ => return Ok(total),
        }
    }
}
