use std::time::{Duration, UNIX_EPOCH};

use aws_sdk_dynamodb::types::AttributeValue;
use monotable::{Entity, Item, ItemCollection, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{eventually, on_table};
use tests::models::shop::{Customer, Order, OrderLine, OrderPage, Shop, Status, line, order};

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

#[derive(Debug, PartialEq, ItemCollection)]
#[collection(table = Shop, pk = "ORDER#<order_id>")]
enum OrderItem {
    Order(Order),
    Line(OrderLine),
    #[collection(other)]
    Other(Item),
}

/// A header, lines 1 to 4, and an item that another program left between them.
async fn stored(shop: &Table<Shop>) {
    shop.put(&order("o1", Status::Pending, 0)).send().await.unwrap();
    for number in 1..=4 {
        shop.put(&line("o1", number, 3)).send().await.unwrap();
    }
    shop.client().put_item().table_name(shop.name()).set_item(Some(log())).send().await.unwrap();
}

fn log() -> Item {
    let text = |text: &str| AttributeValue::S(text.to_owned());
    Item::from([("PK".to_owned(), text("ORDER#o1")), ("SK".to_owned(), text("LOG#1"))])
}

fn lines(numbers: impl IntoIterator<Item = u16>) -> Vec<OrderLine> {
    numbers.into_iter().map(|number| line("o1", number, 3)).collect()
}

#[tokio::test]
async fn an_enum_is_every_item_in_key_order() {
    on_table::<Shop, _>("collection-enum", |bench| async move {
        let shop = &bench.table;
        stored(shop).await;
        let read = || shop.collection(OrderItem::by_order_id("o1"));
        let mut expected: Vec<_> = lines(1..=4).into_iter().map(OrderItem::Line).collect();
        expected.push(OrderItem::Other(log()));
        expected.push(OrderItem::Order(order("o1", Status::Pending, 0)));
        assert_eq!(read().consistent().all().await.unwrap(), expected);

        bench.recorder.take();
        let page = read().page_size(2).send().await.unwrap();
        assert!(page.items == expected[..2], "{page:?}");
        assert_eq!(bench.recorder.operations(), ["Query"]);
        let next = read().page_size(2).cursor(page.next).send().await.unwrap();
        assert_eq!(next.items, expected[2..4]);
        let back = read().page_size(2).cursor(&next.previous).send().await.unwrap();
        assert_eq!(back.items, expected[..2]);
        bench.recorder.take();
        let other = shop.collection(OrderItem::by_order_id("o2")).cursor(next.previous);
        assert!(other.all().await.unwrap_err().is_invalid_cursor());
        assert!(bench.recorder.take().is_empty());

        bench.recorder.take();
        let mut stream = read().page_size(2).stream();
        assert!(bench.recorder.take().is_empty());
        assert_eq!(stream.try_next().await.unwrap().as_ref(), expected.first());
        assert_eq!(bench.recorder.take().len(), 1);

        let error = read().refuse_unknown().all().await.unwrap_err();
        assert!(error.to_string().contains("`ORDER#o1 + LOG#1`"), "{error}");
        expected.reverse();
        assert_eq!(read().descending().limit(3).all().await.unwrap(), expected[..3]);
        bench.recorder.take();
        assert_eq!(read().limit(0).all().await.unwrap(), []);
        assert_eq!(read().limit(0).explain().unwrap().requests(), []);
        assert!(bench.recorder.take().is_empty());
        assert!(read().page_size(0).all().await.is_err());
    })
    .await;
}

#[tokio::test]
async fn a_header_and_the_latest_lines_in_one_request() {
    on_table::<Shop, _>("collection-latest", |bench| async move {
        let shop = &bench.table;
        stored(shop).await;
        let latest = || {
            let page = shop.collection(OrderPage::by_order_id("o1"));
            page.descending().limit_of::<OrderLine>(2)
        };
        let explained = latest().explain().unwrap().to_string();
        assert!(explained.contains("\"Limit\":3") && !explained.contains('\n'), "{explained}");
        bench.recorder.take();
        let page = latest().send().await.unwrap().unwrap();
        assert_eq!(page.lines, lines([4, 3]));
        // The log takes one of the three items, so one line is missing.
        assert_eq!(bench.recorder.take().len(), 2);

        // The header lies behind the first lines.
        let first = || shop.collection(OrderPage::by_order_id("o1")).limit_of::<OrderLine>(2);
        assert_eq!(first().explain().unwrap().requests().len(), 2);
        bench.recorder.take();
        let page = first().send().await.unwrap().unwrap();
        assert_eq!(page.lines, lines([1, 2]));
        assert_eq!(bench.recorder.take().len(), 2);
        assert!(first().into_sdk().unwrap_err().to_string().contains("2 requests"));
    })
    .await;
}

#[tokio::test]
async fn a_range_of_one_member() {
    on_table::<Shop, _>("collection-range", |bench| async move {
        let shop = &bench.table;
        stored(shop).await;
        let page = || shop.collection(OrderPage::by_order_id("o1"));
        let range = |numbers| OrderLine::by_order_id("o1").line_range(numbers);
        let some = page().range_of(range(2..=3)).send().await.unwrap().unwrap();
        assert_eq!(some.lines, lines([2, 3]));
        let one = page().descending().range_of(range(1..=3)).limit_of::<OrderLine>(1);
        assert_eq!(one.send().await.unwrap().unwrap().lines, lines([3]));
        #[allow(clippy::reversed_empty_ranges)]
        let none = page().range_of(range(3..=2));
        assert_eq!(none.explain().unwrap().requests().len(), 1);
        assert_eq!(none.send().await.unwrap().unwrap().lines, []);

        bench.recorder.take();
        let foreign = page().range_of(OrderLine::by_order_id("o2").line(1)).send().await;
        let error = foreign.unwrap_err();
        let text = error.to_string();
        assert!(error.is_invalid_key() && text.contains("`ORDER#o2`"), "{text}");
        let error = page().range_of(Customer::by_customer_id("c1")).send().await.unwrap_err();
        let text = error.to_string();
        assert!(error.is_invalid_key() && text.contains("no member of `OrderPage`"), "{text}");
        let error = page().limit_of::<Customer>(1).send().await.unwrap_err();
        assert!(error.is_invalid_key(), "{error}");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[derive(Debug, PartialEq, ItemCollection)]
#[collection(table = Shop, index = gsi2, pk = "SKU#<sku>")]
struct Sold {
    lines: Vec<OrderLine>,
    #[collection(other)]
    others: Vec<Item>,
}

#[tokio::test]
async fn a_partition_of_a_global_index() {
    on_table::<Shop, _>("collection-index", |bench| async move {
        let shop = &bench.table;
        stored(shop).await;
        eventually(4, || async move {
            let sold = shop.collection(Sold::by_sku("KB-104")).send().await.unwrap();
            sold.map_or(0, |sold| sold.lines.len())
        })
        .await;
        bench.recorder.take();
        let sold = shop.collection(Sold::by_sku("KB-104")).page_size(3).send().await.unwrap();
        assert_eq!(sold.map(|sold| sold.others), Some(Vec::new()));
        assert_eq!(bench.recorder.take().len(), 2);
        assert_eq!(shop.collection(Sold::by_sku("KB-105")).send().await.unwrap(), None);
    })
    .await;
}

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", ttl = "expires_at", entities(Cart, Hold))]
struct Carts;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Carts, pk = "CART#<id>", sk = "META")]
struct Cart {
    id: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Carts, pk = "CART#<id>", sk = "HOLD#<sku>", ttl = expires_at)]
struct Hold {
    id: String,
    sku: String,
    expires_at: u64,
}

#[derive(Debug, PartialEq, ItemCollection)]
#[collection(table = Carts, pk = "CART#<id>")]
struct Open {
    cart: Cart,
    #[collection(other)]
    others: Vec<Item>,
}

#[tokio::test]
async fn an_expired_item_of_an_unlisted_kind_is_not_unknown() {
    on_table::<Carts, _>("collection-expired", |bench| async move {
        let carts = bench.table.with_clock(|| UNIX_EPOCH + Duration::from_secs(100));
        carts.put(&Cart { id: "c1".into() }).send().await.unwrap();
        let hold = Hold { id: "c1".into(), sku: "s1".into(), expires_at: 100 };
        carts.put(&hold).send().await.unwrap();
        let read = || carts.collection(Open::by_id("c1"));
        let open = read().refuse_unknown().send().await.unwrap();
        assert_eq!(open, Some(Open { cart: Cart { id: "c1".into() }, others: Vec::new() }));
        let all = read().include_expired().send().await.unwrap();
        assert_eq!(all.unwrap().others, [hold.to_item().unwrap()]);
        let error = read().include_expired().refuse_unknown().send().await.unwrap_err();
        assert!(error.to_string().contains("`CART#c1 + HOLD#s1`"), "{error}");
    })
    .await;
}
