use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};
use tests::bench::on_table;
use tests::models::shop::{Customer, Order, Shop, Status, order};

#[tokio::test]
async fn a_put_replaces_and_rewrites_the_index_keys() {
    on_table::<Shop, _>("put", |bench| async move {
        let pending = order("o1", Status::Pending, 0);
        bench.table.put(&pending).send().await.unwrap();
        let raw = raw(&bench.table, &pending).await;
        assert!(raw["GSI1PK"].as_s().unwrap().starts_with("STATUS#PENDING#"));
        assert_eq!(raw["GSI1SK"].as_s().unwrap(), "2026-10-01T09:00:00Z#o1");
        assert_eq!(raw["status"].as_s().unwrap(), "PENDING");

        let shipped = Order { status: Status::Shipped, ..pending };
        bench.table.put(&shipped).send().await.unwrap();
        let raw = self::raw(&bench.table, &shipped).await;
        assert!(!raw.contains_key("GSI1PK"));
        assert_eq!(raw["GSI1SK"].as_s().unwrap(), "2026-10-01T09:00:00Z#o1");
        assert_eq!(bench.table.get(&shipped).send().await.unwrap(), Some(shipped));
    })
    .await;
}

#[tokio::test]
async fn a_put_loses_attributes_that_the_struct_does_not_know() {
    on_table::<Shop, _>("put-unknown", |bench| async move {
        let ana = Customer { customer_id: "c1".into(), name: "Ana".into() };
        let mut item = ana.to_item().unwrap();
        item.insert("age".into(), AttributeValue::N("7".into()));
        let put = bench.table.client().put_item().table_name(bench.table.name());
        put.set_item(Some(item)).send().await.unwrap();
        bench.table.put(&ana).send().await.unwrap();
        assert!(!raw(&bench.table, &ana).await.contains_key("age"));
    })
    .await;
}

