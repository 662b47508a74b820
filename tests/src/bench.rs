use std::future::Future;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use monotable::testing::Backend;
use monotable::{Schema, Table};

use crate::recorder::Recorder;

/// A fresh table on the engine, and what was sent to it.
#[derive(Debug)]
pub struct Bench<T> {
    pub table: Table<T>,
    pub recorder: Recorder,
}

/// Runs `test` on a table of its own, and deletes it however the test ends. Every request that the
/// test sends must define the placeholders that it uses, and no others.
pub async fn on_table<T: Schema, Fut: Future<Output = ()>>(
    prefix: &str,
    test: impl FnOnce(Bench<T>) -> Fut,
) {
    let backend = Backend::start().await.unwrap();
    let created = backend.table::<T>(prefix).await.unwrap();
    let (client, recorder) = Recorder::attach(created.client());
    let table = Table::new(client, created.name());
    let bench = Bench { table, recorder: recorder.clone() };
    let outcome = AssertUnwindSafe(test(bench)).catch_unwind().await;
    backend.close().await.unwrap();
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
    assert_eq!(recorder.problems(), Vec::<String>::new());
}

/// Repeats a read of a global index until it shows what was written: on AWS that takes a moment.
pub async fn eventually<V: PartialEq + std::fmt::Debug, Fut: Future<Output = V>>(
    expected: V,
    read: impl Fn() -> Fut,
) {
    let start = Instant::now();
    loop {
        let found = read().await;
        if found == expected {
            return;
        }
        let patience = if crate::engine::name() == "embedded" { 0 } else { 20 };
        if start.elapsed() >= Duration::from_secs(patience) {
            assert_eq!(found, expected);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
