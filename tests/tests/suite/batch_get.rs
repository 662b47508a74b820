use std::collections::BTreeSet;
use std::error::Error as _;
use std::sync::atomic::{AtomicUsize, Ordering};

use monotable::op::Fetched;
use monotable::{Entity, Key, Table};
use serde_json::{Value, json};
use tests::bench::on_table;
use tests::canned::{Answer, Canned, Request};
use tests::models::plain::{Graph, Tallies, Tally, edges};
use tests::models::shop::{Customer, OrderLine, Shop, customers, line};
use tests::recorder::{Recorder, Sent};

fn keys(sent: &Sent, table: &str) -> Vec<Value> {
    assert_eq!(sent.operation, "BatchGetItem");
    sent.body["RequestItems"][table]["Keys"].as_array().unwrap().clone()
}

fn sizes(sent: &[Sent], table: &str) -> Vec<usize> {
    let mut sizes: Vec<_> = sent.iter().map(|sent| keys(sent, table).len()).collect();
    sizes.sort_unstable();
    sizes.reverse();
    sizes
}

#[tokio::test]
async fn every_size_in_the_order_of_the_keys() {
    on_table::<Shop, _>("batch-get", |bench| async move {
        let shop = &bench.table;
        let mut all = customers(1000);
        shop.batch_write().put_all(&all).send().await.unwrap();
        all.reverse();
        bench.recorder.take();
        let expected: [(usize, &[usize]); 7] = [
            (0, &[]),
            (1, &[1]),
            (25, &[25]),
            (26, &[26]),
            (100, &[100]),
            (101, &[100, 1]),
            (1000, &[100; 10]),
        ];
        for (count, requests) in expected {
            let found = shop.batch_get(&all[..count]).consistent().send().await.unwrap();
            let found: Vec<_> = found.into_iter().map(Option::unwrap).collect();
            assert_eq!(found, all[..count]);
            let sent = bench.recorder.take();
            if tests::engine::never_throttles() {
                assert_eq!(sizes(&sent, shop.name()), requests);
            }
            for sent in sent {
                assert_eq!(sent.body["RequestItems"][shop.name()]["ConsistentRead"], true);
            }
        }
    })
    .await;
}

#[tokio::test]
async fn nothing_is_found_and_it_ends() {
    on_table::<Shop, _>("batch-get-nothing", |bench| async move {
        let keys = || (0..200).map(|n| Customer::key(format!("c{n}")));
        let found = bench.table.batch_get(keys()).send().await.unwrap();
        assert_eq!(found, vec![None; 200]);
        let partial = bench.table.batch_get(keys()).send_partial().await.unwrap();
        assert_eq!(partial, vec![Fetched::Absent; 200]);
    })
    .await;
}

#[tokio::test]
async fn the_last_of_200_is_found_when_nothing_else_is() {
    on_table::<Shop, _>("batch-get-last", |bench| async move {
        let all = customers(200);
        bench.table.put(&all[199]).send().await.unwrap();
        let found = bench.table.batch_get(&all).consistent().send().await.unwrap();
        assert_eq!(found.len(), 200);
        assert!(found[..199].iter().all(Option::is_none));
        assert_eq!(found[199].as_ref(), Some(&all[199]));
    })
    .await;
}

#[tokio::test]
async fn a_key_asked_twice_is_sent_once_and_answered_twice() {
    on_table::<Shop, _>("batch-get-twice", |bench| async move {
        let shop = &bench.table;
        let all = customers(3);
        shop.batch_write().put_all(&all[..2]).send().await.unwrap();
        bench.recorder.take();
        let asked = [1, 0, 2, 1, 1, 2];
        let keys: Vec<Key<Customer>> = asked.iter().map(|at| all[*at].key()).collect();
        let found = shop.batch_get(&keys).consistent().send().await.unwrap();
        let expected: Vec<_> = asked.iter().map(|at| all[..2].get(*at).cloned()).collect();
        assert_eq!(found, expected);
        assert_eq!(sizes(&bench.recorder.take(), shop.name()), [3]);

        // More askers than fit in a request, of two keys.
        let keys = (0..500).map(|n| all[n % 2].key());
        let found = shop.batch_get(keys).consistent().send().await.unwrap();
        assert!(found.iter().enumerate().all(|(n, item)| item.as_ref() == Some(&all[n % 2])));
        assert_eq!(sizes(&bench.recorder.take(), shop.name()), [2]);
    })
    .await;
}

