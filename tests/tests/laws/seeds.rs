//! The cases from the field that are about keys, C01 to C10, C13 and C18, each with the exact right
//! answer.

use chrono::{DateTime, FixedOffset, NaiveDate, Utc};
use monotable::testing::{Backend, local_client};
use monotable::{Entity, Error, IntoPattern, Table};
use serde::{Deserialize, Serialize};

use crate::condition::Condition;

#[derive(Table)]
#[table(
    pk = "PK",
    sk = "SK",
    entities(Login, User, Username, Order, OrderLine, Payment, Event, Task, Message)
)]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Seeds;

/// C01
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Seeds, pk = "T#<tenant>#U#<user>", sk = "LOGIN#<device>")]
struct Login {
    tenant: String,
    user: String,
    device: String,
}

/// C02
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Seeds, pk = "SITE#<site>", sk = "tempuser#<id>")]
struct User {
    site: String,
    id: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Seeds, pk = "SITE#<site>", sk = "tempusername#<id>")]
struct Username {
    site: String,
    id: String,
}

/// C03, C05
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Seeds, pk = "CUST#<customer>", sk = "ORDER#<date>#<id>")]
struct Order {
    customer: String,
    date: NaiveDate,
    id: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Seeds, pk = "CUST#<customer>", sk = "ORDERLINE#<line:3>")]
struct OrderLine {
    customer: String,
    line: u16,
}

/// C04
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Seeds, pk = "ACCOUNT#<account>", sk = "AMOUNT#<amount:19>")]
struct Payment {
    account: String,
    amount: i64,
}

/// C06, C10
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Seeds, pk = "DEVICE#<device>", sk = "EVENT#<at:ms>")]
struct Event {
    device: String,
    at: DateTime<FixedOffset>,
}

/// C13
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Seeds, pk = "TASK#<task>", sk = "TASK")]
#[index(gsi1, pk = "CODE#<code>", sk = "TASK#<task>")]
struct Task {
    task: String,
    code: Option<String>,
}

/// C18
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Seeds, pk = "MESSAGE#<id>", sk = "MESSAGE")]
#[index(gsi1, pk = "STREAM#<stream>#<shard>", sk = "<at:ns>#<id>", shard(by = id, count = 4))]
struct Message {
    id: String,
    stream: String,
    at: DateTime<Utc>,
}

fn table() -> Table<Seeds> {
    Seeds::table(local_client("http://localhost:1").unwrap(), "seeds")
}

fn sent<P>(pattern: P) -> Condition
where
    P: IntoPattern<Entity: Entity<Table = Seeds>>,
{
    Condition::of(table().query(pattern).explain()).unwrap().unwrap()
}

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn at(text: &str) -> DateTime<FixedOffset> {
    DateTime::parse_from_rfc3339(text).unwrap()
}

fn event(text: &str) -> Event {
    Event { device: "d".into(), at: at(text) }
}

fn sort_key<E: Entity>(entity: &E) -> String {
    entity.key().sort_key().unwrap()
}

#[test]
fn c01_delimiters_in_values_collide() {
    let (one, two) = (Login::key("x#U#y", "z", "d"), Login::key("x", "y#U#z", "d"));
    assert_eq!(one.partition_key().unwrap(), "T#x%23U%23y#U#z");
    assert_eq!(two.partition_key().unwrap(), "T#x#U#y%23U%23z");
    assert_ne!(one, two);
    // The two halves of a key are compared separately.
    let (one, two) = (Login::raw_key("A#", "B"), Login::raw_key("A", "#B"));
    assert_ne!(one, two);
    assert_eq!(one.to_item().unwrap()["PK"].as_s().unwrap(), "A#");
    assert_eq!(two.to_item().unwrap()["SK"].as_s().unwrap(), "#B");
}

#[test]
fn c02_begins_with_catches_a_sibling() {
    let (user, username) =
        (User { site: "s".into(), id: "1".into() }, Username { site: "s".into(), id: "1".into() });
    let (users, usernames) = (sent(User::by_site("s")), sent(Username::by_site("s")));
    assert!(
        users.takes("SITE#s", &sort_key(&user)) && usernames.takes("SITE#s", &sort_key(&username))
    );
    assert!(!users.takes("SITE#s", &sort_key(&username)));
    assert!(!usernames.takes("SITE#s", &sort_key(&user)));
    let orders = sent(Order::by_customer("c"));
    let line = OrderLine { customer: "c".into(), line: 7 };
    assert!(!orders.takes("CUST#c", &sort_key(&line)));
}

