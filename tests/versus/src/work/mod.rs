//! What is measured, one file a work; each checks what its contenders do before it hands them over.

use std::fmt::Debug;
use std::rc::Rc;

use aws_sdk_dynamodb::Client;
use tokio::runtime::Runtime;

use crate::contender::{Library, Ours, SdkSerdeDynamo};
use crate::measure::Contender;

mod batch_write;
mod get;
mod keys;
mod merge;
mod mixed;
mod put;
mod query;

/// The contenders, and the two of them that the ratio is of.
pub struct Work {
    pub contenders: Vec<Contender>,
    pub ratio: [&'static str; 2],
}

impl Work {
    fn of_libraries(contenders: Vec<Contender>) -> Self {
        Work { contenders, ratio: [Ours::NAME, SdkSerdeDynamo::NAME] }
    }
}

/// Builds a work when it is wanted.
pub type Build = fn(&Rc<Runtime>) -> Work;

pub const ALL: &[(&str, Build)] = &[
    ("get", get::work),
    ("query_10", |runtime| query::work(runtime, 10)),
    ("query_100", |runtime| query::work(runtime, 100)),
    ("query_1000", |runtime| query::work(runtime, 1000)),
    ("mixed_1000", mixed::work),
    ("put", put::work),
    ("batch_write_25", batch_write::work),
    ("keys", |_| keys::work()),
    ("merge_10", merge::work),
];

/// A contender whose answer is `expected`.
fn answers<L: Library, T, E: PartialEq + Debug>(
    runtime: &Rc<Runtime>,
    client: Client,
    expected: &E,
    same: impl FnOnce(T) -> E,
    once: impl AsyncFn(&L) -> T + 'static,
) -> Contender {
    let library = L::new(client);
    let answer = same(runtime.block_on(once(&library)));
    assert!(answer == *expected, "{} reads {answer:?}\ninstead of {expected:?}", L::NAME);
    Contender::asynchronous(L::NAME, runtime, async move || once(&library).await)
}
