use futures_util::TryStreamExt;
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{eventually, on_table};
use tests::models::shop::{Order, Shop, Status, order};

fn ids(orders: &[Order]) -> Vec<&str> {
    orders.iter().map(|order| order.order_id.as_str()).collect()
}

#[tokio::test]
async fn ten_shards_are_read_as_one_in_key_order() {
    on_table::<Shop, _>("shards", |bench| async move {
        let shop = &bench.table;
        // The ids spread over the shards; the order of time is another one.
        let mut expected = Vec::new();
        for n in 0..60u32 {
            let second = (n * 37) % 60;
            expected.push((second, format!("o{n:02}")));
            let order = order(&format!("o{n:02}"), Status::Pending, second);
            shop.put(&order).send().await.unwrap();
        }
        shop.put(&order("shipped", Status::Shipped, 1)).send().await.unwrap();
        expected.sort();
        let expected: Vec<_> = expected.into_iter().map(|(_, id)| id).collect();
        let pending = || shop.query(Order::by_status(Status::Pending));
        eventually(60, || async { pending().count().await.unwrap() }).await;

        bench.recorder.take();
        assert_eq!(ids(&pending().all().await.unwrap()), expected);
        assert_eq!(bench.recorder.take().len(), 10);
        for limit in [1, 7, 25, 59, 60, 61] {
            let page = pending().limit(limit).send().await.unwrap();
            assert_eq!(ids(&page), expected[..limit.min(60)], "{limit}");
            let sent = bench.recorder.take();
            let share = limit.div_ceil(10) + 1;
            assert!(sent[..10].iter().all(|sent| sent.body["Limit"] == share), "{limit}");
            // Some shards hold more than their share; none is read to its end for that.
            let read: u64 = sent.iter().map(|sent| sent.body["Limit"].as_u64().unwrap()).sum();
            assert!(read <= 2 * (limit as u64 + 10), "{limit}: {read}");
        }
        let back = pending().descending().limit(5).all().await.unwrap();
        let reversed: Vec<_> = expected.iter().rev().take(5).map(String::as_str).collect();
        assert_eq!(ids(&back), reversed);
        let paged: Vec<_> = pending().page_size(2).stream().try_collect().await.unwrap();
        assert_eq!(ids(&paged), expected);
        let first = pending().first().await.unwrap().unwrap();
        assert_eq!(first.order_id, expected[0]);

        let mut sum = 0;
        for shard in 0..10 {
            let one = shop.query(Order::by_status(Status::Pending).shard(shard));
            sum += one.count().await.unwrap();
        }
        assert_eq!(sum, 60);

        let minute =
            order("", Status::Pending, 10).placed_at..order("", Status::Pending, 20).placed_at;
        let ranged = shop.query(Order::by_status(Status::Pending).placed_at_range(minute));
        assert_eq!(ranged.all().await.unwrap().len(), 10);
    })
    .await;
}

#[tokio::test]
async fn a_shard_that_is_not_there_and_a_status_never_indexed() {
    on_table::<Shop, _>("shards-refused", |bench| async move {
        let query = bench.table.query(Order::by_status(Status::Pending).shard(10));
        let error = query.all().await.unwrap_err();
        assert!(error.is_invalid_key() && error.to_string().contains("10 shards"), "{error}");
        let query = bench.table.query(Order::by_status(Status::Shipped));
        let error = query.count().await.unwrap_err();
        assert!(error.is_invalid_key(), "{error}");
        assert!(error.to_string().contains("only when status = Status::Pending"), "{error}");
        let error = bench.table.query(Order::by_status(Status::Pending)).into_sdk().unwrap_err();
        assert!(error.to_string().contains("10 requests"), "{error}");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[derive(Debug, Table)]
#[table(pk = "PK")]
#[gsi(by_kind, pk = "GSI1PK", sk = "GSI1SK")]
struct Jobs;

/// The same entity over three deployments that raise the shards from 2 to 5.
macro_rules! deployment {
    ($name:ident, $pk:literal, $($shards:tt)*) => {
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
        #[entity(table = Jobs, pk = $pk)]
        #[index(by_kind, pk = "KIND#<kind>#<shard>", sk = "<id:4>", shard(by = id, $($shards)*),
                name = "by_kind")]
        struct $name {
            id: u32,
            kind: String,
        }
    };
}

deployment!(Before, "JOB#<id>", count = 2);
deployment!(During, "JOB2#<id>", count = 2, read = 5);
deployment!(After, "JOB3#<id>", count = 5);

#[tokio::test]
async fn reads_cover_what_was_and_what_will_be_written() {
    on_table::<Jobs, _>("shards-read", |bench| async move {
        let requests = [
            bench.table.query(Before::by_kind("a")).explain().unwrap().requests().len(),
            bench.table.query(During::by_kind("a")).explain().unwrap().requests().len(),
            bench.table.query(After::by_kind("a")).explain().unwrap().requests().len(),
        ];
        assert_eq!(requests, [2, 5, 5]);
        for id in 0..40 {
            bench.table.put(&During { id, kind: "a".into() }).send().await.unwrap();
        }
        let found = || async {
            let items = bench.table.query(During::by_kind("a")).all().await.unwrap();
            items.into_iter().map(|job| job.id).collect::<Vec<_>>()
        };
        eventually((0..40).collect(), found).await;
        // `count` decides where they are written.
        let written = bench.table.query(During::by_kind("a").shard(2)).count().await.unwrap();
        assert_eq!(written, 0);
    })
    .await;
}
