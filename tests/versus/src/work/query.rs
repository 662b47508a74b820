//! Query of one page of orders.

use std::convert::identity;
use std::rc::Rc;

use tokio::runtime::Runtime;

use super::{Work, answers};
use crate::bodies;
use crate::contender::{DynamodbFacade, Library, Modyne, Ours, SdkByHand, SdkSerdeDynamo, limit};
use crate::measure::Contender;
use crate::memory::Memory;
use crate::model::{CUSTOMER, Order};

pub fn work(runtime: &Rc<Runtime>, count: usize) -> Work {
    let orders = Order::some(count);
    let items: Vec<_> = orders.iter().map(bodies::order).collect();
    let memory = Memory::of(bodies::page(&items, None));
    let json = limit::write(&orders);
    assert_eq!(limit::read::<Vec<Order>>(&json), orders);
    Work::of_libraries(vec![
        reads::<SdkByHand>(runtime, &memory, &orders),
        reads::<SdkSerdeDynamo>(runtime, &memory, &orders),
        reads::<Modyne>(runtime, &memory, &orders),
        reads::<DynamodbFacade>(runtime, &memory, &orders),
        reads::<Ours>(runtime, &memory, &orders),
        Contender::plain(limit::NAME, move || limit::read::<Vec<Order>>(&json)),
    ])
}

fn reads<L: Library>(runtime: &Rc<Runtime>, memory: &Memory, orders: &Vec<Order>) -> Contender {
    let once = async |library: &L| library.query(CUSTOMER).await.unwrap();
    answers(runtime, memory.client(), orders, identity, once)
}
