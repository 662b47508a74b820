//! BatchWriteItem of 25 orders.

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
    let orders = Order::some(25);
    let memory = Memory::of(br#"{"UnprocessedItems":{}}"#.to_vec());
    Work::of_libraries(vec![
        writes::<SdkByHand>(runtime, &memory, &orders),
        writes::<SdkSerdeDynamo>(runtime, &memory, &orders),
        writes::<Modyne>(runtime, &memory, &orders),
        writes::<DynamodbFacade>(runtime, &memory, &orders),
        writes::<Ours>(runtime, &memory, &orders),
        Contender::plain(limit::NAME, move || limit::write(&orders)),
    ])
}

fn writes<L: Library>(runtime: &Rc<Runtime>, memory: &Memory, orders: &[Order]) -> Contender {
    let stored: Vec<Value> = orders.iter().map(bodies::order).collect();
    let (library, orders) = (L::new(memory.client()), orders.to_vec());
    let once = async move || library.batch_write(&orders).await.unwrap();
    let contender = Contender::asynchronous(L::NAME, runtime, once);

    let requests = memory.record(|| contender.run(1));
    assert_eq!(requests.len(), 1, "{}", L::NAME);
    let request: Value = serde_json::from_slice(&requests[0]).unwrap();
    let writes = request["RequestItems"]["shop"].as_array().unwrap();
    let items: Vec<_> = writes.iter().map(|write| &write["PutRequest"]["Item"]).collect();
    let wanted: Vec<_> = stored.iter().collect();
    assert_eq!(items, wanted, "{}", L::NAME);
    contender
}
