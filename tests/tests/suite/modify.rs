use std::cell::Cell;
use std::collections::BTreeMap;
use std::error::Error as _;

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::future::join_all;
use monotable::{Entity, Item, Set, Table};
use serde::{Deserialize, Serialize};
use tests::bench::on_table;

#[derive(Debug, Table)]
#[table(pk = "PK", type_attribute = "_et", entities(Account))]
#[gsi(by_owner, pk = "GSI1PK")]
struct Bank;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Bank, pk = "ACCOUNT#<id>", null(nick), attributes("v" = "1"))]
#[index(by_owner, pk = "OWNER#<owner>")]
struct Account {
    id: u32,
    owner: Option<String>,
    balance: i64,
    rate: f64,
    nick: Option<String>,
    note: Option<String>,
    tags: Set<u32>,
    #[serde(flatten)]
    rest: BTreeMap<String, String>,
}

fn account() -> Account {
    Account {
        id: 1,
        owner: Some("ana".into()),
        balance: 10,
        rate: 0.5,
        nick: None,
        note: None,
        tags: [2, 1].into_iter().collect(),
        rest: BTreeMap::from([("color".into(), "red".into())]),
    }
}

fn key() -> monotable::Key<Account> {
    Account::key(1)
}

async fn put_raw(table: &Table<Bank>, change: impl FnOnce(&mut Item)) {
    let mut item = account().to_item().unwrap();
    change(&mut item);
    let put = table.client().put_item().table_name(table.name());
    put.set_item(Some(item)).send().await.unwrap();
}

async fn raw(table: &Table<Bank>) -> Item {
    let get = table.client().get_item().table_name(table.name()).consistent_read(true);
    get.set_key(Some(key().to_item().unwrap())).send().await.unwrap().item.unwrap()
}

