use futures_util::TryStreamExt;
use tests::bench::on_table;
use tests::models::shop::{Customer, Order, OrderPage, OrderSummary, Shop, Status};

/// Every future can go to another thread.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operations_run_in_tasks_of_their_own() {
    on_table::<Shop, _>("send", |bench| async move {
        let shop = bench.table.clone();
        let ana = Customer { customer_id: "c1".into(), name: "Ana".into() };
        tokio::spawn(shop.create(&ana).send()).await.unwrap().unwrap();
        tokio::spawn(shop.put(&ana).send()).await.unwrap().unwrap();
        let ben = Customer { customer_id: "c2".into(), name: "Ben".into() };
        let found = tokio::spawn(shop.get(&ana).send()).await.unwrap().unwrap();
        assert_eq!(found, Some(ana.clone()));
        let orders = || shop.query(OrderSummary::by_customer_id("c1"));
        let pending = || shop.query(Order::by_status(Status::Pending));
        assert!(tokio::spawn(orders().send()).await.unwrap().unwrap().is_empty());
        assert!(tokio::spawn(pending().all()).await.unwrap().unwrap().is_empty());
        assert_eq!(tokio::spawn(pending().count()).await.unwrap().unwrap(), 0);
        assert_eq!(tokio::spawn(orders().first()).await.unwrap().unwrap(), None);
        assert!(tokio::spawn(orders().keys().all()).await.unwrap().unwrap().is_empty());
        let stream = pending().stream();
        let streamed = tokio::spawn(async move { stream.try_collect::<Vec<_>>().await });
        assert!(streamed.await.unwrap().unwrap().is_empty());
        let page = shop.collection(OrderPage::by_order_id("o1"));
        assert_eq!(tokio::spawn(page.send()).await.unwrap().unwrap(), None);
        let scanned = tokio::spawn(shop.full_scan().segments(3).all()).await.unwrap().unwrap();
        assert_eq!(scanned.len(), 1);
        assert!(tokio::spawn(shop.exists(&ana).send()).await.unwrap().unwrap());
        let batch = shop.batch_get([&ana, &ana]);
        assert_eq!(tokio::spawn(batch.send()).await.unwrap().unwrap().len(), 2);
        let batch = shop.batch_get([&ana]);
        assert_eq!(tokio::spawn(batch.send_partial()).await.unwrap().unwrap().len(), 1);
        let batch = shop.batch_write().put(&ana);
        tokio::spawn(batch.send()).await.unwrap().unwrap();
        assert_eq!(
            tokio::spawn(shop.delete_all(OrderSummary::by_customer_id("c1")).send())
                .await
                .unwrap()
                .unwrap(),
            0
        );
        tokio::spawn(shop.check(Customer::key("c1")).send()).await.unwrap().unwrap();
        let transaction = shop.transact().add(shop.put(&ana)).add(shop.check(&ben));
        tokio::spawn(transaction.send()).await.unwrap().unwrap_err();
        let both = shop.transact_get((&ana, Order::key("o1")));
        let both = tokio::spawn(both.send()).await.unwrap().unwrap();
        assert_eq!(both, (Some(ana), None));
        tokio::spawn(shop.verify().send()).await.unwrap().unwrap();
        tokio::spawn(shop.delete(Customer::key("c1")).send()).await.unwrap().unwrap();
    })
    .await;
}
