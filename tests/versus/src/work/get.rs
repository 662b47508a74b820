//! GetItem of one order.

use std::convert::identity;
use std::rc::Rc;

use tokio::runtime::Runtime;

use super::{Work, answers};
use crate::bodies;
use crate::contender::{DynamodbFacade, Library, Modyne, Ours, SdkByHand, SdkSerdeDynamo, limit};
use crate::measure::Contender;
use crate::memory::Memory;
use crate::model::Order;

pub fn work(runtime: &Rc<Runtime>) -> Work {
    let order = Order::some(1).remove(0);
    let memory = Memory::of(bodies::get(&bodies::order(&order)));
    let json = limit::write(&order);
    assert_eq!(limit::read::<Order>(&json), order);
    Work::of_libraries(vec![
        reads::<SdkByHand>(runtime, &memory, &order),
        reads::<SdkSerdeDynamo>(runtime, &memory, &order),
        reads::<Modyne>(runtime, &memory, &order),
        reads::<DynamodbFacade>(runtime, &memory, &order),
        reads::<Ours>(runtime, &memory, &order),
        Contender::plain(limit::NAME, move || limit::read::<Order>(&json)),
    ])
}

fn reads<L: Library>(runtime: &Rc<Runtime>, memory: &Memory, order: &Order) -> Contender {
    let (expected, order) = (Some(order.clone()), order.clone());
    let once = async move |library: &L| library.get(&order).await.unwrap();
    answers(runtime, memory.client(), &expected, identity, once)
}
