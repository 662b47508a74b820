//! GetItem of one order.

use std::rc::Rc;

use tokio::runtime::Runtime;

use super::{Work, answers};
use crate::bodies;
use crate::contender::{ours, sdk_serde_dynamo};
use crate::memory::Memory;
use crate::model::Order;

pub fn work(runtime: &Rc<Runtime>) -> Work {
    let order = Order::some(1).remove(0);
    let memory = Memory::of(bodies::get(&bodies::order(&order)));
    let expected = Some(order.clone());
    let contenders = vec![
        {
            let (client, order) = (memory.client(), order.clone());
            let once = async move || sdk_serde_dynamo::get(&client, &order).await.unwrap();
            answers(sdk_serde_dynamo::NAME, runtime, &expected, once)
        },
        {
            let (shop, order) = (ours::shop(memory.client()), order.clone());
            let once = async move || ours::get(&shop, &order).await.unwrap();
            answers(ours::NAME, runtime, &expected, once)
        },
    ];
    Work { name: "get", contenders, ratio: [ours::NAME, sdk_serde_dynamo::NAME] }
}
