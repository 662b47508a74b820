use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::num::NonZeroU8;
use std::ops::Range;
use std::time::Duration;

use fastrand::Rng;
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, de};

use super::value::{Random, few};
use super::{Sdk, Tally, laws};
use crate::codec::{Bytes, Number, Set};

/// A shape under the law.
pub(super) struct Subject {
    pub(super) name: &'static str,
    pub(super) laws: fn(&Sdk, u64, &mut Tally),
    /// Why not every value of it is read fast.
    pub(super) plain_is_slow: Option<&'static str>,
}

macro_rules! subjects {
    ($($ty:ty $(: $reason:literal)?,)*) => {
        pub(super) const SHAPES: &[Subject] = &[$(Subject {
            name: stringify!($ty),
            laws: laws::<$ty>,
            plain_is_slow: subjects!(@ $($reason)?),
        },)*];
    };
    (@) => { None };
    (@ $reason:literal) => { Some($reason) };
}

subjects! {
    Integers,
    Floats,
    Decimals,
    Scalars,
    Sets,
    Helpers,
    Options,
    Lists,
    ShortTuple,
    Maps,
    EnumMaps,
    Enums,
    Internals,
    Internal,
    Adjacents,
    Adjacent,
    Untagged,
    UntaggedFields,
    FlatMap,
    FlatText,
    FlatStruct,
    FlatOption,
    FlatEnum,
    FlatAdjacent,
    Renamed,
    Defaults,
    Strict,
    Lenient,
    Borrowed,
    Lent,
    Pair,
    Pairs,
    Standard,
    Converted,
    Recursive,
    Through,
    BTreeMap<String, Untagged>,
    Option<Scalars>,
    Scalar,
    Outer: "an item that is an enum by its only name is left to the slow way",
}