#[tokio::test]
async fn keys_are_compared_attribute_by_attribute() {
    on_table::<Graph, _>("batch-get-joined", |bench| async move {
        let edges = edges();
        bench.table.batch_write().put_all(&edges).send().await.unwrap();
        let found = bench.table.batch_get(&edges).consistent().send().await.unwrap();
        assert_eq!(found, edges.into_iter().map(Some).collect::<Vec<_>>());
    })
    .await;
}

#[tokio::test]
async fn numbers_are_compared_by_value() {
    on_table::<Tallies, _>("batch-get-numbers", |bench| async move {
        let tallies = [1, 10, -3].map(|n| Tally { n, count: 7 });
        bench.table.batch_write().put_all(&tallies).send().await.unwrap();
        bench.recorder.take();
        let raw = |text: &str| Tally::raw_key(monotable::key::KeyValue::N(text.into()));
        let asked = ["1", "1.0", "10", "1E1", "-3.00", "0"].map(raw);
        let found = bench.table.batch_get(asked).consistent().send().await.unwrap();
        let numbers: Vec<_> = found.iter().map(|item| item.as_ref().map(|item| item.n)).collect();
        assert_eq!(numbers, [Some(1), Some(1), Some(10), Some(10), Some(-3), None]);
        assert_eq!(sizes(&bench.recorder.take(), bench.table.name()), [4]);
    })
    .await;
}

#[tokio::test]
async fn an_answer_of_more_than_16_mb_comes_in_parts() {
    on_table::<Shop, _>("batch-get-16-mb", |bench| async move {
        let shop = &bench.table;
        let (count, bytes) =
            if tests::engine::counts_item_bytes() { (41, 409_600) } else { (45, 390_000) };
        let empty = line("o1", 0, 0);
        let rest: usize = empty
            .to_item()
            .unwrap()
            .iter()
            .map(|(name, value)| name.len() + value.as_s().map_or(1, String::len))
            .sum();
        let lines: Vec<OrderLine> = (1..=count).map(|n| line("o1", n, bytes - rest - 2)).collect();
        shop.batch_write().put_all(&lines).send().await.unwrap();
        bench.recorder.take();
        let found = shop.batch_get(&lines).consistent().send().await.unwrap();
        assert!(found.into_iter().map(Option::unwrap).eq(lines));
        let sent = bench.recorder.take();
        assert!(sent.len() > 1, "{} requests", sent.len());
    })
    .await;
}

#[tokio::test]
async fn what_is_no_key_or_no_item_is_an_error() {
    on_table::<Shop, _>("batch-get-errors", |bench| async move {
        let shop = &bench.table;
        let keys = [Customer::key("c1"), Customer::key("")];
        let error = shop.batch_get(&keys).send().await.unwrap_err();
        assert!(error.is_invalid_key() && !error.is_incomplete(), "{error}");
        assert!(bench.recorder.take().is_empty());

        let item = Customer::key("c1").to_item().unwrap();
        let put = shop.client().put_item().table_name(shop.name());
        put.set_item(Some(item)).send().await.unwrap();
        let error = shop.batch_get([Customer::key("c1")]).send().await.unwrap_err();
        assert!(error.is_decode(), "{error}");

        let missing = Table::<Shop>::new(shop.client().clone(), format!("{}-not", shop.name()));
        let batch = missing.batch_get([Customer::key("c1"), Customer::key("c2")]);
        let error = batch.send_partial().await.unwrap_err();
        assert!(error.is_table_missing() && !error.is_incomplete(), "{error}");
        let text = error.to_string();
        assert!(text.contains("BatchGetItem of `Customer` (2 keys)"), "{text}");
    })
    .await;
}