#[tokio::test]
async fn an_item_of_exactly_400_kb_is_stored_and_one_byte_more_refused() {
    on_table::<Shop, _>("put-size", |bench| async move {
        let mut ana = Customer { customer_id: "c1".into(), name: String::new() };
        // Names and values of all attributes count, in UTF-8 bytes.
        let rest: usize = ["PK", "CUST#c1", "SK", "PROFILE", "customer_id", "c1", "name"]
            .iter()
            .map(|text| text.len())
            .sum();
        ana.name = "x".repeat(409_600 - rest);
        if tests::engine::counts_item_bytes() {
            bench.table.put(&ana).send().await.unwrap();
        }
        bench.recorder.take();
        ana.name.push('x');
        let error = bench.table.put(&ana).send().await.unwrap_err();
        assert!(error.to_string().contains("409601 bytes"), "{error}");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[derive(Debug, Table)]
#[table(pk = "PK", type_attribute = "_et", entities(Bag))]
struct Bags;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Bags, pk = "BAG#<id>", attributes("v" = "1"), null(nick))]
struct Bag {
    id: u32,
    nick: Option<String>,
    weight: Option<f64>,
    #[serde(flatten)]
    rest: HashMap<String, String>,
}

fn bag() -> Bag {
    Bag { id: 1, nick: None, weight: None, rest: HashMap::new() }
}

#[tokio::test]
async fn type_attribute_constants_and_nulls_are_written() {
    on_table::<Bags, _>("put-constants", |bench| async move {
        let bag = Bag { rest: HashMap::from([("color".into(), "red".into())]), ..bag() };
        bench.table.put(&bag).send().await.unwrap();
        let raw = raw(&bench.table, &bag).await;
        let text = |text: &str| AttributeValue::S(text.into());
        let expected = HashMap::from([
            ("PK".to_owned(), text("BAG#1")),
            ("_et".to_owned(), text("Bag")),
            ("v".to_owned(), text("1")),
            ("id".to_owned(), AttributeValue::N("1".into())),
            ("nick".to_owned(), AttributeValue::Null(true)),
            ("color".to_owned(), text("red")),
        ]);
        assert_eq!(raw, expected);
        // The library's own attributes are not shown to the flattened map.
        assert_eq!(bench.table.get(Bag::key(1)).send().await.unwrap(), Some(bag));
    })
    .await;
}

#[tokio::test]
async fn what_no_item_can_hold_is_refused_before_a_request() {
    on_table::<Bags, _>("put-refused", |bench| async move {
        let nan = Bag { weight: Some(f64::NAN), ..bag() };
        let error = bench.table.put(&nan).send().await.unwrap_err();
        assert!(error.is_encode(), "{error}");
        assert_eq!(
            error.to_string(),
            "the item `BAG#1` of `Bag` cannot be stored: attribute `weight`: a number cannot be \
             NaN or infinite"
        );
        let unnamed = Bag { rest: HashMap::from([(String::new(), "mine".to_owned())]), ..bag() };
        let error = bench.table.put(&unnamed).send().await.unwrap_err();
        assert!(error.is_encode() && error.to_string().contains("at least one byte"), "{error}");

        for name in ["PK", "_et", "v"] {
            let rest = HashMap::from([(name.to_owned(), "mine".to_owned())]);
            let error = bench.table.put(&Bag { rest, ..bag() }).send().await.unwrap_err();
            assert!(error.is_invalid_key(), "{error}");
            assert!(error.to_string().contains(&format!("`{name}`")), "{error}");
        }
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_condition_and_the_replaced_item() {
    on_table::<Shop, _>("put-condition", |bench| async move {
        let table = &bench.table;
        let named = |name: &str| Customer { customer_id: "c1".into(), name: name.into() };
        let ana = named("Ana");
        let error = table.put(&ana).condition(|c| c.name.eq("Ana")).send().await.unwrap_err();
        assert!(error.is_condition_failed() && error.current_item().is_none(), "{error}");
        assert!(!error.is_conflict() && error.to_string().contains("condition"), "{error}");
        assert!(!table.exists(&ana).consistent().send().await.unwrap());
        let first = table.put(&ana).condition(|c| c.name.missing()).returning_old();
        assert_eq!(first.send().await.unwrap(), None);

        let ben = named("Ben");
        for error in [
            table.put(&ben).condition(|c| c.name.ne("Ana")).send().await.unwrap_err(),
            table
                .put(&ben)
                .condition(|c| c.name.missing())
                .returning_old()
                .send()
                .await
                .unwrap_err(),
            table
                .transact()
                .add(table.put(&ben).condition(|c| c.name.gt("B")))
                .send()
                .await
                .unwrap_err(),
        ] {
            assert!(error.is_condition_failed() && !error.is_item_missing(), "{error}");
            assert_eq!(error.current::<Customer>(), Some(ana.clone()));
        }
        let both = table.put(&ben).condition(|c| c.name.eq("Ana")).condition(|c| c.name.eq("Ben"));
        assert!(both.send().await.unwrap_err().is_condition_failed());
        let replaced = table.put(&ben).condition(|c| (c.name.eq("Ana"), c.customer_id.eq("c1")));
        assert_eq!(replaced.returning_old().send().await.unwrap(), Some(ana));

        let mut item = ben.to_item().unwrap();
        item.insert("name".into(), AttributeValue::Null(true));
        let put = table.client().put_item().table_name(table.name());
        put.set_item(Some(item)).send().await.unwrap();
        // It is replaced all the same.
        let error = table.put(&ben).returning_old().send().await.unwrap_err();
        assert!(error.is_decode(), "{error}");
        assert_eq!(table.get(&ben).send().await.unwrap(), Some(ben));
    })
    .await;
}

async fn raw<E: Entity>(table: &Table<E::Table>, item: &E) -> monotable::Item {
    let get = table.client().get_item().table_name(table.name()).consistent_read(true);
    let key = item.key().to_item().unwrap();
    get.set_key(Some(key)).send().await.unwrap().item.unwrap()
}
