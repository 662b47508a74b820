//! Several patterns of one entity as one query.

use monotable::OnTable;
use monotable::Pattern;
use monotable::testing::Backend;
use tests::bench::{Bench, eventually, on_table};
use tests::engine;
use tests::models::shop::*;

fn customer(n: usize) -> String {
    format!("c{n:02}")
}

async fn orders(bench: &Bench<Shop>, of: impl IntoIterator<Item = (usize, u32)>) {
    let mut batch = bench.table.batch_write();
    for (n, day) in of {
        let order = OrderSummary {
            customer_id: customer(n),
            date: date(2026, 1 + day / 28, 1 + day % 28),
            order_id: format!("o{n:02}"),
            total: day,
        };
        batch = batch.put(&order);
    }
    batch.send().await.unwrap();
    bench.recorder.take();
}

fn patterns(count: usize) -> Vec<Pattern<OrderSummary, OnTable>> {
    (0..count).map(|n| OrderSummary::by_customer_id(customer(n)).erase()).collect()
}

/// The patterns need not be sorted; the answer is, by date and then by customer.
#[tokio::test]
async fn items_come_in_key_order_whichever_pattern_finds_them() {
    on_table::<Shop, _>("many-order", |bench| async move {
        orders(&bench, [(0, 3), (0, 9), (1, 1), (1, 9), (2, 4)]).await;
        let shop = &bench.table;
        let mut backwards = patterns(3);
        backwards.reverse();
        let found = shop.query_many(backwards).all().await.unwrap();
        let found: Vec<_> = found.iter().map(|order| (order.total, &order.order_id[..])).collect();
        assert_eq!(found, [(1, "o01"), (3, "o00"), (4, "o02"), (9, "o00"), (9, "o01")]);
        let latest = shop.query_many(patterns(3)).descending().limit(2).all().await.unwrap();
        assert_eq!(latest.iter().map(|order| order.total).collect::<Vec<_>>(), [9, 9]);
        assert_eq!(shop.query_many(patterns(3)).count().await.unwrap(), 5);
        let page = shop.query_many(patterns(3)).limit(2).send().await.unwrap();
        let rest = shop.query_many(patterns(3)).cursor(page.next).all().await.unwrap();
        assert_eq!(rest.iter().map(|order| order.total).collect::<Vec<_>>(), [4, 9, 9]);
        // In whichever order the patterns are given.
        let page = shop.query_many(patterns(3)).limit(2).send().await.unwrap();
        let mut backwards = patterns(3);
        backwards.reverse();
        let rest = shop.query_many(backwards).cursor(page.next).all().await.unwrap();
        assert_eq!(rest.iter().map(|order| order.total).collect::<Vec<_>>(), [4, 9, 9]);
    })
    .await;
}

