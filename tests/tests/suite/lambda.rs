//! Events as AWS Lambda hands them over, in the shape that
//! <https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html> documents.

use std::collections::BTreeMap;
use std::time::{Duration, UNIX_EPOCH};

use aws_lambda_events::event::dynamodb::Event as LambdaEvent;
use aws_sdk_dynamodb::types::{AttributeValue, StreamViewType};
use monotable::change::{Change, Event};
use monotable::{Bytes, Entity, Set, Table};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = ("n", N), entities(Reading))]
struct Plant;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Plant, pk = "SENSOR#<sensor>", sk = "<n>")]
struct Reading {
    sensor: String,
    n: u32,
    note: Option<String>,
    tags: Set<String>,
    counts: Set<u32>,
    raw: Bytes,
    nested: BTreeMap<String, Vec<u32>>,
    on: bool,
}

fn image() -> Value {
    json!({
        "PK": {"S": "SENSOR#s1"},
        "n": {"N": "7"},
        "sensor": {"S": "s1"},
        "note": {"NULL": true},
        "tags": {"SS": ["a", "b"]},
        "counts": {"NS": ["1", "22"]},
        "raw": {"B": "AAECgA=="},
        "nested": {"M": {"k": {"L": [{"N": "1"}, {"N": "2"}]}}},
        "on": {"BOOL": false},
    })
}

fn reading() -> Reading {
    Reading {
        sensor: "s1".into(),
        n: 7,
        note: None,
        tags: ["a".to_owned(), "b".to_owned()].into_iter().collect(),
        counts: [1, 22].into_iter().collect(),
        raw: vec![0, 1, 2, 128].into(),
        nested: [("k".to_owned(), vec![1, 2])].into(),
        on: false,
    }
}

fn record(name: &str, view: &str) -> Value {
    json!({
        "eventID": "c4ca4238a0b923820dcc509a6f75849b",
        "eventName": name,
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": "eu-central-1",
        "dynamodb": {
            "ApproximateCreationDateTime": 1_700_000_000.0,
            "Keys": {"PK": {"S": "SENSOR#s1"}, "n": {"N": "7"}},
            "SequenceNumber": "4421584500000000017450439091",
            "SizeBytes": 26,
            "StreamViewType": view,
        },
        "eventSourceARN": "arn:aws:dynamodb:eu-central-1:123456789012:table/plant/stream/2024-06-10T19:26:16.525",
    })
}

fn changes(records: &[Value]) -> Vec<Change<Reading>> {
    let event: LambdaEvent = serde_json::from_value(json!({ "Records": records })).unwrap();
    event.records.iter().map(|record| record.try_into().unwrap()).collect()
}

fn change(record: &Value) -> Change<Reading> {
    changes(std::slice::from_ref(record)).remove(0)
}

#[test]
fn an_empty_batch() {
    assert!(changes(&[]).is_empty());
}

#[test]
fn every_type_of_value() {
    let mut record = record("INSERT", "NEW_IMAGE");
    record["dynamodb"]["NewImage"] = image();
    let told = change(&record);
    assert_eq!(told.event, Event::Insert { new: Some(reading()) });
    assert_eq!(told.key::<Reading>(), Some(Reading::key("s1", 7)));
    assert_eq!(told.entity(), Some("Reading"));
    assert_eq!(told.view, Some(StreamViewType::NewImage));
    assert_eq!(told.sequence_number.to_string(), "4421584500000000017450439091");
    assert_eq!(told.created_at, Some(UNIX_EPOCH + Duration::from_secs(1_700_000_000)));
    assert_eq!(told.event_id.as_deref(), Some("c4ca4238a0b923820dcc509a6f75849b"));

    // As a raw item, sets of binary data included.
    let mut unknown = record_of_a_stranger();
    unknown["dynamodb"]["NewImage"]["bs"] = json!({"BS": ["AA==", "AQ=="]});
    let Event::Unknown(raw) = change(&unknown).event else { panic!("a kind") };
    let bytes = |byte: u8| aws_sdk_dynamodb::primitives::Blob::new(vec![byte]);
    assert_eq!(raw.new.unwrap()["bs"], AttributeValue::Bs(vec![bytes(0), bytes(1)]));
}

