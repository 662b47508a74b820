//! Laws 3 to 5 through DynamoDB: what queries return of generated items, among items of other
//! entities, against what the values of the fields say.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use monotable::Table;
use monotable::op::Query;
use monotable::testing::Backend;
use proptest::prelude::TestCaseError;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};

use crate::law::{Range, others, share};
use crate::shape::{Fields, Keyed, Laws, Subject, Value};
use crate::tape::{Tape, cases};

const ITEMS: usize = 200;

type Items<S> = Vec<Fields<Value<S>>>;

fn engine<S: Subject>() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut runner = TestRunner::new(Config {
        cases: cases(300),
        failure_persistence: None,
        max_shrink_iters: 100,
        rng_seed: RngSeed::Random,
        ..Config::default()
    });
    let words = |count| proptest::collection::vec(proptest::num::u32::ANY, count);
    let filling = words(ITEMS * 12).new_tree(&mut runner).unwrap().current();
    let items = drawn::<S>(&mut Tape::new(&filling));
    let backend = runtime.block_on(Backend::start()).unwrap();
    let table = runtime.block_on(backend.table::<Laws>("laws")).unwrap();
    runtime.block_on(fill::<S>(&table, &items));
    let outcome = runner.run(&words(64), |words| {
        runtime.block_on(ask::<S>(&table, &items, &mut Tape::new(&words)))
    });
    runtime.block_on(backend.close()).unwrap();
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, _)) => panic!("`{}`: {}", S::TEMPLATE, reason.message()),
        Err(error) => panic!("`{}`: {error}", S::TEMPLATE),
    }
}

/// Near each other; of equal table keys the last.
fn drawn<S: Subject>(tape: &mut Tape<'_>) -> Items<S> {
    let mut items: Items<S> = Vec::new();
    for row in 0..ITEMS {
        let mut item = S::draw(tape);
        item.row = u32::try_from(row).unwrap();
        let shared = tape.word() as usize;
        if row > 0 {
            for field in &S::FIELDS[..(shared >> 8) % S::FIELDS.len()] {
                share(*field, &items[shared % row], &mut item);
            }
        }
        items.push(item);
    }
    if !S::PRIMARY {
        return items;
    }
    let keyed = items.into_iter().map(|item| ((item.p, S::tuple(&item)), item));
    keyed.collect::<BTreeMap<_, _>>().into_values().collect()
}

async fn fill<S: Subject>(table: &Table<Laws>, items: &Items<S>) {
    for item in items {
        table.put(&S::of(item)).send().await.unwrap();
    }
    for (at, sort) in others::<S>().into_iter().filter(|sort| !sort.is_empty()).enumerate() {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let put = table.client().put_item().table_name(table.name());
        let put = match S::PRIMARY {
            true => put.item("PK", text(&S::partition("p"))).item("SK", text(&sort)),
            false => put
                .item("PK", text("OTHER"))
                .item("SK", text(&at.to_string()))
                .item("GSI1PK", text(&S::partition("p")))
                .item("GSI1SK", text(&sort)),
        };
        put.send().await.unwrap();
    }
}

