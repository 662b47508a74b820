use std::fmt::Debug;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use monotable::Table;
use monotable::testing::Backend;
use proptest::prelude::TestCaseError;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};
use tests::bench::eventually;
use tests::tape::{Tape, cases};

use super::case::{Case, NOW, Place};
use super::model::{
    Anything, Chat, Entry, Everything, Header, Keys, Message, OneKey, Owned, OwnedEntry, People,
    Sorted, SortedEntry, Talk, Whole,
};

#[test]
fn collections_are_what_the_model_says() {
    let is_embedded = tests::engine::name() == "embedded";
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let backend = runtime.block_on(Backend::start()).unwrap();
    let table = runtime.block_on(backend.table::<Chat>("collections")).unwrap();
    let table = table.with_clock(|| UNIX_EPOCH + Duration::from_secs(NOW));
    let mut runner = TestRunner::new(Config {
        cases: cases(if is_embedded { 500 } else { 60 }),
        failure_persistence: None,
        max_shrink_iters: 300,
        rng_seed: RngSeed::Random,
        ..Config::default()
    });
    // Each case has partitions of its own.
    let number = AtomicU32::new(0);
    let tape = proptest::collection::vec(proptest::num::u32::ANY, 14 * 10 + 20);
    let outcome = runner.run(&tape, |words| {
        let case = Case::draw(&mut Tape::new(&words), number.fetch_add(1, Ordering::Relaxed));
        let outcome = runtime.block_on(async {
            for row in &case.rows {
                let put = table.client().put_item().table_name(table.name());
                put.set_item(Some(row.item.clone())).send().await.unwrap();
            }
            check(&table, &case).await
        });
        outcome.map_err(|problem| {
            let rows: Vec<_> = case.rows.iter().map(|row| format!("{row:?}")).collect();
            TestCaseError::fail(format!("{problem}\n{:?}\n{}", case.ask, rows.join("\n")))
        })
    });
    runtime.block_on(backend.close()).unwrap();
    match outcome {
        Ok(()) => {}
        // The tape says nothing to people.
        Err(TestError::Fail(reason, _)) => panic!("{}", reason.message()),
        Err(error) => panic!("{error}"),
    }
}

/// A struct, as the case asks for it. `$range` is that of messages.
macro_rules! whole {
    ($table:expr, $case:expr, $name:ident, $pattern:expr, $range:expr, [$($member:ident)*]) => {{
        let (case, ask) = ($case, $case.ask);
        let mut read = $table.collection($pattern).max_pages(1_000);
        if ask.descending {
            read = read.descending();
        }
        if let Some(size) = ask.page_size {
            read = read.page_size(size);
        }
        if ask.include_expired {
            read = read.include_expired();
        }
        $(read = whole!($member read, case, $range);)*
        let found = read.send().await.map_err(|error| error.to_string())?;
        let expected = case.expected(<$name as Keys>::KINDS, <$name as Keys>::KEEPS_OTHERS);
        compare(stringify!($name), &found.map(Keys::keys), &expected)?;
    }};
    (messages $read:expr, $case:expr, $range:expr) => {{
        let mut read = $read;
        if let Some(limit) = $case.ask.messages {
            read = read.limit_of::<Message>(limit);
        }
        if let Some((low, high)) = $case.ask.range {
            read = read.range_of($range(low, high));
        }
        if let Some(mark) = $case.ask.mark {
            read = read.filter::<Message, _>(|message| message.mark.gt(mark));
        }
        read
    }};
    (members $read:expr, $case:expr, $range:expr) => {
        match $case.ask.members {
            Some(limit) => $read.limit_of::<super::model::Member>(limit),
            None => $read,
        }
    };
}