#[tokio::test]
async fn customize_reaches_every_request() {
    on_table::<Shop, _>("batch-get-customize", |bench| async move {
        let recorder = Recorder::default();
        let own = recorder.clone();
        let batch = bench.table.batch_get(&customers(101));
        batch.customize(move |get| get.interceptor(own.clone())).send().await.unwrap();
        assert!(recorder.take().len() >= 2);
    })
    .await;
}

/// An answer that reads as many of the keys as given and leaves the others over.
fn reads(request: &Request, count: usize) -> Answer {
    let keys = request.body["RequestItems"]["shop"]["Keys"].as_array().unwrap();
    let read = &keys[..count.min(keys.len())];
    let item = |key: &Value| {
        let id = key["PK"]["S"].as_str().unwrap().strip_prefix("CUST#").unwrap();
        json!({ "PK": key["PK"], "SK": key["SK"],
                "customer_id": { "S": id }, "name": { "S": format!("name of {id}") } })
    };
    let items: Vec<_> = read.iter().map(item).collect();
    let left = &keys[read.len()..];
    let unprocessed = if left.is_empty() { json!({}) } else { json!({ "shop": { "Keys": left } }) };
    let body = json!({ "Responses": { "shop": items }, "UnprocessedKeys": unprocessed });
    Answer::Json(200, body.to_string())
}

async fn shop(
    respond: impl Fn(usize, &Request) -> Answer + Send + Sync + 'static,
) -> (Table<Shop>, Recorder) {
    let canned = Canned::answering(respond).await;
    let (client, recorder) = Recorder::attach(&canned.client);
    (Shop::table(client, "shop"), recorder)
}

#[tokio::test]
async fn all_left_over_for_a_while() {
    let (shop, recorder) = shop(|n, request| reads(request, if n < 3 { 0 } else { 100 })).await;
    let found = shop.batch_get(&customers(2)).send().await.unwrap();
    assert_eq!(found[1].as_ref().unwrap().name, "name of c0001");
    assert_eq!(sizes(&recorder.take(), "shop"), [2; 4]);
}

#[tokio::test]
async fn all_left_over_for_ever() {
    let (shop, recorder) = shop(|_, request| reads(request, 0)).await;
    let all = customers(1000);
    let batch = || shop.batch_get(&all).max_attempts(3);
    let error = batch().send().await.unwrap_err();
    assert!(error.is_incomplete() && error.is_throttled(), "{error}");
    assert!(
        !error.is_outcome_unknown() && error.unwritten().is_empty() && error.source().is_none()
    );
    let text = error.to_string();
    assert!(text.contains("1000 of 1000 keys of `Customer` are unread"), "{text}");
    assert!(text.contains("`CUST#c0000 + PROFILE`") && text.contains("3 requests"), "{text}");
    // Four chunks were under way when the first gave up.
    assert_eq!(sizes(&recorder.take(), "shop"), [100; 12]);
    assert_eq!(batch().send_partial().await.unwrap(), vec![Fetched::Unread; 1000]);
}

#[tokio::test]
async fn one_read_at_a_time_is_progress() {
    let (shop, recorder) = shop(|_, request| reads(request, 1)).await;
    let found = shop.batch_get(&customers(5)).max_attempts(1).send().await.unwrap();
    assert_eq!(found.into_iter().flatten().count(), 5);
    assert_eq!(sizes(&recorder.take(), "shop"), [5, 4, 3, 2, 1]);
}

