use std::time::Duration;

use futures_util::lock::{Mutex, MutexGuard};
use tokio::time::Instant;

use crate::capacity::read_units;

/// A rate over all segments: one request at a time, and the next when what was spent is paid for.
///
/// The law: a page costs `u` units, and the next request is sent no earlier than `u / per_second`
/// seconds after its answer. So of pages that follow each other, all but the last cost at most
/// `per_second` times the seconds between the first answer and the last request, and in any window
/// of time at most `per_second` times its length and one page more is spent.
#[derive(Debug)]
pub(super) struct Budget {
    per_second: f64,
    /// The units that a page is meant to cost.
    per_page: f64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    paid_at: Instant,
    page_size: u32,
}

/// The right to send one request.
pub(super) struct Turn<'a> {
    budget: &'a Budget,
    state: MutexGuard<'a, State>,
}

/// The `Limit` of the first page: one item, as nobody knows how large they are.
pub(super) const FIRST_PAGE: u32 = 1;
/// More items than a page of 1 MB has in practice.
const GREATEST_PAGE: u32 = 1 << 16;
/// How much larger than the last page the next may be.
const GROWTH: u32 = 4;
/// How much of a second's budget a page is meant to cost.
const OF_A_SECOND: f64 = 0.25;
/// But no less than this: DynamoDB rounds each page up to 4 KB.
const LEAST_BYTES: usize = 16 * 1024;

impl Budget {
    pub(super) fn new(per_second: f64, consistent: bool) -> Self {
        let state = State { paid_at: Instant::now(), page_size: FIRST_PAGE };
        Budget {
            per_second,
            per_page: (per_second * OF_A_SECOND).max(read_units(LEAST_BYTES, consistent)),
            state: Mutex::new(state),
        }
    }

    /// Waits until every page so far is paid for.
    pub(super) async fn turn(&self) -> Turn<'_> {
        let state = self.state.lock().await;
        tokio::time::sleep_until(state.paid_at).await;
        Turn { budget: self, state }
    }
}

