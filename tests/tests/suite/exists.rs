use aws_sdk_dynamodb::types::AttributeValue;
use tests::bench::on_table;
use tests::models::shop::{Customer, Shop};

#[tokio::test]
async fn an_item_that_is_there_and_one_that_is_not() {
    on_table::<Shop, _>("exists", |bench| async move {
        let ana = Customer { customer_id: "c#1".into(), name: "Ana".into() };
        bench.table.put(&ana).send().await.unwrap();
        bench.recorder.take();
        assert!(bench.table.exists(Customer::key("c#1")).send().await.unwrap());
        assert!(bench.table.exists(&ana).consistent().send().await.unwrap());
        assert!(!bench.table.exists(Customer::key("c#2")).send().await.unwrap());
        let sent = bench.recorder.take();
        assert_eq!(sent.len(), 3);
        for (at, sent) in sent.iter().enumerate() {
            assert_eq!(sent.operation, "GetItem");
            assert_eq!(sent.body["ProjectionExpression"], "#pk");
            assert_eq!(sent.body.get("ConsistentRead").is_some(), at == 1);
        }
    })
    .await;
}

#[tokio::test]
async fn an_item_of_any_shape_exists() {
    on_table::<Shop, _>("exists-shape", |bench| async move {
        let mut item = Customer::key("c1").to_item().unwrap();
        item.insert("name".into(), AttributeValue::N("7".into()));
        let put = bench.table.client().put_item().table_name(bench.table.name());
        put.set_item(Some(item)).send().await.unwrap();
        assert!(bench.table.exists(Customer::key("c1")).send().await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_key_that_cannot_be_is_refused_before_a_request() {
    on_table::<Shop, _>("exists-invalid", |bench| async move {
        let error = bench.table.exists(Customer::key("")).send().await.unwrap_err();
        assert!(error.is_invalid_key(), "{error}");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn the_builder_is_filled_and_can_be_customized() {
    on_table::<Shop, _>("exists-sdk", |bench| async move {
        let builder = bench.table.exists(Customer::key("c1")).into_sdk().unwrap();
        assert_eq!(builder.send().await.unwrap().item, None);
        let (_, recorder) = tests::recorder::Recorder::attach(bench.table.client());
        let own = recorder.clone();
        let exists = bench.table.exists(Customer::key("c1"));
        let exists = exists.customize(move |get| get.interceptor(own.clone()));
        assert!(!exists.send().await.unwrap());
        assert_eq!(recorder.operations(), ["GetItem"]);
    })
    .await;
}
