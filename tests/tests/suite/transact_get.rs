use monotable::testing::Backend;
use monotable::{Key, Table};
use tests::bench::on_table;
use tests::canned::{Answer, Canned};
use tests::models::library::{Library, book};
use tests::models::shop::{Customer, Order, OrderLine, Shop, Status, line, order};
use tests::recorder::Recorder;

fn ana() -> Customer {
    Customer { customer_id: "c1".into(), name: "Ana".into() }
}

#[tokio::test]
async fn a_tuple_of_keys_with_a_missing_item_in_the_middle() {
    on_table::<Shop, _>("tget", |bench| async move {
        let shop = &bench.table;
        let pending = order("o1", Status::Pending, 0);
        shop.transact().add(shop.put(&ana())).add(shop.put(&pending)).send().await.unwrap();
        bench.recorder.take();
        let keys = (Order::key("o1"), OrderLine::key("o1", 1), &ana());
        let found = shop.transact_get(keys).send().await.unwrap();
        assert_eq!(found, (Some(pending.clone()), None, Some(ana())));
        assert_eq!(bench.recorder.operations(), ["TransactGetItems"]);

        let one = shop.transact_get((&Order::key("o1"),)).send().await.unwrap();
        assert_eq!(one, (Some(pending),));
        let key = |line| OrderLine::key("o1", line);
        let eight = (key(1), key(2), key(3), key(4), key(5), key(6), key(7), Customer::key("c1"));
        let (.., last) = shop.transact_get(eight).send().await.unwrap();
        assert_eq!(last, Some(ana()));
    })
    .await;
}

