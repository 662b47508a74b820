//! What an `update` leaves in the caller's item is what DynamoDB stores: random changes of random
//! items, of every kind and at every depth.
//!
//! `MONOTABLE_CASES` is the number of updates (1 000 on the embedded engine else, 100 on another).

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use monotable::expr::{ByItem, Change};
use monotable::testing::Backend;
use monotable::{Bytes, Document, Entity, Number, Set, Table};
use proptest::prelude::TestCaseError;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};
use serde::{Deserialize, Serialize};
use tests::tape::{Tape, cases};

#[derive(Debug, Table)]
#[table(pk = "PK")]
struct Baskets;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Baskets, pk = "BASKET#<id>", null(nick))]
struct Basket {
    id: u32,
    count: i64,
    price: f64,
    exact: Option<Number>,
    note: Option<String>,
    nick: Option<String>,
    tags: Set<String>,
    marks: Set<i64>,
    sizes: Option<Set<Number>>,
    blobs: Set<Bytes>,
    words: Vec<Option<String>>,
    numbers: Option<Vec<Number>>,
    grid: Vec<Vec<i64>>,
    rows: Vec<Row>,
    stock: BTreeMap<String, i64>,
    shelves: BTreeMap<String, Row>,
    front: Row,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Document)]
struct Row {
    #[serde(rename = "na.me")]
    name: Option<String>,
    size: Number,
    inner: Inner,
    list: Vec<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Document)]
struct Inner {
    at: i64,
    tags: Set<String>,
}

fn text(tape: &mut Tape<'_>) -> String {
    tape.pick(&["a", "b", "", "c.d", "é"]).to_owned()
}

fn key(tape: &mut Tape<'_>) -> String {
    tape.pick(&["a", "b", "c.d", "e-f"]).to_owned()
}

fn integer(tape: &mut Tape<'_>) -> i64 {
    tape.pick(&[0, 1, -1, 7, -250, 1_000_000_007])
}

fn number(tape: &mut Tape<'_>) -> Number {
    let number = ["0", "1", "-1", "0.1", "-2.50", "1E+20", "-0.0000000001", "12.5", "-12.5", "999"];
    tape.pick(&number).parse().unwrap()
}

fn some<T>(tape: &mut Tape<'_>, draw: fn(&mut Tape<'_>) -> T) -> Option<T> {
    tape.rarely(2).then(|| draw(tape))
}

fn many<T>(tape: &mut Tape<'_>, draw: fn(&mut Tape<'_>) -> T) -> Vec<T> {
    (0..tape.below(5)).map(|_| draw(tape)).collect()
}

fn bytes(tape: &mut Tape<'_>) -> Bytes {
    Bytes::from(tape.pick(&[vec![0], vec![1, 255], vec![]]))
}

fn set_of_text(tape: &mut Tape<'_>) -> Set<String> {
    many(tape, key).into_iter().collect()
}

fn row(tape: &mut Tape<'_>) -> Row {
    Row {
        name: some(tape, text),
        size: number(tape),
        inner: Inner { at: integer(tape), tags: set_of_text(tape) },
        list: many(tape, integer),
    }
}

fn basket(tape: &mut Tape<'_>, id: u32) -> Basket {
    let pairs = |names: Vec<String>, tape: &mut Tape<'_>| {
        names.into_iter().map(|name| (name, integer(tape))).collect()
    };
    Basket {
        id,
        count: integer(tape),
        price: tape.pick(&[0.0, 0.1, -12.75, 1e-7]),
        exact: some(tape, number),
        note: some(tape, text),
        nick: some(tape, text),
        tags: set_of_text(tape),
        marks: many(tape, integer).into_iter().collect(),
        sizes: some(tape, |tape| many(tape, number).into_iter().collect::<Set<Number>>())
            .filter(|sizes| !sizes.is_empty()),
        blobs: many(tape, bytes).into_iter().collect(),
        words: many(tape, |tape| some(tape, text)),
        numbers: some(tape, |tape| many(tape, number)),
        grid: many(tape, |tape| many(tape, integer)),
        rows: many(tape, row),
        stock: pairs(many(tape, key), tape),
        shelves: many(tape, key).into_iter().map(|name| (name, row(tape))).collect(),
        front: row(tape),
    }
}