fn record_of_a_stranger() -> Value {
    let mut record = record("MODIFY", "NEW_AND_OLD_IMAGES");
    let keys = json!({"PK": {"S": "PUMP#p1"}, "n": {"N": "7"}});
    record["dynamodb"]["Keys"] = keys.clone();
    record["dynamodb"]["NewImage"] = keys.clone();
    record["dynamodb"]["OldImage"] = keys;
    record
}

#[test]
fn images_that_the_view_does_not_give_are_none() {
    let mut both = record("MODIFY", "NEW_AND_OLD_IMAGES");
    both["dynamodb"]["NewImage"] = image();
    both["dynamodb"]["OldImage"] = image();
    both["dynamodb"]["OldImage"]["on"] = json!({"BOOL": true});
    let before = Reading { on: true, ..reading() };
    assert_eq!(
        change(&both).event,
        Event::Modify { old: Some(before.clone()), new: Some(reading()) }
    );
    both["dynamodb"].as_object_mut().unwrap().remove("NewImage");
    both["dynamodb"]["StreamViewType"] = json!("OLD_IMAGE");
    assert_eq!(change(&both).event, Event::Modify { old: Some(before), new: None });

    let keys = change(&record("MODIFY", "KEYS_ONLY"));
    assert_eq!(keys.event, Event::Modify { old: None, new: None });
    assert_eq!(keys.view, Some(StreamViewType::KeysOnly));
    assert_eq!(change(&record("INSERT", "KEYS_ONLY")).event, Event::Insert { new: None });
    assert_eq!(change(&record("REMOVE", "KEYS_ONLY")).event, Event::Remove { old: None });

    // NULL in place of an image, and no time, are what some events have.
    let mut odd = record("REMOVE", "KEYS_ONLY");
    odd["dynamodb"]["OldImage"] = Value::Null;
    odd["dynamodb"].as_object_mut().unwrap().remove("ApproximateCreationDateTime");
    let odd = change(&odd);
    assert_eq!((odd.event, odd.created_at), (Event::Remove { old: None }, None));
}

#[test]
fn an_expired_item_is_removed_by_the_service() {
    let mut removed = record("REMOVE", "OLD_IMAGE");
    removed["dynamodb"]["OldImage"] = image();
    assert_eq!(change(&removed).event, Event::Remove { old: Some(reading()) });
    removed["userIdentity"] = json!({"type": "Service", "principalId": "dynamodb.amazonaws.com"});
    assert_eq!(change(&removed).event, Event::Expire { old: Some(reading()) });
}

#[test]
fn one_record_that_fails_is_one_error() {
    let mut broken = record("INSERT", "NEW_IMAGE");
    broken["dynamodb"]["NewImage"] = image();
    broken["dynamodb"]["NewImage"]["on"] = json!({"S": "yes"});
    let mut good = record("INSERT", "NEW_IMAGE");
    good["dynamodb"]["NewImage"] = image();
    let mut unnumbered = record("INSERT", "KEYS_ONLY");
    unnumbered["dynamodb"].as_object_mut().unwrap().remove("SequenceNumber");
    let records = json!([record_of_a_stranger(), broken, good, unnumbered]);
    let event: LambdaEvent = serde_json::from_value(json!({ "Records": records })).unwrap();
    let changes: Vec<_> = event.records.into_iter().map(Change::<Reading>::try_from).collect();
    assert!(matches!(&changes[0], Ok(change) if matches!(change.event, Event::Unknown(_))));
    let error = changes[1].as_ref().unwrap_err();
    assert!(error.is_decode());
    let message = error.to_string();
    assert!(
        message.starts_with("the item `SENSOR#s1 + 7` is no `Reading`: attribute `on`"),
        "{message}"
    );
    assert!(changes[2].is_ok());
    let message = changes[3].as_ref().unwrap_err().to_string();
    assert!(message.ends_with("its stream record has no sequence number"), "{message}");
}
