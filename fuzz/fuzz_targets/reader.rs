//! What is read fast of an item is what the SDK and the codec read.

#![no_main]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use monotable::fuzzing::Sdk;
use monotable::{Bytes, Number, Set};
use serde::{Deserialize, Deserializer};

#[derive(Debug, PartialEq, Deserialize)]
struct Plain {
    a: Option<String>,
    b: Option<u8>,
    c: Option<f64>,
    d: Option<Bytes>,
    e: Option<Number>,
    f: Option<(i128, bool)>,
    g: Option<()>,
    h: Option<Vec<char>>,
    #[serde(default)]
    i: Set<String>,
    #[serde(default)]
    j: BTreeMap<u8, Pair>,
    k: Option<Box<Plain>>,
    l: Option<External>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Pair {
    a: u8,
    b: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
enum External {
    A,
    B(u8),
    C(u8, Option<bool>),
    D { a: u8 },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "a", content = "b")]
enum Adjacent {
    A,
    B(u8),
    C(Vec<Adjacent>),
    D { a: u8, b: Option<String> },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "a")]
enum Internal {
    A,
    B(Pair),
    C { b: Option<Box<Internal>> },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Untagged {
    A(u8),
    B(f64),
    C(String),
    D(Vec<Untagged>),
    E(BTreeMap<String, Untagged>),
}

#[derive(Debug, PartialEq, Deserialize)]
struct Flat {
    c: Option<u8>,
    #[serde(flatten)]
    rest: BTreeMap<String, Untagged>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Strict {
    a: Option<Adjacent>,
    b: Option<Internal>,
}

/// What fails is left at its default.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Tolerant {
    #[serde(deserialize_with = "or_default")]
    a: Option<Pair>,
    #[serde(deserialize_with = "or_default")]
    b: Vec<u8>,
    #[serde(deserialize_with = "or_default")]
    c: Box<Option<Tolerant>>,
    d: Option<u8>,
}

fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(T::deserialize(deserializer).unwrap_or_default())
}

static SDK: LazyLock<Sdk> = LazyLock::new(Sdk::default);

fuzz_target!(|text: &str| {
    if Sdk::names_twice(text) {
        return;
    }
    SDK.agrees_on_item::<Plain>(text);
    SDK.agrees_on_item::<Pair>(text);
    SDK.agrees_on_item::<Adjacent>(text);
    SDK.agrees_on_item::<Internal>(text);
    SDK.agrees_on_item::<Flat>(text);
    SDK.agrees_on_item::<Strict>(text);
    SDK.agrees_on_item::<Tolerant>(text);
    SDK.agrees_on_item::<BTreeMap<String, Untagged>>(text);
    SDK.agrees_on_item::<serde_json::Value>(text);
});
