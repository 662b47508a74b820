//! The requests of writes, beside which DESIGN.md's promises stand: every index key that a change
//! decides about is in the same request, and nothing else is.

use std::time::{Duration, UNIX_EPOCH};

use monotable::op::Explanation;
use monotable::{Document, Entity, Error, KeyPart, Set, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, Table)]
#[table(
    pk = "PK",
    sk = "SK",
    ttl = "expires_at",
    type_attribute = "_et",
    entities(Order, Counter, User, Session, Visit)
)]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(gsi2, pk = "GSI2PK", sk = "GSI2SK")]
struct Shop;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Status {
    Pending,
    Shipped,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Document)]
struct Address {
    #[serde(rename = "city-name")]
    city: String,
    zip: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<order>", null(note))]
#[index(gsi1, pk = "STATUS#<status>#<shard>", sk = "<day>#<order>",
        shard(by = order, count = 10), only_when(status = Status::Pending))]
#[index(gsi2, pk = "REGION#<region>", sk = "<status>#<day>#<order>")]
struct Order {
    customer: String,
    order: String,
    status: Status,
    region: Option<String>,
    day: chrono::NaiveDate,
    total: u32,
    note: Option<String>,
    tags: Set<String>,
    lines: Vec<String>,
    address: Address,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "COUNTER#<name>", sk = "COUNTER")]
struct Counter {
    name: String,
    hits: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "USER#<id>", sk = "USER", version = version, unique(email))]
struct User {
    id: String,
    email: String,
    name: String,
    version: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "SESSION#<id>", sk = "SESSION", ttl = until)]
struct Session {
    id: String,
    until: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "VISITOR#<visitor>", sk = "VISIT#<at:s>", key_only(visitor, at))]
#[index(gsi1, pk = "PAGE#<page>", sk = "<at:s>#<visitor>")]
struct Visit {
    visitor: String,
    at: chrono::DateTime<chrono::Utc>,
    page: String,
}

fn order() -> Order {
    Order {
        customer: "c1".into(),
        order: "o1".into(),
        status: Status::Pending,
        region: Some("eu".into()),
        day: chrono::NaiveDate::from_ymd_opt(2026, 10, 1).unwrap(),
        total: 7,
        note: None,
        tags: Set::from(["new".to_owned()]),
        lines: vec!["l1".into()],
        address: Address { city: "Graz".into(), zip: None },
    }
}

/// At a fixed time, so that texts are the same on every run.
fn shop() -> Table<Shop> {
    let client = monotable::testing::local_client("http://127.0.0.1:1").unwrap();
    let shop = Table::new(client, "shop");
    shop.with_clock(|| UNIX_EPOCH + Duration::from_secs(1_790_000_000))
}

fn snapshot(name: &str, explained: Result<Explanation, Error>) {
    insta::assert_snapshot!(name, explained.unwrap().to_string());
}

#[test]
fn updates() {
    let shop = shop();
    let key = || Order::key("c1", "o1");
    let day = chrono::NaiveDate::from_ymd_opt(2026, 11, 2).unwrap();

    let free = shop.update(key()).change(|o| (o.total.add(5), o.note.set("gift")));
    snapshot("update_free", free.explain());
    let out = shop
        .update(key())
        .change(|o| (o.status_and_day.set(Status::Shipped, day), o.region.set("us")));
    snapshot("update_group", out.condition(|o| o.status.eq(Status::Pending)).explain());
    let order = order();
    let by_item = shop.update(&order).change(|o| o.status.set(Status::Shipped));
    snapshot("update_by_item", by_item.returning_new().explain());
    let by_item = shop.update(&order).change(|o| (o.region.set(None), o.note.remove()));
    snapshot("update_removes", by_item.explain());
    let documents = shop.update(key()).change(|o| {
        (
            o.address.city.set("Linz"),
            o.lines.append(["l2", "l3"]),
            o.tags.insert(["sale"]),
            o.total.set_if_missing(0),
        )
    });
    snapshot("update_documents", documents.returning_changed().explain());
    let elements = shop.update(key()).change(|o| {
        (o.lines.at(0).set("l0"), o.lines.at(2).remove_element(), o.tags.delete(["new"]))
    });
    snapshot("update_elements", elements.returning_old().explain());
    snapshot("update_nothing", shop.update(key()).explain());
}

#[test]
fn fields_of_the_key_alone() {
    let at = chrono::DateTime::from_timestamp(1_800_000_000, 0).unwrap();
    let visit = Visit { visitor: "v#1".into(), at, page: "home".into() };
    let shop = shop();
    snapshot("put_key_only", shop.put(&visit).explain());
    let moved = shop.update(Visit::key("v#1", at)).change(|v| v.page.set("cart"));
    snapshot("update_key_only", moved.explain());
}

#[test]
fn conditions() {
    let shop = shop();
    let put = shop.put(&order()).condition(|o| {
        (o.total.in_([1, 2]) | !o.address.city.begins_with("G"), o.tags.contains("new"))
    });
    snapshot("put_with_condition", put.explain());
    let delete = shop.delete(Order::key("c1", "o1"));
    let delete = delete.condition(|o| o.note.is_some() & o.lines.size().le(3));
    snapshot("delete_with_condition", delete.returning_old().explain());
    let check = shop.check(Order::key("c1", "o1")).condition(|o| o.total.between(1, 9));
    snapshot("check_with_condition", check.explain());
    let query = shop.query(Order::by_status(Status::Pending).shard(3));
    let query = query.filter(|o| o.total.gt(5) & (o.note.exists() | o.region.is_none()));
    snapshot("query_with_filter", query.explain());
}

#[test]
fn guards() {
    let shop = shop();
    let mut user =
        User { id: "u1".into(), email: "ana@example.org".into(), name: "Ana".into(), version: 0 };
    snapshot("create_guarded", shop.create(&mut user).explain());
    user.version = 3;
    let rename = shop.update(&mut user).change(|u| u.name.set("Ana Ruiz"));
    snapshot("update_versioned", rename.explain());
    let mut user = User { version: 3, ..user };
    let moved = shop.update(&mut user).change(|u| u.email.set("ana@example.com"));
    snapshot("update_unique", moved.explain());
    let by_key = shop.update(User::key("u1")).change(|u| u.name.set("Ana Ruiz"));
    snapshot("update_versioned_by_key", by_key.explain());
    snapshot("delete_guarded", shop.delete(&user).explain());

    let session = Session { id: "s1".into(), until: Some(1_800_000_000) };
    snapshot("create_with_ttl", shop.create(&session).explain());
    let longer = shop.update(Session::key("s1")).change(|s| s.until.set(1_900_000_000));
    snapshot("update_with_ttl", longer.explain());
    snapshot("query_with_ttl", shop.query(Session::by_id("s1")).explain());
}

#[test]
fn guards_are_part_of_the_layout() {
    insta::assert_snapshot!("layout_guards", Shop::layout());
}

#[test]
fn upserts() {
    let shop = shop();
    let fresh = Counter { name: "hits".into(), hits: 0 };
    snapshot("upsert_one", shop.upsert(&fresh).change(|c| c.hits.add(1)).explain());
    let order = order();
    let two = shop.upsert(&order).change(|o| o.total.add(1));
    snapshot("upsert_two", two.explain());
}