#[test]
fn c03_an_open_range_leaves_the_entity() {
    let from = sent(Order::by_customer("c").date_range(date("2026-01-01")..));
    let to = sent(Order::by_customer("c").date_range(..=date("2026-01-01")));
    let order = |day| sort_key(&Order { customer: "c".into(), date: date(day), id: "1".into() });
    assert!(
        from.takes("CUST#c", &order("2026-01-01")) && from.takes("CUST#c", &order("9999-12-31"))
    );
    assert!(to.takes("CUST#c", &order("2026-01-01")) && to.takes("CUST#c", &order("0000-01-01")));
    assert!(
        !from.takes("CUST#c", &order("2025-12-31")) && !to.takes("CUST#c", &order("2026-01-02"))
    );
    for other in ["AUTHOR#1", "ORDERLINE#007", "ORDER$", "ORDER$x", "POST#1", "ORDER\"x", "PROFILE"]
    {
        assert!(!from.takes("CUST#c", other) && !to.takes("CUST#c", other), "{other}");
    }
}

#[test]
fn c04_numbers_sort_as_text() {
    let payment = |amount| sort_key(&Payment { account: "a".into(), amount });
    let range = sent(Payment::by_account("a").amount_range(1..=275));
    let stored = [50, 100, 200, 1000, -2, -10, 0, 275, 276];
    let found: Vec<i64> =
        stored.into_iter().filter(|amount| range.takes("ACCOUNT#a", &payment(*amount))).collect();
    assert_eq!(found, [50, 100, 200, 275]);
    assert!(payment(-10) < payment(-2) && payment(-2) < payment(0) && payment(0) < payment(1));
    // 19 digits hold every i64.
    assert!(payment(i64::MIN) < payment(i64::MIN + 1) && payment(-1) < payment(0));
    assert!(payment(i64::MAX - 1) < payment(i64::MAX));
    let wide = OrderLine { customer: "c".into(), line: 1000 };
    let error = wide.key().sort_key().unwrap_err();
    assert!(error.is_invalid_key() && error.to_string().contains("`line`"), "{error}");
}

#[test]
fn c05_a_range_loses_its_last_day() {
    let range = Order::by_customer("c").date_range(date("2023-06-01")..=date("2023-08-01"));
    let range = sent(range);
    let order =
        |day, id: &str| sort_key(&Order { customer: "c".into(), date: date(day), id: id.into() });
    for id in ["1", "00001", "~", "\u{10ffff}", "#", "\0"] {
        assert!(range.takes("CUST#c", &order("2023-08-01", id)), "{id:?}");
        assert!(range.takes("CUST#c", &order("2023-06-01", id)), "{id:?}");
        assert!(!range.takes("CUST#c", &order("2023-08-02", id)), "{id:?}");
        assert!(!range.takes("CUST#c", &order("2023-05-31", id)), "{id:?}");
    }
    let before = sent(Order::by_customer("c").date_range(..date("2023-08-01")));
    assert!(before.takes("CUST#c", &order("2023-07-31", "\u{10ffff}")));
    assert!(!before.takes("CUST#c", &order("2023-08-01", "\0")));
}

#[test]
fn c06_fractions_have_a_varying_width() {
    let times = ["2020-01-01T10:00:28.991Z", "2020-01-01T10:00:29Z", "2020-01-01T10:00:29.017Z"];
    let keys = times.map(|time| sort_key(&event(time)));
    assert_eq!(keys[1], "EVENT#2020-01-01T10:00:29.000Z");
    assert!(keys.is_sorted());
    assert_eq!(sort_key(&event("2020-01-01T15:00:29+05:00")), keys[1]);
}

#[test]
fn c07_empty_text_in_a_key() {
    fn refused<E: std::fmt::Debug>(result: Result<E, Error>, field: &str) {
        let error = result.unwrap_err();
        assert!(error.is_invalid_key(), "{error}");
        assert!(error.to_string().contains(&format!("`{field}`")), "{error}");
    }
    refused(User::key("", "1").partition_key(), "site");
    refused(User::key("s", "").sort_key(), "id");
    refused(table().get(User::key("s", "")).explain(), "id");
    let task = Task { task: "t".into(), code: Some(String::new()) };
    refused(table().put(&task).explain(), "code");
    let message = Message { id: "1".into(), stream: String::new(), at: DateTime::UNIX_EPOCH };
    refused(message.to_item(), "stream");
    refused(table().query(User::by_site("")).explain(), "site");
}

