//! PutItem of one order.

use std::rc::Rc;

use serde_json::Value;
use tokio::runtime::Runtime;

use super::Work;
use crate::bodies;
use crate::contender::{ours, sdk_serde_dynamo};
use crate::measure::Contender;
use crate::memory::Memory;
use crate::model::Order;

pub fn work(runtime: &Rc<Runtime>) -> Work {
    let order = Order::some(1).remove(0);
    let memory = Memory::of(b"{}".to_vec());
    let writes = |contender: Contender| {
        let requests = memory.record(|| contender.run(1));
        let items: Vec<Value> = requests.iter().map(|body| item(body)).collect();
        assert_eq!(items, [bodies::order(&order)], "{}", contender.name);
        contender
    };
    let contenders = vec![
        writes({
            let (client, order) = (memory.client(), order.clone());
            let once = async move || sdk_serde_dynamo::put(&client, &order).await.unwrap();
            Contender::asynchronous(sdk_serde_dynamo::NAME, runtime, once)
        }),
        writes({
            let (shop, order) = (ours::shop(memory.client()), order.clone());
            let once = async move || ours::put(&shop, &order).await.unwrap();
            Contender::asynchronous(ours::NAME, runtime, once)
        }),
    ];
    Work { name: "put", contenders, ratio: [ours::NAME, sdk_serde_dynamo::NAME] }
}

fn item(request: &[u8]) -> Value {
    let request: Value = serde_json::from_slice(request).unwrap();
    request["Item"].clone()
}
