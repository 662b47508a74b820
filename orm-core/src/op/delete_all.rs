use std::collections::HashSet;
use std::fmt;

use super::batch::{self, Outcome};
use super::batch_write::{MAX_WRITES, Write, Writes};
use super::reader::Returned;
use super::with_capacity::capacity_method;
use super::{Explanation, Query};
use crate::entity::{Entity, Key, KeyParts};
use crate::error::{Context, Error, Incomplete, Undone};
use crate::pattern::ConsistentReads;
use crate::shard::Merge;
use crate::wire::Customize;

/// Deletes every item of a pattern: Queries for the keys, page by page, and BatchWriteItems of 25
/// deletes, at most 4 at once, between the pages. What DynamoDB leaves over is sent again, as by
/// [`BatchWrite`](super::BatchWrite). An empty range sends nothing.
///
/// It deletes what a query of the pattern reads: every item of the range, and items of another kind
/// where `allow(overlap(..))` is declared stay.
///
/// **No transaction:** others may read and write in between, and items that come into the range
/// behind the place that is being read stay. It holds a page of keys for each partition of the
/// pattern, however many items there are. When it fails midway, what is deleted stays deleted, and
/// calling it again deletes the rest.
///
/// **A pattern on an index** deletes what the index shows. A global index follows the table with a
/// delay, so an item that was just written may stay, and one that was just changed so that the
/// pattern no longer finds it may be deleted;
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.Writes>.
///
/// The reads cost as those of [`Query`] do, by the size of whole items on the table; each deleted
/// item costs one write capacity unit per KB, on the table and on each index that it leaves;
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html>.
///
/// # Examples
///
/// ```
/// # use monotable::{Entity, Table};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Table)]
/// # #[table(pk = "PK", sk = "SK", entities(Visit))]
/// # struct App;
/// # #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
/// # #[entity(table = App, pk = "USER#<id>", sk = "VISIT#<day:3>")]
/// # struct Visit { id: u32, day: u16 }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let app = engine.table::<App>("app").await?;
/// let visits: Vec<_> = (1..=30).map(|day| Visit { id: 7, day }).collect();
/// app.batch_write().put_all(&visits).send().await?;
/// assert_eq!(app.delete_all(Visit::by_id(7).day_range(..=28)).send().await?, 28);
/// assert_eq!(app.query(Visit::by_id(7)).count().await?, 2);
/// # }
/// # Ok(()) }
/// ```
#[must_use = "an operation does nothing until `.send().await`"]
pub struct DeleteAll<E: Entity, I> {
    query: Query<E, I>,
    max_attempts: u32,
}

/// Keys deleted before more are read.
const ROUND: usize = 4 * MAX_WRITES;

impl<E: Entity, I> DeleteAll<E, I> {
    pub(crate) fn new(query: Query<E, I>) -> Self {
        DeleteAll { query, max_attempts: batch::MAX_ATTEMPTS }
    }

    /// Reads what the last successful writes stored, at twice the cost of reading. The table and
    /// local indexes only.
    pub fn consistent(mut self) -> Self
    where
        I: ConsistentReads,
    {
        self.query = self.query.consistent();
        self
    }

    /// Gives up after so many requests in a row, for 25 deletes, that deleted none of them; 10
    /// unless set, and at least 1. A request that deletes some begins the count anew.
    pub fn max_attempts(mut self, n: u32) -> Self {
        self.max_attempts = n;
        self
    }

    capacity_method!(query.table);

    /// The first Query of each partition, unsent; no request for a range that is empty. The deletes
    /// are not known before it is answered, and neither their requests nor their cost are part of
    /// this.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`].
    pub fn explain(&self) -> Result<Explanation, Error> {
        self.query.explain_returning(Returned::Keys)
    }

    /// Deletes the items and says how many: those that it found, be it that somebody else deleted
    /// one of them first.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] before a request. After one, [`Error::is_incomplete`], whose text
    /// says how many are deleted: [`Error::is_throttled`] if the budget was used up, else what
    /// DynamoDB or the way to it reports; [`Error::is_outcome_unknown`] if a request of deletes got
    /// no answer. In each case it can be called again.
    pub async fn send(self) -> Result<u64, Error> {
        let Some(mut merge) = self.query.key_merge()? else { return Ok(0) };
        let mut done = 0;
        loop {
            let keys = next_keys(&mut merge).await;
            let keys = keys.map_err(|cause| self.incomplete(done, false, Some(cause)))?;
            if keys.is_empty() {
                return Ok(done);
            }
            let positions: Vec<usize> = (0..keys.len()).collect();
            let chunks = positions.chunks(MAX_WRITES).map(<[usize]>::to_vec).collect();
            let writes = Writes {
                table: self.query.table().clone(),
                writes: keys.into_iter().map(Write::delete::<E>).collect(),
                custom: Customize::NONE,
            };
            let Outcome { left, unknown, failure, .. } =
                batch::run(&writes, chunks, self.max_attempts).await;
            done += (positions.len() - left.len()) as u64;
            if !left.is_empty() {
                return Err(self.incomplete(done, unknown, failure));
            }
        }
    }

    fn incomplete(&self, done: u64, unknown: bool, cause: Option<Error>) -> Error {
        let context = self.query.table().context("BatchWriteItem");
        Error::incomplete(Incomplete {
            context: Context { entity: E::SCHEMA.name, ..context },
            undone: Undone::Deletes { done },
            unknown,
            cause,
            max_attempts: self.max_attempts,
        })
    }
}

impl<E: Entity, I> fmt::Debug for DeleteAll<E, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("DeleteAll");
        out.field("entity", &E::SCHEMA.name).field("max_attempts", &self.max_attempts);
        out.finish_non_exhaustive()
    }
}

/// Up to [`ROUND`] keys; none at the end. An item that moves in an index, or from shard to shard,
/// while it is read can be found twice, and DynamoDB refuses a batch that names a key twice.
async fn next_keys<E: Entity>(merge: &mut Merge<E::Table, Key<E>>) -> Result<Vec<KeyParts>, Error> {
    let (mut keys, mut seen) = (Vec::new(), HashSet::new());
    while keys.len() < ROUND {
        let Some(key) = merge.next().await? else { break };
        let key = key.parts()?.clone();
        if seen.insert(key.clone().canonical()) {
            keys.push(key);
        }
    }
    Ok(keys)
}
