use std::collections::BTreeSet;
use std::error::Error as _;
use std::sync::{Arc, Mutex};

use monotable::{Entity, Table};
use serde_json::{Value, json};
use tests::bench::on_table;
use tests::canned::{Answer, Canned, Request};
use tests::models::plain::{Graph, Tallies, Tally, edges};
use tests::models::shop::{
    Customer, OrderSummary, Shop, Status, customers, date, line, order, summary,
};
use tests::recorder::{Recorder, Sent};

fn requests(sent: &Sent, table: &str) -> Vec<Value> {
    assert_eq!(sent.operation, "BatchWriteItem");
    sent.body["RequestItems"][table].as_array().unwrap().clone()
}

fn sizes(sent: &[Sent], table: &str) -> Vec<usize> {
    let mut sizes: Vec<_> = sent.iter().map(|sent| requests(sent, table).len()).collect();
    sizes.sort_unstable();
    sizes.reverse();
    sizes
}

#[tokio::test]
async fn every_size() {
    on_table::<Shop, _>("batch-write", |bench| async move {
        let shop = &bench.table;
        let all = customers(1000);
        let expected: [(usize, &[usize]); 7] = [
            (0, &[]),
            (1, &[1]),
            (25, &[25]),
            (26, &[25, 1]),
            (100, &[25; 4]),
            (101, &[25, 25, 25, 25, 1]),
            (1000, &[25; 40]),
        ];
        for (count, chunks) in expected {
            shop.batch_write().put_all(&all[..count]).send().await.unwrap();
            let sent = bench.recorder.take();
            if tests::engine::never_throttles() {
                assert_eq!(sizes(&sent, shop.name()), chunks);
                let keys: BTreeSet<String> = sent
                    .iter()
                    .flat_map(|sent| requests(sent, shop.name()))
                    .map(|request| request["PutRequest"]["Item"]["PK"].to_string())
                    .collect();
                assert_eq!(keys.len(), count);
            }
            let found = shop.batch_get(&all[..count]).consistent().send().await.unwrap();
            assert!(found.into_iter().map(Option::unwrap).eq(all[..count].iter().cloned()));

            bench.recorder.take();
            shop.batch_write().delete_keys(&all[..count]).send().await.unwrap();
            let sent = bench.recorder.take();
            if tests::engine::never_throttles() {
                assert_eq!(sizes(&sent, shop.name()), chunks);
            }
            let found = shop.batch_get(&all[..count]).consistent().send().await.unwrap();
            assert!(found.iter().all(Option::is_none));
            bench.recorder.take();
        }
    })
    .await;
}

