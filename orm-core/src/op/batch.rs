//! What batches share: requests of a limited number of positions, sent a few at a time, and what is
//! left over sent again within a budget.

use std::collections::HashMap;
use std::future::Future;

use futures_util::stream::{FuturesUnordered, StreamExt};

use crate::entity::KeyParts;
use crate::error::Error;
use crate::wire::Backoff;

/// Requests of one batch under way at once.
const CONCURRENCY: usize = 4;
/// Requests in a row without progress after which a batch gives up, unless the caller says.
pub(super) const MAX_ATTEMPTS: u32 = 10;

/// Work that is sent by position.
pub(super) trait Batch: Sync {
    /// What is found at a position.
    type Found: Send;

    /// One request for these positions.
    fn request(&self, positions: &[usize]) -> impl Future<Output = Answer<Self::Found>> + Send;
}

/// The answer to one request.
pub(super) struct Answer<F> {
    pub(super) found: Vec<(usize, F)>,
    pub(super) left: Result<Vec<usize>, Error>,
    /// Whether an attempt of the request got no answer.
    pub(super) lost: bool,
}

/// What came of a whole batch.
pub(super) struct Outcome<F> {
    pub(super) found: Vec<(usize, F)>,
    /// Positions that no answer settled, ascending.
    pub(super) left: Vec<usize>,
    /// Whether an attempt that covered some of these got no answer.
    pub(super) unknown: bool,
    /// What failed. Without it, what is left was left over by DynamoDB.
    pub(super) failure: Option<Error>,
}

/// Sends the chunks. After one that fails or uses up its budget no further one is started; those
/// under way are finished.
pub(super) async fn run<B: Batch>(
    batch: &B,
    chunks: Vec<Vec<usize>>,
    max_attempts: u32,
) -> Outcome<B::Found> {
    let mut outcome = Outcome::default();
    let mut waiting = chunks.into_iter();
    let mut running = FuturesUnordered::new();
    loop {
        while running.len() < CONCURRENCY && outcome.left.is_empty() {
            let Some(chunk) = waiting.next() else { break };
            running.push(settle(batch, chunk, max_attempts));
        }
        let Some(settled) = running.next().await else { break };
        outcome.add(settled);
    }
    outcome.left.extend(waiting.flatten());
    outcome.left.sort_unstable();
    outcome
}

async fn settle<B: Batch>(
    batch: &B,
    mut pending: Vec<usize>,
    max_attempts: u32,
) -> Outcome<B::Found> {
    let mut backoff = Backoff::new(max_attempts);
    let mut outcome = Outcome::default();
    let mut lost = false;
    loop {
        let answer = batch.request(&pending).await;
        outcome.found.extend(answer.found);
        lost |= answer.lost;
        let before = pending.len();
        let (failure, goes_on) = match answer.left {
            Ok(left) => {
                pending = left;
                (None, true)
            }
            Err(error) => {
                // A request throttled as a whole is one that left everything over.
                let throttled = error.is_throttled();
                (Some(error), throttled)
            }
        };
        if pending.is_empty() {
            return outcome;
        }
        if !goes_on || !backoff.pause(pending.len() < before).await {
            return Outcome { left: pending, unknown: lost, failure, ..outcome };
        }
    }
}

impl<F> Default for Outcome<F> {
    fn default() -> Self {
        Outcome { found: Vec::new(), left: Vec::new(), unknown: false, failure: None }
    }
}

impl<F> Outcome<F> {
    fn add(&mut self, other: Outcome<F>) {
        self.found.extend(other.found);
        self.left.extend(other.left);
        self.unknown |= other.unknown;
        // Throttling is what the caller may wait for; anything else is worth more attention.
        let replaces = match (&self.failure, &other.failure) {
            (Some(known), Some(new)) => known.is_throttled() && !new.is_throttled(),
            (known, _) => known.is_none(),
        };
        if replaces {
            self.failure = other.failure;
        }
    }
}

