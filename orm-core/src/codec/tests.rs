mod json;
mod laws;
mod number;
mod set;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue::{self, B, Bool, Bs, L, M, N, Ns, Null, S, Ss};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Bytes, Number, Set, from_item, from_value, to_item, to_value};

fn n(text: &str) -> AttributeValue {
    N(text.into())
}

fn s(text: &str) -> AttributeValue {
    S(text.into())
}

fn m<const LEN: usize>(entries: [(&str, AttributeValue); LEN]) -> HashMap<String, AttributeValue> {
    entries.map(|(name, value)| (name.to_string(), value)).into()
}

#[track_caller]
fn same<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, stored: AttributeValue) {
    assert_eq!(to_value(&value).as_ref(), Ok(&stored));
    assert_eq!(from_value::<T>(stored), Ok(value));
}

#[track_caller]
fn unwritten<T: Serialize>(value: T, text: &str) {
    let error = to_value(&value).expect_err("refused");
    assert_eq!(error.to_string(), text);
}

#[track_caller]
fn unread<T: DeserializeOwned + Debug>(value: impl Into<AttributeValue>, text: &str) {
    let error = from_value::<T>(value.into()).expect_err("refused");
    assert_eq!(error.to_string(), text);
}

fn item<const LEN: usize>(entries: [(&str, AttributeValue); LEN]) -> AttributeValue {
    M(m(entries))
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Unit;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Id(u32);

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
enum Color {
    Red,
    Rgb(u8, u8),
    Named(String),
    Mix { base: Option<u8>, tags: Set<String> },
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Line {
    sku: String,
    qty: u32,
    note: Option<String>,
    tags: Set<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Order {
    id: String,
    nick: Option<String>,
    lines: Vec<Line>,
    by_day: BTreeMap<u8, Option<i8>>,
    sizes: Set<i128>,
}

#[test]
fn known_values() {
    same(true, Bool(true));
    same('ß', s("ß"));
    same(String::new(), s(""));
    same(-128_i8, n("-128"));
    same(u64::MAX, n("18446744073709551615"));
    same(10_i128.pow(38) - 1, n(&"9".repeat(38)));
    same(1 - 10_i128.pow(38), n(&format!("-{}", "9".repeat(38))));
    same(34 * 10_u128.pow(37), n(&format!("34{}", "0".repeat(37))));
    same((), Null(true));
    same(Unit, Null(true));
    same(None::<u8>, Null(true));
    same(Some(7), n("7"));
    same(Id(4), n("4"));
    same(vec![Some(1), None], L(vec![n("1"), Null(true)]));
    same((1, None::<u8>), L(vec![n("1"), Null(true)]));
    same(Bytes::from([0, 255]), B(Blob::new([0, 255])));
    same(Bytes::default(), B(Blob::new([])));
    same(Color::Red, s("Red"));
    same(Color::Rgb(1, 2), item([("Rgb", L(vec![n("1"), n("2")]))]));
    same(Color::Named("x".into()), item([("Named", s("x"))]));
    let mix = Color::Mix { base: None, tags: Set::new() };
    same(mix, item([("Mix", item([]))]));
    same(
        BTreeMap::from([(-1_i128, None), (2, Some('c'))]),
        item([("-1", Null(true)), ("2", s("c"))]),
    );
    same(BTreeMap::from([(true, 1)]), item([("true", n("1"))]));
    same(BTreeMap::from([(Color::Red, 1)]), item([("Red", n("1"))]));
    same(Set::from(["b".to_string(), "a".to_string()]), Ss(vec!["a".into(), "b".into()]));
    same(Set::from([10_u128, 9]), Ns(vec!["9".into(), "10".into()]));
    same(Set::from([Bytes::from([1])]), Bs(vec![Blob::new([1])]));
}

#[test]
fn absent_fields() {
    let order = Order { id: "1".into(), ..Order::default() };
    let stored = m([("id", s("1")), ("lines", L(vec![])), ("by_day", item([]))]);
    assert_eq!(to_item(&order, &[]), Ok(stored.clone()));
    assert_eq!(from_item(stored), Ok(order.clone()));

    let nulls = to_item(&order, &["nick", "sizes"]).expect("an item");
    assert_eq!(nulls.get("nick"), Some(&Null(true)));
    assert!(!nulls.contains_key("sizes"));
    assert_eq!(from_item(nulls), Ok(order.clone()));
    assert_eq!(from_value::<Set<u8>>(Null(true)), Ok(Set::new()));

    // Below the top level `nulls` names nothing.
    let order = Order { lines: vec![Line::default()], ..order };
    let stored = to_item(&order, &["note"]).expect("an item");
    assert_eq!(stored["lines"], L(vec![item([("sku", s("")), ("qty", n("0"))])]));
    assert_eq!(from_item(stored), Ok(order));

    assert_eq!(
        to_item(&BTreeMap::from([("a", None::<u8>), ("b", None)]), &["b"]),
        Ok(m([("b", Null(true))]))
    );
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    id: u8,
    nick: Option<u8>,
    #[serde(flatten)]
    line: Line,
    #[serde(flatten)]
    extra: BTreeMap<String, f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Event {
    Paid { amount: f64, by: Option<String>, ids: Set<i64> },
    Sent(BTreeMap<String, u64>),
    Lost,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    One(Option<u8>),
    Two(u8, i128),
    Three { x: Option<Number> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Count(u64),
    Text(String),
    Raw(Bytes),
    Many(Vec<f64>),
}

#[test]
fn buffered_types() {
    let line = Line { sku: "a".into(), ..Line::default() };
    let flat = Flat { id: 1, nick: None, line, extra: BTreeMap::from([("x".into(), 1e20)]) };
    let fields =
        [("id", n("1")), ("sku", s("a")), ("qty", n("0")), ("x", n("100000000000000000000"))];
    assert_eq!(to_item(&flat, &[]), Ok(m(fields.clone())));
    same(vec![flat], L(vec![item(fields)]));

    let paid = |amount| Event::Paid { amount, by: None, ids: Set::from([3]) };
    let ids = || ("ids", Ns(vec!["3".into()]));
    same(paid(0.5), item([("kind", s("Paid")), ("amount", n("0.5")), ids()]));
    same(paid(5.0), item([("kind", s("Paid")), ("amount", n("5")), ids()]));
    let none = Event::Paid { amount: 1.0, by: None, ids: Set::new() };
    same(none, item([("kind", s("Paid")), ("amount", n("1"))]));
    same(
        Event::Sent(BTreeMap::from([("a".into(), 7)])),
        item([("kind", s("Sent")), ("a", n("7"))]),
    );
    same(Event::Lost, item([("kind", s("Lost"))]));

    same(Adjacent::One(None), item([("t", s("One"))]));
    same(
        Adjacent::Two(1, 10_i128.pow(30) + 1),
        item([("t", s("Two")), ("c", L(vec![n("1"), n("1000000000000000000000000000001")]))]),
    );
    same(Adjacent::Three { x: None }, item([("t", s("Three")), ("c", item([]))]));

    same(Untagged::Count(1), n("1"));
    same(Untagged::Text("1".into()), s("1"));
    same(Untagged::Raw(Bytes::from([255])), B(Blob::new([255])));
    same(Untagged::Many(vec![1.0, 0.5]), L(vec![n("1"), n("0.5")]));
}

#[test]
fn errors_name_the_path() {
    let line = item([("sku", s("a")), ("qty", s("b"))]);
    let order = |line| item([("id", s("1")), ("by_day", item([])), ("lines", L(vec![line]))]);
    unread::<Order>(order(line), "attribute `lines[0].qty`: expected u32, found S");
    unread::<Order>(
        order(item([("sku", s("a"))])),
        "attribute `lines[0].qty`: the attribute is missing",
    );
    unread::<Order>(order(n("1")), "attribute `lines[0]`: expected struct Line, found N");
    unread::<BTreeMap<u8, u8>>(item([("x", n("1"))]), "expected u8, found string \"x\"");
    unread::<BTreeMap<String, Color>>(
        item([("c", item([("Rgb", L(vec![n("1"), s("2")]))]))]),
        "attribute `c.Rgb[1]`: expected u8, found S",
    );
    unread::<(u8,)>(L(vec![]), "invalid length 0, expected a tuple of size 1");
    unread::<(Color,)>(
        L(vec![item([])]),
        "attribute `[0]`: expected enum Color, found M without exactly one entry",
    );
    unread::<Color>(s("Rgb"), "variant `Rgb` has content, found only its name");
    unread::<String>(n("1"), "expected a string, found N");

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        _a: Option<u8>,
    }
    let strict = item([("s", item([("b", n("1"))]))]);
    unread::<BTreeMap<String, Strict>>(
        strict,
        "attribute `s.b`: unknown attribute, expected one of `_a`",
    );

    unwritten(
        BTreeMap::from([("a", vec![(1.0, f64::INFINITY)])]),
        "attribute `a[0][1]`: a number cannot be NaN or infinite",
    );
    unwritten(
        BTreeMap::from([(1, Adjacent::Two(1, i128::MAX))]),
        "attribute `1.c[1]`: a number has at most 38 significant digits",
    );
    unwritten(
        Holder::Sets(Set::new()),
        "attribute `Sets`: DynamoDB has no empty set; an empty set is only left out of a struct field",
    );
    let float_key =
        "a map key must be a string, char, integer, bool or unit variant, found a float";
    unwritten(FloatKeys, float_key);
    let clash = Flat {
        id: 1,
        nick: None,
        line: Line::default(),
        extra: BTreeMap::from([("id".into(), 1.0)]),
    };
    unwritten(clash, "attribute `id`: written twice, by a field and a flattened map");

    let error = to_item(&[1], &[]).expect_err("a list");
    assert_eq!(error.message(), "an item must be a struct or a map, found L");
    assert_eq!(to_item(&None::<Line>, &[]).expect_err("none").path(), "");
}

#[test]
fn nesting() {
    fn nest(levels: usize) -> serde_json::Value {
        (1..levels).fold(serde_json::json!(1), |inner, _| serde_json::json!([inner]))
    }
    assert!(to_value(&nest(32)).is_ok());
    let error = to_value(&nest(33)).expect_err("too deep");
    assert_eq!(error.path(), "[0]".repeat(32));
    assert_eq!(error.message(), "nested deeper than DynamoDB's 32 levels");
    assert!(to_item(&BTreeMap::from([("a", nest(32))]), &[]).is_ok());
    assert!(to_item(&BTreeMap::from([("a", nest(33))]), &[]).is_err());
}

#[derive(Serialize)]
enum Holder {
    Sets(Set<u8>),
}

struct FloatKeys;

impl Serialize for FloatKeys {
    fn serialize<Ser: serde::Serializer>(&self, serializer: Ser) -> Result<Ser::Ok, Ser::Error> {
        serializer.collect_map([(1.5, 1)])
    }
}
