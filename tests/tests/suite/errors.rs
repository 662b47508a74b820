use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use monotable::Table;
use tests::canned::{Answer, Canned};
use tests::models::shop::{Customer, OrderSummary, Shop};
use tests::recorder::Recorder;

async fn shop(answers: Vec<Answer>) -> (Canned, Table<Shop>) {
    let canned = Canned::start(answers).await;
    let table = Shop::table(canned.client.clone(), "shop");
    (canned, table)
}

fn ana() -> Customer {
    Customer { customer_id: "c1".into(), name: "Ana".into() }
}

#[tokio::test]
async fn throttling_is_one_fact_over_all_operations() {
    for code in
        ["ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"]
    {
        let (_canned, shop) = shop(vec![Canned::error(400, code)]).await;
        let errors = [
            shop.get(Customer::key("c1")).send().await.unwrap_err(),
            shop.put(&ana()).send().await.unwrap_err(),
            shop.create(&ana()).send().await.unwrap_err(),
            shop.delete(&ana()).send().await.unwrap_err(),
            shop.query(OrderSummary::by_customer_id("c1")).all().await.unwrap_err(),
            shop.full_scan().all().await.unwrap_err(),
            shop.exists(Customer::key("c1")).send().await.unwrap_err(),
            shop.batch_get([&ana()]).max_attempts(1).send().await.unwrap_err(),
            shop.batch_write().put(&ana()).max_attempts(1).send().await.unwrap_err(),
            shop.delete_all(OrderSummary::by_customer_id("c1")).send().await.unwrap_err(),
        ];
        for error in errors {
            assert!(error.is_throttled(), "{error}");
            assert!(!error.is_outcome_unknown() && !error.is_condition_failed(), "{error}");
            assert!(error.to_string().contains(code), "{error}");
            assert!(std::error::Error::source(&error).is_some());
        }
    }
}

#[tokio::test]
async fn a_write_without_an_answer_has_an_unknown_outcome() {
    let unreadable = Answer::Json(200, "<html>".into());
    for answer in [Answer::HangUp, Canned::error(500, "InternalServerError"), unreadable] {
        let (canned, shop) = shop(vec![answer]).await;
        let error = shop.put(&ana()).send().await.unwrap_err();
        assert!(error.is_outcome_unknown(), "{error}");
        assert!(error.to_string().contains("may or may not have happened"), "{error}");
        assert!(shop.create(&ana()).send().await.unwrap_err().is_outcome_unknown());
        assert!(shop.delete(&ana()).send().await.unwrap_err().is_outcome_unknown());
        let error = shop.get(Customer::key("c1")).send().await.unwrap_err();
        assert!(!error.is_outcome_unknown(), "{error}");
        assert!(canned.requests() >= 4);
    }
}

#[tokio::test]
async fn an_attempt_without_an_answer_is_not_forgotten_by_the_next() {
    let retrying = |canned: &Canned| {
        let retries = RetryConfig::standard();
        let retries =
            retries.with_max_attempts(2).with_initial_backoff(std::time::Duration::from_millis(1));
        let config = canned.client.config().to_builder().retry_config(retries).build();
        Shop::table(aws_sdk_dynamodb::Client::from_conf(config), "shop")
    };
    for lost in [Answer::HangUp, Canned::error(500, "InternalServerError")] {
        let throttled = Canned::error(400, "ThrottlingException");
        let canned = Canned::start(vec![lost.clone(), throttled]).await;
        let error = retrying(&canned).put(&ana()).send().await.unwrap_err();
        assert_eq!(canned.requests(), 2);
        assert!(error.is_throttled() && error.is_outcome_unknown(), "{error}");

        let failed = Canned::error(400, "ConditionalCheckFailedException");
        let canned = Canned::start(vec![lost.clone(), failed.clone()]).await;
        let error = retrying(&canned).create(&ana()).send().await.unwrap_err();
        assert_eq!(canned.requests(), 1);
        assert!(error.is_outcome_unknown() && !error.is_condition_failed(), "{error}");

        // Whose item is it? Perhaps that of the first attempt.
        let canned = Canned::start(vec![lost, failed]).await;
        let error = retrying(&canned).create(&ana()).retry_unsafe().send().await.unwrap_err();
        assert_eq!(canned.requests(), 2);
        assert!(error.is_condition_failed() && error.is_outcome_unknown(), "{error}");
    }
    let failed = Canned::error(400, "ConditionalCheckFailedException");
    let canned = Canned::start(vec![failed]).await;
    let error = retrying(&canned).create(&ana()).send().await.unwrap_err();
    assert!(error.is_condition_failed() && !error.is_outcome_unknown(), "{error}");
}

