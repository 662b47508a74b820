//! The laws of keys over components whose missing values stay in the index: `:none_first` and
//! `:none_last`, over type × spec × position × delimiter.
//!
//! An item is `a`, a number of three digits, `x`, the component under test, and `b`, text at the end.
//! `MONOTABLE_CASES` is the number of cases of each law (10 000 else).

// Rows are made by macros, which derive for items that nothing else names.
#![allow(clippy::unwrap_used, missing_debug_implementations, missing_docs, unreachable_pub)]

#[path = "laws/condition.rs"]
#[allow(dead_code)]
mod condition;
#[path = "laws/kind.rs"]
#[allow(dead_code)]
mod kind;
#[path = "laws/template.rs"]
mod template;

use std::cmp::Ordering;
use std::fmt::Debug;
use std::ops::Bound;
use std::sync::OnceLock;

use monotable::key::{KeyPart, PartKind, PartValue};
use monotable::testing::local_client;
use monotable::{Entity, Error, IntoPattern, OnGlobalIndex, Pattern, Table};
use proptest::prelude::TestCaseError;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};
use tests::tape;

use condition::Condition;
use kind::Kind;
use tape::{Tape, cases};
use template::template;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
pub struct Rows;

/// A handle that sends nothing.
fn table() -> &'static Table<Rows> {
    static TABLE: OnceLock<Table<Rows>> = OnceLock::new();
    TABLE.get_or_init(|| Rows::table(local_client("http://localhost:1").unwrap(), "rows"))
}

/// For code that is generic over the builder.
fn erased<P: IntoPattern>(pattern: P) -> Pattern<P::Entity, P::Index> {
    pattern.into_pattern()
}

/// The values of one item.
#[derive(Debug, Clone, PartialEq)]
pub struct Fields<V> {
    pub a: u8,
    pub x: Option<V>,
    pub b: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    A,
    X,
    B,
}

/// A component as the oracle sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Seen<S> {
    Text(String),
    Number(u8),
    Tested(Option<S>),
}

type Value<S> = <<S as Subject>::Kind as Kind>::Value;
type SeenOf<S> = Seen<<<S as Subject>::Kind as Kind>::Seen>;
type Ends<V> = (Bound<V>, Bound<V>);

/// A template of an index.
pub trait Subject: Entity<Table = Rows> {
    type Kind: Kind;
    const TEMPLATE: &'static str;
    const FIELDS: &'static [Field];

    fn of(fields: &Fields<Value<Self>>) -> Self;
    fn fixed(fields: &Fields<Value<Self>>, count: usize) -> Pattern<Self, OnGlobalIndex>;
    /// A range of `x`, where it has one.
    fn range(
        fields: &Fields<Value<Self>>,
        ends: Ends<Value<Self>>,
    ) -> Option<Pattern<Self, OnGlobalIndex>>;
}

fn is_last<S: Subject>() -> bool {
    S::TEMPLATE.contains("none_last")
}

fn draw<S: Subject>(tape: &mut Tape<'_>) -> Fields<Value<S>> {
    Fields {
        a: tape.pick(&[0, 1, 1, 2, 99, 255]),
        x: if tape.rarely(3) { None } else { Some(S::Kind::draw(tape)) },
        b: tape.text(),
    }
}

fn text<S: Subject>(fields: &Fields<Value<S>>) -> Result<String, Error> {
    Ok(S::of(fields).to_item()?["GSI1SK"].as_s().unwrap().clone())
}

fn seen<S: Subject>(fields: &Fields<Value<S>>, field: Field) -> SeenOf<S> {
    match field {
        Field::A => Seen::Number(fields.a),
        Field::X => Seen::Tested(fields.x.as_ref().map(|x| S::Kind::seen(x, false))),
        Field::B => Seen::Text(fields.b.clone()),
    }
}

