//! Names that DynamoDB takes and Rust does not.

use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "pk-1", sk = "sort key", entities(Order))]
#[gsi("by-owner.v2", pk = "gsi.1 pk", sk = "type")]
#[gsi(r#type, pk = "PK2")]
struct Shop;

#[derive(Debug, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
#[index("by-owner.v2", pk = "OWNER#<owner>", sk = "<id>")]
#[index(r#type, pk = "KIND#<kind>")]
struct Order {
    id: String,
    owner: String,
    kind: String,
}

#[test]
fn they_are_kept() {
    let item = Order { id: "o1".into(), owner: "ana".into(), kind: "gift".into() }.to_item();
    let item = item.expect("it has keys");
    for name in ["pk-1", "sort key", "gsi.1 pk", "type", "PK2"] {
        assert!(item.contains_key(name), "{name}");
    }
    assert!(format!("{:?}", Order::by_owner("ana")).contains("by-owner.v2"));
    assert!(format!("{:?}", Order::by_kind("gift")).contains("\"type\""));
}
