//! The bodies of writes, as the HTTP client sees them: the same JSON whether the SDK writes the items
//! or this library does.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::BeforeSerializationInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept};
use aws_sdk_dynamodb::error::BoxError;
use aws_sdk_dynamodb::operation::batch_write_item::BatchWriteItemInput;
use aws_sdk_dynamodb::operation::put_item::PutItemInput;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsInput;
use monotable::testing::parts;
use monotable::{Bytes, Entity, Error, Number, Set, Table};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tests::canned::{Answer, Canned};

#[derive(Debug, Table)]
#[table(
    pk = "PK",
    sk = "SK",
    ttl = "expires_at",
    type_attribute = "_et",
    entities(Order, Page, User, Visit, Flat, Item)
)]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(gsi2, pk = "GSI2PK", sk = ("total", N))]
struct Shop;

#[derive(Debug, Clone, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<order>", null(note), attributes("kind" = "o\"1"))]
#[index(gsi1, pk = "REGION#<region>", sk = "<order>")]
#[index(gsi2, pk = "CUST#<customer>", sk = "<total>", name = "by_total")]
struct Order {
    customer: String,
    order: String,
    region: Option<String>,
    total: u64,
    note: Option<String>,
    weight: f64,
    exact: Number,
    raw: Bytes,
    tags: Set<String>,
    #[serde(rename = "by \"day\"")]
    by_day: BTreeMap<u8, Option<bool>>,
    lines: Vec<Line>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Line {
    sku: String,
    note: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "PAGE#<id>", sk = "PAGE", version = rev, ttl = until)]
struct Page {
    id: String,
    rev: u64,
    until: Option<std::time::SystemTime>,
}

#[derive(Debug, Clone, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "USER#<id>", sk = "USER", unique(email))]
struct User {
    id: String,
    email: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "VISIT#<id>", sk = "<day>", key_only(id))]
struct Visit {
    id: String,
    day: chrono::NaiveDate,
}

#[derive(Debug, Clone, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "FLAT#<id>", sk = "FLAT")]
struct Flat {
    id: String,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

/// Its sort key is a field as it is.
#[derive(Debug, Clone, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ITEM#<id>", sk = "<sk>")]
struct Item {
    id: String,
    #[serde(rename = "SK")]
    sk: String,
}

fn order(order: &str) -> Order {
    Order {
        customer: "c#1".into(),
        order: order.into(),
        region: (order != "o2").then(|| "eu \"\\\n".into()),
        total: 1 << 60,
        note: None,
        weight: 1e-7,
        exact: "123456789.123456789".parse().unwrap(),
        raw: Bytes::from([0, 255]),
        tags: Set::from(["new".to_owned(), "\"Item\":{}".to_owned()]),
        by_day: BTreeMap::from([(1, None), (2, Some(true))]),
        lines: vec![Line { sku: "s1".into(), note: None }],
    }
}

type Bodies = Arc<Mutex<Vec<Value>>>;

/// A server to which every write succeeds, and what it is asked.
async fn server() -> (Client, Bodies) {
    let bodies = Bodies::default();
    let asked = Arc::clone(&bodies);
    let canned = Canned::answering(move |_, request| {
        asked.lock().unwrap().push(request.body.clone());
        Answer::Json(200, "{}".into())
    });
    (canned.await.client, bodies)
}

/// Notes how many attributes each item has that the SDK is given.
#[derive(Debug, Clone, Default)]
struct Sees(Arc<Mutex<Vec<usize>>>);

#[aws_smithy_runtime_api::client::interceptors::dyn_dispatch_hint]
impl Intercept for Sees {
    fn name(&self) -> &'static str {
        "Sees"
    }

    fn read_before_execution(
        &self,
        context: &BeforeSerializationInterceptorContextRef<'_>,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let (mut seen, input) = (self.0.lock().unwrap(), context.input());
        if let Some(put) = input.downcast_ref::<PutItemInput>() {
            seen.extend(put.item().map(std::collections::HashMap::len));
        }
        if let Some(batch) = input.downcast_ref::<BatchWriteItemInput>() {
            let writes = batch.request_items().into_iter().flatten().flat_map(|(_, it)| it);
            seen.extend(writes.filter_map(|it| Some(it.put_request()?.item().len())));
        }
        if let Some(transaction) = input.downcast_ref::<TransactWriteItemsInput>() {
            let items = transaction.transact_items().iter();
            seen.extend(items.filter_map(|it| Some(it.put()?.item().len())));
        }
        Ok(())
    }
}

