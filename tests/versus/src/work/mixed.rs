//! Query of one page of items of many types.

use std::rc::Rc;

use tokio::runtime::Runtime;

use super::{Work, answers};
use crate::bodies;
use crate::contender::{DynamodbFacade, Library, Modyne, Ours, SdkByHand, SdkSerdeDynamo, limit};
use crate::measure::Contender;
use crate::memory::Memory;
use crate::model::{Mixed, PARTITION};

pub fn work(runtime: &Rc<Runtime>) -> Work {
    let mixed = Mixed::some(1000);
    let items: Vec<_> = mixed.iter().map(bodies::mixed).collect();
    let memory = Memory::of(bodies::page(&items, None));
    let json = limit::write(&mixed);
    assert_eq!(limit::read::<Vec<Mixed>>(&json), mixed);
    Work::of_libraries(vec![
        reads::<SdkByHand>(runtime, &memory, &mixed),
        reads::<SdkSerdeDynamo>(runtime, &memory, &mixed),
        reads::<Modyne>(runtime, &memory, &mixed),
        reads::<DynamodbFacade>(runtime, &memory, &mixed),
        reads::<Ours>(runtime, &memory, &mixed),
        Contender::plain(limit::NAME, move || limit::read::<Vec<Mixed>>(&json)),
    ])
}

fn reads<L: Library>(runtime: &Rc<Runtime>, memory: &Memory, expected: &Vec<Mixed>) -> Contender {
    let once = async |library: &L| library.mixed(PARTITION).await.unwrap();
    let same = |items: Vec<L::Mixed>| items.into_iter().map(Into::into).collect::<Vec<Mixed>>();
    answers(runtime, memory.client(), expected, same, once)
}