impl Turn<'_> {
    /// The `Limit` of the request, where the caller wants none.
    pub(super) fn page_size(&self) -> u32 {
        self.state.page_size
    }

    /// `items`: how many were read, those included that a filter left out.
    pub(super) fn spend(mut self, units: f64, items: u32) {
        let now = Instant::now();
        let seconds = Duration::try_from_secs_f64(units / self.budget.per_second);
        // Longer than any process runs, where the sum is more than a clock holds.
        let paid_at = seconds.ok().and_then(|seconds| now.checked_add(seconds));
        self.state.paid_at = paid_at.unwrap_or_else(|| now + Duration::from_secs(1 << 30));
        if items > 0 {
            self.state.page_size = self.next_page(units / f64::from(items));
        }
    }

    /// As many items as the last ones say that a page's units are for.
    fn next_page(&self, units_per_item: f64) -> u32 {
        let most = self.state.page_size.saturating_mul(GROWTH).min(GREATEST_PAGE);
        let wanted = (self.budget.per_page / units_per_item).clamp(1.0, f64::from(most));
        // Within 1 and `most`; a free item gives infinity, and so `most`.
        #[allow(clippy::cast_possible_truncation)]
        let wanted = wanted as u32;
        wanted
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_next_page_waits_until_the_last_is_paid_for() {
        let budget = Budget::new(10.0, false);
        let start = Instant::now();
        budget.turn().await.spend(128.0, 1);
        assert_eq!(start.elapsed(), Duration::ZERO);
        budget.turn().await.spend(2.0, 1);
        let waited = start.elapsed();
        assert!(waited >= Duration::from_millis(12_800), "{waited:?}");
        assert!(waited < Duration::from_millis(12_810), "{waited:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn segments_take_turns() {
        let budget = Budget::new(10.0, false);
        let start = Instant::now();
        let segment = async || budget.turn().await.spend(10.0, 1);
        futures_util::future::join4(segment(), segment(), segment(), segment()).await;
        drop(budget.turn().await);
        let waited = start.elapsed();
        assert!(waited >= Duration::from_secs(4), "{waited:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_rate_near_zero_waits_and_does_not_panic() {
        let budget = Budget::new(f64::MIN_POSITIVE, false);
        budget.turn().await.spend(128.0, 0);
        let wait = tokio::time::timeout(Duration::from_secs(86_400 * 365), budget.turn()).await;
        assert!(wait.is_err());
    }

    /// The units of a page of so many items, eventually consistent.
    fn cost(items: u32, bytes: u32) -> f64 {
        read_units(items as usize * bytes as usize, false)
    }

    /// The sizes of so many pages of items of so many bytes.
    async fn sizes(budget: &Budget, pages: usize, bytes: u32) -> Vec<u32> {
        let mut sizes = Vec::new();
        for _ in 0..pages {
            let turn = budget.turn().await;
            let size = turn.page_size();
            sizes.push(size);
            turn.spend(cost(size, bytes), size);
        }
        sizes
    }

    #[tokio::test(start_paused = true)]
    async fn pages_grow_to_a_part_of_a_second_and_shrink_at_once() {
        let budget = Budget::new(100.0, false);
        // 25 units are 50 blocks of 4 KB, 200 items of 1 KB.
        assert_eq!(sizes(&budget, 6, 1024).await, [1, 4, 16, 64, 200, 200]);
        // Then items of 40 KB, 10 blocks each: the page that meets them is the last large one.
        assert_eq!(sizes(&budget, 3, 40 * 1024).await, [200, 5, 5]);
        assert_eq!(sizes(&budget, 4, 1024).await, [5, 20, 80, 200]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_small_budget_still_reads_whole_blocks() {
        let budget = Budget::new(0.5, false);
        // 2 units are 16 KB, of which rounding up to 4 KB loses little.
        assert_eq!(sizes(&budget, 5, 1024).await, [1, 4, 16, 16, 16]);
        let consistent = Budget::new(0.5, true);
        let turn = consistent.turn().await;
        turn.spend(1.0, 1);
        assert_eq!(consistent.turn().await.page_size(), 4);
    }

    #[tokio::test(start_paused = true)]
    async fn pages_have_bounds() {
        let budget = Budget::new(f64::MAX, false);
        assert_eq!(sizes(&budget, 12, 0).await.last(), Some(&GREATEST_PAGE));
        let free = Budget::new(1.0, false);
        free.turn().await.spend(0.0, 10);
        assert_eq!(free.turn().await.page_size(), GROWTH);
        let large = Budget::new(1.0, false);
        assert_eq!(sizes(&large, 3, 400 * 1024).await, [1, 1, 1]);
        // An empty page says nothing.
        large.turn().await.spend(0.5, 0);
        assert_eq!(large.turn().await.page_size(), 1);
    }

    /// What a page cost, when its request was sent and when its answer came.
    #[derive(Debug)]
    struct Paid {
        sent: Duration,
        answered: Duration,
        units: f64,
    }

    /// Pages of so many segments, whose requests take so many milliseconds and whose items have so
    /// many bytes.
    async fn run(per_second: f64, segments: usize, pages: &[(u16, u32)]) -> Vec<Paid> {
        let (budget, start) = (Budget::new(per_second, false), Instant::now());
        let log = Mutex::new(Vec::new());
        let (budget, log_of) = (&budget, &log);
        let segment = |at: usize| async move {
            for (latency, bytes) in pages.iter().skip(at).step_by(segments) {
                let turn = budget.turn().await;
                let (sent, size) = (start.elapsed(), turn.page_size());
                tokio::time::sleep(Duration::from_millis((*latency).into())).await;
                let units = cost(size, *bytes).min(128.0);
                log_of.lock().await.push(Paid { sent, answered: start.elapsed(), units });
                turn.spend(units, size);
            }
        };
        futures_util::future::join_all((0..segments).map(segment)).await;
        log.into_inner()
    }

    proptest! {
        #[test]
        fn no_window_costs_more_than_its_rate_and_one_page(
            per_second in prop_oneof![0.1..2.0, 2.0..1000.0],
            segments in 1_usize..5,
            pages in proptest::collection::vec((0_u16..500, 1_u32..400_000), 1..40),
        ) {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .start_paused(true)
                .build()
                .unwrap();
            let paid = runtime.block_on(run(per_second, segments, &pages));
            prop_assert_eq!(paid.len(), pages.len());
            for (at, first) in paid.iter().enumerate() {
                let mut before = 0.0;
                for last in &paid[at..] {
                    let window = last.sent.saturating_sub(first.answered).as_secs_f64();
                    prop_assert!(before <= per_second * window + 1e-6, "{paid:?}");
                    before += last.units;
                }
            }
        }
    }
}
