use std::collections::HashMap;

use monotable::{Document, Entity, KeyPart, Set, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{eventually, on_table};
use tests::models::shop::{Order, Shop, Status, order};

#[tokio::test]
async fn an_update_moves_the_item_in_its_index() {
    on_table::<Shop, _>("update", |bench| async move {
        let shop = &bench.table;
        shop.put(&order("o1", Status::Pending, 0)).send().await.unwrap();
        bench.recorder.take();
        shop.update(Order::key("o1"))
            .change(|o| o.status.set(Status::Shipped))
            .condition(|o| o.status.eq(Status::Pending))
            .send()
            .await
            .unwrap();
        assert_eq!(bench.recorder.operations(), ["UpdateItem"]);
        eventually(0, || async {
            shop.query(Order::by_status(Status::Pending)).count().await.unwrap()
        })
        .await;
        let found = shop.get(Order::key("o1")).send().await.unwrap().unwrap();
        assert_eq!(found.status, Status::Shipped);
    })
    .await;
}
