//! Type parameters in fields that are in no template.

use monotable::{Entity, KeyPart, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Event<String>))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Log;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
struct Id<T>(T);

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = Log, pk = "STREAM#<stream>", sk = "<number:8>")]
#[index(gsi1, pk = "KIND#<kind>", sk = "<number:8>")]
struct Event<Body, Extra = ()>
where
    Body: Clone,
{
    stream: Id<String>,
    number: u32,
    kind: Id<u16>,
    body: Body,
    bodies: Vec<Body>,
    extra: Extra,
}

#[test]
fn every_instance_has_its_functions() {
    let key = Event::<String>::key(Id("s1".to_owned()), 7);
    assert_eq!(key.to_string(), "STREAM#s1 + 00000007");
    let pattern = Event::<u8, Vec<u8>>::by_kind(Id(3)).number_range(..10);
    assert!(format!("{pattern:?}").contains("KIND#3"));
    let event = Event {
        stream: Id("s1".to_owned()),
        number: 7,
        kind: Id(3),
        body: "hello".to_owned(),
        bodies: Vec::new(),
        extra: (),
    };
    assert_eq!(event.key(), Event::key(Id("s1".to_owned()), 7));
    let item = event.to_item().expect("it has a key");
    assert_eq!(Event::from_item(item).expect("it is an event"), event);
}

#[test]
fn every_instance_has_its_paths() {
    let log = super::paths::table::<Log>();
    let update = log
        .update(Event::<String>::key(Id("s1".to_owned()), 7))
        .change(|e| (e.kind.set(Id(4)), e.body.set("later"), e.bodies.append(["x"])))
        .condition(|e| e.body.begins_with("l"));
    assert!(format!("{:?}", update.explain()).contains("KIND#4"));
    let counted = log
        .query(Event::<u64, Vec<u8>>::by_kind(Id(3)))
        .filter(|e| e.body.gt(5) & e.extra.contains(1));
    assert!(counted.explain().is_ok());
}
