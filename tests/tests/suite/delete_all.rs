use std::collections::BTreeSet;
use std::error::Error as _;
use std::sync::{Arc, Mutex};

use monotable::Table;
use serde_json::{Value, json};
use tests::bench::{eventually, on_table};
use tests::canned::{Answer, Canned};
use tests::models::library::{Library, Loan, Note};
use tests::models::shop::{
    Order, OrderLine, OrderSummary, Shop, Status, customers, date, line, order, summary,
};
use tests::recorder::Recorder;

#[tokio::test]
async fn a_range_is_deleted_and_nothing_beside_it() {
    on_table::<Shop, _>("delete-all", |bench| async move {
        let shop = &bench.table;
        let orders: Vec<_> =
            (1..=30).map(|day| summary(date(2026, 9, day), &format!("o{day}"))).collect();
        let other = OrderSummary { customer_id: "c4".into(), ..orders[0].clone() };
        let batch = shop.batch_write().put_all(&orders).put(&other).put_all(&customers(1));
        batch.send().await.unwrap();
        bench.recorder.take();

        let c42 = || OrderSummary::by_customer_id("c42");
        let range = || c42().date_range(date(2026, 9, 3)..=date(2026, 9, 29));
        let deleted = shop.delete_all(range()).consistent().send().await.unwrap();
        assert_eq!(deleted, 27);
        let sent = bench.recorder.take();
        assert_eq!(sent[0].operation, "Query");
        assert_eq!(sent[0].body["ConsistentRead"], true);
        assert_eq!(sent[0].body["ProjectionExpression"], "#pk, #sk");
        if tests::engine::never_throttles() {
            let operations: Vec<_> = sent.iter().map(|sent| sent.operation.as_str()).collect();
            assert_eq!(operations, ["Query", "BatchWriteItem", "BatchWriteItem"]);
        }
        let left = shop.query(c42()).consistent().all().await.unwrap();
        assert_eq!(left, [&orders[0], &orders[1], &orders[29]].map(Clone::clone));

        assert_eq!(shop.delete_all(range()).consistent().send().await.unwrap(), 0);
        assert_eq!(shop.delete_all(c42()).consistent().send().await.unwrap(), 3);
        assert_eq!(shop.full_scan().consistent().all().await.unwrap().len(), 2);
        bench.recorder.take();
        let empty = c42().date_range(date(2026, 9, 2)..date(2026, 9, 2));
        assert_eq!(shop.delete_all(empty).send().await.unwrap(), 0);
        let invalid = shop.delete_all(OrderSummary::by_customer_id(""));
        assert!(invalid.send().await.unwrap_err().is_invalid_key());
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn many_pages() {
    on_table::<Shop, _>("delete-all-pages", |bench| async move {
        let shop = &bench.table;
        let lines: Vec<OrderLine> = (0..130).map(|n| line("o1", n, 20_000)).collect();
        shop.batch_write().put_all(&lines).send().await.unwrap();
        bench.recorder.take();
        let pattern = OrderLine::by_order_id("o1");
        assert_eq!(shop.delete_all(pattern).consistent().send().await.unwrap(), 130);
        let operations = bench.recorder.operations();
        let queries = operations.iter().filter(|operation| *operation == "Query").count();
        assert!((3..=5).contains(&queries), "{operations:?}");
        assert!(shop.full_scan().consistent().all().await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn the_shards_of_an_index() {
    on_table::<Shop, _>("delete-all-shards", |bench| async move {
        let shop = &bench.table;
        let pending: Vec<_> =
            (0..60).map(|n| order(&format!("o{n:02}"), Status::Pending, n)).collect();
        let shipped = order("shipped", Status::Shipped, 1);
        shop.batch_write().put_all(&pending).put(&shipped).send().await.unwrap();
        let pattern = || Order::by_status(Status::Pending);
        eventually(60, || async { shop.query(pattern()).count().await.unwrap() }).await;
        assert_eq!(shop.delete_all(pattern()).send().await.unwrap(), 60);
        assert_eq!(shop.full_scan().consistent().all().await.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn kinds_that_may_overlap_stay() {
    on_table::<Library, _>("delete-all-overlap", |bench| async move {
        let table = &bench.table;
        let loan = |id| Loan { branch: "north".into(), reader: "r1".into(), id, due: None };
        let note = |id| Note {
            branch: "north".into(),
            reader: "r1".into(),
            id,
            text: format!("note {id}"),
        };
        let loans: Vec<_> = (1..=30).map(loan).collect();
        let notes: Vec<_> = (1..=30).map(note).collect();
        table.batch_write().put_all(&loans).put_all(&notes).send().await.unwrap();
        let pattern = Loan::by_branch("north").reader("r1");
        assert_eq!(table.delete_all(pattern).consistent().send().await.unwrap(), 30);
        let found = table.batch_get(&notes).consistent().send().await.unwrap();
        assert!(found.into_iter().map(Option::unwrap).eq(notes));
        let found = table.batch_get(&loans).consistent().send().await.unwrap();
        assert!(found.iter().all(Option::is_none));
    })
    .await;
}

/// Lines in one partition, read 40 a page, and the number of BatchWriteItems that succeed.
struct Partition {
    lines: BTreeSet<String>,
    writes: usize,
    succeed: usize,
    failure: Answer,
}

async fn partition(
    count: usize,
    succeed: usize,
    failure: Answer,
) -> (Table<Shop>, Arc<Mutex<Partition>>) {
    let lines = (0..count).map(|n| format!("LINE#{n:04}")).collect();
    let state = Arc::new(Mutex::new(Partition { lines, writes: 0, succeed, failure }));
    let served = Arc::clone(&state);
    let canned = Canned::answering(move |_, request| {
        let mut state = served.lock().unwrap();
        if request.operation == "Query" {
            let after = request.body["ExclusiveStartKey"]["SK"]["S"].as_str().unwrap_or_default();
            let rest = state.lines.iter().filter(|sk| sk.as_str() > after);
            let key = |sk: &String| json!({ "PK": { "S": "ORDER#o1" }, "SK": { "S": sk } });
            let page: Vec<_> = rest.take(40).map(key).collect();
            let mut body = json!({ "Count": page.len(), "Items": page });
            if page.len() == 40 {
                body["LastEvaluatedKey"] = page[39].clone();
            }
            return Answer::Json(200, body.to_string());
        }
        state.writes += 1;
        if state.writes > state.succeed {
            return state.failure.clone();
        }
        for request in request.body["RequestItems"]["shop"].as_array().unwrap() {
            let sk = request["DeleteRequest"]["Key"]["SK"]["S"].as_str().unwrap();
            assert!(state.lines.remove(sk), "{sk} is deleted twice");
        }
        Answer::Json(200, r#"{"UnprocessedItems":{}}"#.into())
    })
    .await;
    (Shop::table(canned.client.clone(), "shop"), state)
}

#[tokio::test]
async fn after_an_error_it_can_be_called_again() {
    let failures =
        [Canned::error(400, "ThrottlingException"), Canned::error(500, "InternalServerError")];
    for (failure, throttled) in failures.into_iter().zip([true, false]) {
        let (shop, state) = partition(530, 6, failure).await;
        let delete = || shop.delete_all(OrderLine::by_order_id("o1")).max_attempts(2);
        let error = delete().send().await.unwrap_err();
        assert!(error.is_incomplete(), "{error}");
        assert_eq!(error.is_throttled(), throttled, "{error}");
        assert_eq!(error.is_outcome_unknown(), !throttled, "{error}");
        assert!(error.source().is_some() && error.unwritten().is_empty(), "{error}");
        assert!(error.to_string().contains("150 items of `OrderLine` are deleted"), "{error}");
        state.lock().unwrap().succeed = usize::MAX;
        assert_eq!(delete().send().await.unwrap(), 380);
        assert_eq!(delete().send().await.unwrap(), 0);
    }
}

#[tokio::test]
async fn no_more_than_a_page_and_a_hundred_keys_are_held() {
    let (shop, _) = partition(530, usize::MAX, Answer::HangUp).await;
    let (client, recorder) = Recorder::attach(shop.client());
    let shop = Shop::table(client, "shop");
    assert_eq!(shop.delete_all(OrderLine::by_order_id("o1")).send().await.unwrap(), 530);
    let (mut read, mut deleted) = (0, 0);
    for operation in recorder.operations() {
        match operation.as_str() {
            "Query" => read += 40,
            _ => deleted += 25,
        }
        assert!(read <= deleted + 140, "{read} read, {deleted} deleted");
    }
}

#[tokio::test]
async fn a_read_that_fails_says_what_is_deleted() {
    let canned = Canned::answering(|n, request| match (request.operation.as_str(), n) {
        ("Query", 0) => {
            let key = |n: usize| json!({ "PK": { "S": "ORDER#o1" }, "SK": { "S": format!("LINE#{n:04}") } });
            let page: Vec<Value> = (0..100).map(key).collect();
            let last = page[99].clone();
            let body = json!({ "Count": 100, "Items": page, "LastEvaluatedKey": last });
            Answer::Json(200, body.to_string())
        }
        ("Query", _) => Canned::error(400, "ProvisionedThroughputExceededException"),
        _ => Answer::Json(200, "{}".into()),
    })
    .await;
    let shop = Shop::table(canned.client.clone(), "shop");
    let error = shop.delete_all(OrderLine::by_order_id("o1")).send().await.unwrap_err();
    assert!(error.is_incomplete() && error.is_throttled(), "{error}");
    assert!(!error.is_outcome_unknown() && error.source().is_some());
    let text = error.to_string();
    assert!(text.contains("100 items of `OrderLine` are deleted"), "{text}");
    assert!(text.contains("Query of `OrderLine` (partition `ORDER#o1`)"), "{text}");
}

#[tokio::test]
async fn an_item_that_is_read_twice_is_deleted_once() {
    let canned = Canned::answering(|_, request| match request.operation.as_str() {
        "Query" => {
            let key = json!({ "PK": { "S": "ORDER#o1" }, "SK": { "S": "LINE#0001" } });
            let body = json!({ "Count": 2, "Items": [key, key] });
            Answer::Json(200, body.to_string())
        }
        _ => {
            let deletes = request.body["RequestItems"]["shop"].as_array().unwrap();
            assert_eq!(deletes.len(), 1);
            Answer::Json(200, "{}".into())
        }
    })
    .await;
    let shop = Shop::table(canned.client.clone(), "shop");
    assert_eq!(shop.delete_all(OrderLine::by_order_id("o1")).send().await.unwrap(), 1);
}
