//! Fields of the partition key again in the sort key, and an index over the table's own attributes.

use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(User, Membership))]
#[gsi(inverted, pk = "SK", sk = "PK")]
struct Team;

#[derive(Debug, Serialize, Deserialize, Entity)]
#[entity(table = Team, pk = "USER#<id>", sk = "USER#<id>")]
struct User {
    id: String,
}

#[derive(Debug, Serialize, Deserialize, Entity)]
#[entity(table = Team, pk = "USER#<user>", sk = "GROUP#<group>#<user>#<role>")]
struct Membership {
    user: String,
    group: String,
    role: String,
}

#[test]
fn they_are_given_once() {
    assert_eq!(User::key("ana").to_string(), "USER#ana + USER#ana");
    assert!(format!("{:?}", User::by_id("ana")).contains("Equal"));
    let pattern = Membership::by_user("ana").group("g1").role_prefix("ad");
    assert!(format!("{pattern:?}").contains("GROUP#g1#ana#ad"));
}