#[tokio::test]
async fn a_conflict_with_another_transaction() {
    let (_canned, shop) = shop(vec![Canned::error(400, "TransactionConflictException")]).await;
    let error = shop.put(&ana()).send().await.unwrap_err();
    assert!(error.is_conflict() && !error.is_throttled());
}

#[tokio::test]
async fn an_empty_page_in_the_middle_is_not_the_end() {
    let key = r#"{"PK":{"S":"CUST#c1"},"SK":{"S":"ORDER#2026-09-01#o1"}}"#;
    let item = r#"{"PK":{"S":"CUST#c1"},"SK":{"S":"ORDER#2026-09-01#o1"},"customer_id":{"S":"c1"},
        "date":{"S":"2026-09-01"},"order_id":{"S":"o1"},"total":{"N":"7"}}"#;
    let empty = format!(r#"{{"Count":0,"Items":[],"LastEvaluatedKey":{key}}}"#);
    let last = format!(r#"{{"Count":1,"Items":[{item}]}}"#);
    let pages = || {
        vec![
            Answer::Json(200, empty.clone()),
            Answer::Json(200, empty.clone()),
            Answer::Json(200, last.clone()),
        ]
    };
    let query = |shop: &Table<Shop>| shop.query(OrderSummary::by_customer_id("c1"));

    let (canned, table) = shop(pages()).await;
    assert_eq!(query(&table).all().await.unwrap().len(), 1);
    assert_eq!(canned.requests(), 3);
    let (canned, table) = shop(pages()).await;
    assert_eq!(query(&table).count().await.unwrap(), 1);
    assert_eq!(canned.requests(), 3);
    let (canned, table) = shop(pages()).await;
    assert_eq!(query(&table).limit(1).send().await.unwrap().len(), 1);
    assert_eq!(canned.requests(), 3);
    let (_canned, table) = shop(pages()).await;
    let page = query(&table).send().await.unwrap();
    assert!(page.is_empty() && page.next.is_some());
}

#[tokio::test]
async fn an_empty_map_is_no_item() {
    let (_canned, shop) = shop(vec![Answer::Json(200, r#"{"Item":{}}"#.into())]).await;
    assert_eq!(shop.get(Customer::key("c1")).send().await.unwrap(), None);
}

#[tokio::test]
async fn nobody_listens() {
    let client = monotable::testing::local_client("http://127.0.0.1:1").unwrap();
    let retries = RetryConfig::disabled();
    let config = client.config().to_builder().retry_config(retries).build();
    let shop = Shop::table(aws_sdk_dynamodb::Client::from_conf(config), "shop");
    let error = shop.put(&ana()).send().await.unwrap_err();
    assert!(!error.is_outcome_unknown(), "{error}");
    let error = shop.get(Customer::key("c1")).send().await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains("GetItem of `Customer` (CUST#c1 + PROFILE)"), "{text}");
    assert!(text.contains("127.0.0.1:1") && text.contains("refused"), "{text}");
}

#[tokio::test]
async fn no_connection_in_time() {
    // Nobody answers the TLS handshake.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("https://{}", listener.local_addr().unwrap());
    let client = monotable::testing::local_client(&endpoint).unwrap();
    let in_time = std::time::Duration::from_millis(50);
    let timeouts = TimeoutConfig::builder().connect_timeout(in_time).build();
    let retries = RetryConfig::standard().with_max_attempts(2).with_initial_backoff(in_time);
    let config = client.config().to_builder().timeout_config(timeouts).retry_config(retries);
    let client = aws_sdk_dynamodb::Client::from_conf(config.build());
    let (client, recorder) = Recorder::attach(&client);
    let error = Shop::table(client, "shop").create(&ana()).send().await.unwrap_err();
    assert!(error.to_string().contains("timed out"), "{error}");
    assert!(!error.is_outcome_unknown(), "{error}");
    assert_eq!(recorder.operations(), ["PutItem", "PutItem"]);
}
