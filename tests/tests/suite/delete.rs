use aws_sdk_dynamodb::types::AttributeValue;
use monotable::Entity;
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

#[tokio::test]
async fn a_condition_and_the_deleted_item() {
    on_table::<Shop, _>("delete-condition", |bench| async move {
        let table = &bench.table;
        let ana = Customer { customer_id: "c1".into(), name: "Ana".into() };
        let delete = |name: &'static str| {
            table.delete(Customer::key("c1")).condition(move |c| c.name.eq(name))
        };
        // Nothing is equal where there is no item.
        let error = delete("Ana").send().await.unwrap_err();
        assert!(error.is_condition_failed() && error.current_item().is_none(), "{error}");
        table.delete(&ana).condition(|c| c.name.missing()).send().await.unwrap();
        assert_eq!(table.delete(&ana).returning_old().send().await.unwrap(), None);

        table.put(&ana).send().await.unwrap();
        for error in [
            delete("Ben").send().await.unwrap_err(),
            delete("Ben").returning_old().send().await.unwrap_err(),
            table.transact().add(delete("Ben")).send().await.unwrap_err(),
        ] {
            assert!(error.is_condition_failed() && !error.is_item_missing(), "{error}");
            assert_eq!(error.current::<Customer>(), Some(ana.clone()));
        }
        let both = delete("Ana").condition(|c| c.customer_id.eq("c2")).send().await;
        assert!(both.unwrap_err().is_condition_failed());
        assert_eq!(delete("Ana").returning_old().send().await.unwrap(), Some(ana.clone()));
        assert_eq!(table.get(&ana).send().await.unwrap(), None);

        let mut item = ana.to_item().unwrap();
        item.insert("name".into(), AttributeValue::Null(true));
        let put = table.client().put_item().table_name(table.name());
        put.set_item(Some(item)).send().await.unwrap();
        // It is deleted all the same.
        let error = table.delete(&ana).returning_old().send().await.unwrap_err();
        assert!(error.is_decode(), "{error}");
        assert!(!table.exists(&ana).consistent().send().await.unwrap());
    })
    .await;
}
