use std::time::Duration;

/// Pauses between the requests for what one batch leaves undone: exponential, with full jitter, so
/// that callers who were throttled together do not come back together;
/// <https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/>.
#[derive(Debug)]
pub(crate) struct Backoff {
    max_attempts: u32,
    /// Requests since the last one that made progress.
    fruitless: u32,
}

/// The longest first pause; each further one may be twice as long.
const BASE: Duration = Duration::from_millis(50);
/// No pause is longer.
const CAP: Duration = Duration::from_secs(5);

impl Backoff {
    /// Gives up after `max_attempts` requests in a row without progress; 0 counts as 1.
    pub(crate) fn new(max_attempts: u32) -> Self {
        Backoff { max_attempts, fruitless: 0 }
    }

    /// Takes note of an answer and waits until the next request may go out; false if none may.
    pub(crate) async fn pause(&mut self, progress: bool) -> bool {
        self.fruitless = if progress { 0 } else { self.fruitless.saturating_add(1) };
        if !progress && self.fruitless >= self.max_attempts {
            return false;
        }
        let longest = u64::try_from(self.longest().as_micros()).unwrap_or(u64::MAX);
        tokio::time::sleep(Duration::from_micros(fastrand::u64(0..=longest))).await;
        true
    }

    fn longest(&self) -> Duration {
        let doublings = self.fruitless.saturating_sub(1).min(16);
        BASE.saturating_mul(1 << doublings).min(CAP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::Instant;

    async fn paused(backoff: &mut Backoff, progress: bool) -> Duration {
        let start = Instant::now();
        assert!(backoff.pause(progress).await);
        start.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_grow_up_to_the_cap_and_are_spread_over_their_whole_length() {
        const RUNS: u32 = 400;
        let mut sums = [Duration::ZERO; 10];
        for _ in 0..RUNS {
            let mut backoff = Backoff::new(11);
            for (at, sum) in sums.iter_mut().enumerate() {
                let waited = paused(&mut backoff, false).await;
                let longest = [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000][at];
                // The clock of tokio has milliseconds.
                assert!(waited <= Duration::from_millis(longest + 1), "{at}: {waited:?}");
                *sum += waited;
            }
            assert!(!backoff.pause(false).await);
        }
        for (at, pair) in sums[..7].windows(2).enumerate() {
            assert!(pair[0] < pair[1], "{at}: {pair:?}");
        }
        // Half the longest pause on the average; a third or two thirds would be eleven standard
        // deviations off.
        let mean = sums[9] / RUNS;
        assert!(mean > CAP / 3 && mean < CAP * 2 / 3, "{mean:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn progress_begins_anew() {
        let mut backoff = Backoff::new(3);
        for _ in 0..10 {
            assert!(backoff.pause(false).await && backoff.pause(false).await);
            let waited = paused(&mut backoff, true).await;
            assert!(waited <= BASE + Duration::from_millis(1), "{waited:?}");
        }
        assert!(backoff.pause(false).await && backoff.pause(false).await);
        assert!(!backoff.pause(false).await);
    }

    #[tokio::test(start_paused = true)]
    async fn one_attempt_is_no_retry_without_progress() {
        assert!(!Backoff::new(1).pause(false).await);
        assert!(!Backoff::new(0).pause(false).await);
        assert!(Backoff::new(0).pause(true).await);
    }
}
