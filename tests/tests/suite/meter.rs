//! What a meter sees.

use monotable::{Meter, Row, Schema, Table, Units};
use tests::bench::{Bench, on_table};
use tests::engine;
use tests::models::shop::{
    Customer, Order, OrderLine, OrderPage, OrderSummary, Shop, Status, customers, date, line,
    order, summary,
};

fn row<'a>(rows: &'a [Row], operation: &str, entity: &str) -> &'a Row {
    let is = |row: &&Row| row.operation() == operation && row.entity() == entity;
    let found: Vec<&Row> = rows.iter().filter(is).collect();
    assert_eq!(found.len(), 1, "{operation} of {entity}: {rows:?}");
    found[0]
}

fn asked<T: Schema>(bench: &Bench<T>) -> Vec<bool> {
    let asked = |body: &serde_json::Value| match body["ReturnConsumedCapacity"].as_str() {
        Some("INDEXES") => true,
        None => false,
        other => panic!("{other:?}"),
    };
    bench.recorder.take().iter().map(|sent| asked(&sent.body)).collect()
}

#[tokio::test]
async fn requests_are_summed_by_entity_pattern_operation_and_index() {
    on_table::<Shop, _>("meter", |bench| async move {
        let meter = Meter::new();
        let shop: Table<Shop> = bench.table.with_meter(&meter);
        let all = customers(3);
        shop.batch_write()
            .put_all(&all)
            .put(&summary(date(2026, 9, 1), "o1"))
            .send()
            .await
            .unwrap();
        shop.put(&line("o1", 1, 10)).send().await.unwrap();
        shop.put(&line("o1", 2, 10)).send().await.unwrap();
        let pending = order("o1", Status::Pending, 0);
        shop.transact().add(shop.put(&pending)).add(shop.delete(&all[2])).send().await.unwrap();
        shop.get(Customer::key("c0000")).send().await.unwrap();
        shop.clone().get(Customer::key("nobody")).send().await.unwrap();
        shop.transact_get((&all[0], &all[1])).send().await.unwrap();
        shop.query(Order::by_status(Status::Pending)).all().await.unwrap();
        shop.query(OrderLine::by_order_id("o1")).filter(|l| l.sku.eq("none")).all().await.unwrap();
        shop.query(OrderSummary::by_customer_id("c42")).count().await.unwrap();
        shop.query(OrderLine::by_sku("KB-104")).first().await.unwrap();
        shop.collection(OrderPage::by_order_id("o1")).send().await.unwrap();
        shop.full_scan().all().await.unwrap();
        shop.create(&all[0]).send().await.unwrap_err();
        assert!(asked(&bench).iter().all(|asked| *asked));

        let report = meter.report();
        let rows = report.rows();
        let counts = |row: &Row| (row.requests(), row.items(), row.scanned());
        let batch = row(rows, "BatchWriteItem", "Customer + OrderSummary");
        assert_eq!(counts(batch), (1, 4, 0));
        assert_eq!(counts(row(rows, "TransactWriteItems", "Customer + Order")), (1, 2, 0));
        let gets = row(rows, "GetItem", "Customer");
        assert_eq!((counts(gets), gets.pattern(), gets.index()), ((2, 1, 1), None, None));
        assert_eq!(counts(row(rows, "TransactGetItems", "Customer")), (1, 2, 2));
        let shards = row(rows, "Query", "Order");
        assert_eq!((shards.pattern(), shards.index()), (Some("by_status"), Some("gsi1")));
        assert_eq!(counts(shards), (10, 1, 1));
        let summaries = row(rows, "Query", "OrderSummary");
        assert_eq!(counts(summaries), (1, 1, 1));
        let lines: Vec<&Row> = rows
            .iter()
            .filter(|row| row.operation() == "Query" && row.entity() == "OrderLine")
            .collect();
        let lines: Vec<_> =
            lines.iter().map(|row| (row.pattern(), row.index(), counts(row))).collect();
        assert_eq!(
            lines,
            [(Some("by_order_id"), None, (1, 0, 2)), (Some("by_sku"), Some("gsi2"), (1, 1, 1)),]
        );
        assert_eq!(counts(row(rows, "Query", "OrderPage")), (1, 3, 3));
        assert_eq!(row(rows, "Scan", "").items(), 6);
        // The failed `create` of a customer, whose cost is not told.
        let puts = row(rows, "PutItem", "Customer");
        assert_eq!((counts(puts), puts.consumed().unmeasured()), ((1, 0, 0), 1));
        if engine::counts_capacity() {
            let lines = row(rows, "PutItem", "OrderLine");
            assert_eq!(lines.units(), Units { read: 0.0, write: 4.0 });
            assert_eq!(lines.consumed().index("gsi2").write, 2.0);
            assert_eq!(shards.units(), Units { read: 5.0, write: 0.0 });
            assert_eq!(gets.units().read, 1.0);
        }
        let sum: Units = rows.iter().map(Row::units).sum();
        assert_eq!(sum, meter.consumed().units());
        assert!(report.to_string().contains("by_status"), "{report}");
        assert_eq!(meter.reset(), report);
        assert_eq!(meter.report().rows().len(), 0);
    })
    .await;
}

#[tokio::test]
async fn nobody_is_asked_without_a_meter() {
    on_table::<Shop, _>("meter-none", |bench| async move {
        let shop = &bench.table;
        let (first, second) = (Meter::new(), Meter::new());
        shop.get(Customer::key("c1")).send().await.unwrap();
        assert_eq!(asked(&bench), [false]);
        // Every meter of a handle sees its requests, and `with_capacity` beside them.
        let metered = shop.with_meter(&first);
        let (_, cost) = metered
            .with_meter(&second)
            .get(Customer::key("c1"))
            .with_capacity()
            .send()
            .await
            .unwrap();
        assert_eq!((first.consumed(), second.consumed()), (cost.clone(), cost));
        metered.get(Customer::key("c1")).send().await.unwrap();
        shop.get(Customer::key("c1")).send().await.unwrap();
        assert_eq!(asked(&bench), [true, true, false]);
        assert_eq!((first.consumed().requests(), second.consumed().requests()), (2, 1));
        // A transaction is that of the handle that began it.
        shop.transact().add(metered.delete(Customer::key("c1"))).send().await.unwrap();
        assert_eq!((asked(&bench), first.consumed().requests()), (vec![false], 2));
        // What is about the table itself costs nothing.
        metered.verify().send().await.unwrap();
        assert_eq!(first.consumed().requests(), 2);
        // A budget asks by itself, for less.
        shop.full_scan().capacity_per_second(1000.0).all().await.unwrap();
        assert_eq!(bench.recorder.take().pop().unwrap().body["ReturnConsumedCapacity"], "TOTAL");
        metered.full_scan().capacity_per_second(1000.0).all().await.unwrap();
        assert_eq!(asked(&bench), [true]);
    })
    .await;
}