/// An enum, likewise, by all its terminals.
macro_rules! items {
    ($table:expr, $case:expr, $name:ident, $pattern:expr) => {{
        let ask = $case.ask;
        let whole = || {
            let mut read = $table.collection($pattern);
            if ask.descending {
                read = read.descending();
            }
            if let Some(size) = ask.page_size {
                read = read.page_size(size);
            }
            if ask.include_expired {
                read = read.include_expired();
            }
            if let Some(mark) = ask.mark {
                read = read.filter::<Message, _>(|message| message.mark.gt(mark));
            }
            read
        };
        let read = || match ask.limit {
            Some(limit) => whole().limit(limit),
            None => whole(),
        };
        let keeps = <$name as OneKey>::KEEPS_OTHERS;
        let expected = $case.items(<$name as OneKey>::KINDS, keeps);
        let name = stringify!($name);
        let all = read().all().await.map_err(|error| error.to_string())?;
        compare(name, &keys(all), &expected)?;
        let first = read().first().await.map_err(|error| error.to_string())?;
        compare(name, &first.map(OneKey::key).as_ref(), &expected.first())?;
        let mut stream = read().stream();
        let mut streamed = Vec::new();
        while let Some(item) = stream.try_next().await.map_err(|error| error.to_string())? {
            streamed.push(item);
        }
        compare(name, &keys(streamed), &expected)?;
        let page = read().send().await.map_err(|error| error.to_string())?;
        let (has_more, sent) = (page.next.is_some(), keys(page.items));
        let is_whole = ask.limit.is_some() || !has_more;
        let count = if is_whole { expected.len() } else { sent.len().min(expected.len()) };
        compare(name, &sent[..], &expected[..count])?;
        // All pages together are everything, forwards and back again.
        let (mut pages, mut cursor) = (Vec::new(), None);
        while pages.is_empty() || cursor.is_some() {
            let page = whole().limit(2).cursor(cursor).send().await;
            let page = page.map_err(|error| error.to_string())?;
            cursor = page.next;
            pages.push((keys(page.items), page.previous));
        }
        let everything = keys(whole().all().await.map_err(|error| error.to_string())?);
        let together: Vec<_> = pages.iter().flat_map(|(keys, _)| keys.clone()).collect();
        compare(name, &together, &everything)?;
        for at in 1..pages.len() {
            let back = whole().limit(2).cursor(pages[at].1.clone()).send().await;
            compare(name, &keys(back.map_err(|error| error.to_string())?.items), &pages[at - 1].0)?;
        }
    }};
}

async fn check(table: &Table<Chat>, case: &Case) -> Result<(), String> {
    let (room, owner) = (&*case.room, &*case.owner);
    if tests::engine::name() != "embedded" {
        // Global indexes follow a moment later.
        let count = case.rows.len();
        eventually(count, || async move {
            let query = table.client().query().table_name(table.name()).index_name("gsi1");
            let query = query.key_condition_expression("GSI1PK = :pk");
            let pk = aws_sdk_dynamodb::types::AttributeValue::S(format!("OWNER#{owner}"));
            let found = query.expression_attribute_values(":pk", pk).send().await.unwrap();
            usize::try_from(found.count).unwrap()
        })
        .await;
    }
    let by_id = |low, high| Message::by_room(room).id_range(low..=high);
    let by_time = |low, high| Message::by_owner(owner).at_range(low..=high);
    let in_local = |low, high| Message::in_lsi1(room).at_range(low..=high);
    match case.place {
        Place::Table => {
            whole!(table, case, Whole, Whole::by_room(room), by_id, [messages members]);
            whole!(table, case, Talk, Talk::by_room(room), by_id, [messages]);
            whole!(table, case, People, People::by_room(room), by_id, [members]);
            whole!(table, case, Everything, Everything::by_room(room), by_id, [messages members]);
            items!(table, case, Entry, Entry::by_room(room));
            items!(table, case, Anything, Anything::by_room(room));
        }
        Place::Global => {
            whole!(table, case, Owned, Owned::by_owner(owner), by_time, [messages members]);
            items!(table, case, OwnedEntry, OwnedEntry::by_owner(owner));
        }
        Place::Local if tests::engine::local_indexes_fetch() => {
            whole!(table, case, Sorted, Sorted::by_room(room), in_local, [messages members]);
            whole!(table, case, Header, Header::of_room(room), in_local, [messages]);
            items!(table, case, SortedEntry, SortedEntry::by_room(room));
        }
        Place::Local => {}
    }
    Ok(())
}

fn keys<K: OneKey>(items: Vec<K>) -> Vec<(usize, String)> {
    items.into_iter().map(OneKey::key).collect()
}

fn compare<T: PartialEq + Debug + ?Sized>(
    name: &str,
    found: &T,
    expected: &T,
) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("`{name}` is\n{found:?}\nand the model says\n{expected:?}"))
}
