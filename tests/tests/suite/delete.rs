use tests::bench::on_table;
use tests::models::shop::{Customer, Shop};

#[tokio::test]
async fn an_item_is_gone_whether_it_was_there_or_not() {
    on_table::<Shop, _>("delete", |bench| async move {
        let ana = Customer { customer_id: "c1".into(), name: "Ana".into() };
        bench.table.put(&ana).send().await.unwrap();
        bench.table.delete(Customer::key("c1")).send().await.unwrap();
        assert_eq!(bench.table.get(&ana).send().await.unwrap(), None);
        bench.table.delete(&ana).send().await.unwrap();
        let sent = bench.recorder.operations();
        assert_eq!(sent, ["PutItem", "DeleteItem", "GetItem", "DeleteItem"]);
    })
    .await;
}

#[tokio::test]
async fn only_that_item_is_deleted() {
    on_table::<Shop, _>("delete-one", |bench| async move {
        for id in ["c1", "c10", "c#1"] {
            let customer = Customer { customer_id: id.into(), name: id.into() };
            bench.table.put(&customer).send().await.unwrap();
        }
        bench.table.delete(Customer::key("c1")).send().await.unwrap();
        for id in ["c10", "c#1"] {
            assert!(bench.table.get(Customer::key(id)).send().await.unwrap().is_some(), "{id}");
        }
    })
    .await;
}