fn order<S: Subject>(a: &Fields<Value<S>>, b: &Fields<Value<S>>) -> Ordering {
    let one = |field: &Field| match (seen::<S>(a, *field), seen::<S>(b, *field)) {
        (Seen::Text(a), Seen::Text(b)) => a.cmp(&b),
        (Seen::Number(a), Seen::Number(b)) => a.cmp(&b),
        (Seen::Tested(a), Seen::Tested(b)) => match (a, b) {
            (Some(a), Some(b)) if S::Kind::DESC => b.cmp(&a),
            (Some(a), Some(b)) => a.cmp(&b),
            (a, b) if is_last::<S>() => b.is_some().cmp(&a.is_some()),
            (a, b) => a.is_some().cmp(&b.is_some()),
        },
        _ => unreachable!("one field has one variant"),
    };
    S::FIELDS.iter().map(one).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

type Outcome = Result<(), TestCaseError>;
type Check = fn(&mut Tape<'_>) -> Outcome;

macro_rules! ensure {
    ($holds:expr, $($text:tt)+) => {
        if !$holds {
            return Err(TestCaseError::fail(format!($($text)+)));
        }
    };
}

fn share<V: Clone>(field: Field, from: &Fields<V>, to: &mut Fields<V>) {
    match field {
        Field::A => to.a = from.a,
        Field::X => to.x.clone_from(&from.x),
        Field::B => to.b.clone_from(&from.b),
    }
}

/// Laws 1 and 3.
fn injective_and_in_order<S: Subject>(tape: &mut Tape<'_>) -> Outcome {
    let (one, mut other) = (draw::<S>(tape), draw::<S>(tape));
    let shared = tape.word();
    for (at, field) in S::FIELDS.iter().enumerate() {
        if shared >> at & 1 == 1 {
            share(*field, &one, &mut other);
        }
    }
    let (a, b) = (text::<S>(&one)?, text::<S>(&other)?);
    let same = S::FIELDS.iter().all(|field| seen::<S>(&one, *field) == seen::<S>(&other, *field));
    ensure!(same == (a == b), "{one:?}\nand {other:?}\nrender {a:?}\nand {b:?}");
    let is_ordered = S::range(&one, (Bound::Unbounded, Bound::Unbounded)).is_some();
    let ordered = is_ordered || one.x.is_none() || other.x.is_none();
    let expected = order::<S>(&one, &other);
    ensure!(
        !ordered || a.as_bytes().cmp(b.as_bytes()) == expected,
        "{one:?}\nagainst {other:?}\nsorts {a:?}\nagainst {b:?}"
    );
    Ok(())
}

/// Law 2.
fn parse_back<S: Subject>(tape: &mut Tape<'_>) -> Outcome {
    let template = template(S::TEMPLATE, |field| match field {
        "a" => u8::KIND,
        "x" => <Value<S> as KeyPart>::KIND,
        _ => PartKind::Text,
    });
    for _ in 0..50 {
        let fields = draw::<S>(tape);
        let stored = text::<S>(&fields)?;
        let whole = fields.x.clone().map(S::Kind::whole);
        let values: Vec<Option<PartValue<'_>>> = (S::FIELDS.iter())
            .map(|field| match field {
                Field::A => Some(PartValue::Unsigned(fields.a.into())),
                Field::X => whole.as_ref().map(|x| x.to_value().unwrap()),
                Field::B => Some(PartValue::Text(fields.b.as_str().into())),
            })
            .collect();
        let parsed = template.parse_kept(&stored);
        ensure!(parsed.as_ref() == Some(&values), "{fields:?}\nis {stored:?}, parsed {parsed:?}");
        let at = tape.below(stored.chars().count());
        let insert = tape.pick(&["", "!", "+", "~", "#", "0"]);
        let cut = usize::from(tape.rarely(2));
        let letters: Vec<char> = stored.chars().collect();
        let mutant: String = letters[..at].iter().collect::<String>()
            + insert
            + &letters[(at + cut).min(letters.len())..].iter().collect::<String>();
        let Some(values) = template.parse_kept(&mutant) else { continue };
        let mut again = fields.clone();
        let mut is_valid = true;
        for (field, value) in S::FIELDS.iter().zip(values) {
            match (field, value) {
                (Field::A, Some(value)) => again.a = u8::from_value(value).unwrap_or_default(),
                (Field::X, value) => {
                    let parsed = value.map(KeyPart::from_value).transpose();
                    is_valid &= parsed.is_ok();
                    again.x = parsed.unwrap_or_default();
                }
                (Field::B, Some(value)) => again.b = String::from_value(value).unwrap(),
                (field, None) => panic!("{field:?} of {mutant:?} is missing"),
            }
        }
        let again = if is_valid { text::<S>(&again).ok() } else { None };
        ensure!(again.is_none_or(|again| again == mutant), "{mutant:?} parses to other text");
    }
    Ok(())
}

/// Sort keys of other entities that may lie beside the block.
fn others<S: Subject>() -> Vec<String> {
    let beside: &[&str] = match S::TEMPLATE.starts_with('<') {
        true if is_last::<S>() => &["!x", "*", "\u{80}"],
        true => &[" x", "-", "META", "~"],
        false => &["K", "L#", "K\"x", "K$x", "JK#", "!", "~"],
    };
    beside.iter().map(|text| (*text).to_owned()).collect()
}

/// Laws 4 and 5.
fn exact<S: Subject>(tape: &mut Tape<'_>) -> Outcome {
    let mut items: Vec<Fields<Value<S>>> = Vec::new();
    for at in 0..20 {
        let mut item = draw::<S>(tape);
        let shared = tape.word() as usize;
        if at > 0 {
            for field in &S::FIELDS[..(shared >> 8) % S::FIELDS.len()] {
                share(*field, &items[shared % at], &mut item);
            }
        }
        items.push(item);
    }
    let sought = tape.pick(&items);
    let at = S::FIELDS.iter().position(|field| *field == Field::X).unwrap();
    let has_fixed = |item: &Fields<Value<S>>, count: usize| {
        S::FIELDS[..count].iter().all(|field| seen::<S>(item, *field) == seen::<S>(&sought, *field))
    };
    let condition_of = |pattern| Condition::of(table().query(pattern).explain());
    for count in 0..=S::FIELDS.len() {
        let Some(condition) = condition_of(S::fixed(&sought, count))? else {
            return Err(TestCaseError::fail(format!("{count} of {sought:?} sends nothing")));
        };
        for item in &items {
            let found = condition.takes("G#p", &text::<S>(item)?);
            ensure!(
                found == has_fixed(item, count),
                "{count} of {sought:?}\nsends {condition:?}\nagainst {item:?}"
            );
        }
        for other in others::<S>() {
            ensure!(!condition.takes("G#p", &other), "{condition:?} takes {other:?}");
        }
    }

    let end = |tape: &mut Tape<'_>| {
        let end = tape.pick(&items).x.filter(|_| tape.rarely(2));
        end.unwrap_or_else(|| S::Kind::bound(tape))
    };
    let floor = |x: &Value<S>| S::Kind::seen(x, false);
    let (mut low, mut high) = (end(tape), end(tape));
    if floor(&low) > floor(&high) && !tape.rarely(6) {
        std::mem::swap(&mut low, &mut high);
    }
    let (low, high) = (tape.bound(low), tape.bound(high));
    let Some(pattern) = S::range(&sought, (low.clone(), high.clone())) else { return Ok(()) };
    let condition = condition_of(pattern)?;
    let takes = |key: &str| condition.as_ref().is_some_and(|it| it.takes("G#p", key));
    for item in &items {
        let inside = item.x.as_ref().is_some_and(|x| {
            let above = match &low {
                Bound::Included(low) => floor(x) >= floor(low),
                Bound::Excluded(low) => floor(x) > floor(low),
                Bound::Unbounded => true,
            };
            let below = match &high {
                Bound::Included(high) => floor(x) <= floor(high),
                Bound::Excluded(high) => floor(x) < floor(high),
                Bound::Unbounded => true,
            };
            above && below
        });
        let wanted = inside && has_fixed(item, at);
        let found = takes(&text::<S>(item)?);
        // Text at the end on an excluded end is read and dropped.
        let drops = matches!((&high, &item.x), (Bound::Excluded(high), Some(x))
            if floor(high) == floor(x)
                && matches!(<Value<S> as KeyPart>::KIND, PartKind::Text)
                && has_fixed(item, at));
        ensure!(
            found == wanted || (found && drops),
            "{low:?} to {high:?}\nbehind {sought:?}\nsends {condition:?}\nagainst {item:?}"
        );
    }
    for other in others::<S>() {
        ensure!(!takes(&other), "{low:?} to {high:?} sends {condition:?}, which takes {other:?}");
    }
    Ok(())
}

struct Laws {
    template: &'static str,
    injective_and_in_order: Check,
    parse_back: Check,
    exact: Check,
}

impl Laws {
    fn of<S: Subject>() -> Self {
        Laws {
            template: S::TEMPLATE,
            injective_and_in_order: injective_and_in_order::<S>,
            parse_back: parse_back::<S>,
            exact: exact::<S>,
        }
    }
}

fn check(law: impl Fn(&Laws) -> Check, words: usize, usual: u32) {
    let all = all();
    let count = u32::try_from(all.len()).unwrap();
    for laws in &all {
        let check = law(laws);
        let config = Config {
            cases: usual.div_ceil(count),
            failure_persistence: None,
            max_shrink_iters: 2_000,
            rng_seed: RngSeed::Random,
            ..Config::default()
        };
        let tape = proptest::collection::vec(proptest::num::u32::ANY, words / 2..=words);
        match TestRunner::new(config).run(&tape, |words| check(&mut Tape::new(&words))) {
            Ok(()) => {}
            Err(TestError::Fail(reason, _)) => panic!("`{}`: {}", laws.template, reason.message()),
            Err(error) => panic!("`{}`: {error}", laws.template),
        }
    }
}

macro_rules! ranged {
    (name $e:expr) => {
        None
    };
    ($class:ident $e:expr) => {
        Some($e)
    };
}

macro_rules! fixed_x {
    ($pattern:expr, $f:ident) => {
        match &$f.x {
            Some(x) => $pattern.x(x),
            None => $pattern.x_none(),
        }
    };
}

/// One template: the fields around `x` follow from its shape.
macro_rules! subject {
    ($name:ident $kind:ty, $class:ident $template:tt { $($field:ident = $tag:ident: $ty:ty),* }
     |$f:ident| fixed { $($count:pat => $fixed:expr),* } x { $before:expr }) => {
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
        #[entity(table = Rows, pk = "P#<p>", sk = "ROW", name = "by_row")]
        #[index(gsi1, pk = "G#<p>", sk = $template, name = "pattern")]
        pub struct $name {
            pub p: String,
            $(pub $field: $ty),*
        }

        impl Subject for $name {
            type Kind = $kind;
            const TEMPLATE: &'static str = $template;
            const FIELDS: &'static [Field] = &[$(Field::$tag),*];
            fn of(fields: &Fields<X>) -> Self {
                $name { p: "p".to_owned(), $($field: fields.$field.clone()),* }
            }
            fn fixed($f: &Fields<X>, count: usize) -> Pattern<Self, OnGlobalIndex> {
                match count { $($count => erased($fixed),)* _ => unreachable!("{count}") }
            }
            #[allow(unused_variables)]
            fn range(
                $f: &Fields<X>,
                ends: (Bound<X>, Bound<X>),
            ) -> Option<Pattern<Self, OnGlobalIndex>> {
                ranged!($class erased($before.x_range(ends)))
            }
        }
    };
}

macro_rules! kept {
    ($($line:ident = $kind:ty, $inside:ident $last_class:ident: $first:tt $middle:tt $last:tt $literal:tt;)*) => {
        $(mod $line {
            use std::ops::Bound;

            #[allow(unused_imports)]
            use chrono::{DateTime, NaiveDate, Utc};
            use monotable::{Entity, OnGlobalIndex, Pattern};
            use serde::{Deserialize, Serialize};

            #[allow(unused_imports)]
            use super::kind::*;
            use super::{Field, Fields, Rows, Subject, erased};

            type X = <$kind as Kind>::Value;

            subject! {
                First $kind, $inside $first { x = X: Option<X>, b = B: String }
                |f| fixed {
                    0 => Self::pattern("p"),
                    1 => fixed_x!(Self::pattern("p"), f),
                    2 => fixed_x!(Self::pattern("p"), f).b(&f.b)
                } x { Self::pattern("p") }
            }
            subject! {
                Middle $kind, $inside $middle { a = A: u8, x = X: Option<X>, b = B: String }
                |f| fixed {
                    0 => Self::pattern("p"),
                    1 => Self::pattern("p").a(f.a),
                    2 => fixed_x!(Self::pattern("p").a(f.a), f),
                    3 => fixed_x!(Self::pattern("p").a(f.a), f).b(&f.b)
                } x { Self::pattern("p").a(f.a) }
            }
            subject! {
                Last $kind, $last_class $last { a = A: u8, x = X: Option<X> }
                |f| fixed {
                    0 => Self::pattern("p"),
                    1 => Self::pattern("p").a(f.a),
                    2 => fixed_x!(Self::pattern("p").a(f.a), f)
                } x { Self::pattern("p").a(f.a) }
            }
            subject! {
                Literal $kind, $inside $literal { x = X: Option<X> }
                |f| fixed {
                    0 => Self::pattern("p"),
                    1 => fixed_x!(Self::pattern("p"), f)
                } x { Self::pattern("p") }
            }
        })*

        fn all() -> Vec<Laws> {
            vec![$(
                Laws::of::<$line::First>(),
                Laws::of::<$line::Middle>(),
                Laws::of::<$line::Last>(),
                Laws::of::<$line::Literal>(),
            )*]
        }
    };
}

kept! {
    date = Dates<NaiveDate, Day>, date date: "<x:none_first>#<b>" "K#<a:3>#<x:none_first>#<b>" "K#<a:3>#<x:none_first>" "K#<x:none_first>#END";
    date_last = Dates<NaiveDate, Day>, date date: "<x:none_last>~<b>" "K#<a:3>#<x:none_last>~<b>" "K#<a:3><x:none_last>" "K#<x:none_last>~END";
    date_desc = Dates<NaiveDate, Day, true>, date date: "<x:desc:none_first><b>" "K#<a:3><x:desc:none_first><b>" "K#<a:3>+<x:desc:none_first>" "K#<x:desc:none_first>END";
    month = Dates<NaiveDate, Month>, date date: "<x:month:none_last>-<b>" "K-<a:3>-<x:month:none_last>-<b>" "K-<a:3>-<x:month:none_last>" "K-<x:month:none_last>-END";
    second = Times<DateTime<Utc>, Second>, number number: "<x:s:none_first>!<b>" "K!<a:3>!<x:s:none_first>!<b>" "K!<a:3>!<x:s:none_first>" "K!<x:s:none_first>!END";
    milli_desc = Times<DateTime<Utc>, Milli, true>, number number: "<x:ms:desc:none_last>#<b>" "K#<a:3>#<x:ms:desc:none_last>#<b>" "K#<a:3>#<x:ms:desc:none_last>" "K#<x:ms:desc:none_last>#END";
    unsigned = Unsigned<u32, 6>, number number: "<x:6:none_first>+<b>" "K+<a:3>+<x:6:none_first>+<b>" "K+<a:3>+<x:6:none_first>" "K+<x:6:none_first>+END";
    signed = Signed<i64, 19, true>, number number: "<x:19:desc:none_last>#<b>" "K#<a:3>#<x:19:desc:none_last>#<b>" "K#<a:3>#<x:19:desc:none_last>" "K#<x:19:desc:none_last>#END";
    plain = Unsigned<u32, 0>, name name: "<x:plain:none_first>#<b>" "K#<a:3>#<x:plain:none_first>#<b>" "K#<a:3>#<x:plain:none_first>" "K#<x:plain:none_first>#END";
    flag = Names<bool>, name name: "<x:none_last>#<b>" "K#<a:3>#<x:none_last>#<b>" "K#<a:3>#<x:none_last>" "K#<x:none_last>#END";
    text = Text, name text: "<x:none_first>#<b>" "K#<a:3>#<x:none_first>#<b>" "K#<a:3>#<x:none_first>" "K#<x:none_first>#END";
    text_last = Text, name text: "<x:none_last>!<b>" "K#<a:3>#<x:none_last>+<b>" "K#<a:3>#<x:none_last>" "K#<x:none_last>~END";
    ordered = Text, text text: "<x:ordered:none_last>#<b>" "K#<a:3>#<x:ordered:none_last>#<b>" "K#<a:3>#<x:ordered:none_last>" "K#<x:ordered:none_last>#END";
    lower = Lower, text text: "<x:lower:ordered:none_first>#<b>" "K#<a:3>#<x:lower:ordered:none_first>#<b>" "K#<a:3>#<x:lower:ordered:none_first>" "K#<x:lower:ordered:none_first>#END";
    uuid = Uuids, number number: "<x:none_first>#<b>" "K#<a:3>#<x:none_first>#<b>" "K#<a:3>#<x:none_first>" "K#<x:none_first>#END";
}

#[test]
fn law_1_injective_and_3_order() {
    check(|laws| laws.injective_and_in_order, 40, cases(10_000));
}

#[test]
fn law_2_parse_back() {
    // A case has fifty items.
    check(|laws| laws.parse_back, 600, cases(10_000).div_ceil(50));
}

#[test]
fn law_4_prefix_and_5_exact_ranges() {
    check(|laws| laws.exact, 360, cases(10_000));
}