macro_rules! shapes {
    ($($(#[$attr:meta])* struct $name:ident { $($(#[$field_attr:meta])* $field:ident: $ty:ty,)* })*) => {$(
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        $(#[$attr])*
        struct $name {
            $($(#[$field_attr])* $field: $ty,)*
        }

        impl Random for $name {
            fn random(rng: &mut Rng) -> Self {
                $name { $($field: Random::random(rng),)* }
            }
        }
    )*};
}

macro_rules! choices {
    ($($name:ident: |$rng:ident| $($choice:expr),*;)*) => {$(
        impl Random for $name {
            fn random($rng: &mut Rng) -> Self {
                use $name::*;
                let choices: &[fn(&mut Rng) -> $name] = &[$(|$rng| { let _ = &$rng; $choice }),*];
                choices[$rng.usize(..choices.len())]($rng)
            }
        }
    )*};
}

fn random<T: Random>(rng: &mut Rng) -> T {
    T::random(rng)
}

shapes! {
    struct Integers {
        a: i8, b: i16, c: i32, d: i64, e: i128, x: u8, y: u16, t: u32, id: u64, kind: u128,
    }

    struct Floats { a: f32, b: f64, c: Number, d: Vec<f64>, x: BTreeMap<String, Number>, }

    struct Decimals {
        a: Decimal,
        #[serde(with = "rust_decimal::serde::str")]
        b: Decimal,
        #[serde(with = "crate::number")]
        c: Decimal,
        d: Vec<Decimal>,
    }

    struct Scalars {
        a: bool,
        b: char,
        c: String,
        d: Bytes,
        x: (),
        y: Unit,
        id: Id,
        t: Wrapped,
    }

    #[serde(transparent)]
    struct Wrapped { inner: Id, }

    struct Sets {
        a: Set<String>,
        b: Set<i64>,
        c: Set<Number>,
        d: Set<Bytes>,
        x: Option<Set<u8>>,
        y: Set<i128>,
    }

    struct Helpers {
        #[serde(with = "serde_dynamo::string_set", skip_serializing_if = "BTreeSet::is_empty", default)]
        a: BTreeSet<String>,
        #[serde(with = "serde_dynamo::number_set", skip_serializing_if = "BTreeSet::is_empty", default)]
        b: BTreeSet<i32>,
        #[serde(with = "serde_dynamo::binary_set", skip_serializing_if = "BTreeSet::is_empty", default)]
        c: BTreeSet<Bytes>,
    }

    struct Options {
        a: Option<String>,
        b: Option<u8>,
        c: Option<Vec<Option<u8>>>,
        d: Option<Pair>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        x: Option<bool>,
        t: Option<Color>,
        id: Option<Box<Options>>,
    }

    struct Lists {
        a: Vec<Option<u8>>,
        b: (u8, String, bool),
        c: [i16; 3],
        d: Vec<Vec<(u8,)>>,
        x: Point,
        y: [u8; 0],
        t: BTreeSet<u32>,
        id: Vec<Pair>,
    }

    struct ShortTuple { a: Short, b: Vec<Short>, }

    struct Maps {
        a: BTreeMap<String, u8>,
        b: BTreeMap<Id, String>,
        c: BTreeMap<bool, Vec<u8>>,
        d: BTreeMap<char, Option<u8>>,
        x: BTreeMap<String, BTreeMap<String, Pair>>,
        y: BTreeMap<u128, ()>,
        id: BTreeMap<i64, f64>,
    }

    struct EnumMaps { a: BTreeMap<Color, u8>, b: BTreeMap<String, Shape>, }

    struct Enums { a: Shape, b: Vec<Shape>, c: Color, d: Option<Shape>, x: Vec<Open>, }

    struct Internals { a: Internal, b: Vec<Internal>, c: Option<Box<Internals>>, }

    struct Adjacents { a: Adjacent, b: Vec<Adjacent>, c: NewTypes, d: BTreeMap<String, Adjacent>, }

    struct UntaggedFields { a: Untagged, b: Vec<Untagged>, }

    struct FlatMap { id: u8, #[serde(flatten)] extra: BTreeMap<String, i64>, }

    struct FlatText { id: u8, a: Option<String>, #[serde(flatten)] extra: BTreeMap<String, Untagged>, }

    struct FlatStruct { id: u8, #[serde(flatten)] pair: Pair, #[serde(flatten)] other: Other, kind: bool, }

    struct Other { c: Option<String>, d: Vec<u8>, x: Option<Bytes>, }

    struct FlatOption { id: u8, #[serde(flatten)] pair: Option<Pair>, }

    struct FlatEnum { id: u8, #[serde(flatten)] event: Internal, }

    struct FlatAdjacent { id: u8, #[serde(flatten)] event: Adjacent, }

    #[serde(rename_all = "UPPERCASE")]
    struct Renamed {
        text: String,
        #[serde(rename = "a", alias = "b", alias = "é\"")]
        second: u8,
        #[serde(alias = "x")]
        third: Option<u8>,
    }

    #[serde(default)]
    struct Defaults {
        #[serde(skip_serializing_if = "is_zero")]
        a: u8,
        #[serde(default = "seven")]
        b: u8,
        #[serde(skip)]
        c: Skipped,
        d: Option<Vec<u8>>,
        #[serde(skip_serializing)]
        x: Skipped,
    }

    #[serde(deny_unknown_fields)]
    struct Strict { a: u8, b: Option<StrictPair>, }

    #[serde(deny_unknown_fields)]
    struct StrictPair { x: u8, y: Option<String>, }

    struct Lenient {
        #[serde(deserialize_with = "or_default")]
        a: u8,
        #[serde(deserialize_with = "or_default")]
        b: Vec<u8>,
        #[serde(deserialize_with = "or_default")]
        c: LenientPair,
        d: Vec<LenientPair>,
        x: Option<LenientKeys>,
    }

    struct LenientPair {
        #[serde(default, deserialize_with = "or_default")]
        a: Option<Pair>,
        #[serde(default, deserialize_with = "or_default")]
        b: Option<Color>,
        #[serde(default)]
        x: u8,
    }

    struct Borrowed {
        a: Cow<'static, str>,
        b: Box<str>,
        #[serde(deserialize_with = "cow")]
        c: String,
        d: Cow<'static, [u8]>,
    }

    struct Lent { #[serde(deserialize_with = "lent_or_not")] a: String, }

    struct Pair { a: u8, b: String, }

    struct Pairs { y: PairOf, x: Option<Box<Pairs>>, }

    struct PairOf { t: Pair, c: BTreeMap<String, Pair>, }

    struct Standard {
        a: Duration,
        b: std::result::Result<u8, String>,
        c: Range<u8>,
        d: NonZeroU8,
        x: std::net::IpAddr,
        y: Option<std::path::PathBuf>,
    }

    struct Converted { a: Text, b: Vec<Text>, c: Hex, }

    struct Through { a: Anything, b: Option<Anything>, }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Unit;

impl Random for Unit {
    fn random(_: &mut Rng) -> Self {
        Unit
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Id(u32);

impl Random for Id {
    fn random(rng: &mut Rng) -> Self {
        Id(random(rng))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Point(i16, Option<String>);

impl Random for Point {
    fn random(rng: &mut Rng) -> Self {
        Point(random(rng), random(rng))
    }
}

/// What is missing at the end has a default to serde; a list of another length is refused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Short(u8, #[serde(default)] u8);

impl Random for Short {
    fn random(rng: &mut Rng) -> Self {
        Short(random(rng), random(rng))
    }
}

/// Neither written nor random.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Skipped(u8);

impl Random for Skipped {
    fn random(_: &mut Rng) -> Self {
        Skipped::default()
    }
}

impl Default for Defaults {
    fn default() -> Self {
        Defaults { a: 0, b: 1, c: Skipped(0), d: None, x: Skipped(0) }
    }
}

fn seven() -> u8 {
    7
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Color {
    Red,
    #[serde(rename = "1")]
    Green,
    Two,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum Open {
    Red,
    #[serde(other)]
    Other,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Shape {
    Dot,
    One(u8),
    Two(i64, String),
    Three { a: u8, b: Option<String> },
    Four(Option<Box<Shape>>),
    Unit(()),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Internal {
    One { a: u8, b: Option<String> },
    Two(Pair),
    Three(BTreeMap<String, i64>),
    Four { c: f64, d: Set<u8>, x: Vec<Bytes> },
    Red,
    Green(Unit),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    One(Option<u8>),
    Two(u8, i128),
    Three { a: u8, b: Option<String> },
    Four(Box<Adjacent>),
    Red,
    Green(Pair),
    Dot(Vec<Adjacent>),
}

/// The content stands before the tag in the order of names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "x", content = "a", deny_unknown_fields)]
enum NewTypes {
    One(Number),
    Two(Pair),
    Three,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Red,
    One(u64),
    Small(i8),
    Real(f64),
    Is(bool),
    Text(String),
    Raw(Bytes),
    Pair(Pair),
    Many(Vec<u8>),
    Map(BTreeMap<String, Untagged>),
}

/// A whole item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Scalar {
    Pair(Pair),
    Event(Internal),
    Rest(BTreeMap<String, Untagged>),
}

/// The same by its only name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Outer {
    One(u8),
    Two { a: u8 },
}

choices! {
    Color: |rng| Red, Green, Two;
    Open: |rng| Red, Other;
    Shape: |rng| Dot, One(random(rng)), Two(random(rng), random(rng)),
        Three { a: random(rng), b: random(rng) }, Four(few::<_, Vec<Box<Shape>>>(rng).pop()), Unit(());
    Internal: |rng| One { a: random(rng), b: random(rng) }, Two(random(rng)),
        Three(random(rng)), Four { c: rng.i32(..).into(), d: random(rng), x: random(rng) }, Red,
        Green(Unit);
    Adjacent: |rng| One(random(rng)), Two(random(rng), random(rng)),
        Three { a: random(rng), b: random(rng) }, Four(random(rng)), Red, Green(random(rng)),
        Dot(rng.bool().then(|| random(rng)).into_iter().collect());
    NewTypes: |rng| One(random(rng)), Two(random(rng)), Three;
    Untagged: |rng| Red, One(random(rng)), Small(-1), Real(0.5), Is(random(rng)), Text(random(rng)),
        Raw(random(rng)), Pair(random(rng)), Map([("x".to_owned(), Is(true))].into());
    Scalar: |rng| Pair(random(rng)), Rest([("x".to_owned(), random(rng))].into());
    Outer: |rng| One(random(rng)), Two { a: random(rng) };
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Recursive {
    a: Option<Box<Recursive>>,
    b: Vec<Recursive>,
    c: BTreeMap<String, Recursive>,
}

impl Random for Recursive {
    fn random(rng: &mut Rng) -> Self {
        let (mut a, mut b, mut c) = (None, Vec::new(), BTreeMap::new());
        match rng.u8(0..7) {
            0 | 1 => a = Some(random(rng)),
            2 => b = vec![random(rng)],
            3 => c = BTreeMap::from([(random(rng), random(rng))]),
            _ => {}
        }
        Recursive { a, b, c }
    }
}

/// What fails is left at its default.
fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(T::deserialize(deserializer).unwrap_or_default())
}

impl Default for LenientPair {
    fn default() -> Self {
        LenientPair { a: None, b: None, x: 200 }
    }
}

/// The entries of a map up to the first that fails.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
struct LenientKeys(BTreeMap<String, u8>);

impl Random for LenientKeys {
    fn random(rng: &mut Rng) -> Self {
        LenientKeys(few(rng))
    }
}

impl<'de> Deserialize<'de> for LenientKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;

        impl<'de> de::Visitor<'de> for Keys {
            type Value = LenientKeys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<LenientKeys, A::Error> {
                let (mut entries, mut failed) = (BTreeMap::new(), false);
                while let Some(key) = map.next_key()? {
                    match map.next_value() {
                        Ok(value) => drop(entries.insert(key, value)),
                        Err(_) => failed = true,
                    }
                }
                Ok(LenientKeys(if failed { BTreeMap::new() } else { entries }))
            }
        }

        deserializer.deserialize_map(Keys)
    }
}

fn cow<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    struct Lent<'a>(#[serde(borrow)] Cow<'a, str>);

    Lent::deserialize(deserializer).map(|lent| lent.0.into_owned())
}

/// A `&str`, which the slow way cannot lend.
fn lent_or_not<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(<&str>::deserialize(deserializer).unwrap_or_default().to_owned())
}

impl Random for Cow<'static, str> {
    fn random(rng: &mut Rng) -> Self {
        Cow::Owned(random(rng))
    }
}

impl Random for Cow<'static, [u8]> {
    fn random(rng: &mut Rng) -> Self {
        Cow::Owned(random(rng))
    }
}

impl Random for Box<str> {
    fn random(rng: &mut Rng) -> Self {
        String::random(rng).into()
    }
}

impl Random for Duration {
    fn random(rng: &mut Rng) -> Self {
        Duration::new(random(rng), rng.u32(0..1_000_000_000))
    }
}

impl Random for Range<u8> {
    fn random(rng: &mut Rng) -> Self {
        random(rng)..random(rng)
    }
}

impl Random for NonZeroU8 {
    fn random(rng: &mut Rng) -> Self {
        NonZeroU8::MIN.saturating_add(random(rng))
    }
}

impl Random for std::net::IpAddr {
    fn random(rng: &mut Rng) -> Self {
        if rng.bool() { random::<[u8; 4]>(rng).into() } else { random::<[u8; 16]>(rng).into() }
    }
}

impl Random for std::path::PathBuf {
    fn random(rng: &mut Rng) -> Self {
        String::random(rng).into()
    }
}

impl<T: Random, E: Random> Random for std::result::Result<T, E> {
    fn random(rng: &mut Rng) -> Self {
        if rng.bool() { Ok(random(rng)) } else { Err(random(rng)) }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Text(u8);

impl TryFrom<String> for Text {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Text)
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.0.to_string()
    }
}

impl Random for Text {
    fn random(rng: &mut Rng) -> Self {
        Text(random(rng))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Pair", into = "Pair")]
struct Hex(Pair);

impl From<Pair> for Hex {
    fn from(pair: Pair) -> Self {
        Hex(pair)
    }
}

impl From<Hex> for Pair {
    fn from(hex: Hex) -> Self {
        hex.0
    }
}

impl Random for Hex {
    fn random(rng: &mut Rng) -> Self {
        Hex(random(rng))
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Anything(serde_json::Value);

impl Random for Anything {
    fn random(rng: &mut Rng) -> Self {
        Anything(match rng.u8(0..7) {
            0 => serde_json::Value::Null,
            1 => rng.bool().into(),
            2 => rng.i32(..).into(),
            3 => String::random(rng).into(),
            4 => vec![Anything::random(rng).0].into(),
            _ => {
                serde_json::json!({ String::random(rng): Anything::random(rng).0, "t": 1, "c": null })
            }
        })
    }
}
