use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::join_all;
use monotable::Entity;
use monotable::op::Created;
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

#[tokio::test]
async fn an_existing_item_is_an_answer_where_that_is_asked() {
    on_table::<Shop, _>("create-existing", |bench| async move {
        let table = &bench.table;
        let named = |name: &str| Customer { customer_id: "c1".into(), name: name.into() };
        let ana = named("Ana");
        let created = table.create(&ana).or_existing().send().await.unwrap();
        assert_eq!(created, Created::Created);
        let found = table.create(&named("Ben")).or_existing().send().await.unwrap();
        assert_eq!(found, Created::Exists(ana));
        assert_eq!(bench.recorder.operations(), ["PutItem", "PutItem"]);

        // What is there under the key may be no such entity.
        let mut item = named("x").to_item().unwrap();
        item.insert("name".into(), AttributeValue::Bool(true));
        let put = table.client().put_item().table_name(table.name());
        put.set_item(Some(item)).send().await.unwrap();
        let error = table.create(&named("Ben")).or_existing().send().await.unwrap_err();
        assert!(error.is_decode() && error.to_string().contains("name"), "{error}");
        let error = table.create(&named("Ben")).send().await.unwrap_err();
        assert!(error.is_condition_failed() && error.current::<Customer>().is_none());
        assert_eq!(error.current_item().unwrap()["name"], AttributeValue::Bool(true));
    })
    .await;
}

#[tokio::test]
async fn of_several_creates_one_wins() {
    if !tests::engine::is_atomic() {
        return;
    }
    on_table::<Shop, _>("create-race", |bench| async move {
        let named = |n: u32| Customer { customer_id: "c1".into(), name: n.to_string() };
        let items: Vec<_> = (0..6).map(named).collect();
        let created = items.iter().map(|item| bench.table.create(item).or_existing().send());
        let created = join_all(created).await;
        let stored =
            bench.table.get(Customer::key("c1")).consistent().send().await.unwrap().unwrap();
        let mut winners = 0;
        for outcome in created {
            match outcome.unwrap() {
                Created::Created => winners += 1,
                Created::Exists(found) => assert_eq!(found, stored),
            }
        }
        assert_eq!(winners, 1);
    })
    .await;
}
