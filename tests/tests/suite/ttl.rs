use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aws_sdk_dynamodb::types::AttributeValue;
use monotable::op::Created;
use monotable::{Entity, Error, Item, ItemCollection, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{Bench, eventually, on_table};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", ttl = "expires_at", entities(Session, Ticket, Forever))]
#[gsi(by_device, pk = "GSI1PK", sk = "GSI1SK", projection = include("expires_at"))]
#[gsi(by_note, pk = "GSI2PK", projection = keys_only)]
#[lsi(by_rank, sk = "LSI1SK", projection = keys_only)]
struct App;

/// The TTL attribute is not the field.
// The lint takes the same words in two `index` attributes for one.
#[allow(clippy::duplicated_attributes)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "USER#<user>", sk = "SESSION#<id:4>", ttl = until)]
#[index(by_device, pk = "DEVICE#<device>", sk = "<id:4>", name = "by_device")]
#[index(by_note, pk = "NOTE#<user>#<id>", name = "by_note", allow(expired))]
#[index(by_rank, sk = "<id:4>", name = "by_rank", allow(expired))]
struct Session {
    user: String,
    id: u32,
    device: String,
    until: Option<SystemTime>,
    hits: u32,
}

/// The field is the TTL attribute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "USER#<user>", sk = "TICKET#<id:4>", ttl = expires_at)]
struct Ticket {
    user: String,
    id: u32,
    expires_at: i64,
}

/// An entity of the same table that does not expire, whatever it calls its fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "USER#<user>", sk = "FOREVER#<id:4>")]
struct Forever {
    user: String,
    id: u32,
    expires_at: Option<u32>,
}

#[derive(Debug, PartialEq, ItemCollection)]
#[collection(table = App, pk = "USER#<user>")]
struct User {
    sessions: Vec<Session>,
    tickets: Vec<Ticket>,
    forever: Vec<Forever>,
}

fn at(second: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(second)
}

fn session(id: u32, until: Option<u64>) -> Session {
    Session { user: "u".into(), id, device: "d".into(), until: until.map(at), hits: 0 }
}

fn ticket(id: u32, expires_at: i64) -> Ticket {
    Ticket { user: "u".into(), id, expires_at }
}

/// A second at which `session(_, Some(NOW))` is over, and one before.
const NOW: u64 = 1_900_000_000;

fn now(bench: &Bench<App>) -> Table<App> {
    bench.table.with_clock(|| at(NOW))
}

fn before(bench: &Bench<App>) -> Table<App> {
    bench.table.with_clock(|| at(NOW - 1))
}

async fn raw<E: Entity>(table: &Table<E::Table>, key: &monotable::Key<E>) -> Option<Item> {
    let get = table.client().get_item().table_name(table.name()).consistent_read(true);
    get.set_key(Some(key.to_item().unwrap())).send().await.unwrap().item
}

fn seconds(seconds: u64) -> Option<AttributeValue> {
    Some(AttributeValue::N(seconds.to_string()))
}

#[tokio::test]
async fn whole_seconds_are_written() {
    on_table::<App, _>("ttl-written", |bench| async move {
        let table = before(&bench);
        let half = at(NOW) + Duration::from_millis(999);
        let item = Session { until: Some(half), ..session(1, None) };
        table.put(&item).send().await.unwrap();
        let stored =
            async |id| raw(&table, &Session::key("u", id)).await.unwrap().remove("expires_at");
        assert_eq!(stored(1).await, seconds(NOW));
        // The field itself is stored as serde writes it, and comes back so.
        assert_eq!(table.get(&item).send().await.unwrap(), Some(item.clone()));

        table.create(&session(2, None)).send().await.unwrap();
        assert_eq!(stored(2).await, None);
        table
            .update(Session::key("u", 2))
            .change(|s| s.until.set(at(NOW + 5)))
            .send()
            .await
            .unwrap();
        assert_eq!(stored(2).await, seconds(NOW + 5));
        table.update(Session::key("u", 2)).change(|s| s.hits.add(1)).send().await.unwrap();
        assert_eq!(stored(2).await, seconds(NOW + 5));
        let mut read = table.get(Session::key("u", 2)).send().await.unwrap().unwrap();
        table.update(&mut read).change(|s| s.until.set(half)).send().await.unwrap();
        assert_eq!((read.until, stored(2).await), (Some(half), seconds(NOW)));
        table.update(Session::key("u", 2)).change(|s| s.until.remove()).send().await.unwrap();
        assert_eq!(stored(2).await, None);
        let longer = table.modify(Session::key("u", 2), |s| s.until = Some(at(NOW + 7)));
        longer.send().await.unwrap();
        assert_eq!(stored(2).await, seconds(NOW + 7));
        table.modify(Session::key("u", 2), |s| s.until = None).send().await.unwrap();
        assert_eq!(stored(2).await, None);
        table.upsert(&session(3, Some(NOW + 9))).change(|s| s.hits.add(1)).send().await.unwrap();
        assert_eq!(stored(3).await, seconds(NOW + 9));
        table.upsert(&session(3, None)).change(|s| s.until.set(at(NOW + 1))).send().await.unwrap();
        assert_eq!(stored(3).await, seconds(NOW + 1));
        table.batch_write().put(&session(4, Some(NOW))).send().await.unwrap();
        assert_eq!(stored(4).await, seconds(NOW));

        table.put(&ticket(1, 1_900_000_001)).send().await.unwrap();
        let stored = raw(&table, &Ticket::key("u", 1)).await.unwrap();
        assert_eq!(stored["expires_at"], AttributeValue::N("1900000001".into()));
        assert_eq!(stored.len(), 5);
        assert_eq!(
            table.get(Ticket::key("u", 1)).send().await.unwrap(),
            Some(ticket(1, 1_900_000_001))
        );
    })
    .await;
}

fn assert_refused(error: &Error, why: &str) {
    assert!(error.is_encode(), "{error}");
    assert!(error.to_string().contains(why), "{error}");
}

#[tokio::test]
async fn milliseconds_and_times_before_1970_are_refused() {
    on_table::<App, _>("ttl-refused", |bench| async move {
        let table = now(&bench);
        let far = session(1, Some(1_900_000_000_000));
        assert_refused(&table.put(&far).send().await.unwrap_err(), "`until`");
        assert_refused(&table.create(&far).send().await.unwrap_err(), "not in milliseconds");
        let milliseconds = ticket(1, 1_900_000_000_000);
        assert_refused(&table.put(&milliseconds).send().await.unwrap_err(), "not in milliseconds");
        let batch = table.batch_write().put(&milliseconds).send().await;
        assert_refused(&batch.unwrap_err(), "`expires_at`");
        assert_refused(&table.put(&ticket(1, -1)).send().await.unwrap_err(), "before 1970");
        let early =
            Session { until: Some(UNIX_EPOCH - Duration::from_millis(1)), ..session(1, None) };
        assert_refused(&table.put(&early).send().await.unwrap_err(), "`until`");
        let update =
            table.update(Session::key("u", 1)).change(|s| s.until.set(at(1_900_000_000_000)));
        assert_refused(&update.send().await.unwrap_err(), "not in milliseconds");
        let update =
            table.update(Ticket::key("u", 1)).change(|t| t.expires_at.set(1_900_000_000_000));
        assert_refused(&update.send().await.unwrap_err(), "not in milliseconds");
        assert!(bench.recorder.take().is_empty());
        table.put(&ticket(1, 99_999_999_999)).send().await.unwrap();
    })
    .await;
}

/// Sessions 1 and 2 and ticket 1 are over at `NOW`; session 3, ticket 2 and session 4 are not.
async fn fill(bench: &Bench<App>) {
    let table = before(bench);
    table.put(&session(1, Some(NOW))).send().await.unwrap();
    table.put(&session(2, Some(5))).send().await.unwrap();
    table.put(&session(3, Some(NOW + 1))).send().await.unwrap();
    table.put(&session(4, None)).send().await.unwrap();
    table.put(&ticket(1, i64::try_from(NOW).unwrap())).send().await.unwrap();
    table.put(&ticket(2, i64::try_from(NOW + 1).unwrap())).send().await.unwrap();
    let forever = Forever { user: "u".into(), id: 1, expires_at: Some(5) };
    table.put(&forever).send().await.unwrap();
    bench.recorder.take();
}

#[tokio::test]
async fn an_expired_item_counts_as_absent_when_it_is_read() {
    on_table::<App, _>("ttl-read", |bench| async move {
        fill(&bench).await;
        let table = now(&bench);
        let key = |id| Session::key("u", id);
        let mut there = Vec::new();
        for id in 1..=5 {
            let found = table.get(key(id)).consistent().send().await.unwrap().is_some();
            assert_eq!(table.exists(key(id)).consistent().send().await.unwrap(), found, "{id}");
            there.push(found);
        }
        assert_eq!(there, [false, false, true, true, false]);
        assert!(table.get(key(1)).include_expired().send().await.unwrap().is_some());
        assert!(before(&bench).get(key(1)).send().await.unwrap().is_some());
        assert!(before(&bench).exists(key(1)).send().await.unwrap());
        assert!(table.get(Ticket::key("u", 1)).send().await.unwrap().is_none());
        assert!(table.get(Ticket::key("u", 2)).send().await.unwrap().is_some());
        assert!(table.get(Forever::key("u", 1)).send().await.unwrap().is_some());

        let all = |keys: Vec<Option<Session>>| keys.iter().map(Option::is_some).collect::<Vec<_>>();
        let keys = || (1..=5).map(key).collect::<Vec<_>>();
        let found = table.batch_get(keys()).consistent().send().await.unwrap();
        assert_eq!(all(found), there);
        let found = table.batch_get(keys()).include_expired().send().await.unwrap();
        assert_eq!(all(found), [true, true, true, true, false]);
        let found = table.transact_get(keys()).send().await.unwrap();
        assert_eq!(all(found), there);
        let found = table.transact_get(keys()).include_expired().send().await.unwrap();
        assert_eq!(all(found), [true, true, true, true, false]);
        let mixed = (key(1), table.get(key(1)).include_expired(), before(&bench).get(key(2)));
        // One item twice is refused, so the first goes alone.
        assert!(table.transact_get(mixed).send().await.is_err());
        let mixed = (
            table.get(key(1)).include_expired(),
            key(2),
            Forever::key("u", 1),
            Ticket::key("u", 1),
            before(&bench).get(Ticket::key("u", 2)),
        );
        let (one, two, forever, first, second) = table.transact_get(mixed).send().await.unwrap();
        assert!(one.is_some() && two.is_none() && forever.is_some());
        assert!(first.is_none() && second.is_some());
    })
    .await;
}

fn ids(sessions: &[Session]) -> Vec<u32> {
    sessions.iter().map(|session| session.id).collect()
}

#[tokio::test]
async fn a_query_and_a_collection_leave_expired_items_out() {
    on_table::<App, _>("ttl-query", |bench| async move {
        fill(&bench).await;
        let table = now(&bench);
        let query = || table.query(Session::by_user("u")).consistent();
        assert_eq!(ids(&query().all().await.unwrap()), [3, 4]);
        assert_eq!(ids(&query().send().await.unwrap()), [3, 4]);
        assert_eq!(query().first().await.unwrap().unwrap().id, 3);
        assert_eq!(query().count().await.unwrap(), 2);
        assert_eq!(query().keys().all().await.unwrap().len(), 2);
        assert_eq!(ids(&query().limit(1).descending().all().await.unwrap()), [4]);
        let filtered = query().filter(|s| s.until.is_some() | s.hits.gt(0));
        assert_eq!(ids(&filtered.all().await.unwrap()), [3]);
        assert_eq!(ids(&query().include_expired().all().await.unwrap()), [1, 2, 3, 4]);
        assert_eq!(query().include_expired().count().await.unwrap(), 4);
        let early = before(&bench).query(Session::by_user("u")).consistent();
        assert_eq!(ids(&early.all().await.unwrap()), [1, 3, 4]);
        assert_eq!(table.query(Ticket::by_user("u")).consistent().all().await.unwrap().len(), 1);
        assert_eq!(table.query(Forever::by_user("u")).consistent().all().await.unwrap().len(), 1);

        eventually(vec![Session::key("u", 3), Session::key("u", 4)], || async {
            table.query(Session::by_device("d")).keys().all().await.unwrap()
        })
        .await;
        // An index that does not have the attribute, which is allowed here.
        eventually(1, || async {
            table.query(Session::by_note("u", 1)).keys().all().await.unwrap().len()
        })
        .await;
        // A local index reads it from the table.
        if tests::engine::local_indexes_fetch() {
            let local = table.query(Session::by_rank("u")).consistent();
            assert_eq!(ids(&local.all().await.unwrap()), [3, 4]);
        }

        let user = || table.collection(User::by_user("u")).consistent();
        let found = user().send().await.unwrap().unwrap();
        assert_eq!(
            (ids(&found.sessions), found.tickets.len(), found.forever.len()),
            (vec![3, 4], 1, 1)
        );
        let found = user().include_expired().send().await.unwrap().unwrap();
        assert_eq!((found.sessions.len(), found.tickets.len(), found.forever.len()), (4, 2, 1));
        assert_eq!(table.delete_all(Session::by_user("u")).send().await.unwrap(), 4);
    })
    .await;
}

#[tokio::test]
async fn a_write_does_not_see_an_expired_item() {
    on_table::<App, _>("ttl-write", |bench| async move {
        fill(&bench).await;
        let table = now(&bench);
        let key = || Session::key("u", 1);
        let missing = [
            table.update(key()).change(|s| s.hits.add(1)).send().await.unwrap_err(),
            table.update(key()).send().await.unwrap_err(),
            table
                .update(&session(1, Some(NOW)))
                .change(|s| s.device.set("e"))
                .send()
                .await
                .unwrap_err(),
            table.check(key()).send().await.unwrap_err(),
            table.modify(key(), |s| s.hits += 1).send().await.unwrap_err(),
            table
                .transact()
                .add(table.update(key()).change(|s| s.hits.add(1)))
                .send()
                .await
                .unwrap_err(),
        ];
        for (at, error) in missing.into_iter().enumerate() {
            assert!(error.is_item_missing() && !error.is_conflict(), "{at}: {error}");
            assert!(error.to_string().contains("expired"), "{at}: {error}");
        }
        // A condition that does not hold says so while the item is alive.
        let failed = before(&bench).update(key()).condition(|s| s.hits.gt(0)).send().await;
        let failed = failed.unwrap_err();
        assert!(failed.is_condition_failed() && !failed.is_item_missing(), "{failed}");
        before(&bench).check(key()).send().await.unwrap();

        let error = before(&bench).create(&session(1, None)).send().await.unwrap_err();
        assert!(error.is_condition_failed());
        let found = before(&bench).create(&session(1, None)).or_existing().send().await.unwrap();
        assert_eq!(found, Created::Exists(session(1, Some(NOW))));
        table.create(&session(1, Some(NOW + 9))).send().await.unwrap();
        let found = table.create(&session(1, None)).or_existing().send().await.unwrap();
        assert_eq!(found, Created::Exists(session(1, Some(NOW + 9))));
        let created = table.create(&session(2, Some(NOW + 9))).or_existing().send().await.unwrap();
        assert_eq!(created, Created::Created);

        // Session 1 is over once more.
        let table = bench.table.with_clock(|| at(NOW + 20));
        let fresh = || Session { hits: 10, ..session(1, Some(NOW + 99)) };
        table.upsert(&fresh()).change(|s| s.hits.add(1)).send().await.unwrap();
        assert_eq!(table.get(key()).send().await.unwrap().unwrap().hits, 11);
        table.upsert(&fresh()).change(|s| s.hits.add(1)).send().await.unwrap();
        assert_eq!(table.get(key()).send().await.unwrap().unwrap().hits, 12);
        let transaction = table.transact().add(table.create(&session(2, None)));
        transaction.add(table.delete(Session::key("u", 3))).send().await.unwrap();
        table.put(&session(2, Some(1))).condition(|s| s.hits.eq(0)).send().await.unwrap();
        assert!(table.get(Session::key("u", 2)).send().await.unwrap().is_none());
        table.delete(&session(2, Some(1))).send().await.unwrap();
        assert!(raw(&table, &Session::key("u", 2)).await.is_none());
    })
    .await;
}

#[tokio::test]
async fn a_value_that_is_no_number_does_not_expire() {
    if !tests::engine::compares_types() {
        return;
    }
    on_table::<App, _>("ttl-odd", |bench| async move {
        let table = now(&bench);
        for odd in [AttributeValue::S("1".into()), AttributeValue::Null(true)] {
            let mut item = session(1, None).to_item().unwrap();
            item.insert("expires_at".into(), odd);
            let put = table.client().put_item().table_name(table.name());
            put.set_item(Some(item)).send().await.unwrap();
            assert!(table.get(Session::key("u", 1)).send().await.unwrap().is_some());
            let query = table.query(Session::by_user("u")).consistent();
            assert_eq!(query.count().await.unwrap(), 1);
            table.update(Session::key("u", 1)).change(|s| s.hits.add(1)).send().await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn the_clock_is_the_machines_unless_given() {
    on_table::<App, _>("ttl-clock", |bench| async move {
        let table = &bench.table;
        let hour = Duration::from_secs(3600);
        let until = |time| Session { until: Some(time), ..session(1, None) };
        table.put(&until(SystemTime::now() - hour)).send().await.unwrap();
        assert!(table.get(Session::key("u", 1)).send().await.unwrap().is_none());
        table.put(&until(SystemTime::now() + hour)).send().await.unwrap();
        assert!(table.get(Session::key("u", 1)).send().await.unwrap().is_some());
    })
    .await;
}
