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
#[table(pk = "PK", sk = "SK", entities(Key))]
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
}
