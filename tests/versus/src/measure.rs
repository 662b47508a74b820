//! Times and allocations of contenders, side by side.

use std::hint::black_box;
use std::rc::Rc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use tokio::runtime::Runtime;

use crate::allocations::Allocations;

/// One way to do a work.
pub struct Contender {
    pub name: &'static str,
    run: Box<dyn Fn(u32)>,
}

impl Contender {
    /// The runtime is entered once for a number of iterations.
    pub fn asynchronous<T>(
        name: &'static str,
        runtime: &Rc<Runtime>,
        once: impl AsyncFn() -> T + 'static,
    ) -> Self {
        let runtime = Rc::clone(runtime);
        let run = move |times| {
            runtime.block_on(async {
                for _ in 0..times {
                    black_box(once().await);
                }
            });
        };
        Contender { name, run: Box::new(run) }
    }

    pub fn plain<T>(name: &'static str, once: impl Fn() -> T + 'static) -> Self {
        let run = move |times| {
            for _ in 0..times {
                black_box(once());
            }
        };
        Contender { name, run: Box::new(run) }
    }

    pub fn run(&self, times: u32) {
        (self.run)(times);
    }

    /// What the processor spends on it: nothing here waits, and what else runs on the machine is left
    /// out.
    fn time(&self, times: u32) -> Duration {
        let start = ThreadTime::now();
        self.run(times);
        start.elapsed()
    }
}

/// What one iteration of a contender takes.
#[derive(Debug, Clone)]
pub struct Measured {
    pub name: &'static str,
    pub allocations: f64,
    pub bytes: f64,
    /// Nanoseconds, in the order of the rounds.
    times: Vec<f64>,
}

impl Measured {
    /// The median over the rounds, in nanoseconds.
    pub fn time(&self) -> f64 {
        median(self.times.clone())
    }

    /// The median over the rounds of the time as a multiple of another's in the same round: the
    /// speed of a shared machine changes between rounds, and less within one.
    pub fn time_of(&self, base: &Measured) -> f64 {
        median(self.times.iter().zip(&base.times).map(|(time, base)| time / base).collect())
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

const WARM_UP: Duration = Duration::from_millis(150);
/// Long enough that what the contender before left in the processor's caches does not count.
const BATCH: Duration = Duration::from_millis(20);
const WHOLE: Duration = Duration::from_secs(11);

/// Runs a batch of every contender in each round; the first of a round is another one each time, so
/// that none has the machine's good moments to itself.
pub fn measure(contenders: &[Contender]) -> Vec<Measured> {
    let batches: Vec<u32> = contenders.iter().map(batch).collect();
    let mut times = vec![Vec::new(); contenders.len()];
    let start = Instant::now();
    for round in 0.. {
        if start.elapsed() > WHOLE {
            break;
        }
        for turn in 0..contenders.len() {
            let which = (round + turn) % contenders.len();
            let time = contenders[which].time(batches[which]);
            times[which].push(time.as_nanos() as f64 / f64::from(batches[which]));
        }
    }
    contenders.iter().zip(times).map(|(contender, times)| result(contender, times)).collect()
}

/// Warms up, and finds how many iterations fill a batch.
fn batch(contender: &Contender) -> u32 {
    let mut times = 1;
    let start = Instant::now();
    loop {
        let time = contender.time(times);
        if start.elapsed() > WARM_UP {
            let once = (time.as_nanos() / u128::from(times)).max(1);
            return (BATCH.as_nanos() / once).clamp(1, 1_000_000) as u32;
        }
        if time < BATCH {
            times *= 2;
        }
    }
}

fn result(contender: &Contender, times: Vec<f64>) -> Measured {
    const COUNTED: u32 = 64;
    let allocations = Allocations::of(|| contender.run(COUNTED));
    Measured {
        name: contender.name,
        allocations: allocations.count as f64 / f64::from(COUNTED),
        bytes: allocations.bytes as f64 / f64::from(COUNTED),
        times,
    }
}
