use aws_sdk_dynamodb::types::AttributeValue;
use monotable::{Item, ItemCollection};
use tests::bench::on_table;
use tests::models::shop::{Order, OrderLine, OrderPage, Shop, Status, line, order};

#[tokio::test]
async fn all_kinds_in_one_request() {
    on_table::<Shop, _>("collection", |bench| async move {
        let shop = &bench.table;
        let header = order("o1", Status::Pending, 0);
        shop.put(&header).send().await.unwrap();
        for number in [2, 1, 10] {
            shop.put(&line("o1", number, 3)).send().await.unwrap();
        }
        shop.put(&line("o10", 1, 3)).send().await.unwrap();
        // Kinds that are no members are skipped, wherever they lie.
        for sk in ["AAA", "LINE#x", "LOG#1", "ZZZ"] {
            let item = Item::from([
                ("PK".to_owned(), AttributeValue::S("ORDER#o1".into())),
                ("SK".to_owned(), AttributeValue::S(sk.into())),
            ]);
            let put = shop.client().put_item().table_name(shop.name());
            put.set_item(Some(item)).send().await.unwrap();
        }
        bench.recorder.take();
        let page = shop.collection(OrderPage::by_order_id("o1")).consistent().send().await.unwrap();
        let expected =
            OrderPage { order: header, lines: [1, 2, 10].map(|n| line("o1", n, 3)).to_vec() };
        assert_eq!(page, Some(expected));
        assert_eq!(bench.recorder.operations(), ["Query"]);

        let strict = shop.collection(OrderPage::by_order_id("o1")).refuse_unknown();
        let error = strict.send().await.unwrap_err();
        assert!(error.is_decode() && error.to_string().contains("`ORDER#o1 + LINE#x`"), "{error}");
    })
    .await;
}

#[tokio::test]
async fn nothing_is_none_and_a_missing_member_is_an_error() {
    on_table::<Shop, _>("collection-missing", |bench| async move {
        let pattern = OrderPage::by_order_id("o1");
        assert_eq!(bench.table.collection(pattern.clone()).send().await.unwrap(), None);
        bench.table.put(&line("o1", 1, 3)).send().await.unwrap();
        let error = bench.table.collection(pattern).send().await.unwrap_err();
        assert!(error.is_item_missing() && !error.is_decode());
        let text = error.to_string();
        assert!(text.contains("`OrderPage`") && text.contains("no `Order` for `order`"), "{text}");

        let empty = bench.table.collection(OrderPage::by_order_id("")).send().await.unwrap_err();
        assert!(empty.is_invalid_key());
    })
    .await;
}

#[derive(Debug, PartialEq, ItemCollection)]
#[collection(table = Shop, pk = "ORDER#<order_id>")]
struct Draft {
    order: Option<Order>,
    line: Option<OrderLine>,
}

#[tokio::test]
async fn optional_members_hold_at_most_one() {
    on_table::<Shop, _>("collection-optional", |bench| async move {
        bench.table.put(&line("o1", 1, 3)).send().await.unwrap();
        let draft = bench.table.collection(Draft::by_order_id("o1")).send().await.unwrap();
        assert_eq!(draft, Some(Draft { order: None, line: Some(line("o1", 1, 3)) }));
        bench.table.put(&line("o1", 2, 3)).send().await.unwrap();
        let error = bench.table.collection(Draft::by_order_id("o1")).send().await.unwrap_err();
        let text = error.to_string();
        assert!(error.is_decode() && text.contains("2 items are `OrderLine`"), "{text}");
    })
    .await;
}

#[tokio::test]
async fn every_page_within_the_budget() {
    on_table::<Shop, _>("collection-pages", |bench| async move {
        bench.table.put(&order("o1", Status::Pending, 0)).send().await.unwrap();
        for number in 0..45 {
            bench.table.put(&line("o1", number, 50_000)).send().await.unwrap();
        }
        bench.recorder.take();
        let page = bench.table.collection(OrderPage::by_order_id("o1")).send().await.unwrap();
        assert_eq!(page.unwrap().lines.len(), 45);
        assert!(bench.recorder.take().len() >= 3);
        let small = bench.table.collection(OrderPage::by_order_id("o1")).max_pages(1);
        let error = small.send().await.unwrap_err();
        assert!(error.to_string().contains("not read whole by 1 pages"), "{error}");
    })
    .await;
}
