//! What is measured, one file a work; each checks what its contenders do before it hands them over.

use std::fmt::Debug;
use std::rc::Rc;

use tokio::runtime::Runtime;

use crate::measure::Contender;

mod get;
mod put;
mod query;

/// A name, its contenders, and the two of them that the ratio is of.
pub struct Work {
    pub name: &'static str,
    pub contenders: Vec<Contender>,
    pub ratio: [&'static str; 2],
}

/// A work by its name, built when it is wanted.
pub type Build = fn(&Rc<Runtime>) -> Work;

pub const ALL: &[(&str, Build)] =
    &[("get", get::work), ("query_1000", query::of_1000), ("put", put::work)];

/// A contender whose answer is `expected`.
fn answers<T: PartialEq + Debug>(
    name: &'static str,
    runtime: &Rc<Runtime>,
    expected: &T,
    once: impl AsyncFn() -> T + 'static,
) -> Contender {
    let answer = runtime.block_on(once());
    assert!(answer == *expected, "{name} reads {answer:?}\ninstead of {expected:?}");
    Contender::asynchronous(name, runtime, once)
}
