use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use monotable::key::KeyValue;
use monotable::op::{Handle, Transact};
use monotable::testing::Backend;
use monotable::{Entity, Error, Table};
use serde::{Deserialize, Serialize};
use tests::bench::on_table;
use tests::canned::{Answer, Canned};
use tests::models::shop::{Customer, Order, OrderLine, Shop, Status, line, order};
use tests::recorder::Recorder;

fn customer(id: &str, name: &str) -> Customer {
    Customer { customer_id: id.into(), name: name.into() }
}

#[tokio::test]
async fn all_kinds_of_write_happen_together() {
    on_table::<Shop, _>("transact", |bench| async move {
        let shop = &bench.table;
        let (ana, ben) = (customer("c1", "Ana"), customer("c2", "Ben"));
        let pending = order("o1", Status::Pending, 0);
        shop.put(&ana).send().await.unwrap();
        shop.put(&line("o0", 1, 4)).send().await.unwrap();
        bench.recorder.take();
        shop.transact()
            .add(shop.delete(OrderLine::key("o0", 1)))
            .add(shop.put(&pending))
            .add(shop.check(&ana))
            .add(shop.create(&ben))
            .add(None::<monotable::op::Put<Customer>>)
            .add(vec![shop.put(&line("o1", 1, 4)), shop.put(&line("o1", 2, 4))])
            .send()
            .await
            .unwrap();
        let sent = bench.recorder.take();
        assert_eq!(sent.len(), 1);
        assert_eq!(sent[0].operation, "TransactWriteItems");
        let items = sent[0].body["TransactItems"].as_array().unwrap();
        let kinds: Vec<&str> = items
            .iter()
            .flat_map(|item| item.as_object().unwrap().keys().map(String::as_str))
            .collect();
        assert_eq!(kinds, ["Delete", "Put", "ConditionCheck", "Put", "Put", "Put"]);

        assert_eq!(shop.get(OrderLine::key("o0", 1)).send().await.unwrap(), None);
        assert_eq!(shop.get(&ben).send().await.unwrap(), Some(ben));
        assert_eq!(shop.get(&pending).send().await.unwrap(), Some(pending));
        assert!(shop.get(OrderLine::key("o1", 2)).send().await.unwrap().is_some());
    })
    .await;
}

