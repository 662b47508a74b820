//! Names that generated code could have taken for its own.

use monotable::{Entity, KeyPart, Table};
use serde::{Deserialize, Serialize};

mod k {
    pub(super) type Id = String;
}

/// A threshold of the user's own.
const PK: u8 = 7;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
struct Range(u32);

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", entities(Natural))]
struct Table1;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = Table1, pk = "<PK>", sk = "<SK>")]
#[allow(non_snake_case)]
struct Natural {
    PK: k::Id,
    SK: String,
}

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", entities(Ranged, Event, Generic<u8, String, bool>))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Table2;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = Table2, pk = "X#<id>", sk = "<range:4>#<level:2>")]
#[index(gsi1, pk = "L#<id>", sk = "<level:2>", name = "by_level", only_when(level = PK))]
struct Ranged {
    id: k::Id,
    range: Range,
    level: u8,
}

/// A month of events, of which the sort key knows the second.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = Table2, pk = "E#<id>", sk = "EVENT")]
#[index(gsi1, pk = "MONTH#<at:month>#<shard>", sk = "<at:s>#<id>", name = "in_month",
        shard(by = id, count = 2))]
struct Event {
    id: k::Id,
    at: chrono::DateTime<chrono::Utc>,
}

#[test]
fn a_bucket_does_not_fix_the_time() {
    let at = |second| chrono::DateTime::from_timestamp(second, 0).unwrap_or_default();
    let month = Event::in_month(at(1_790_000_000));
    assert!(format!("{month:?}").contains("Between"), "{month:?}");
    let range = month.at_range(at(1_790_000_000)..at(1_790_000_060));
    assert!(format!("{range:?}").contains("2026-09-21T14:14:19Z$"), "{range:?}");
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = Table2, pk = "G#<id>", sk = "<level:2>")]
struct Generic<A0, Range, DEPTH> {
    id: k::Id,
    level: u8,
    a: A0,
    b: Range,
    c: DEPTH,
}

#[test]
fn natural_fields_called_like_their_attributes() {
    let key = Natural::key("a", "b");
    assert_eq!(key.to_string(), "a + b");
    assert_eq!(Natural { PK: "a".into(), SK: "b".into() }.key(), key);
}

#[test]
fn a_part_called_range_and_a_constant_called_pk() {
    let pattern = Ranged::by_id("x").range_range(Range(1)..Range(3));
    assert!(format!("{pattern:?}").contains("0002$"), "{pattern:?}");
    let item = |level| Ranged { id: "x".into(), range: Range(1), level }.to_item();
    assert!(item(PK).is_ok_and(|item| item.contains_key("GSI1PK")));
    assert!(item(8).is_ok_and(|item| !item.contains_key("GSI1PK")));
}

#[test]
fn parameters_called_like_generated_ones() {
    let item = Generic { id: "x".into(), level: 1, a: 1u8, b: "b".to_owned(), c: true };
    assert_eq!(item.key(), Generic::<u8, String, bool>::key("x", 1));
    let pattern = Generic::<u8, String, bool>::by_id("x").level_range(..=2);
    assert!(format!("{pattern:?}").contains("02"), "{pattern:?}");
}

/// The parent calls it `id`, the children `event`: it is one partition.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = Table2, pk = "E#<event>", sk = "GUEST#<guest>", allow(unlisted))]
struct Guest {
    event: k::Id,
    guest: String,
}

#[derive(Debug, monotable::ItemCollection)]
#[collection(table = Table2, pk = "E#<id>")]
struct Party {
    event: Option<Event>,
    guests: Vec<Guest>,
}

monotable::assert_distinct!(Table2: Event, Guest);

#[test]
fn members_call_the_partition_as_they_like() {
    assert!(format!("{:?}", Party::by_id("x")).contains("E#x"));
    let party = Party { event: None, guests: Vec::new() };
    assert!(party.event.is_none() && party.guests.is_empty());
}
