use chrono::{DateTime, NaiveDate, Utc};
use monotable::{Bytes, Entity, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{eventually, on_table};
use tests::models::shop::date;

#[derive(Debug, Table)]
#[table(pk = "customer_id", sk = "order_id", entities(Order))]
#[gsi(by_day, pk = "day", sk = ("total", N))]
struct Orders;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[serde(rename_all = "snake_case")]
#[entity(table = Orders, pk = "<customer_id>", sk = "<date>#<code>")]
#[index(by_day, pk = "<day>", sk = "<total>", allow(hot_partition = "a day has few orders"))]
struct Order {
    customer_id: String,
    date: NaiveDate,
    code: String,
    day: NaiveDate,
    total: i32,
}

fn order(customer: &str, date: NaiveDate, code: &str, total: i32) -> Order {
    Order { customer_id: customer.into(), date, code: code.into(), day: date, total }
}

#[tokio::test]
async fn the_field_itself_is_the_key() {
    on_table::<Orders, _>("natural", |bench| async move {
        let table = &bench.table;
        // `#` is an ordinary character in a key attribute of its own.
        let odd = order("A#", date(2025, 3, 31), "B", 5);
        let plain = order("A", date(2025, 3, 31), "#B", 7);
        table.create(&odd).send().await.unwrap();
        table.create(&plain).send().await.unwrap();
        let sent = bench.recorder.take();
        assert_eq!(sent[0].body["Item"]["customer_id"]["S"], "A#");
        assert_eq!(sent[0].body["Item"]["order_id"]["S"], "2025-03-31#B");
        assert_eq!(sent[0].body["Item"]["total"]["N"], "5");
        let key = Order::key("A#", date(2025, 3, 31), "B");
        assert_eq!(table.get(key).send().await.unwrap(), Some(odd.clone()));

        let march = date(2025, 3, 1)..=date(2025, 3, 31);
        let found = table.query(Order::by_customer_id("A").date_range(march)).all().await.unwrap();
        assert_eq!(found, std::slice::from_ref(&plain));
        eventually(vec![odd, plain], || async {
            table.query(Order::by_day(date(2025, 3, 31))).all().await.unwrap()
        })
        .await;
    })
    .await;
}

#[tokio::test]
async fn numbers_are_ordered_by_value() {
    on_table::<Orders, _>("natural-numbers", |bench| async move {
        let table = &bench.table;
        let totals = [-1000, -2, 0, 5, 50, 100, 200, 1000];
        for (at, total) in totals.into_iter().enumerate() {
            let order = order("c1", date(2025, 3, 1), &format!("o{at}"), total);
            table.put(&order).send().await.unwrap();
        }
        let by_day = || Order::by_day(date(2025, 3, 1));
        let found = async |query: monotable::op::Query<Order, monotable::OnGlobalIndex>| {
            let items = query.page_size(2).all().await.unwrap();
            items.into_iter().map(|order| order.total).collect::<Vec<_>>()
        };
        eventually(8, || async { table.query(by_day()).count().await.unwrap() }).await;
        assert_eq!(found(table.query(by_day().erase())).await, totals);
        assert_eq!(
            found(table.query(by_day().total_range(1..=275).erase())).await,
            [5, 50, 100, 200]
        );
        assert_eq!(found(table.query(by_day().total_range(-2..50).erase())).await, [-2, 0, 5]);
        assert_eq!(found(table.query(by_day().total_range(100..).erase())).await, [100, 200, 1000]);
        assert_eq!(found(table.query(by_day().total_range(..-2).erase())).await, [-1000]);
        assert_eq!(found(table.query(by_day().total(50).erase())).await, [50]);
        assert_eq!(table.query(by_day().total_range(-2..50)).count().await.unwrap(), 3);
        assert_eq!(table.query(by_day().total_range(-2..50)).limit(2).count().await.unwrap(), 2);
    })
    .await;
}

#[derive(Debug, Table)]
#[table(pk = ("hash", B), sk = ("at", N), entities(Blob))]
struct Blobs;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Blobs, pk = "<hash>", sk = "<at>")]
struct Blob {
    hash: Bytes,
    #[serde(with = "chrono::serde::ts_seconds")]
    at: DateTime<Utc>,
    text: String,
}

#[tokio::test]
async fn binary_and_epoch_keys() {
    on_table::<Blobs, _>("natural-binary", |bench| async move {
        let at = |second| DateTime::from_timestamp(second, 0).unwrap();
        let blob = |hash: &[u8], second| Blob {
            hash: Bytes::from(hash),
            at: at(second),
            text: format!("{second}"),
        };
        for blob in [blob(&[0, 255], 9), blob(&[0, 255], 10), blob(&[0], 11)] {
            bench.table.put(&blob).send().await.unwrap();
        }
        let sent = bench.recorder.take();
        assert_eq!(sent[0].body["Item"]["hash"]["B"], "AP8=");
        assert_eq!(sent[0].body["Item"]["at"]["N"], "9");
        let found = bench.table.get(Blob::key(&[0u8, 255][..], at(10))).send().await.unwrap();
        assert_eq!(found.unwrap().text, "10");
        let pattern = || Blob::by_hash(Bytes::from([0u8, 255]));
        let found = bench.table.query(pattern().at_range(at(10)..)).all().await.unwrap();
        assert_eq!(found, [blob(&[0, 255], 10)]);
        assert_eq!(bench.table.query(pattern()).count().await.unwrap(), 2);
        let empty = Blob { hash: Bytes::from(Vec::new()), ..blob(&[0], 1) };
        assert!(bench.table.put(&empty).send().await.unwrap_err().is_invalid_key());
    })
    .await;
}

#[derive(Debug, Table)]
#[table(pk = "code", entities(Country))]
struct Countries;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Countries, pk = "<code>")]
struct Country {
    code: String,
    name: String,
}

#[tokio::test]
async fn a_simple_primary_key() {
    on_table::<Countries, _>("natural-simple", |bench| async move {
        let spain = Country { code: "ES".into(), name: "Spain".into() };
        bench.table.create(&spain).send().await.unwrap();
        assert!(bench.table.create(&spain).send().await.unwrap_err().is_condition_failed());
        assert_eq!(bench.table.get(Country::key("ES")).send().await.unwrap(), Some(spain.clone()));
        assert_eq!(bench.table.query(Country::by_code("ES")).all().await.unwrap(), [spain]);
        assert_eq!(Country::key("ES").sort_key().unwrap(), "");
        assert_eq!(Country::raw_key("ES"), Country::key("ES"));
        bench.table.delete(Country::key("ES")).send().await.unwrap();
        assert_eq!(bench.table.full_scan().all().await.unwrap(), []);
    })
    .await;
}
