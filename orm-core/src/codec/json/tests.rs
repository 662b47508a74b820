//! The law of the reader on values of many shapes.

mod shapes;
mod text;
mod tree;
mod value;

use std::cell::Cell;
use std::fmt::Debug;

use aws_sdk_dynamodb::types::AttributeValue;
use fastrand::Rng;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde::{Serialize, de::DeserializeOwned};

use self::shapes::{SHAPES, Subject};
use self::value::Random;
use super::law::{Sdk, law, names_twice, whole};
use super::open_item;
use crate::codec::{from_item, to_item};
use crate::entity::Item;

/// The item of a value that can be written and read, and whether it was written fast.
fn written<T: Random + Serialize + DeserializeOwned>(rng: &mut Rng) -> (Item, bool) {
    loop {
        let value = T::random(rng);
        let item = to_item(&value, &[]);
        // As JSON it is the same item; what is not written so is left to the map.
        let json = open_item(&value, &[], &mut |_, _| Ok(true));
        if let Ok(json) = &json {
            assert_eq!(whole(&format!("{json}}}"), super::item).ok(), item.as_ref().ok().cloned());
        }
        if let Ok(item) = item
            && from_item::<T>(item.clone()).is_ok()
        {
            return (item, json.is_ok());
        }
    }
}

/// How often a shape was read fast, and written.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    written: u32,
    plain: u32,
    styled: u32,
    others: u32,
    cases: u32,
}

/// Checks the law on texts that are made from a seed.
fn laws<T>(sdk: &Sdk, seed: u64, tally: &mut Tally)
where
    T: Random + Serialize + DeserializeOwned + PartialEq + Debug,
{
    let rng = &mut Rng::with_seed(seed);
    let (item, is_written) = written::<T>(rng);
    tally.written += u32::from(is_written);
    tally.cases += 1;

    let plain = text::plain(&item);
    // A name with escapes is left to the slow way.
    tally.plain += u32::from(law::<T>(sdk, &plain) || item.iter().any(has_escaped_name));
    let styled = text::styled(&item, rng);
    assert_eq!(sdk.item(&styled).as_ref(), Some(&item), "{styled}");
    tally.styled += u32::from(law::<T>(sdk, &styled));

    let mut changed = item.clone();
    for _ in 0..rng.u8(1..4) {
        tree::change(&mut changed, rng);
    }
    let others = [
        text::plain(&changed),
        text::styled(&changed, rng),
        text::plain(&tree::item(rng)),
        text::damaged(&plain, rng),
        text::damaged(&styled, rng),
    ];
    for text in others {
        if !names_twice(&text) {
            tally.others += u32::from(law::<T>(sdk, &text));
        }
    }
}

/// Whether a name, as JSON writes it, has escapes.
fn has_escaped_name((name, value): (&String, &AttributeValue)) -> bool {
    let is_escaped = |char| matches!(char, '"' | '\\' | '\0'..='\u{1f}');
    name.contains(is_escaped)
        || match value {
            AttributeValue::M(map) => map.iter().any(has_escaped_name),
            AttributeValue::L(list) => {
                list.iter().any(|value| has_escaped_name((&String::new(), value)))
            }
            _ => false,
        }
}