#[tokio::test]
async fn the_difference_is_written_and_the_rest_survives() {
    on_table::<Bank, _>("modify", |bench| async move {
        let table = &bench.table;
        let newer = AttributeValue::S("z".into());
        put_raw(table, |item| drop(item.insert("newer".into(), newer.clone()))).await;
        bench.recorder.take();
        let modify = table.modify(key(), |account: &mut Account| {
            account.balance -= 3;
            account.owner = None;
            account.note = Some("x".into());
            account.tags.insert(3);
            account.rest.insert("size".into(), "xl".into());
        });
        let modified = modify.send().await.unwrap();
        let sent = bench.recorder.take();
        assert_eq!(sent.len(), 2);
        assert_eq!(
            (&*sent[0].operation, &sent[0].body["ConsistentRead"]),
            ("GetItem", &true.into())
        );
        assert_eq!(sent[1].operation, "UpdateItem");
        let names: BTreeMap<String, String> =
            serde_json::from_value(sent[1].body["ExpressionAttributeNames"].clone()).unwrap();
        let text = sent[1].body["UpdateExpression"].as_str().unwrap();
        let mut changed: Vec<_> = names
            .iter()
            .filter(|(alias, _)| text.split([' ', ',']).any(|word| word == **alias))
            .map(|(_, name)| name.as_str())
            .collect();
        changed.sort_unstable();
        assert_eq!(changed, ["GSI1PK", "balance", "note", "owner", "size", "tags"]);

        let mut expected = modified.to_item().unwrap();
        expected.insert("newer".into(), newer);
        let stored = raw(table).await;
        assert_eq!(stored.len(), expected.len());
        assert_eq!(Account::from_item(stored).unwrap(), Account::from_item(expected).unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_closure_that_changes_nothing_writes_nothing() {
    on_table::<Bank, _>("modify-nothing", |bench| async move {
        let table = &bench.table;
        table.put(&account()).send().await.unwrap();
        bench.recorder.take();
        let same = table.modify(key(), |_| ()).send().await.unwrap();
        assert_eq!(same, account());
        let same = table.modify(key(), |account| account.balance += 0).send().await.unwrap();
        assert_eq!(same, account());
        assert_eq!(bench.recorder.operations(), ["GetItem", "GetItem"]);
    })
    .await;
}

#[tokio::test]
async fn what_other_programs_stored_otherwise_is_no_conflict() {
    on_table::<Bank, _>("modify-forms", |bench| async move {
        let table = &bench.table;
        put_raw(table, |item| {
            item.insert("note".into(), AttributeValue::Null(true));
            item.insert("tags".into(), AttributeValue::Ns(vec!["2".into(), "1".into()]));
            item.insert("balance".into(), AttributeValue::N("10".into()));
            item.insert("rate".into(), AttributeValue::N("5e-1".into()));
            item.remove("nick");
        })
        .await;
        let modified = table.modify(key(), |account| account.balance += 1).send().await.unwrap();
        assert_eq!(modified, Account { balance: 11, ..account() });
        // What did not change is as the others stored it.
        let stored = raw(table).await;
        assert_eq!(stored["note"], AttributeValue::Null(true));
        assert!(!stored.contains_key("nick"));
        let modify = table.modify(key(), |account| {
            (account.note, account.nick) = (Some("x".into()), Some("y".into()));
        });
        modify.send().await.unwrap();
        let modify = table.modify(key(), |account| (account.note, account.nick) = (None, None));
        modify.send().await.unwrap();
        let stored = raw(table).await;
        assert!(!stored.contains_key("note"));
        assert_eq!(stored["nick"], AttributeValue::Null(true));

        // An index key that another program left behind is put right with the next change.
        put_raw(table, |item| {
            item.insert("GSI1PK".into(), AttributeValue::S("OWNER#ben".into()));
        })
        .await;
        table.modify(key(), |account| account.balance = 0).send().await.unwrap();
        assert_eq!(raw(table).await["GSI1PK"], AttributeValue::S("OWNER#ana".into()));
    })
    .await;
}

#[tokio::test]
async fn every_one_of_several_writers_counts() {
    if !tests::engine::is_atomic() {
        return;
    }
    on_table::<Bank, _>("modify-writers", |bench| async move {
        let table = &bench.table;
        table.put(&account()).send().await.unwrap();
        let calls = Cell::new(0);
        let writers = (0..5).map(|_| {
            let calls = &calls;
            let modify = table.modify(key(), move |account: &mut Account| {
                calls.set(calls.get() + 1);
                account.balance += 1;
            });
            modify.max_attempts(50).send()
        });
        let written = join_all(writers).await;
        assert!(written.iter().all(Result::is_ok), "{written:?}");
        assert_eq!(table.get(key()).consistent().send().await.unwrap().unwrap().balance, 15);
        assert!(calls.get() >= 5);

        // With one attempt those who lose are told so.
        let writers = (0..5).map(|_| {
            let modify = table.modify(key(), |account: &mut Account| account.balance += 1);
            modify.max_attempts(1).send()
        });
        let (won, lost): (Vec<_>, Vec<_>) =
            join_all(writers).await.into_iter().partition(Result::is_ok);
        for error in lost.into_iter().map(Result::unwrap_err) {
            assert!(error.is_conflict() && error.is_condition_failed(), "{error}");
            assert!(error.to_string().contains("another write came between"), "{error}");
        }
        let balance = table.get(key()).consistent().send().await.unwrap().unwrap().balance;
        assert_eq!(balance, 15 + i64::try_from(won.len()).unwrap());

        // Writers of two fields conflict too: the item was read as a whole.
        let (one, other) = tokio::join!(
            table.modify(key(), |account| account.note = Some("n".into())).max_attempts(50).send(),
            table.modify(key(), |account| account.balance = 0).max_attempts(50).send(),
        );
        one.and(other).unwrap();
        let both = table.get(key()).consistent().send().await.unwrap().unwrap();
        assert_eq!((both.note.as_deref(), both.balance), (Some("n"), 0));
    })
    .await;
}

#[tokio::test]
async fn what_the_closure_may_not_do() {
    on_table::<Bank, _>("modify-refused", |bench| async move {
        let table = &bench.table;
        let missing = table.modify(key(), |account| account.balance = 1).send().await.unwrap_err();
        assert!(missing.is_item_missing(), "{missing}");
        assert!(missing.to_string().contains("`ACCOUNT#1` of `Account`"), "{missing}");
        table.put(&account()).send().await.unwrap();
        bench.recorder.take();

        let modify = table.modify(key(), |account| {
            account.balance = 0;
            account.balance.checked_div(account.balance).map(drop).ok_or("division by 0")
        });
        let error = modify.send().await.unwrap_err();
        assert!(error.is_aborted() && !error.is_conflict(), "{error}");
        assert_eq!(error.source().unwrap().to_string(), "division by 0");
        let error = table.modify(key(), |account| account.id = 2).send().await.unwrap_err();
        assert!(error.to_string().contains("changed the primary key"), "{error}");
        let error =
            table.modify(key(), |account| account.rate = f64::NAN).send().await.unwrap_err();
        assert!(error.is_encode() && error.to_string().contains("`rate`"), "{error}");
        let error = table.modify(key(), |account| account.owner = Some(String::new())).send().await;
        assert!(error.unwrap_err().is_invalid_key());
        let rest = BTreeMap::from([("PK".to_owned(), "x".to_owned())]);
        let error = table.modify(key(), |account| account.rest = rest.clone()).send().await;
        assert!(error.unwrap_err().is_invalid_key());
        assert_eq!(bench.recorder.operations(), ["GetItem"; 5]);

        put_raw(table, |item| drop(item.remove("balance"))).await;
        let error = table.modify(key(), |account| account.balance = 1).send().await.unwrap_err();
        assert!(error.is_decode() && error.to_string().contains("balance"), "{error}");
    })
    .await;
}
