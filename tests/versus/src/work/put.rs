//! PutItem of one order.

use std::rc::Rc;

use serde_json::Value;
use tokio::runtime::Runtime;

use super::Work;
use crate::bodies;
use crate::contender::{DynamodbFacade, Library, Modyne, Ours, SdkByHand, SdkSerdeDynamo, limit};
use crate::measure::Contender;
use crate::memory::Memory;
use crate::model::Order;

pub fn work(runtime: &Rc<Runtime>) -> Work {
    let order = Order::some(1).remove(0);
    let memory = Memory::of(b"{}".to_vec());
    Work::of_libraries(vec![
        writes::<SdkByHand>(runtime, &memory, &order),
        writes::<SdkSerdeDynamo>(runtime, &memory, &order),
        writes::<Modyne>(runtime, &memory, &order),
        writes::<DynamodbFacade>(runtime, &memory, &order),
        writes::<Ours>(runtime, &memory, &order),
        Contender::plain(limit::NAME, move || limit::write(&order)),
    ])
}

fn writes<L: Library>(runtime: &Rc<Runtime>, memory: &Memory, order: &Order) -> Contender {
    let (library, stored, order) = (L::new(memory.client()), bodies::order(order), order.clone());
    let once = async move || library.put(&order).await.unwrap();
    let contender = Contender::asynchronous(L::NAME, runtime, once);

    let requests = memory.record(|| contender.run(1));
    let requests = requests.iter().map(|body| serde_json::from_slice(body).unwrap());
    let items: Vec<Value> = requests.map(|mut request: Value| request["Item"].take()).collect();
    assert_eq!(items, [stored], "{}", L::NAME);
    contender
}