/// Every way to put an item.
async fn write(shop: &Table<Shop>) -> Result<(), Error> {
    let until = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_900_000_000);
    let page = Page { id: "p1".into(), rev: 3, until: Some(until) };
    let user = User { id: "u1".into(), email: "a@example.org".into() };
    let day = chrono::NaiveDate::from_ymd_opt(2026, 2, 3).unwrap();
    let visit = Visit { id: "v1".into(), day };
    let flat = Flat { id: "f1".into(), rest: BTreeMap::from([("x".into(), 1)]) };
    let item = Item { id: "i1".into(), sk: "b".into() };
    let orders: Vec<Order> = (1..=30).map(|at| order(&format!("o{at}"))).collect();

    shop.put(&orders[0]).send().await?;
    shop.put(&orders[1]).condition(|o| o.total.gt(5)).returning_old().send().await?;
    shop.create(&orders[1]).send().await?;
    shop.put(&mut page.clone()).send().await?;
    shop.create(&mut page.clone()).send().await?;
    shop.create(&user).send().await?;
    shop.put(&visit).send().await?;
    shop.put(&flat).send().await?;
    shop.put(&item).send().await?;
    let batch = shop.batch_write().put_all(&orders).delete(Order::key("c1", "o1"));
    batch.put(&visit).put(&flat).put(&item).max_attempts(1).send().await?;
    let transaction = shop.transact().add(shop.put(&orders[0])).add(shop.create(&user));
    let transaction = transaction.add(shop.delete(Order::key("c1", "o1"))).add(shop.put(&flat));
    transaction.add(shop.put(&mut page.clone())).client_token("t1").send().await
}

#[tokio::test]
async fn bodies_are_those_that_the_sdk_writes() {
    let clock = || std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_800_000_000);
    let (client, direct) = server().await;
    write(&Shop::table(client, "shop").with_clock(clock)).await.unwrap();
    let (client, by_sdk) = server().await;
    let sees = Sees::default();
    let config = client.config().to_builder().interceptor(sees.clone()).build();
    let client = Client::from_conf(config);
    write(&Shop::table(client, "shop").with_clock(clock)).await.unwrap();

    let [direct, by_sdk] = [direct, by_sdk].map(|bodies| {
        let mut bodies = std::mem::take(&mut *bodies.lock().unwrap());
        // Two requests of a batch are under way at once, and the SDK makes tokens.
        bodies[9..11].sort_by_key(|body| body.to_string().len());
        bodies[5]["ClientRequestToken"].take();
        bodies
    });
    assert_eq!((direct.len(), by_sdk.len()), (12, 12));
    for (direct, by_sdk) in direct.iter().zip(&by_sdk) {
        assert_eq!(direct, by_sdk);
    }
    assert_eq!(direct[0]["Item"]["kind"], json!({ "S": "o\"1" }));

    let seen = sees.0.lock().unwrap();
    assert_eq!(seen.len(), 9 + 1 + 33 + 5, "{seen:?}");
    assert!(seen.iter().all(|attributes| *attributes > 0));
}

/// The SDK has attributes in no order; these texts have the fields in theirs, the library's own behind.
#[test]
fn items_are_written_in_the_order_of_their_fields() {
    let day = chrono::NaiveDate::from_ymd_opt(2026, 2, 3).unwrap();
    let visit = parts::write(&Visit { id: "v1".into(), day }).unwrap();
    let order = parts::write(&order("o1")).unwrap();
    let names = [r#"{"customer":"#, r#","total":"#, r#","lines":"#, r#","PK":"#, r#","_et":"#];
    let places = names.map(|name| order.find(name).unwrap_or_else(|| panic!("{name} of {order}")));
    assert!(places.is_sorted(), "{order}");
    assert!(visit.contains(r#""_et":{"S":"Visit"}"#), "{visit}");
    for text in [
        parts::write(&Page { id: "p1".into(), rev: 3, until: None }),
        parts::write(&User { id: "u1".into(), email: "a@example.org".into() }),
        parts::write(&Item { id: "i1".into(), sk: "b".into() }),
    ] {
        assert!(text.is_some());
    }
    assert_eq!(parts::write(&Flat { id: "f1".into(), rest: BTreeMap::new() }), None);
}

#[tokio::test]
async fn a_customized_operation_is_given_whole_items() {
    let (client, bodies) = server().await;
    let shop = Shop::table(client, "shop");
    let (order, sees) = (order("o1"), Sees::default());
    let own = sees.clone();
    shop.put(&order).customize(move |put| put.interceptor(own.clone())).send().await.unwrap();
    let own = sees.clone();
    let batch = shop.batch_write().put(&order);
    batch.customize(move |batch| batch.interceptor(own.clone())).send().await.unwrap();
    let own = sees.clone();
    let transaction = shop.transact().add(shop.put(&order));
    transaction.customize(move |it| it.interceptor(own.clone())).send().await.unwrap();
    let attributes = order.to_item().unwrap().len();
    assert_eq!(*sees.0.lock().unwrap(), [attributes; 3]);
    assert_eq!(bodies.lock().unwrap().len(), 3);

    assert_eq!(
        shop.put(&order).into_sdk().unwrap().get_item().as_ref(),
        order.to_item().ok().as_ref()
    );
}