type Paths = <Basket as Entity>::Fields<ByItem>;

/// The changes of a document, at a place whose name is `$at`.
macro_rules! of_row {
    ($tape:ident, $row:expr, $at:expr) => {{
        let (row, at): (_, String) = ($row, $at);
        match $tape.below(11) {
            0 => (format!("{at}/name"), row.name.set(text($tape))),
            1 => (format!("{at}/name"), row.name.remove()),
            2 => (format!("{at}/name"), row.name.set_if_missing(text($tape))),
            3 => (format!("{at}/size"), row.size.add(number($tape))),
            4 => (format!("{at}/size"), row.size.subtract(number($tape))),
            5 => (format!("{at}/inner/at"), row.inner.at.add(integer($tape))),
            6 => (format!("{at}/inner/tags"), row.inner.tags.set(set_of_text($tape))),
            7 => (format!("{at}/list"), row.list.append(many($tape, integer))),
            8 => {
                let place = $tape.below(5);
                (format!("{at}/list/{place}"), row.list.at(place).remove_element())
            }
            9 => {
                let place = $tape.below(5);
                (format!("{at}/list/{place}"), row.list.at(place).add(integer($tape)))
            }
            _ => (format!("{at}/list"), row.list.prepend(many($tape, integer))),
        }
    }};
}

/// A change, and the place that it changes.
fn change(o: &Paths, tape: &mut Tape<'_>) -> (String, Change) {
    let at = tape.below(6);
    let (place, change): (&str, Change) = match tape.below(48) {
        0 => ("count", o.count.set(integer(tape))),
        1 => ("count", o.count.add(integer(tape))),
        2 => ("count", o.count.subtract(integer(tape))),
        3 => ("price", o.price.add(tape.pick(&[0.1, 0.2, -0.3, 1e-7, 1e10]))),
        4 => ("exact", o.exact.add(number(tape))),
        5 => ("exact", o.exact.set_if_missing(number(tape))),
        6 => ("exact", o.exact.remove()),
        7 => ("note", o.note.set(some(tape, text))),
        8 => ("note", o.note.set_if_missing(text(tape))),
        9 => ("nick", o.nick.set(some(tape, text))),
        10 => ("nick", o.nick.set_if_missing(text(tape))),
        11 | 12 => ("tags", o.tags.insert(many(tape, key))),
        13 | 14 => ("tags", o.tags.delete(many(tape, key))),
        15 => ("tags", o.tags.set(set_of_text(tape))),
        16 => ("marks", o.marks.insert(many(tape, integer))),
        17 => ("marks", o.marks.delete(many(tape, integer))),
        18 => ("sizes", o.sizes.insert(many(tape, number))),
        19 => ("sizes", o.sizes.delete(many(tape, number))),
        20 => ("blobs", o.blobs.insert(many(tape, bytes))),
        21 => ("blobs", o.blobs.delete(many(tape, bytes))),
        22 => ("words", o.words.append(many(tape, |tape| some(tape, text)))),
        23 => ("words", o.words.set(many(tape, |tape| some(tape, text)))),
        24 | 25 => return (format!("words/{at}"), o.words.at(at).remove_element()),
        26 => return (format!("words/{at}"), o.words.at(at).set(some(tape, text))),
        27 => return (format!("words/{at}"), o.words.at(at).set_if_missing(text(tape))),
        28 => ("numbers", o.numbers.append(many(tape, number))),
        29 => ("numbers", o.numbers.prepend(many(tape, number))),
        30 | 31 => return (format!("grid/{at}"), o.grid.at(at).remove_element()),
        32 => return (format!("grid/{at}"), o.grid.at(at).set(many(tape, integer))),
        33 => return (format!("grid/{at}"), o.grid.at(at).append(many(tape, integer))),
        34 | 35 => {
            let inner = tape.below(4);
            return (format!("grid/{at}/{inner}"), o.grid.at(at).at(inner).remove_element());
        }
        36 => {
            let inner = tape.below(4);
            return (format!("grid/{at}/{inner}"), o.grid.at(at).at(inner).set(integer(tape)));
        }
        37 => return (format!("rows/{at}"), o.rows.at(at).remove_element()),
        38 => return (format!("rows/{at}"), o.rows.at(at).set(row(tape))),
        39 | 40 => return of_row!(tape, o.rows.at(at), format!("rows/{at}")),
        41 => {
            let key = key(tape);
            return (format!("stock/{key}"), o.stock.entry(&key).add(integer(tape)));
        }
        42 => {
            let key = key(tape);
            return (format!("stock/{key}"), o.stock.entry(&key).remove_element());
        }
        43 => {
            let key = key(tape);
            return (format!("shelves/{key}"), o.shelves.entry(&key).set(row(tape)));
        }
        44 => {
            let key = key(tape);
            return of_row!(tape, o.shelves.entry(&key), format!("shelves/{key}"));
        }
        45 => ("front", o.front.set(row(tape))),
        _ => return of_row!(tape, &o.front, "front".to_owned()),
    };
    (place.to_owned(), change)
}