/// One query, in one of the ways to send it.
async fn ask<S: Subject>(
    table: &Table<Laws>,
    items: &Items<S>,
    tape: &mut Tape<'_>,
) -> Result<(), TestCaseError> {
    let fail = |text: String| Err(TestCaseError::fail(text));
    let at = tape.below(S::FIELDS.len());
    let range = Range::<S>::draw(at, items, tape);
    let (pattern, expected) = match (tape.rarely(3), range.pattern()) {
        (false, Some(pattern)) => {
            (pattern, items.iter().filter(|item| range.wants(item)).collect::<Vec<_>>())
        }
        _ => {
            let count = tape.below(S::FIELDS.len() + 1);
            let sought = &range.sought;
            let fits = |item: &&Fields<Value<S>>| {
                item.p == sought.p
                    && S::FIELDS[..count]
                        .iter()
                        .all(|field| S::seen(item, *field) == S::seen(sought, *field))
            };
            (S::fixed(sought, count), items.iter().filter(fits).collect())
        }
    };
    let shown = format!("{pattern:?}");
    let mut query: Query<S, S::On> = table.query(pattern);
    let descending = tape.rarely(2);
    if descending {
        query = query.descending();
    }
    if tape.rarely(3) {
        query = query.page_size(1 + tape.word() % 40);
    }
    if tape.rarely(4) {
        let count = query.count().await?;
        if count != expected.len() as u64 {
            return fail(format!("{shown}\ncounts {count}, not {}", expected.len()));
        }
        return Ok(());
    }
    let limit = tape.rarely(2).then(|| tape.below(8));
    let found: Vec<S> = match limit {
        Some(limit) if tape.rarely(2) => query.limit(limit).send().await?.into_iter().collect(),
        Some(limit) => query.limit(limit).all().await?,
        None => query.all().await?,
    };
    let wanted = limit.map_or(expected.len(), |limit| limit.min(expected.len()));
    if found.len() != wanted {
        return fail(format!("{shown}\nfinds {} of {wanted}: {found:?}", found.len()));
    }
    let mut left = expected;
    let mut last: Option<&Fields<Value<S>>> = None;
    for item in &found {
        let Some(place) = left.iter().position(|fields| S::of(fields) == *item) else {
            return fail(format!("{shown}\nfinds {item:?}"));
        };
        let fields = left.swap_remove(place);
        if S::ORDERED && last.is_some_and(|last| before::<S>(fields, last, descending)) {
            return fail(format!("{shown}\nfinds {fields:?}\nbehind {last:?}"));
        }
        last = Some(fields);
    }
    let skipped =
        left.iter().find(|left| last.is_some_and(|last| before::<S>(left, last, descending)));
    match skipped {
        Some(skipped) if S::ORDERED => fail(format!("{shown}\nskips {skipped:?}\nbefore {last:?}")),
        _ => Ok(()),
    }
}

fn before<S: Keyed>(a: &Fields<Value<S>>, b: &Fields<Value<S>>, descending: bool) -> bool {
    let order = S::order(a, b);
    order == if descending { Ordering::Greater } else { Ordering::Less }
}

macro_rules! engine {
    ($($name:ident: $subject:ty;)*) => {$(
        #[test]
        fn $name() {
            engine::<$subject>();
        }
    )*};
}

mod laws_3_to_5 {
    use super::engine;

    engine! {
        text_last: crate::text::hash::Last;
        text_first: crate::text::dot::First;
        text_between_texts: crate::text::bar::Texts;
        text_last_on_index: crate::text::hash_index::Last;
        ordered_text_inside: crate::text_forms::ordered::Middle;
        ordered_text_inside_on_index: crate::text_forms::ordered_quote::Middle;
        lower_text_on_index: crate::text_forms::lower_index::Last;
        rest_of_the_key: crate::text_forms::rest::Last;
        unsigned_inside: crate::unsigned::u64_20::Middle;
        unsigned_on_index: crate::unsigned::u8_2::First;
        unsigned_touching: crate::unsigned::touching::Middle;
        signed_inside: crate::signed::i64_3::Middle;
        signed_last_on_index: crate::signed::i64_19::Last;
        signed_descending: crate::signed::descending::Middle;
        names_on_index: crate::names_and_uuids::enum_index::First;
        uuid_first: crate::names_and_uuids::uuid_hash::First;
        date_inside: crate::dates::chrono::Middle;
        date_first_on_index: crate::dates::jiff::First;
        month_on_index: crate::dates::month::Middle;
        second_inside_on_index: crate::times::second::Middle;
        milli_last: crate::times::milli_table::Last;
        nano_of_jiff: crate::times::nano_jiff::Middle;
        second_descending_on_index: crate::times::descending::Last;
        epoch_milli_on_index: crate::buckets::epoch_milli::Middle;
        hour_on_index: crate::buckets::hour::Middle;
    }
}
