use std::collections::BTreeMap;

use tests::bench::on_table;
use tests::models::shop::{Customer, OrderSummary, Shop, date, summary};

#[tokio::test]
async fn every_item_of_every_entity() {
    on_table::<Shop, _>("scan", |bench| async move {
        let shop = &bench.table;
        for n in 0..30 {
            let customer = Customer { customer_id: format!("c{n}"), name: "n".into() };
            shop.put(&customer).send().await.unwrap();
            shop.put(&summary(date(2026, 9, 1), &format!("o{n}"))).send().await.unwrap();
        }
        let stranger = Customer::raw_key("X", "Y").to_item().unwrap();
        let put = shop.client().put_item().table_name(shop.name());
        put.set_item(Some(stranger)).send().await.unwrap();

        for segments in [1, 4] {
            bench.recorder.take();
            let scan = shop.full_scan().segments(segments).page_size(7);
            let mut counts = BTreeMap::new();
            for found in scan.all().await.unwrap() {
                *counts.entry(found.entity()).or_insert(0) += 1;
            }
            let expected =
                BTreeMap::from([(None, 1), (Some("Customer"), 30), (Some("OrderSummary"), 30)]);
            assert_eq!(counts, expected);
            let sent = bench.recorder.take();
            assert!(sent.iter().all(|sent| sent.operation == "Scan" && sent.body["Limit"] == 7));
            if segments == 4 {
                assert!(sent.iter().all(|sent| sent.body["TotalSegments"] == 4));
            }
        }

        let orders = shop.full_scan().consistent().all_of::<OrderSummary>().await.unwrap();
        assert_eq!(orders.len(), 30);
        let mut lazy = shop.full_scan().page_size(2).stream();
        bench.recorder.take();
        lazy.try_next().await.unwrap().unwrap();
        assert_eq!(bench.recorder.take().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_budget_asks_what_each_page_cost() {
    on_table::<Shop, _>("scan-budget", |bench| async move {
        for n in 0..5 {
            bench.table.put(&summary(date(2026, 9, 1), &format!("o{n}"))).send().await.unwrap();
        }
        bench.recorder.take();
        let scan = bench.table.full_scan().capacity_per_second(1000.0).page_size(2);
        assert_eq!(scan.all().await.unwrap().len(), 5);
        let sent = bench.recorder.take();
        assert!(sent.len() >= 3);
        assert!(sent.iter().all(|sent| sent.body["ReturnConsumedCapacity"] == "TOTAL"));
    })
    .await;
}

#[tokio::test]
async fn arguments_out_of_range_send_nothing() {
    on_table::<Shop, _>("scan-refused", |bench| async move {
        let scan = || bench.table.full_scan();
        let refused = [
            scan().segments(0),
            scan().segments(1_000_001),
            scan().page_size(0),
            scan().capacity_per_second(0.0),
            scan().capacity_per_second(f64::NAN),
        ];
        for scan in refused {
            assert!(scan.explain().is_err());
            assert!(scan.all().await.is_err());
        }
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}
