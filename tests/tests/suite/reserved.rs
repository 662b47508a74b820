use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use monotable::{Document, Entity, ItemCollection, Set, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{eventually, on_table};

/// Every attribute of this table is a reserved word:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ReservedWords.html>.
#[derive(Debug, Table)]
#[table(pk = "KEY", sk = "RANGE", type_attribute = "type", ttl = "ttl", entities(Word))]
#[gsi(by_user, pk = "HASH", sk = "INDEX")]
#[lsi(by_rank, sk = ("rank", N))]
struct Words;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Words, pk = "N#<name>", sk = "W#<order:4>", version = counter, ttl = time, null(null),
         attributes("class" = "noun"))]
#[index(by_user, pk = "U#<user>#<status>", sk = "<order:4>", name = "by_user")]
#[index(by_rank, sk = "<rank>", name = "by_rank")]
struct Word {
    name: String,
    order: u16,
    user: String,
    status: String,
    rank: u32,
    counter: u32,
    time: Option<SystemTime>,
    size: u32,
    list: Vec<u32>,
    set: Set<String>,
    values: BTreeMap<String, u32>,
    null: Option<String>,
    language: Option<String>,
    object: Scope,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Document)]
struct Scope {
    begin: u32,
    end: u32,
}

#[derive(Debug, PartialEq, ItemCollection)]
#[collection(table = Words, pk = "N#<name>")]
struct Page {
    words: Vec<Word>,
}

fn word(order: u16) -> Word {
    Word {
        name: "select".into(),
        order,
        user: "u".into(),
        status: "open".into(),
        rank: 7,
        counter: 0,
        time: None,
        size: 1,
        list: vec![1],
        set: Set::new(),
        values: BTreeMap::new(),
        null: None,
        language: None,
        object: Scope { begin: 1, end: 9 },
    }
}

/// That no name is written out is checked on every request of the suite.
#[tokio::test]
async fn every_kind_of_expression() {
    on_table::<Words, _>("reserved", |bench| async move {
        let table = bench.table.with_clock(|| UNIX_EPOCH + Duration::from_secs(1_000));
        let key = || Word::key("select", 1);
        let mut first = word(1);
        first.time = Some(UNIX_EPOCH + Duration::from_secs(2_000));
        table.create(&mut first).send().await.unwrap();
        table.put(&mut word(2)).condition(|w| w.size.missing()).send().await.unwrap();

        table
            .update(key())
            .change(|w| (w.size.add(2), w.list.append([2]), w.set.insert(["a"]), w.null.set("x")))
            .change(|w| (w.language.set_if_missing("en"), w.object.end.set(5)))
            .change(|w| (w.values.entry("group").set(3), w.object.begin.subtract(1)))
            .condition(|w| w.object.end.gt(8) & w.list.size().eq(1) & w.null.is_none())
            .send()
            .await
            .unwrap();
        let by_key = table.update(key()).change(|w| w.user_and_status.set("v", "done"));
        by_key.change(|w| w.set.delete(["a"])).send().await.unwrap();
        let mut read = table.get(key()).consistent().send().await.unwrap().unwrap();
        let update = table.update(&mut read).change(|w| (w.status.set("shut"), w.rank.set(9)));
        update.change(|w| w.language.remove()).send().await.unwrap();
        let modified = table.modify(key(), |word: &mut Word| word.size += 1).send().await.unwrap();
        let expected = Word {
            user: "v".into(),
            status: "shut".into(),
            rank: 9,
            counter: 5,
            size: 4,
            list: vec![1, 2],
            values: BTreeMap::from([("group".into(), 3)]),
            null: Some("x".into()),
            object: Scope { begin: 0, end: 5 },
            ..first.clone()
        };
        assert_eq!(modified, expected);
        assert_eq!(table.get(key()).send().await.unwrap(), Some(expected.clone()));
        table.upsert(&word(3)).change(|w| w.size.add(4)).send().await.unwrap();
        table.upsert(&word(3)).change(|w| w.size.add(4)).send().await.unwrap();

        let query = || table.query(Word::by_name("select").order_range(0..=2)).consistent();
        let found = query().filter(|w| w.rank.gt(8) & w.size.ge(4)).all().await.unwrap();
        assert_eq!(found, std::slice::from_ref(&expected));
        assert_eq!(query().filter(|w| w.user.eq("u")).keys().all().await.unwrap().len(), 1);
        let ranked = table.query(Word::by_rank("select").rank_range(8..)).filter(|w| w.size.gt(0));
        assert_eq!(ranked.consistent().all().await.unwrap().len(), 1);
        eventually(1, || async {
            table.query(Word::by_user("v", "shut")).filter(|w| w.size.gt(0)).count().await.unwrap()
        })
        .await;
        let page = table.collection(Page::by_name("select")).consistent();
        let page = page.filter::<Word, _>(|w| w.set.missing() & w.size.gt(4)).send().await.unwrap();
        assert_eq!(page.unwrap().words[0].order, 3);
        let scan = table.full_scan().consistent().filter::<Word, _>(|w| w.object.end.lt(9));
        assert_eq!(scan.all_of::<Word>().await.unwrap().len(), 1);
        assert!(table.exists(key()).consistent().send().await.unwrap());
        table.check(key()).condition(|w| w.counter.eq(5)).send().await.unwrap();

        let mut second =
            table.get(Word::key("select", 2)).consistent().send().await.unwrap().unwrap();
        table
            .transact()
            .add(table.update(key()).change(|w| w.size.set(1)).condition(|w| w.size.eq(4)))
            .add(table.put(&mut second).condition(|w| w.counter.eq(1)))
            .add(table.delete(Word::key("select", 3)).condition(|w| w.object.exists()))
            .send()
            .await
            .unwrap();
        let deleted = table.delete(&second).condition(|w| w.user.eq("u")).returning_old();
        assert_eq!(deleted.send().await.unwrap(), Some(second));
        assert_eq!(table.delete_all(Word::by_name("select")).send().await.unwrap(), 1);
    })
    .await;
}
