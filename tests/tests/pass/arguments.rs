//! Fields with the names that generated code uses for its own.

use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Odd))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Shop;

#[allow(non_snake_case)]
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "P#<pk>#<k>#<self_>", sk = "S#<sk>#<range>#<prefix>#<A0>")]
#[index(
    gsi1,
    pk = "I#<shard>#<index>#<value>",
    sk = "<start>#<end>#<edge>#<Range>#<held>#<keys>",
    name = "by_all"
)]
struct Odd {
    pk: String,
    sk: String,
    k: String,
    self_: String,
    range: String,
    prefix: String,
    A0: String,
    shard: String,
    index: String,
    value: String,
    start: String,
    end: String,
    edge: String,
    Range: String,
    held: String,
    keys: String,
}

#[test]
fn they_do_not_get_in_each_others_way() {
    let key = Odd::key("a", "b", "c", "d", "e", "f", "g");
    assert_eq!(key.to_string(), "P#a#b#c + S#d#e#f#g");
    let pattern = Odd::by_pk_and_k_and_self_("a", "b", "c").sk("d").range("e").prefix("f");
    assert!(format!("{:?}", pattern.A0_range("a".."b")).contains("S#d#e#f#"));
    let pattern = Odd::by_all("1", "i", "v").start("a").end("b").edge("c").Range("d").held("e");
    assert!(format!("{:?}", pattern.keys("f")).contains("a#b#c#d#e#f"));
}
