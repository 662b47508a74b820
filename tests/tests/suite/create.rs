use tests::bench::on_table;
use tests::models::shop::{Customer, Shop};

#[tokio::test]
async fn the_second_create_fails_and_has_the_stored_item() {
    on_table::<Shop, _>("create", |bench| async move {
        let ana = Customer { customer_id: "c1".into(), name: "Ana".into() };
        let ben = Customer { name: "Ben".into(), ..ana.clone() };
        bench.table.create(&ana).send().await.unwrap();
        let error = bench.table.create(&ben).send().await.unwrap_err();
        assert!(error.is_condition_failed());
        assert!(!error.is_outcome_unknown() && !error.is_invalid_key());
        assert!(error.to_string().contains("`Customer` (CUST#c1 + PROFILE)"), "{error}");
        assert!(std::error::Error::source(&error).is_some());
        assert_eq!(error.current::<Customer>(), Some(ana.clone()));
        assert_eq!(error.current_item().unwrap()["name"].as_s().unwrap(), "Ana");
        assert_eq!(bench.table.get(&ana).send().await.unwrap(), Some(ana));
        assert_eq!(bench.recorder.operations(), ["PutItem", "PutItem", "GetItem"]);
    })
    .await;
}