#[tokio::test]
async fn without_operations_nothing_is_sent() {
    on_table::<Shop, _>("transact-empty", |bench| async move {
        bench.table.transact().send().await.unwrap();
        let none: Vec<monotable::op::Put<Customer>> = Vec::new();
        bench.table.transact().add(none).send().await.unwrap();
        assert!(bench.table.transact().explain().unwrap().requests().is_empty());
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

/// Wherever the failing operation stands, nothing happens and the reasons are in the caller's order.
#[tokio::test]
async fn one_failure_undoes_all_and_reasons_stand_in_order() {
    on_table::<Shop, _>("transact-cancel", |bench| async move {
        let shop = &bench.table;
        let stored = customer("c1", "Ana");
        let doomed = line("o9", 1, 4);
        shop.put(&stored).send().await.unwrap();
        shop.put(&doomed).send().await.unwrap();
        for place in 0..4 {
            let mut transaction = shop.transact();
            let mut failing = None;
            for at in 0..4 {
                let handle = match at {
                    at if at == place => {
                        let handle = transaction.push(shop.create(&customer("c1", "Ben")));
                        failing = Some(handle);
                        handle
                    }
                    0 => transaction.push(shop.delete(&doomed)),
                    1 => transaction.push(shop.put(&order("o1", Status::Pending, 0))),
                    2 => transaction.push(shop.create(&customer("c2", "Cleo"))),
                    _ => transaction.push(shop.put(&line("o1", 1, 4))),
                };
                assert_eq!(handle.position(), at);
            }
            let error = transaction.send().await.unwrap_err();

            assert!(error.is_condition_failed() && !error.is_outcome_unknown(), "{error}");
            assert!(!error.is_item_missing() && !error.is_conflict() && !error.is_throttled());
            assert!(std::error::Error::source(&error).is_some());
            let text = error.to_string();
            let cause = format!(
                ": operation {}, `Customer` (CUST#c1 + PROFILE): the item exists already",
                place
            );
            assert!(text.starts_with("TransactWriteItems on table `"), "{text}");
            assert!(text.ends_with(&cause), "{text}");
            assert_eq!(error.reasons().len(), 4);
            for (at, reason) in error.reasons().iter().enumerate() {
                assert_eq!(reason.is_none(), at != place);
                assert_eq!(reason.is_condition_failed(), at == place);
                assert_eq!(reason.current::<Customer>().is_some(), at == place);
            }
            let reason = error.reason(failing.unwrap()).unwrap();
            assert_eq!(reason.code(), Some("ConditionalCheckFailed"));
            assert!(reason.message().is_some());
            assert_eq!(reason.current::<Customer>(), Some(stored.clone()));
            assert_eq!(error.current::<Customer>(), Some(stored.clone()));

            assert_eq!(shop.get(&stored).send().await.unwrap(), Some(stored.clone()));
            assert!(shop.get(&doomed).send().await.unwrap().is_some());
            assert_eq!(shop.get(Order::key("o1")).send().await.unwrap(), None);
            assert_eq!(shop.get(Customer::key("c2")).send().await.unwrap(), None);
            assert_eq!(shop.get(OrderLine::key("o1", 1)).send().await.unwrap(), None);
        }
    })
    .await;
}

#[tokio::test]
async fn several_failures_are_all_told() {
    on_table::<Shop, _>("transact-several", |bench| async move {
        let shop = &bench.table;
        shop.put(&customer("c1", "Ana")).send().await.unwrap();
        let mut transaction = shop.transact();
        let missing = transaction.push(shop.check(Order::key("o1")));
        let fine = transaction.push(shop.put(&line("o1", 1, 4)));
        let exists = transaction.push(shop.create(&customer("c1", "Ben")));
        let error = transaction.send().await.unwrap_err();
        let text = error.to_string();
        let causes = "operation 0, `Order` (ORDER#o1 + META): there is no such item; \
                      operation 2, `Customer` (CUST#c1 + PROFILE): the item exists already";
        assert!(text.ends_with(causes), "{text}");
        assert!(error.is_condition_failed() && error.is_item_missing());
        let reason = |handle: Handle| error.reason(handle).unwrap();
        assert!(reason(missing).is_item_missing() && reason(missing).current_item().is_none());
        assert!(reason(fine).is_none() && reason(fine).to_string() == "did not fail");
        assert!(!reason(exists).is_item_missing());
        assert_eq!(reason(exists).to_string(), "the item exists already");
        // Of the first condition that failed.
        assert_eq!(error.current_item(), None);
    })
    .await;
}

#[tokio::test]
async fn two_operations_on_one_item_are_named_before_a_request() {
    on_table::<Shop, _>("transact-twice", |bench| async move {
        let shop = &bench.table;
        let ana = customer("c1", "Ana");
        let refused = |transaction: Transact<'static>| async move {
            let explained = transaction.explain().unwrap_err().to_string();
            let error = transaction.send().await.unwrap_err();
            assert_eq!(error.to_string(), explained);
            assert!(error.reasons().is_empty());
            explained
        };
        let text = refused(
            shop.transact()
                .add(shop.check(&ana))
                .add(shop.put(&order("o1", Status::Pending, 0)))
                .add(shop.put(&ana)),
        )
        .await;
        let both = "operation 0, `Customer` (CUST#c1 + PROFILE), and operation 2, `Customer` (CUST#c1 + PROFILE), are on one item";
        assert!(text.starts_with(both), "{text}");
        // Under another entity's name too.
        let text = refused(
            shop.transact()
                .add(shop.create(&ana))
                .add(shop.delete(Order::raw_key("CUST#c1", "PROFILE"))),
        )
        .await;
        assert!(text.contains("operation 1, `Order` (CUST#c1 + PROFILE), are on one"), "{text}");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[derive(Debug, Table)]
#[table(pk = "a", sk = "b", entities(Pair))]
struct Pairs;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Pairs, pk = "<a>", sk = "<b>")]
struct Pair {
    a: String,
    b: String,
}

#[tokio::test]
async fn keys_are_compared_attribute_by_attribute() {
    on_table::<Pairs, _>("transact-keys", |bench| async move {
        let pair = |a: &str, b: &str| Pair { a: a.into(), b: b.into() };
        let (one, other) = (pair("A#", "B"), pair("A", "#B"));
        let pairs = &bench.table;
        pairs.transact().add(pairs.create(&one)).add(pairs.create(&other)).send().await.unwrap();
        assert_eq!(pairs.get(&one).send().await.unwrap(), Some(one.clone()));
        assert_eq!(pairs.get(&other).send().await.unwrap(), Some(other.clone()));
        let read = pairs.transact_get((&other, &one)).send().await.unwrap();
        assert_eq!(read, (Some(other), Some(one)));
    })
    .await;
}

#[derive(Debug, Table)]
#[table(pk = ("n", N), entities(Counter))]
struct Counters;

#[derive(Debug, Serialize, Deserialize, Entity)]
#[entity(table = Counters, pk = "<n>")]
struct Counter {
    n: u32,
}

#[tokio::test]
async fn numbers_are_one_key_by_value() {
    on_table::<Counters, _>("transact-numbers", |bench| async move {
        let counters = &bench.table;
        let padded = Counter::raw_key(KeyValue::N("1.0".into()));
        let transaction = counters.transact().add(counters.put(&Counter { n: 1 }));
        let error = transaction.add(counters.delete(padded)).send().await.unwrap_err();
        let both = "operation 0, `Counter` (1), and operation 1, `Counter` (1.0), are on one item";
        assert!(error.to_string().starts_with(both), "{error}");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn at_most_100_operations() {
    on_table::<Shop, _>("transact-100", |bench| async move {
        let shop = &bench.table;
        let lines: Vec<OrderLine> = (0..101).map(|at| line("o1", at, 4)).collect();
        let all = shop.transact().add(lines.iter().map(|line| shop.put(line)).collect::<Vec<_>>());
        let error = all.send().await.unwrap_err();
        assert!(error.to_string().starts_with("101 operations in one transaction"), "{error}");
        assert!(bench.recorder.take().is_empty());
        let hundred: Vec<_> = lines[1..].iter().map(|line| shop.create(line)).collect();
        shop.transact().add(hundred).send().await.unwrap();
        assert_eq!(bench.recorder.operations(), ["TransactWriteItems"]);
        assert!(shop.get(&lines[100]).send().await.unwrap().is_some());
        assert_eq!(shop.get(&lines[0]).send().await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn at_most_4_mb() {
    on_table::<Shop, _>("transact-4mb", |bench| async move {
        let shop = &bench.table;
        let lines: Vec<OrderLine> = (0..11).map(|at| line("o1", at, 400_000)).collect();
        let puts = |count: usize| lines[..count].iter().map(|line| shop.put(line)).collect();
        let eleven: Vec<_> = puts(11);
        let error = shop.transact().add(eleven).send().await.unwrap_err();
        let text = error.to_string();
        assert!(text.contains("44") && text.contains("DynamoDB allows 4194304"), "{text}");
        assert!(bench.recorder.take().is_empty());
        let ten: Vec<_> = puts(10);
        shop.transact().add(ten).send().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn tables_of_other_handles() {
    let backend = Backend::start().await.unwrap();
    let shop: Table<Shop> = backend.table("transact-here").await.unwrap();
    let archive: Table<Shop> = backend.table("transact-there").await.unwrap();
    let pairs: Table<Pairs> = backend.table("transact-pairs").await.unwrap();
    let ana = customer("c1", "Ana");
    let pair = Pair { a: "c1".into(), b: "x".into() };
    // The same key in another table is another item.
    let transaction = shop.transact().add(shop.create(&ana)).add(archive.create(&ana));
    transaction.add(pairs.put(&pair)).send().await.unwrap();
    assert_eq!(archive.get(&ana).send().await.unwrap(), Some(ana.clone()));
    assert_eq!(pairs.get(&pair).send().await.unwrap(), Some(pair));

    let transaction = shop.transact().add(shop.delete(&ana)).add(archive.create(&ana));
    let error = transaction.send().await.unwrap_err();
    let text = error.to_string();
    let tables = format!("on tables `{}`, `{}` (", shop.name(), archive.name());
    assert!(text.contains(&tables), "{text}");
    let cause = format!("in `{}`: the item exists already", archive.name());
    assert!(text.ends_with(&cause), "{text}");
    assert!(shop.get(&ana).send().await.unwrap().is_some());
    backend.close().await.unwrap();
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_before_a_request() {
    on_table::<Shop, _>("transact-refused", |bench| async move {
        let shop = &bench.table;
        let ana = customer("c1", "Ana");
        let error = shop.transact().add(shop.put(&ana)).add(shop.check(Customer::key("")));
        assert!(error.send().await.unwrap_err().is_invalid_key());
        for token in ["", &"x".repeat(37)] {
            let transaction = shop.transact().add(shop.put(&ana)).client_token(token);
            let error = transaction.send().await.unwrap_err();
            assert!(error.to_string().contains("1 to 36 characters"), "{error}");
        }
        let customized = shop.put(&ana).customize(|put| put);
        let error = shop.transact().add(customized).send().await.unwrap_err();
        assert!(error.to_string().contains("`customize`"), "{error}");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

/// A client that repeats a failed request once, and what it sends.
fn retrying(canned: &Canned) -> (Table<Shop>, Recorder) {
    let retries = RetryConfig::standard().with_max_attempts(2);
    let retries = retries.with_initial_backoff(Duration::from_millis(1));
    let config = canned.client.config().to_builder().retry_config(retries).build();
    let (client, recorder) = Recorder::attach(&Client::from_conf(config));
    (Shop::table(client, "shop"), recorder)
}

fn tokens(recorder: &Recorder) -> Vec<String> {
    let token = |body: &serde_json::Value| body["ClientRequestToken"].as_str().unwrap().to_owned();
    recorder.take().iter().map(|sent| token(&sent.body)).collect()
}

#[tokio::test]
async fn a_send_keeps_its_token_and_the_next_has_another() {
    let fine = Answer::Json(200, "{}".into());
    let canned = Canned::start(vec![Answer::HangUp, fine]).await;
    let (shop, recorder) = retrying(&canned);
    let ana = customer("c1", "Ana");
    shop.transact().add(shop.create(&ana)).send().await.unwrap();
    shop.transact().add(shop.create(&ana)).send().await.unwrap();
    shop.transact().add(shop.create(&ana)).client_token("mine").send().await.unwrap();
    let tokens = tokens(&recorder);
    assert_eq!(tokens.len(), 4);
    assert_eq!(tokens[0].len(), 36);
    assert_eq!(tokens[0], tokens[1]);
    assert_ne!(tokens[1], tokens[2]);
    assert_eq!(tokens[3], "mine");
}

#[tokio::test]
async fn the_same_token_writes_once() {
    if !tests::engine::knows_client_tokens() {
        return;
    }
    on_table::<Shop, _>("transact-token", |bench| async move {
        let shop = &bench.table;
        let ana = customer("c1", "Ana");
        for _ in 0..2 {
            // The second create does not find what the first has made.
            shop.transact().add(shop.create(&ana)).client_token("t1").send().await.unwrap();
        }
        let other = shop.transact().add(shop.create(&customer("c2", "Ben"))).client_token("t1");
        let error = other.send().await.unwrap_err();
        assert!(!error.is_conflict() && !error.is_condition_failed(), "{error}");
        assert!(error.to_string().contains("within the last 10 minutes"), "{error}");
    })
    .await;
}

async fn canned_error(answer: Answer) -> Error {
    let canned = Canned::start(vec![answer]).await;
    let shop = Shop::table(canned.client.clone(), "shop");
    let create = shop.create(&customer("c1", "Ana"));
    shop.transact().add(create).add(shop.check(Order::key("o1"))).send().await.unwrap_err()
}

fn canceled(reasons: &str) -> Answer {
    let ty = "com.amazonaws.dynamodb.v20120810#TransactionCanceledException";
    let message = "Transaction cancelled, please refer cancellation reasons";
    let body =
        format!(r#"{{"__type":"{ty}","Message":"{message}","CancellationReasons":{reasons}}}"#);
    Answer::Json(400, body)
}

#[tokio::test]
async fn other_reasons_have_predicates_too() {
    let reasons = r#"[{"Code":"None"},{"Code":"TransactionConflict","Message":"ongoing"}]"#;
    let error = canned_error(canceled(reasons)).await;
    assert!(error.is_conflict() && error.reasons()[1].is_conflict());
    assert!(!error.is_condition_failed() && error.reasons()[0].is_none());
    assert_eq!(error.reasons()[1].code(), Some("TransactionConflict"));
    assert_eq!(error.reasons()[1].message(), Some("ongoing"));
    let text = error.to_string();
    let cause = "operation 1, `Order` (ORDER#o1 + META): another write to the item is under way";
    assert!(text.ends_with(cause), "{text}");

    for code in ["ProvisionedThroughputExceeded", "ThrottlingError"] {
        let reasons = format!(r#"[{{"Code":"{code}","Message":"slow"}},{{"Code":"None"}}]"#);
        let error = canned_error(canceled(&reasons)).await;
        assert!(error.is_throttled() && !error.is_conflict(), "{error}");
        assert!(error.to_string().ends_with(&format!("{code}: slow")), "{error}");
    }

    let error = canned_error(canceled("[]")).await;
    assert_eq!(error.reasons().len(), 2);
    assert!(error.to_string().contains("cancellation reasons"), "{error}");

    let error = canned_error(Canned::error(400, "TransactionInProgressException")).await;
    assert!(error.is_conflict() && error.to_string().contains("still under way"), "{error}");
    let error = canned_error(Canned::error(400, "ThrottlingException")).await;
    assert!(error.is_throttled() && error.reasons().is_empty(), "{error}");
}

#[tokio::test]
async fn a_transaction_without_an_answer_has_an_unknown_outcome() {
    let error = canned_error(Answer::HangUp).await;
    assert!(error.is_outcome_unknown(), "{error}");
    let throttled = canned_error(Canned::error(400, "ThrottlingException")).await;
    assert!(!throttled.is_outcome_unknown(), "{throttled}");
}

#[tokio::test]
async fn customize_reaches_the_request() {
    on_table::<Shop, _>("transact-customize", |bench| async move {
        let shop = &bench.table;
        let own = Recorder::default();
        let interceptor = own.clone();
        let transaction = shop.transact().add(shop.create(&customer("c1", "Ana")));
        let transaction = transaction.customize(move |send| send.interceptor(interceptor.clone()));
        transaction.send().await.unwrap();
        assert_eq!(own.operations(), ["TransactWriteItems"]);

        let transaction = shop.transact().add(shop.delete(Customer::key("c1")));
        let builder = transaction.client_token("t1").into_sdk().unwrap();
        assert_eq!(builder.get_client_request_token().as_deref(), Some("t1"));
        builder.send().await.unwrap();
        assert_eq!(shop.get(Customer::key("c1")).send().await.unwrap(), None);
    })
    .await;
}