#[tokio::test]
async fn no_pattern_finds_nothing_and_two_of_one_range_are_one() {
    on_table::<Shop, _>("many-same", |bench| async move {
        orders(&bench, [(0, 3), (0, 9)]).await;
        let shop = &bench.table;
        assert!(shop.query_many(patterns(0)).all().await.unwrap().is_empty());
        assert!(bench.recorder.take().is_empty());
        let twice = [patterns(1), patterns(1)].concat();
        assert_eq!(shop.query_many(twice).count().await.unwrap(), 2);
        assert_eq!(bench.recorder.take().len(), 1);
        // Two ranges of one partition that are apart.
        let range = |days| OrderSummary::by_customer_id("c00").date_range(days);
        let apart =
            [range(date(2026, 1, 1)..date(2026, 1, 8)), range(date(2026, 1, 8)..date(2026, 2, 1))];
        assert_eq!(shop.query_many(apart).count().await.unwrap(), 2);
        bench.recorder.take();
        // The end of the first, which is excluded, is the beginning of the second.
        let day = || OrderSummary::by_customer_id("c00").date(date(2026, 1, 4));
        let halves = [
            day().order_id_range(.."o00".to_owned()).erase(),
            day().order_id_range("o00".to_owned()..).erase(),
        ];
        assert_eq!(shop.query_many(halves).count().await.unwrap(), 1);
        bench.recorder.take();
        let overlapping =
            [range(date(2026, 1, 1)..date(2026, 1, 8)), range(date(2026, 1, 7)..date(2026, 2, 1))];
        let error = shop.query_many(overlapping).count().await.unwrap_err();
        assert!(error.is_usage() && error.to_string().contains("`CUST#c00`"), "{error}");
        let whole = [range(date(2026, 1, 1)..date(2026, 1, 8)).erase(), patterns(1)[0].clone()];
        assert!(shop.query_many(whole).all().await.unwrap_err().is_usage());
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn an_error_of_one_pattern_is_that_of_all() {
    on_table::<Shop, _>("many-error", |bench| async move {
        let ids = ["c1", "", "c2"].map(OrderSummary::by_customer_id);
        let error = bench.table.query_many(ids).all().await.unwrap_err();
        assert!(error.is_invalid_key(), "{error}");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

/// With an even spread one round of requests is enough, and reads one more item a partition than
/// the caller's share.
#[tokio::test]
async fn an_even_spread_takes_one_round() {
    on_table::<Shop, _>("many-even", |bench| async move {
        orders(&bench, (0..10).flat_map(|n| (0..20).map(move |day| (n, day)))).await;
        let page = bench.table.query_many(patterns(10)).limit(50).send().await.unwrap();
        assert_eq!(page.len(), 50);
        let sent = bench.recorder.take();
        let limits: Vec<_> = sent.iter().map(|sent| sent.body["Limit"].as_u64().unwrap()).collect();
        assert_eq!(limits, [6; 10]);
        // On, from where each partition stands.
        let next = bench.table.query_many(patterns(10)).limit(50).cursor(page.next);
        assert_eq!(next.send().await.unwrap().len(), 50);
        assert_eq!(bench.recorder.take().len(), 10);
    })
    .await;
}

/// With an uneven one, only partitions whose items are used up are asked again, for their share of
/// what is still missing.
#[tokio::test]
async fn only_what_is_used_up_is_read_again() {
    on_table::<Shop, _>("many-uneven", |bench| async move {
        // The first has the first thirty days; the others one day each, much later.
        orders(&bench, (0..30).map(|day| (0, day)).chain((1..5).map(|n| (n, 300)))).await;
        let page = bench.table.query_many(patterns(5)).limit(20).send().await.unwrap();
        assert_eq!(
            page.iter().map(|order| order.total).collect::<Vec<_>>(),
            (0..20).collect::<Vec<_>>()
        );
        let sent = bench.recorder.take();
        let asked = |sent: &tests::recorder::Sent| {
            let values = &sent.body["ExpressionAttributeValues"];
            let partition = values[":pk"]["S"].as_str().unwrap().to_owned();
            (partition, sent.body["Limit"].as_u64().unwrap())
        };
        let mut asked: Vec<_> = sent.iter().map(asked).collect();
        asked[..5].sort();
        let first_round = (0..5).map(|n| (format!("CUST#{}", customer(n)), 5));
        assert_eq!(asked[..5], first_round.collect::<Vec<_>>());
        // The others are at their ends, each with an item in hand: the 15 that are missing can only
        // come from the first.
        assert_eq!(asked[5..], [("CUST#c00".to_owned(), 15)]);
    })
    .await;
}

#[tokio::test]
async fn patterns_of_an_index_with_shards() {
    on_table::<Shop, _>("many-shards", |bench| async move {
        for (n, status) in [(1, Status::Pending), (2, Status::Pending), (3, Status::Shipped)] {
            bench.table.put(&order(&format!("o{n}"), status, n)).send().await.unwrap();
        }
        let pending = || [0, 3, 7].map(|shard| Order::by_status(Status::Pending).shard(shard));
        let some = bench.table.query_many(pending()).all().await.unwrap();
        eventually(2, || async {
            bench.table.query(Order::by_status(Status::Pending)).count().await.unwrap()
        })
        .await;
        assert!(some.len() <= 2);
        // A shard twice is one, a shard within all of them too.
        let all = [
            Order::by_status(Status::Pending).erase(),
            Order::by_status(Status::Pending).shard(1).erase(),
        ];
        eventually(2, || {
            let all = all.clone();
            async { bench.table.query_many(all).count().await.unwrap() }
        })
        .await;
        let error = bench.table.query_many([Order::by_status(Status::Shipped)]).all().await;
        assert!(error.unwrap_err().is_invalid_key());
    })
    .await;
}

/// At most 16 requests are under way at once.
#[tokio::test]
async fn concurrency_is_bounded() {
    if engine::name() != "embedded" {
        return;
    }
    let backend = Backend::start().await.unwrap();
    let table = backend.table::<Shop>("many-concurrency").await.unwrap();
    let (gauge, client) = tests::gauge::Gauge::attach(table.client());
    let table = monotable::Table::<Shop>::new(client, table.name());
    assert!(table.query_many(patterns(60)).all().await.unwrap().is_empty());
    assert_eq!(gauge.total(), 60);
    assert!((2..=16).contains(&gauge.most()), "{}", gauge.most());
    backend.close().await.unwrap();
}