#[tokio::test]
async fn a_list_of_keys_in_its_order() {
    on_table::<Shop, _>("tget-list", |bench| async move {
        let shop = &bench.table;
        for at in [1, 3, 5] {
            shop.put(&line("o1", at, 4)).send().await.unwrap();
        }
        bench.recorder.take();
        let keys: Vec<Key<OrderLine>> =
            [5, 4, 3, 2, 1].map(|at| OrderLine::key("o1", at)).into_iter().collect();
        let lines = |found: Vec<Option<OrderLine>>| -> Vec<Option<u16>> {
            found.into_iter().map(|line| line.map(|line| line.line)).collect()
        };
        let expected = [Some(5), None, Some(3), None, Some(1)];
        let found = shop.transact_get(&keys[..]).send().await.unwrap();
        assert_eq!(lines(found), expected);
        let found = shop.transact_get(keys).send().await.unwrap();
        assert_eq!(lines(found), expected);
        assert_eq!(bench.recorder.operations(), ["TransactGetItems"; 2]);

        let none: Vec<Key<OrderLine>> = Vec::new();
        assert_eq!(shop.transact_get(none).send().await.unwrap(), []);
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn items_of_other_tables() {
    let backend = Backend::start().await.unwrap();
    let shop: Table<Shop> = backend.table("tget-here").await.unwrap();
    let archive: Table<Shop> = backend.table("tget-there").await.unwrap();
    let library: Table<Library> = backend.table("tget-library").await.unwrap();
    archive.put(&ana()).send().await.unwrap();
    let zen = book(1, "Zen");
    library.put(&zen).send().await.unwrap();
    let keys = (Customer::key("c1"), archive.get(Customer::key("c1")), library.get(&zen));
    let found = shop.transact_get(keys).send().await.unwrap();
    assert_eq!(found, (None, Some(ana()), Some(zen)));
    let gets = vec![shop.get(&ana()), archive.get(&ana())];
    assert_eq!(shop.transact_get(gets).send().await.unwrap(), [None, Some(ana())]);
    backend.close().await.unwrap();
}

#[tokio::test]
async fn what_cannot_be_asked_is_refused_before_a_request() {
    on_table::<Shop, _>("tget-refused", |bench| async move {
        let shop = &bench.table;
        let keys = (Customer::key("c1"), Order::key("o1"), Customer::key("c1"));
        let get = shop.transact_get(keys);
        let text = get.explain().unwrap_err().to_string();
        assert_eq!(get.send().await.unwrap_err().to_string(), text);
        let both = "key 0, `Customer` (CUST#c1 + PROFILE), and key 2, `Customer` (CUST#c1 + PROFILE), are one item";
        assert!(text.starts_with(both), "{text}");

        let keys = |count: u16| (0..count).map(|at| OrderLine::key("o1", at)).collect::<Vec<_>>();
        let error = shop.transact_get(keys(101)).send().await.unwrap_err();
        assert!(error.to_string().starts_with("101 keys"), "{error}");
        let error = shop.transact_get((Customer::key(""),)).send().await.unwrap_err();
        assert!(error.is_invalid_key());
        let customized = shop.get(Customer::key("c1")).customize(|get| get);
        let error = shop.transact_get((customized,)).send().await.unwrap_err();
        assert!(error.to_string().contains("`customize`"), "{error}");
        assert!(bench.recorder.take().is_empty());

        let most = tests::engine::items_of_a_transact_get();
        let found = shop.transact_get(keys(most)).send().await.unwrap();
        assert_eq!(found, vec![None; usize::from(most)]);
    })
    .await;
}

#[tokio::test]
async fn an_item_of_another_shape_names_entity_and_key() {
    on_table::<Shop, _>("tget-decode", |bench| async move {
        let shop = &bench.table;
        let put = shop.client().put_item().table_name(shop.name());
        put.set_item(Some(Order::key("o1").to_item().unwrap())).send().await.unwrap();
        let keys = (Customer::key("c1"), Order::key("o1"));
        let error = shop.transact_get(keys).send().await.unwrap_err();
        assert!(error.is_decode());
        let text = error.to_string();
        assert!(text.contains("`ORDER#o1 + META`") && text.contains("`Order`"), "{text}");
    })
    .await;
}

async fn canned(answer: Answer) -> (Canned, Table<Shop>) {
    let canned = Canned::start(vec![answer]).await;
    let shop = Shop::table(canned.client.clone(), "shop");
    (canned, shop)
}

#[tokio::test]
async fn an_empty_map_is_no_item_and_a_short_answer_is_none() {
    let keys = || (Customer::key("c1"), Order::key("o1"));
    let (_canned, shop) =
        canned(Answer::Json(200, r#"{"Responses":[{"Item":{}},{}]}"#.into())).await;
    assert_eq!(shop.transact_get(keys()).send().await.unwrap(), (None, None));
    let (_canned, shop) = canned(Answer::Json(200, r#"{"Responses":[{}]}"#.into())).await;
    let error = shop.transact_get(keys()).send().await.unwrap_err();
    assert!(error.to_string().ends_with("1 answers to 2 keys"), "{error}");
}

#[tokio::test]
async fn a_conflict_names_the_item() {
    let body = r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"no",
        "CancellationReasons":[{"Code":"None"},{"Code":"TransactionConflict","Message":"ongoing"}]}"#;
    let (_canned, shop) = canned(Answer::Json(400, body.into())).await;
    let keys = (Customer::key("c1"), Order::key("o1"));
    let error = shop.transact_get(keys).send().await.unwrap_err();
    assert!(error.is_conflict() && !error.is_outcome_unknown(), "{error}");
    assert!(error.reasons()[0].is_none() && error.reasons()[1].is_conflict());
    assert!(error.to_string().contains("operation 1, `Order` (ORDER#o1 + META)"), "{error}");
}

#[tokio::test]
async fn customize_reaches_the_request() {
    on_table::<Shop, _>("tget-customize", |bench| async move {
        let shop = &bench.table;
        let own = Recorder::default();
        let interceptor = own.clone();
        let get = shop.transact_get((Customer::key("c1"),));
        let get = get.customize(move |get| get.interceptor(interceptor.clone()));
        assert_eq!(get.send().await.unwrap(), (None,));
        assert_eq!(own.operations(), ["TransactGetItems"]);
        let builder = shop.transact_get((Customer::key("c1"),)).into_sdk().unwrap();
        assert_eq!(builder.send().await.unwrap().responses.unwrap().len(), 1);
    })
    .await;
}