/// Cases of each shape; `MONOTABLE_CASES` asks for another number.
fn cases() -> u32 {
    std::env::var("MONOTABLE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(100)
}

#[test]
fn prop_what_is_read_fast_is_what_is_read_slowly() {
    let sdk = Sdk::new();
    assert!(SHAPES.len() >= 20);
    let (mut failures, mut written) = (Vec::new(), 0);
    for subject in SHAPES {
        match check(&sdk, subject) {
            Ok(tally) => written += usize::from(tally.written == tally.cases),
            Err(failure) => failures.push(failure),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    // The others are flattened, or no structs.
    assert!(written >= 25, "{written} of {} shapes are always written fast", SHAPES.len());
}

fn check(sdk: &Sdk, Subject { name, laws, plain_is_slow }: &Subject) -> Result<Tally, String> {
    let tally = Cell::new(Tally::default());
    let config = Config { failure_persistence: None, ..Config::with_cases(cases()) };
    let outcome = TestRunner::new(config).run(&any::<u64>(), |seed| {
        let mut now = tally.get();
        laws(sdk, seed, &mut now);
        tally.set(now);
        Ok(())
    });
    outcome.map_err(|error| format!("{name}: {error}"))?;
    // Else the law says nothing.
    let tally @ Tally { plain, styled, others, cases, .. } = tally.get();
    match plain_is_slow {
        None if plain < cases => Err(format!("{name}: not always read fast: {tally:?}")),
        None if styled == 0 || others == 0 => Err(format!("{name}: seldom read fast: {tally:?}")),
        Some(reason) if plain == cases => Err(format!("{name}: always read fast, though {reason}")),
        _ => Ok(tally),
    }
}

/// What the SDK refuses or reads otherwise than it seems.
#[test]
fn items_of_the_sdk() {
    let sdk = Sdk::new();
    let texts = [
        r#"{"a":{"B":"AA\u003d="}}"#,
        r#"{"a":{"B":"AA\/="}}"#,
        r#"{"a":{"BS":["AA==","AA\u003d\u003d"]}}"#,
        r#"{"a":{"B":"AA="}}"#,
        r#"{"a":{"B":"AA"}}"#,
        r#"{"a":{"S":"\ud83d\ude00\u0000\/"}}"#,
        r#"{"a":{"S":"\ud83d"}}"#,
        r#"{"a":{"S":"\ude00"}}"#,
        r#"{"a":{"S":"\ud83d\u0041"}}"#,
        r#"{"a":{"S":"\u+041"}}"#,
        "{\"a\":{\"S\":\"\t\"}}",
        "{\"a\":{\"S\":\"\u{7f}\u{80}\u{2028}\"}}",
        r#"{"a":{"N":"1e400"}}"#,
        r#"{"a":{"N":1}}"#,
        r#"{"a":{"BOOL":"true"}}"#,
        r#"{"a":{"NULL":false}}"#,
        r#"{"a":{"S":null}}"#,
        r#"{"a":{"S":"x","N":null}}"#,
        r#"{"a":{"S":"x","__type":{"x":[1]}}}"#,
        r#"{"a":{"__type":"x","S":"x"}}"#,
        r#"{"a":{"S":"x","S":"y"}}"#,
        r#"{"a":{"X":"x"}}"#,
        r#"{"a":{}}"#,
        r#"{"a":null}"#,
        r#"{"\u0061":{"\u0053":"x"}}"#,
        r#"{"a":{"S":"x"},}"#,
        r#"{"a":{"L":[{"S":"x"},]}}"#,
        r#"{"a":{"L":[null]}}"#,
        r#"{"a":{"SS":[]}}"#,
        r#"{"a":{"S":"x"},"a":{"S":"y"}}"#,
    ];
    let mut is_read = 0;
    for text in texts {
        if let Ok(item) = whole(text, super::item) {
            assert_eq!(Some(item), sdk.item(text), "{text}");
            is_read += 1;
        }
    }
    assert!(is_read > 5);
}

fn or_default<'de, D: serde::Deserializer<'de>, T: Default + serde::Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(T::deserialize(deserializer).unwrap_or_default())
}

fn untouched<'de, D: serde::Deserializer<'de>>(_: D) -> Result<u8, D::Error> {
    Ok(7)
}

fn lent<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    <&str as serde::Deserialize>::deserialize(deserializer).map(ToOwned::to_owned)
}

#[derive(Debug, PartialEq, serde::Deserialize)]
struct Tolerant {
    #[serde(default, deserialize_with = "or_default")]
    inner: Option<Inner>,
    #[serde(default, deserialize_with = "or_default")]
    list: Vec<u8>,
    #[serde(default, deserialize_with = "untouched")]
    seven: u8,
    a: Option<u8>,
    b: Option<u8>,
}

#[derive(Debug, PartialEq, serde::Deserialize)]
struct Inner {
    a: u8,
    b: Option<u8>,
}

/// Code of the value's own may go on behind a failure; it is not shown what lies inside of that.
#[test]
fn a_failure_that_is_passed_over_ends_the_fast_way() {
    let sdk = Sdk::new();
    let read = [
        r#"{"inner":{"M":{"a":{"N":"1"},"b":{"N":"2"}}},"a":{"N":"3"}}"#,
        r#"{"inner":{"M":{"b":{"N":"2"}}},"a":{"N":"3"}}"#,
        r#"{"list":{"L":[{"N":"1"},{"N":"2"}]},"b":{"N":"3"}}"#,
        r#"{"list":{"L":[]},"b":{"N":"3"}}"#,
    ];
    for text in read {
        assert!(law::<Tolerant>(&sdk, text), "{text}");
    }
    let unread = [
        r#"{"inner":{"M":{"a":{"N":"300"},"b":{"N":"2"}}},"a":{"N":"3"}}"#,
        r#"{"inner":{"M":{"x":{"M":{"a":{"N":"300"}}},"a":{"S":"1"},"b":{"N":"2"}}}}"#,
        r#"{"list":{"L":[{"N":"300"}]},"b":{"N":"3"}}"#,
        r#"{"list":{"L":[{"N":"1"},{"S":"x"}]},"b":{"N":"3"}}"#,
        r#"{"seven":{"S":"x"}}"#,
        r#"{"seven":{"S":}}"#,
        r#"{"list":{"S":}}"#,
        r#"{"inner":{"B":"?"}}"#,
        r#"{"inner":{"M":{"a"}}}"#,
        r#"{"inner":{"M":{"a":{"N":"\ud83d"}}}}"#,
    ];
    for text in unread {
        assert!(!law::<Tolerant>(&sdk, text), "{text}");
    }
}

#[test]
fn lists_of_another_length_and_text_that_is_lent() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Short(u8, #[serde(default)] u8);

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Holder {
        short: Option<Short>,
        #[serde(default, deserialize_with = "lent")]
        lent: String,
    }

    let sdk = Sdk::new();
    assert!(law::<Holder>(&sdk, r#"{"short":{"L":[{"N":"1"},{"N":"2"}]}}"#));
    assert!(!law::<Holder>(&sdk, r#"{"short":{"L":[{"N":"1"}]}}"#));
    assert!(!law::<Holder>(&sdk, r#"{"short":{"L":[{"N":"1"},{"N":"2"},{"N":"3"}]}}"#));
    assert!(!law::<Holder>(&sdk, r#"{"lent":{"S":"x"}}"#));
}

/// DynamoDB has each name once. What serde keeps as a map has the last value, as the SDK has it.
#[test]
fn a_name_twice() {
    use std::collections::BTreeMap;

    let sdk = Sdk::new();
    let twice = r#"{"a":{"N":"1"},"b":{"N":"2"},"a":{"N":"3"}}"#;
    assert!(law::<BTreeMap<String, u8>>(&sdk, twice));
    assert!(law::<serde_json::Value>(&sdk, twice));
    assert!(!law::<Inner>(&sdk, twice));
}