/// Several, of which none is inside of another.
fn changes(o: &Paths, tape: &mut Tape<'_>) -> Vec<Change> {
    let mut kept: Vec<(String, Change)> = Vec::new();
    for _ in 0..=tape.below(9) {
        let (place, change) = change(o, tape);
        let inside = |a: &str, b: &str| format!("{a}/").starts_with(&format!("{b}/"));
        if !kept.iter().any(|(other, _)| inside(&place, other) || inside(other, &place)) {
            kept.push((place, change));
        }
    }
    kept.into_iter().map(|(_, change)| change).collect()
}

/// One update of two equal items: one whose caller's item stays, and one whose caller's item follows.
async fn check(table: &Table<Baskets>, id: u32, words: &[u32]) -> Result<(), TestCaseError> {
    let (first, second) = words.split_at(words.len() / 2);
    let before = basket(&mut Tape::new(first), id);
    let mut item = Basket { id: id + 1, ..before.clone() };
    table.put(&before).send().await?;
    table.put(&item).send().await?;
    let change = |o: &Paths| changes(o, &mut Tape::new(second));
    let shown = format!("{:?}\nof {before:?}", changes(&Basket::fields(), &mut Tape::new(second)));

    let by_engine = table.update(&before).change(change).send().await;
    let here = table.update(&mut item).change(change).send().await;
    if by_engine.is_ok() != here.is_ok() {
        let text = format!("DynamoDB: {by_engine:?}\nhere: {here:?}\nby {shown}");
        return Err(TestCaseError::fail(text));
    }
    let stored = |id| table.get(Basket::key(id)).consistent().send();
    let (stored, other) = (stored(id).await?.unwrap(), stored(id + 1).await?.unwrap());
    item.id = id;
    if stored != item || stored != (Basket { id, ..other }) {
        return Err(TestCaseError::fail(format!(
            "DynamoDB: {stored:?}\nhere: {item:?}\nby {shown}"
        )));
    }
    Ok(())
}

#[test]
fn an_item_follows_as_it_is_stored() {
    let is_embedded = tests::engine::name() == "embedded";
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let backend = runtime.block_on(Backend::start()).unwrap();
    let table = runtime.block_on(backend.table::<Baskets>("changes")).unwrap();
    let mut runner = TestRunner::new(Config {
        cases: cases(if is_embedded { 1_000 } else { 100 }),
        failure_persistence: None,
        max_shrink_iters: 300,
        rng_seed: RngSeed::Random,
        ..Config::default()
    });
    let next = AtomicU32::new(0);
    let tape = proptest::collection::vec(proptest::num::u32::ANY, 400);
    let outcome = runner.run(&tape, |words| {
        let id = next.fetch_add(2, Ordering::Relaxed);
        runtime.block_on(check(&table, id, &words))
    });
    runtime.block_on(backend.close()).unwrap();
    match outcome {
        Ok(()) => {}
        // The tape says nothing to people.
        Err(TestError::Fail(reason, _)) => panic!("{}", reason.message()),
        Err(error) => panic!("{error}"),
    }
}
