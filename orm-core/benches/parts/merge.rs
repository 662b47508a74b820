//! The items of ten shards in key order, from pages that are read already, against a sort of the same
//! structs by a number.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use criterion::{BatchSize, Criterion, Throughput};
use monotable::testing::{local_client, parts};
use monotable::{Entity, Table, aws_sdk_dynamodb};
use serde::{Deserialize, Serialize};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", entities(Event))]
#[gsi(by_kind, pk = "KIND", sk = "KIND_AT")]
struct Log;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Log, pk = "DEVICE#<device>", sk = "EVENT#<at:6>")]
#[index(by_kind, pk = "KIND#<kind>#<shard>", sk = "<at:6>", shard(by = (device, at), count = 10))]
struct Event {
    device: String,
    at: u32,
    kind: String,
}

const EVENTS: u32 = 1000;

pub(crate) fn bench(criterion: &mut Criterion) {
    let events: Vec<Event> = (0..EVENTS).map(event).collect();
    let lists = shards(&events);
    assert_eq!(lists.len(), 10);
    let bodies: Vec<String> = lists.iter().map(|list| body(list)).collect();
    // Nothing is sent.
    let client = local_client("http://localhost:8000").expect("a client");
    let log = Log::table(client, "log");
    let pages = || parts::Pages::new(&log, Event::by_kind("info"), &bodies).expect("pages");
    assert_eq!(pages().merge().expect("events"), events);
    assert_eq!(sorted(lists.clone()), events);

    let mut group = criterion.benchmark_group("merge");
    group.throughput(Throughput::Elements(EVENTS.into()));
    group.bench_function("pages", |bencher| {
        bencher.iter_batched_ref(pages, |pages| pages.merge(), BatchSize::LargeInput);
    });
    group.bench_function("sort", |bencher| {
        bencher.iter_batched(|| lists.clone(), sorted, BatchSize::LargeInput);
    });
    group.finish();
}

fn event(at: u32) -> Event {
    Event { device: format!("d{}", at % 7), at, kind: "info".to_owned() }
}

/// The events of each shard, in key order.
fn shards(events: &[Event]) -> Vec<Vec<Event>> {
    let mut shards: BTreeMap<String, Vec<Event>> = BTreeMap::new();
    for event in events {
        let item = event.to_item().expect("an event is an item");
        let shard = item.get("KIND").map(AttributeValue::as_s);
        let Some(Ok(shard)) = shard else { panic!("{item:?} has no shard") };
        shards.entry(shard.clone()).or_default().push(event.clone());
    }
    shards.into_values().collect()
}

/// The answer to a Query that reads all of a shard.
fn body(events: &[Event]) -> String {
    let items: Option<Vec<String>> = events.iter().map(parts::write).collect();
    let (count, items) = (events.len(), items.expect("events are written fast").join(","));
    format!(r#"{{"Count":{count},"Items":[{items}],"ScannedCount":{count}}}"#)
}

fn sorted(lists: Vec<Vec<Event>>) -> Vec<Event> {
    let mut events: Vec<Event> = lists.into_iter().flatten().collect();
    events.sort_by_key(|event| event.at);
    events
}