/// The positions of leftovers. One that is none of the keys sent says that this library and the
/// engine name keys differently; then everything counts as left over, since taking it for settled
/// would lose it.
pub(super) fn left_over(
    sent: &HashMap<KeyParts, usize>,
    leftovers: impl Iterator<Item = Option<KeyParts>>,
) -> Vec<usize> {
    let position = |key: Option<KeyParts>| sent.get(&key?.canonical()).copied();
    let known: Option<Vec<usize>> = leftovers.map(position).collect();
    known.unwrap_or_else(|| sent.values().copied().collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    use super::*;
    use crate::key::KeyValue;

    /// Settles the given number of positions a request, and remembers what it was asked.
    struct Slow {
        settled_a_request: usize,
        under_way: Mutex<BTreeSet<usize>>,
        most: Mutex<usize>,
        requests: Mutex<Vec<usize>>,
    }

    fn slow(settled_a_request: usize) -> Slow {
        Slow {
            settled_a_request,
            under_way: Mutex::default(),
            most: Mutex::default(),
            requests: Mutex::default(),
        }
    }

    impl Batch for Slow {
        type Found = ();

        async fn request(&self, positions: &[usize]) -> Answer<()> {
            self.requests.lock().unwrap().push(positions.len());
            {
                let mut under_way = self.under_way.lock().unwrap();
                for position in positions {
                    assert!(under_way.insert(*position), "{position} is under way twice");
                }
                let mut most = self.most.lock().unwrap();
                *most = under_way.len().max(*most);
            }
            tokio::time::sleep(std::time::Duration::from_millis(7)).await;
            for position in positions {
                self.under_way.lock().unwrap().remove(position);
            }
            let left = positions.iter().skip(self.settled_a_request).copied().collect();
            Answer { found: Vec::new(), left: Ok(left), lost: false }
        }
    }

    fn chunks(count: usize, size: usize) -> Vec<Vec<usize>> {
        let all: Vec<_> = (0..count).collect();
        all.chunks(size).map(<[usize]>::to_vec).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn four_chunks_are_under_way_at_once_and_no_position_twice() {
        let batch = slow(25);
        let outcome = run(&batch, chunks(1000, 25), 1).await;
        assert!(outcome.left.is_empty() && outcome.failure.is_none());
        assert_eq!(*batch.most.lock().unwrap(), 100);
        assert_eq!(batch.requests.into_inner().unwrap(), [25; 40]);
    }

    #[tokio::test(start_paused = true)]
    async fn progress_goes_on_however_slow() {
        let batch = slow(1);
        let outcome = run(&batch, chunks(60, 25), 1).await;
        assert!(outcome.left.is_empty());
        assert_eq!(batch.requests.lock().unwrap().len(), 60);
        assert!(*batch.most.lock().unwrap() <= 60);
    }

    #[tokio::test(start_paused = true)]
    async fn no_chunk_is_started_after_one_that_gave_up() {
        let batch = slow(0);
        let outcome = run(&batch, chunks(1000, 25), 3).await;
        assert_eq!(outcome.left, (0..1000).collect::<Vec<_>>());
        assert!(!outcome.unknown && outcome.failure.is_none());
        assert_eq!(batch.requests.into_inner().unwrap(), [25; 12]);
    }

    #[test]
    fn a_leftover_that_nobody_sent_leaves_everything_over() {
        let key = |text: &str| KeyParts { pk: KeyValue::N(text.into()), sk: None };
        let sent = HashMap::from([(key("1"), 4), (key("2"), 5)]);
        let left = |keys: Vec<Option<KeyParts>>| {
            let mut left = left_over(&sent, keys.into_iter());
            left.sort_unstable();
            left
        };
        assert_eq!(left(vec![]), [0; 0]);
        assert_eq!(left(vec![Some(key("2.0"))]), [5]);
        assert_eq!(left(vec![Some(key("2")), Some(key("3"))]), [4, 5]);
        assert_eq!(left(vec![None]), [4, 5]);
    }
}
