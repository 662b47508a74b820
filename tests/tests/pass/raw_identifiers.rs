//! Keywords as names.

use monotable::{Entity, ItemCollection, KeyPart, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(r#async))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
#[allow(non_camel_case_types)]
struct r#impl;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[allow(non_camel_case_types)]
enum Kind {
    r#fn,
    r#match,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = r#impl, pk = "TYPE#<type>", sk = "<move>#<loop:4>")]
#[index(gsi1, pk = "REF#<ref>#<shard>", sk = "<move>#<where>",
        shard(by = r#type, count = 2), only_when(r#ref = Kind::r#fn | Kind::r#match))]
#[allow(non_camel_case_types)]
struct r#async {
    r#type: String,
    r#move: String,
    r#loop: u16,
    r#ref: Kind,
    r#where: String,
}

#[derive(Debug, PartialEq, Eq, ItemCollection)]
#[collection(table = r#impl, pk = "TYPE#<type>")]
struct Page {
    r#yield: Vec<r#async>,
}

#[test]
fn they_are_written_without_the_prefix() {
    assert_eq!(r#async::key("a", "b", 7).to_string(), "TYPE#a + b#0007");
    let pattern = r#async::by_type("a").r#move("b").loop_range(1..=9);
    assert!(format!("{pattern:?}").contains("b#0001"));
    assert!(format!("{:?}", r#async::by_ref(Kind::r#fn).shard(0)).contains("REF#fn#0"));
    assert!(format!("{:?}", Page::by_type("a")).contains("TYPE#a"));
}