#[test]
fn c08_key_sizes_are_limited() {
    // `SITE#` and `tempuser#` count too, and so does what encoding adds.
    let (site, id) = ("s".repeat(2048 - 5), "i".repeat(1024 - 9));
    assert_eq!(User::key(&site, &id).partition_key().unwrap().len(), 2048);
    assert_eq!(User::key(&site, &id).sort_key().unwrap().len(), 1024);
    let refused = |site: &str, id: &str| {
        let user = User { site: site.into(), id: id.into() };
        let error = user.key().sort_key().unwrap_err();
        assert!(error.is_invalid_key(), "{error}");
        for explained in [
            table().put(&user).explain(),
            table().create(&user).explain(),
            table().get(user.key()).explain(),
            table().delete(user.key()).explain(),
            table().query(User::by_site(site).id(id)).explain(),
        ] {
            assert!(explained.unwrap_err().is_invalid_key());
        }
    };
    refused(&(site.clone() + "s"), "i");
    refused("s", &(id.clone() + "i"));
    refused("s", &(id[1..].to_owned() + "é"));
    refused("s", &(id[2..].to_owned() + "#"));
    User::key("s", id[2..].to_owned() + "é").sort_key().unwrap();
    // The same limits for index keys.
    let task = |code: usize, task: usize| {
        Task { task: "t".repeat(task), code: Some("c".repeat(code)) }.to_item()
    };
    assert_eq!(task(2043, 1019).unwrap()["GSI1SK"].as_s().unwrap().len(), 1024);
    assert!(task(2044, 1019).unwrap_err().is_invalid_key());
    assert!(task(2043, 1020).unwrap_err().is_invalid_key());
}

#[test]
fn c09_a_template_is_stored_half_rendered() {
    let message = Message { id: "<id>".into(), stream: "<shard>".into(), at: DateTime::UNIX_EPOCH };
    let item = message.to_item().unwrap();
    let shard = monotable::shard::shard_of(&["<id>"], 4);
    let stored = |name: &str| item[name].as_s().unwrap().clone();
    assert_eq!(stored("GSI1PK"), format!("STREAM#<shard>#{shard}"));
    assert_eq!(stored("GSI1SK"), "1970-01-01T00:00:00.000000000Z#<id>");
    assert_eq!(stored("PK"), "MESSAGE#<id>");
}

#[test]
fn c10_times_in_several_zones() {
    let range = at("2020-01-01T06:00:00Z")..at("2020-01-01T08:00:00Z");
    let range = sent(Event::by_device("d").at_range(range));
    assert!(range.takes("DEVICE#d", &sort_key(&event("2020-01-01T12:00:00+05:00"))));
    assert!(!range.takes("DEVICE#d", &sort_key(&event("2020-01-01T08:00:00+05:00"))));
    assert!(!range.takes("DEVICE#d", &sort_key(&event("2020-01-01T08:00:00Z"))));
    // The bounds may stand in another zone as well.
    let zoned = at("2020-01-01T11:00:00+05:00")..at("2020-01-01T03:00:00-05:00");
    let zoned = sent(Event::by_device("d").at_range(zoned));
    assert!(zoned.takes("DEVICE#d", &sort_key(&event("2020-01-01T07:59:59.999Z"))));
    assert!(!zoned.takes("DEVICE#d", &sort_key(&event("2020-01-01T08:00:00Z"))));
    let (early, late) = (event("2020-01-01T01:00:00+01:00"), event("2020-01-01T00:30:00Z"));
    assert!(sort_key(&early) < sort_key(&late));
    assert_eq!(sort_key(&event("2020-01-01T00:00:00Z")), sort_key(&early));
}

#[test]
fn c13_a_sparse_index_key_is_not_half_filled() {
    let without = Task { task: "t".into(), code: None }.to_item().unwrap();
    assert!(!without.contains_key("GSI1PK"), "{without:?}");
    let with = Task { task: "t".into(), code: Some("c".into()) }.to_item().unwrap();
    assert_eq!(with["GSI1PK"].as_s().unwrap(), "CODE#c");
    assert_eq!(with["GSI1SK"].as_s().unwrap(), "TASK#t");
    assert!(
        with.values().chain(without.values()).all(|value| value.as_s() != Ok(&"CODE#".to_owned()))
    );
}