#[tokio::test]
async fn found_absent_and_unread_are_told_apart() {
    // Of `c0000`, `c0001`, `c0002` the first is stored, the second is not, the third is left over.
    let (shop, _) = shop(|_, request| {
        let keys = request.body["RequestItems"]["shop"]["Keys"].as_array().unwrap();
        let last = keys.iter().find(|key| key["PK"]["S"] == "CUST#c0002");
        let mut first = keys[0].clone();
        first["customer_id"] = json!({ "S": "c0000" });
        first["name"] = json!({ "S": "Ana" });
        let items = if keys.len() == 3 { vec![first] } else { vec![] };
        // Some engines call the table by its ARN.
        let body = json!({
            "Responses": { "arn:aws:dynamodb:eu-west-1:1:table/shop": items },
            "UnprocessedKeys": { "arn:aws:dynamodb:eu-west-1:1:table/shop": { "Keys": [last] } },
        });
        Answer::Json(200, body.to_string())
    })
    .await;
    let mut asked: Vec<_> = customers(3);
    asked.push(asked[2].clone());
    let partial = shop.batch_get(&asked).max_attempts(2).send_partial().await.unwrap();
    let ana = Customer { customer_id: "c0000".into(), name: "Ana".into() };
    assert_eq!(partial, [Fetched::Found(ana), Fetched::Absent, Fetched::Unread, Fetched::Unread]);
    assert!(partial[3].is_unread());
    let error = shop.batch_get(&asked).max_attempts(2).send().await.unwrap_err();
    assert!(error.to_string().contains("1 of 3 keys"), "{error}");
}

#[tokio::test]
async fn a_request_throttled_as_a_whole_is_sent_again() {
    for code in ["ProvisionedThroughputExceededException", "ThrottlingException"] {
        let throttled = move |n, request: &Request| match n {
            0 | 1 => Canned::error(400, code),
            _ => reads(request, 100),
        };
        let (table, recorder) = shop(throttled).await;
        let found = table.batch_get(&customers(3)).send().await.unwrap();
        assert_eq!(found.into_iter().flatten().count(), 3);
        assert_eq!(sizes(&recorder.take(), "shop"), [3; 3]);

        let (table, recorder) = shop(move |_, _| Canned::error(400, code)).await;
        let error = table.batch_get(&customers(3)).max_attempts(2).send().await.unwrap_err();
        assert!(error.is_incomplete() && error.is_throttled(), "{error}");
        let text = error.to_string();
        assert!(text.contains(code) && text.contains("3 of 3 keys"), "{text}");
        assert!(error.source().is_some());
        assert_eq!(recorder.take().len(), 2);
    }
}

#[tokio::test]
async fn another_failure_ends_it() {
    let requests = std::sync::Arc::new(AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&requests);
    let (shop, _) = shop(move |_, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        Canned::error(500, "InternalServerError")
    })
    .await;
    let error = shop.batch_get(&customers(1000)).send_partial().await.unwrap_err();
    assert!(!error.is_incomplete() && !error.is_throttled() && !error.is_outcome_unknown());
    assert!(error.to_string().contains("InternalServerError"), "{error}");
    assert!(requests.load(Ordering::Relaxed) <= 4);
}

#[tokio::test]
async fn leftovers_are_the_keys_that_were_not_read() {
    // Every chunk reads all but one of its keys at first.
    let (shop, recorder) = shop(|_, request| {
        let keys = request.body["RequestItems"]["shop"]["Keys"].as_array().unwrap().len();
        reads(request, if keys == 1 { 1 } else { keys - 1 })
    })
    .await;
    let all = customers(300);
    let found = shop.batch_get(&all).send().await.unwrap();
    let ids: Vec<_> = found.into_iter().map(|item| item.unwrap().customer_id).collect();
    assert!(ids.iter().eq(all.iter().map(|customer| &customer.customer_id)));
    let sent = recorder.take();
    assert_eq!(sizes(&sent, "shop"), [100, 100, 100, 1, 1, 1]);
    let again: BTreeSet<String> = sent
        .iter()
        .map(|sent| keys(sent, "shop"))
        .filter(|keys| keys.len() == 1)
        .map(|keys| keys[0]["PK"]["S"].as_str().unwrap().to_owned())
        .collect();
    assert!(again.iter().eq(["CUST#c0099", "CUST#c0199", "CUST#c0299"]));
}
