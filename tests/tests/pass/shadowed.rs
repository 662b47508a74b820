//! A module in which the prelude's names, and the library's, mean something else.
#![allow(dead_code, unused_macros)]

use serde::{Deserialize, Serialize};

struct Option;
struct Result;
struct Some;
struct None;
struct Ok;
struct Err;
struct String;
struct Vec;
struct Box;
struct Pattern;
struct Entity;
struct Schema;
struct Component;
struct KeyArg;
struct Clone;
struct Debug;
struct Send;
struct Into;
mod core {}
mod std {}
mod k {}
macro_rules! panic {
    () => {};
}

type Text = ::std::string::String;

#[derive(monotable::Table)]
#[table(pk = "PK", sk = "SK", entities(Key), ttl = "ttl")]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Table;

#[derive(::std::fmt::Debug, Serialize, Deserialize, monotable::KeyPart)]
struct Id(Text);

#[derive(::std::fmt::Debug, Serialize, Deserialize, monotable::KeyPart)]
enum Part {
    Some,
    None,
}

#[derive(::std::fmt::Debug, Serialize, Deserialize, monotable::Entity)]
#[entity(table = Table, pk = "KEY#<id>", sk = "PART#<part>")]
#[index(gsi1, pk = "TEXT#<text>#<shard>", sk = "<id>",
        shard(by = id, count = 2), only_when(part = Part::Some))]
struct Key {
    id: Id,
    part: Part,
    text: Text,
    document: Document,
}

struct Change;
struct Path;
struct Condition;

#[derive(::std::fmt::Debug, Serialize, Deserialize, monotable::Document)]
struct Document {
    text: Text,
}

#[derive(::std::fmt::Debug, Serialize, Deserialize, monotable::Entity)]
#[entity(table = Table, pk = "COUNTED#<id>", sk = "META", version = version, ttl = until,
         unique(text), allow(unlisted))]
#[index(gsi1, pk = "GROUP#<one>#<two>", sk = "<id>")]
struct Counted {
    id: Id,
    version: u64,
    until: u64,
    text: Text,
    one: u8,
    two: ::std::option::Option<Text>,
}

#[derive(::std::fmt::Debug, monotable::ItemCollection)]
#[collection(table = Table, pk = "KEY#<id>")]
struct ItemCollection {
    keys: ::std::vec::Vec<Key>,
}

#[test]
fn generated_code_names_what_it_uses_in_full() {
    let id = || Id("a".to_owned());
    assert_eq!(Key::key(id(), Part::None).to_string(), "KEY#a + PART#None");
    assert!(format!("{:?}", Key::by_text("t").shard(1).id(id())).contains("TEXT#t#1"));
    assert!(format!("{:?}", ItemCollection::by_id(id())).contains("KEY#a"));
    let table = super::paths::table::<Table>();
    let update = table.update(Counted::key(id())).change(|c| c.one_and_two.set(1, "b"));
    assert!(format!("{:?}", update.explain()).contains("GROUP#1#b"));
    let update = table.update(Key::key(id(), Part::None)).change(|k| k.document.text.set("x"));
    assert!(update.explain().is_ok());
}