#[tokio::test]
async fn c13_an_item_without_the_value_is_not_in_the_index() {
    let backend = Backend::start().await.unwrap();
    let table = backend.table::<Seeds>("seeds").await.unwrap();
    let task =
        |task: &str, code: Option<&str>| Task { task: task.into(), code: code.map(Into::into) };
    for task in [task("1", Some("c")), task("2", None)] {
        table.put(&task).send().await.unwrap();
    }
    let found = table.query(Task::by_code("c")).all().await.unwrap();
    assert_eq!(found, [task("1", Some("c"))]);
    table.put(&task("1", None)).send().await.unwrap();
    assert_eq!(table.query(Task::by_code("c")).all().await.unwrap(), []);
    backend.close().await.unwrap();
}

#[tokio::test]
async fn c18_a_sharded_index_is_read_in_order() {
    let backend = Backend::start().await.unwrap();
    let table = backend.table::<Seeds>("seeds").await.unwrap();
    let message = |number: i64| Message {
        id: format!("m{}", (number * 7) % 41),
        stream: "s".into(),
        at: DateTime::from_timestamp(1_700_000_000 + number, 0).unwrap(),
    };
    let messages: Vec<_> = (0..40).map(message).collect();
    for message in messages.iter().rev() {
        table.put(message).send().await.unwrap();
    }
    let pattern = || Message::by_stream("s");
    assert_eq!(table.query(pattern()).explain().unwrap().requests().len(), 4);
    assert_eq!(table.query(pattern()).all().await.unwrap(), messages);
    for limit in [1, 2, 7, 39, 40, 41] {
        let page = table.query(pattern()).limit(limit).send().await.unwrap();
        let page: Vec<_> = page.into_iter().collect();
        assert_eq!(page, messages[..limit.min(40)], "limit {limit}");
    }
    let mut latest = table.query(pattern()).descending().limit(3).all().await.unwrap();
    latest.reverse();
    assert_eq!(latest, messages[37..]);
    assert_eq!(table.query(pattern()).count().await.unwrap(), 40);
    // One id stays in one shard.
    let mut shards = Vec::new();
    for shard in 0..4 {
        let found = table.query(pattern().shard(shard)).all().await.unwrap();
        for message in &found {
            assert_eq!(monotable::shard::shard_of(&[&message.id], 4), shard);
        }
        shards.push(found.len());
    }
    assert_eq!(shards.iter().sum::<usize>(), 40);
    backend.close().await.unwrap();
}

/// A bound may be longer than any key: it clamps to what a key can hold.
#[tokio::test]
async fn c08_bounds_longer_than_any_key() {
    use std::ops::Bound::{Excluded, Included, Unbounded};

    let backend = Backend::start().await.unwrap();
    let table = backend.table::<Seeds>("seeds").await.unwrap();
    // With `tempuser#` in front, 1015 bytes fit.
    let text = |tail: &str, size: usize| "a".repeat(size - tail.len()) + tail;
    let tails = ["", "b", "é", "aé", "日", "\0", "\u{7f}", "\u{10ffff}"];
    let texts = |sizes: std::ops::RangeInclusive<usize>| -> Vec<String> {
        sizes.flat_map(|size| tails.map(|tail| text(tail, size))).collect()
    };
    let mut stored = texts(1012..=1015);
    stored.sort();
    stored.dedup();
    for id in &stored {
        table.put(&User { site: "s".into(), id: id.clone() }).send().await.unwrap();
    }
    table.put(&Username { site: "s".into(), id: "1".into() }).send().await.unwrap();
    for bound in texts(1013..=1018) {
        for (low, high) in [
            (Included(&bound), Unbounded),
            (Excluded(&bound), Unbounded),
            (Unbounded, Included(&bound)),
            (Unbounded, Excluded(&bound)),
        ] {
            let range = (low.cloned(), high.cloned());
            let inside = |id: &&String| std::ops::RangeBounds::<String>::contains(&range, *id);
            let wanted: Vec<_> = stored.iter().filter(inside).collect();
            let query = table.query(User::by_site("s").id_range(range.clone()));
            let shown = query.explain().unwrap().to_string();
            let found = query.all().await.unwrap();
            assert!(found.iter().map(|user| &user.id).eq(wanted), "{shown}");
        }
    }
    backend.close().await.unwrap();
}
