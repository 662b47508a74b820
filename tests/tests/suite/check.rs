use tests::bench::on_table;
use tests::models::shop::{Customer, Shop};

#[tokio::test]
async fn an_item_that_must_exist() {
    on_table::<Shop, _>("check", |bench| async move {
        let ana = Customer { customer_id: "c1".into(), name: "Ana".into() };
        let error = bench.table.check(&ana).send().await.unwrap_err();
        assert!(error.is_item_missing() && error.is_condition_failed());
        assert!(!error.is_outcome_unknown() && error.current_item().is_none());
        assert_eq!(error.reasons().len(), 1);
        let text = error.to_string();
        let told = "TransactWriteItems of `Customer` (CUST#c1 + PROFILE) on table `";
        assert!(text.starts_with(told), "{text}");
        assert!(text.ends_with("): there is no such item"), "{text}");

        bench.table.create(&ana).send().await.unwrap();
        bench.table.check(&ana).send().await.unwrap();
        bench.table.check(Customer::key("c1")).send().await.unwrap();
        bench.table.check(Customer::key("c1")).into_sdk().unwrap().send().await.unwrap();
        let sent = bench.recorder.operations();
        let check = "TransactWriteItems";
        assert_eq!(sent, [check, "PutItem", check, check, check]);
    })
    .await;
}

#[tokio::test]
async fn a_key_that_cannot_be_is_refused_before_a_request() {
    on_table::<Shop, _>("check-invalid", |bench| async move {
        let error = bench.table.check(Customer::key("")).send().await.unwrap_err();
        assert!(error.is_invalid_key());
        assert!(bench.table.check(Customer::key("")).explain().unwrap_err().is_invalid_key());
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}
