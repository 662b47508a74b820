//! The client with faults itself.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{DeleteRequest, KeysAndAttributes, PutRequest, WriteRequest};
use monotable::{Entity, Item, Table};
use tests::bench::on_table;
use tests::faults::{Fault, Faults};
use tests::models::shop::{Customer, Shop};

fn customer(id: &str) -> Customer {
    Customer { customer_id: id.into(), name: "Ana".into() }
}

fn put(id: &str) -> WriteRequest {
    let put = PutRequest::builder().set_item(Some(customer(id).to_item().unwrap()));
    WriteRequest::builder().put_request(put.build().unwrap()).build()
}

fn delete(id: &str) -> WriteRequest {
    let key = Some(Customer::key(id).to_item().unwrap());
    let delete = DeleteRequest::builder().set_key(key).build().unwrap();
    WriteRequest::builder().delete_request(delete).build()
}

async fn ids(table: &Table<Shop>) -> Vec<String> {
    let scan = table.client().scan().table_name(table.name()).consistent_read(true);
    let items = scan.send().await.unwrap().items.unwrap_or_default();
    let mut ids: Vec<_> = items.iter().map(id).collect();
    ids.sort();
    ids
}

fn id(item: &Item) -> String {
    item["PK"].as_s().unwrap().trim_start_matches("CUST#").to_owned()
}

#[tokio::test]
async fn writes_left_over_are_not_forwarded() {
    if tests::engine::checks_signatures() {
        return;
    }
    on_table::<Shop, _>("faults-write", |bench| async move {
        let plan = [Fault::LeftOver(2), Fault::LeftOver(9)];
        let (client, faults) = Faults::attach(bench.table.client(), &plan);
        let name = bench.table.name();
        let batch =
            client.batch_write_item().request_items(name, vec![put("1"), put("2"), put("3")]);
        let left = batch.send().await.unwrap().unprocessed_items.unwrap();
        assert_eq!(left, HashMap::from([(name.to_owned(), vec![put("2"), put("3")])]));
        assert_eq!(ids(&bench.table).await, ["1"]);

        let again = client.batch_write_item().set_request_items(Some(left.clone()));
        assert_eq!(again.send().await.unwrap().unprocessed_items.unwrap(), left);
        assert_eq!((faults.requests(), faults.forwarded()), (2, 1));

        let rest = vec![put("2"), delete("1")];
        let passes = client.batch_write_item().request_items(name, rest).send().await.unwrap();
        assert!(passes.unprocessed_items.unwrap_or_default().is_empty());
        assert_eq!(ids(&bench.table).await, ["2"]);
    })
    .await;
}

#[tokio::test]
async fn keys_left_over_are_not_forwarded() {
    if tests::engine::checks_signatures() {
        return;
    }
    on_table::<Shop, _>("faults-get", |bench| async move {
        let name = bench.table.name();
        for id in ["1", "2", "3"] {
            bench.table.put(&customer(id)).send().await.unwrap();
        }
        let (client, _) = Faults::attach(bench.table.client(), &[Fault::LeftOver(2)]);
        let key = |id: &str| Customer::key(id).to_item().unwrap();
        let keys = |ids: &[&str]| {
            let keys = ids.iter().map(|id| key(id)).collect();
            let keys = KeysAndAttributes::builder().set_keys(Some(keys)).consistent_read(true);
            keys.build().unwrap()
        };
        let answer = client.batch_get_item().request_items(name, keys(&["1", "2", "3"]));
        let answer = answer.send().await.unwrap();
        let found = answer.responses.unwrap().remove(name).unwrap();
        assert_eq!(found, [customer("1").to_item().unwrap()]);
        let left = HashMap::from([(name.to_owned(), keys(&["2", "3"]))]);
        assert_eq!(answer.unprocessed_keys, Some(left));
    })
    .await;
}

/// Faults are of the first requests; the others pass.
#[tokio::test]
async fn a_plan_comes_to_an_end() {
    on_table::<Shop, _>("faults-plan", |bench| async move {
        let plan = [Fault::Throttle, Fault::LostAfter];
        let (client, faults) = Faults::attach(bench.table.client(), &plan);
        for id in ["1", "2"] {
            let put = client.put_item().table_name(bench.table.name());
            let put = put.set_item(Some(customer(id).to_item().unwrap()));
            put.send().await.unwrap();
        }
        assert_eq!((faults.requests(), faults.forwarded()), (4, 3));
        assert_eq!(ids(&bench.table).await, ["1", "2"]);
    })
    .await;
}