#[tokio::test]
async fn entities_of_the_table_are_mixed() {
    on_table::<Shop, _>("batch-write-mixed", |bench| async move {
        let shop = &bench.table;
        let ana = &customers(1)[0];
        let gone = OrderSummary { customer_id: "c42".into(), ..summary(date(2026, 9, 1), "o1") };
        shop.put(&gone).send().await.unwrap();
        bench.recorder.take();
        let orders = [order("o1", Status::Pending, 0), order("o2", Status::Shipped, 0)];
        let batch = shop.batch_write().put(ana).put_all(&orders).put(&line("o1", 1, 9));
        batch.delete(&gone).delete(Customer::key("nobody")).send().await.unwrap();
        assert_eq!(bench.recorder.operations(), ["BatchWriteItem"]);
        assert_eq!(shop.get(ana).consistent().send().await.unwrap().as_ref(), Some(ana));
        let found = shop.batch_get(&orders).consistent().send().await.unwrap();
        assert_eq!(found, orders.map(Some));
        assert!(!shop.exists(&gone).consistent().send().await.unwrap());
        assert!(shop.exists(&line("o1", 1, 0)).consistent().send().await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn items_of_400_kb_and_not_a_byte_more() {
    on_table::<Shop, _>("batch-write-400-kb", |bench| async move {
        let shop = &bench.table;
        let rest: usize = ["PK", "CUST#c0000", "SK", "PROFILE", "customer_id", "c0000", "name"]
            .iter()
            .map(|text| text.len())
            .sum();
        let mut all = customers(26);
        for customer in &mut all {
            customer.name = "x".repeat(409_600 - rest);
        }
        if tests::engine::counts_item_bytes() {
            shop.batch_write().put_all(&all).send().await.unwrap();
            if tests::engine::never_throttles() {
                assert_eq!(sizes(&bench.recorder.take(), shop.name()), [25, 1]);
            }
            let counted = shop.full_scan().consistent().all().await.unwrap();
            assert_eq!(counted.len(), 26);
            bench.recorder.take();
        }
        all[20].name.push('x');
        let error = shop.batch_write().put_all(&all).send().await.unwrap_err();
        assert!(error.is_encode() && !error.is_incomplete(), "{error}");
        let text = error.to_string();
        assert!(text.contains("409601 bytes") && text.contains("`CUST#c0020"), "{text}");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn two_writes_to_one_key_are_refused_before_a_request() {
    on_table::<Shop, _>("batch-write-twice", |bench| async move {
        let shop = &bench.table;
        let all = customers(30);
        let batch = || shop.batch_write().put_all(&all).delete(&all[3]).put(&all[7]);
        let error = batch().send().await.unwrap_err();
        let text = error.to_string();
        for part in
            ["positions 3 and 30", "put of `Customer`", "delete of", "`CUST#c0003 + PROFILE`"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!error.is_incomplete() && error.unwritten().is_empty());
        assert_eq!(batch().explain().unwrap_err().to_string(), text);
        let invalid = shop.batch_write().put(&all[0]).delete(Customer::key(""));
        assert!(invalid.send().await.unwrap_err().is_invalid_key());
        assert!(bench.recorder.take().is_empty());

        let ana = Customer { name: "Ana".into(), ..all[9].clone() };
        batch().put(&ana).last_wins().send().await.unwrap();
        let sent = bench.recorder.take();
        if tests::engine::never_throttles() {
            assert_eq!(sizes(&sent, shop.name()), [25, 5]);
        }
        let found = shop.batch_get(&all).consistent().send().await.unwrap();
        assert_eq!(found.iter().position(Option::is_none), Some(3));
        assert_eq!(found.iter().flatten().count(), 29);
        assert_eq!(found[9].as_ref(), Some(&ana));
    })
    .await;
}

#[tokio::test]
async fn keys_are_compared_attribute_by_attribute_and_numbers_by_value() {
    on_table::<Graph, _>("batch-write-joined", |bench| async move {
        let edges = edges();
        bench.table.batch_write().put_all(&edges).send().await.unwrap();
        assert_eq!(bench.table.full_scan().consistent().all().await.unwrap().len(), edges.len());
    })
    .await;
    on_table::<Tallies, _>("batch-write-numbers", |bench| async move {
        let raw = |text: &str| Tally::raw_key(monotable::key::KeyValue::N(text.into()));
        let batch = || bench.table.batch_write().put(&Tally { n: 1, count: 7 }).delete(raw("1.0"));
        let error = batch().send().await.unwrap_err();
        assert!(error.to_string().contains("(`1`) and delete of `Tally` (`1.0`)"), "{error}");
        batch().last_wins().send().await.unwrap();
        assert!(!bench.table.exists(Tally::key(1)).consistent().send().await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn customize_reaches_every_request() {
    on_table::<Shop, _>("batch-write-customize", |bench| async move {
        let recorder = Recorder::default();
        let own = recorder.clone();
        let batch = bench.table.batch_write().put_all(&customers(26));
        batch.customize(move |write| write.interceptor(own.clone())).send().await.unwrap();
        assert!(recorder.take().len() >= 2);
    })
    .await;
}

/// An answer that writes as many of the requests as given and leaves the others over.
fn writes(request: &Request, count: usize) -> Answer {
    let all = request.body["RequestItems"]["shop"].as_array().unwrap();
    let left = &all[count.min(all.len())..];
    let unprocessed = if left.is_empty() { json!({}) } else { json!({ "shop": left }) };
    Answer::Json(200, json!({ "UnprocessedItems": unprocessed }).to_string())
}

/// A shop whose answers are given by `respond`, and what is sent to it.
async fn shop(
    respond: impl Fn(usize, &Request) -> Answer + Send + Sync + 'static,
) -> (Table<Shop>, Recorder) {
    let canned = Canned::answering(respond).await;
    let (client, recorder) = Recorder::attach(&canned.client);
    (Shop::table(client, "shop"), recorder)
}

#[tokio::test]
async fn all_left_over_for_a_while() {
    let (shop, recorder) = shop(|n, request| writes(request, if n < 3 { 0 } else { 25 })).await;
    let all = customers(3);
    shop.batch_write().put_all(&all[..2]).delete(&all[2]).send().await.unwrap();
    let sent = recorder.take();
    assert_eq!(sizes(&sent, "shop"), [3; 4]);
    let as_text = |sent: &Sent| {
        let requests = requests(sent, "shop").into_iter().map(|request| request.to_string());
        requests.collect::<BTreeSet<_>>()
    };
    assert!(sent.iter().all(|again| as_text(again) == as_text(&sent[0])));
}

#[tokio::test]
async fn one_written_at_a_time_is_progress() {
    let (shop, recorder) = shop(|_, request| writes(request, 1)).await;
    shop.batch_write().put_all(&customers(5)).max_attempts(1).send().await.unwrap();
    assert_eq!(sizes(&recorder.take(), "shop"), [5, 4, 3, 2, 1]);
}

#[tokio::test]
async fn all_left_over_for_ever() {
    let (shop, recorder) = shop(|_, request| writes(request, 0)).await;
    let all = customers(1000);
    let error = shop.batch_write().put_all(&all).max_attempts(3).send().await.unwrap_err();
    assert!(error.is_incomplete() && error.is_throttled(), "{error}");
    assert!(!error.is_outcome_unknown() && error.source().is_none());
    assert_eq!(error.unwritten(), (0..1000).collect::<Vec<_>>());
    let text = error.to_string();
    assert!(text.contains("1000 of 1000 writes are not written"), "{text}");
    assert!(text.contains("put of `Customer` (`CUST#c0000 + PROFILE`) at position 0"), "{text}");
    // Four chunks were under way when the first gave up.
    assert_eq!(sizes(&recorder.take(), "shop"), [25; 12]);
}

#[tokio::test]
async fn what_is_left_over_is_listed_by_position() {
    // The writes to these customers are never done.
    let stubborn = ["CUST#c0004", "CUST#c0030", "CUST#c0031"];
    let (shop, _) = shop(move |_, request| {
        let all = request.body["RequestItems"]["shop"].as_array().unwrap();
        let key = |request: &Value| match request.get("PutRequest") {
            Some(put) => put["Item"]["PK"]["S"].clone(),
            None => request["DeleteRequest"]["Key"]["PK"]["S"].clone(),
        };
        let left: Vec<_> =
            all.iter().filter(|one| stubborn.contains(&key(one).as_str().unwrap())).collect();
        // Some engines call the table by its ARN.
        let body =
            json!({ "UnprocessedItems": { "arn:aws:dynamodb:eu-west-1:1:table/shop": left } });
        Answer::Json(200, body.to_string())
    })
    .await;
    let all = customers(40);
    let reversed = shop.batch_write().delete_keys(all.iter().rev()).max_attempts(2);
    let error = reversed.send().await.unwrap_err();
    assert_eq!(error.unwritten(), [8, 9, 35]);
    assert!(error.to_string().contains("3 of 40 writes"), "{error}");
    assert!(error.to_string().contains("delete of `Customer`"), "{error}");

    // Positions are those of the caller where some writes are not sent.
    let twice = shop.batch_write().put_all(&all).put_all(&all[30..]).last_wins().max_attempts(1);
    let error = twice.send().await.unwrap_err();
    assert_eq!(error.unwritten(), [4, 40, 41]);
    assert!(error.to_string().contains("3 of 40 writes"), "{error}");
}

#[tokio::test]
async fn a_request_throttled_as_a_whole_is_sent_again() {
    for code in ["ProvisionedThroughputExceededException", "ThrottlingException"] {
        let throttled = move |n, request: &Request| match n {
            0 | 1 => Canned::error(400, code),
            _ => writes(request, 25),
        };
        let (table, recorder) = shop(throttled).await;
        table.batch_write().put_all(&customers(3)).send().await.unwrap();
        assert_eq!(sizes(&recorder.take(), "shop"), [3; 3]);

        let (table, _) = shop(move |_, _| Canned::error(400, code)).await;
        let batch = table.batch_write().put_all(&customers(3)).max_attempts(2);
        let error = batch.send().await.unwrap_err();
        assert!(error.is_incomplete() && error.is_throttled(), "{error}");
        assert!(!error.is_outcome_unknown(), "{error}");
        assert_eq!(error.unwritten(), [0, 1, 2]);
        assert!(error.to_string().contains(code), "{error}");
        assert!(error.source().is_some());
    }
}

/// Fails every request from this one on, writes the others, and remembers what was written.
async fn failing(from: usize, failure: Answer) -> (Table<Shop>, Arc<Mutex<BTreeSet<String>>>) {
    let written: Arc<Mutex<BTreeSet<String>>> = Arc::default();
    let noted = Arc::clone(&written);
    let (shop, _) = shop(move |n, request| {
        if n >= from {
            return failure.clone();
        }
        let all = request.body["RequestItems"]["shop"].as_array().unwrap();
        let keys = all.iter().map(|put| put["PutRequest"]["Item"]["customer_id"]["S"].to_string());
        noted.lock().unwrap().extend(keys.map(|key| key.trim_matches('"').to_owned()));
        writes(request, 25)
    })
    .await;
    (shop, written)
}

#[tokio::test]
async fn every_write_is_confirmed_or_listed() {
    let failures = [
        (Answer::HangUp, true),
        (Canned::error(500, "InternalServerError"), true),
        (Canned::error(400, "ValidationException"), false),
        (Canned::error(400, "ThrottlingException"), false),
    ];
    for (failure, unknown) in failures {
        for from in [0, 1, 3, 11] {
            let (shop, written) = failing(from, failure.clone()).await;
            let all = customers(300);
            let batch = shop.batch_write().put_all(&all).max_attempts(2);
            let error = batch.send().await.unwrap_err();
            assert!(error.is_incomplete(), "{error}");
            assert_eq!(error.is_outcome_unknown(), unknown, "{error}");
            assert_eq!(error.to_string().contains("may or may not"), unknown, "{error}");
            assert!(error.source().is_some(), "{error}");
            let written = written.lock().unwrap().clone();
            assert_eq!(written.len(), 25 * from);
            let ids = error.unwritten().iter().map(|at| all[*at].customer_id.clone());
            let unwritten: BTreeSet<_> = ids.collect();
            assert_eq!(unwritten.len(), error.unwritten().len());
            assert!(unwritten.is_disjoint(&written));
            assert_eq!(unwritten.len() + written.len(), 300);
        }
    }
}

#[tokio::test]
async fn a_lost_attempt_is_not_forgotten_by_the_next() {
    // The first request gets no answer, the next are answered and leave everything over.
    let (table, recorder) = shop(|n, request| match n {
        0 => Answer::HangUp,
        _ => writes(request, 0),
    })
    .await;
    let retries = aws_sdk_dynamodb::config::retry::RetryConfig::standard();
    let retries = retries.with_initial_backoff(std::time::Duration::from_millis(1));
    let config = table.client().config().to_builder().retry_config(retries).build();
    let shop = Shop::table(aws_sdk_dynamodb::Client::from_conf(config), "shop");
    let batch = shop.batch_write().put_all(&customers(2)).max_attempts(1);
    let error = batch.send().await.unwrap_err();
    assert_eq!(recorder.take().len(), 2);
    assert!(error.is_throttled() && error.is_outcome_unknown(), "{error}");
    assert!(error.to_string().contains("2 of 2 writes are not confirmed"), "{error}");
}

#[tokio::test]
async fn a_table_that_is_missing_says_so() {
    on_table::<Shop, _>("batch-write-missing", |bench| async move {
        let name = format!("{}-not", bench.table.name());
        let missing = Table::<Shop>::new(bench.table.client().clone(), name);
        let error = missing.batch_write().put_all(&customers(30)).send().await.unwrap_err();
        assert!(error.is_table_missing() && error.is_incomplete(), "{error}");
        assert!(!error.is_throttled() && !error.is_outcome_unknown(), "{error}");
        assert_eq!(error.unwritten().len(), 30);
    })
    .await;
}

#[tokio::test]
async fn what_an_error_lists_can_be_sent_again() {
    on_table::<Shop, _>("batch-write-again", |bench| async move {
        let (broken, _) = failing(2, Canned::error(400, "ThrottlingException")).await;
        let all = customers(60);
        let batch = broken.batch_write().put_all(&all).max_attempts(1);
        let error = batch.send().await.unwrap_err();
        let rest: Vec<&Customer> = error.unwritten().iter().map(|at| &all[*at]).collect();
        assert!(!rest.is_empty() && rest.len() < 60);
        bench.table.batch_write().put_all(rest.iter().copied()).send().await.unwrap();
        let found = bench.table.batch_get(rest.iter().map(|item| item.key()));
        let found = found.consistent().send().await.unwrap();
        assert!(found.iter().all(Option::is_some));
    })
    .await;
}
