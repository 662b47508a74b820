//! Query of one page of orders.

use std::rc::Rc;

use tokio::runtime::Runtime;

use super::{Work, answers};
use crate::bodies;
use crate::contender::{ours, sdk_serde_dynamo};
use crate::memory::Memory;
use crate::model::{CUSTOMER, Order};

pub fn of_1000(runtime: &Rc<Runtime>) -> Work {
    work(runtime, "query_1000", 1000)
}

fn work(runtime: &Rc<Runtime>, name: &'static str, count: usize) -> Work {
    let orders = Order::some(count);
    let items: Vec<_> = orders.iter().map(bodies::order).collect();
    let memory = Memory::of(bodies::page(&items, None));
    let contenders = vec![
        {
            let client = memory.client();
            let once = async move || sdk_serde_dynamo::query(&client, CUSTOMER).await.unwrap();
            answers(sdk_serde_dynamo::NAME, runtime, &orders, once)
        },
        {
            let shop = ours::shop(memory.client());
            let once = async move || ours::query(&shop, CUSTOMER).await.unwrap();
            answers(ours::NAME, runtime, &orders, once)
        },
    ];
    Work { name, contenders, ratio: [ours::NAME, sdk_serde_dynamo::NAME] }
}
