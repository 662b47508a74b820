use std::fmt::Display;

use proptest::prelude::*;
use serde::Serializer;

use super::*;
use crate::codec::json::{self, Text, Unwritten, open_item};

type Attributes = HashMap<String, AttributeValue>;

fn written<T: Serialize>(value: &T, nulls: &[&str]) -> Result<Attributes, Unwritten> {
    let json = open_item(value, nulls, &mut |_, _| Ok(true))? + "}";
    let mut text = Text::new(&json);
    let item = json::item(&mut text).expect("JSON that can be read");
    assert_eq!(text.rest(), b"", "{json}");
    Ok(item)
}

/// The text is that of the same item, or neither is written.
#[track_caller]
fn agrees<T: Serialize>(value: &T, nulls: &[&str]) {
    match (written(value, nulls), to_item(value, nulls)) {
        (Ok(json), Ok(item)) => assert_eq!(json, item),
        (Err(Unwritten), Err(_)) => {}
        (json, item) => panic!("{json:?} and {item:?}"),
    }
}

#[derive(Debug, Serialize)]
struct All {
    text: String,
    letter: char,
    nick: Option<Option<String>>,
    #[serde(rename = "quoted \" \\ \u{1}name")]
    quoted: Option<u8>,
    float: f64,
    small: f32,
    long: i128,
    longer: u128,
    id: u64,
    exact: Number,
    raw: Bytes,
    strings: Set<String>,
    numbers: Set<i64>,
    bytes: Set<Bytes>,
    colors: Vec<Option<Color>>,
    names: BTreeMap<String, Option<Line>>,
    hashed: HashMap<char, i16>,
    by_color: BTreeMap<Color, ()>,
    pair: (Option<u8>, Unit),
    event: Event,
    adjacent: Adjacent,
    untagged: Untagged,
    inner: Option<Box<All>>,
    same: Same,
}

#[derive(Debug, Serialize)]
#[serde(transparent)]
struct Same(Id);

fn number() -> impl Strategy<Value = Number> {
    (any::<i64>(), -120..100_i32)
        .prop_map(|(digits, exponent)| format!("{digits}E{exponent}").parse().expect("a number"))
}

fn few<T: Arbitrary>() -> impl Strategy<Value = Vec<T>> {
    prop::collection::vec(any::<T>(), 0..4)
}

fn color() -> impl Strategy<Value = Color> {
    prop_oneof![
        Just(Color::Red),
        any::<(u8, u8)>().prop_map(|(a, b)| Color::Rgb(a, b)),
        any::<String>().prop_map(Color::Named),
        (any::<Option<u8>>(), few::<String>())
            .prop_map(|(base, tags)| Color::Mix { base, tags: tags.into_iter().collect() }),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        Just(Event::Lost),
        few::<(String, u64)>().prop_map(|sent| Event::Sent(sent.into_iter().collect())),
        (any::<(f64, Option<String>)>(), few::<i64>()).prop_map(|((amount, by), ids)| {
            Event::Paid { amount, by, ids: ids.into_iter().collect() }
        }),
    ]
}

fn all() -> impl Strategy<Value = All> {
    let digits = 10_i128.pow(38);
    let texts = (any::<(String, char, Option<Option<String>>)>(), "[\\PC\u{0}-\u{20}\"\\\\]*");
    let scaled = (any::<i64>(), -40..40_i32).prop_map(|(digits, exponent)| {
        let single = digits as f32 * 10_f32.powi(exponent / 2);
        (digits as f64 * 10_f64.powi(exponent), single)
    });
    let floats = prop_oneof![
        2 => (-1e100..1e100_f64, -1e30..1e30_f32),
        2 => scaled,
        1 => any::<(f64, f32)>()
    ];
    let numbers = (floats, -digits - 2..digits + 2, 0..3_u128.pow(80), any::<u64>(), number());
    let raw = (few::<u8>(), few::<String>(), few::<i64>(), few::<[u8; 3]>());
    let colors = prop::collection::vec(prop::option::of(color()), 0..3);
    let hashed = prop::collection::hash_map(any::<char>(), any::<i16>(), 0..4);
    let maps = (few::<String>(), hashed, color(), event());
    let rest = (any::<(Option<u8>, Option<u8>)>(), few::<f32>(), any::<u8>());
    let leaf = (texts, numbers, raw, colors, maps, rest).prop_map(|parts| {
        let (((text, letter, nick), odd), numbers, raw, colors, maps, rest) = parts;
        let ((float, small), long, longer, id, exact) = numbers;
        let (bytes, strings, integers, binaries) = raw;
        let (lines, hashed, base, event) = maps;
        let ((quoted, first), floats, choice) = rest;
        let line = |sku: &String| Line {
            sku: sku.clone(),
            note: nick.clone().flatten(),
            ..Line::default()
        };
        let names = lines.iter().map(|sku| (sku.clone(), (sku.len() % 2 == 0).then(|| line(sku))));
        let names = names.chain([(odd, None)]).collect();
        All {
            text,
            letter,
            quoted,
            float,
            small,
            long,
            longer,
            id,
            exact,
            raw: bytes.into(),
            strings: strings.into_iter().collect(),
            numbers: integers.into_iter().collect(),
            bytes: binaries.into_iter().map(Bytes::from).collect(),
            colors,
            names,
            hashed,
            by_color: match base {
                Color::Red => BTreeMap::from([(Color::Red, ())]),
                _ => BTreeMap::new(),
            },
            pair: (first, Unit),
            event,
            adjacent: match choice % 3 {
                0 => Adjacent::One(first),
                1 => Adjacent::Two(choice, long),
                _ => Adjacent::Three { x: quoted.map(|_| exact) },
            },
            untagged: match choice % 4 {
                0 => Untagged::Count(id),
                1 => Untagged::Text(letter.to_string()),
                2 => Untagged::Raw(Bytes::from([choice])),
                _ => Untagged::Many(floats.into_iter().map(f64::from).collect()),
            },
            inner: None,
            same: Same(Id(7)),
            nick,
        }
    });
    leaf.prop_recursive(3, 6, 1, |inner| {
        (inner.clone(), inner).prop_map(|(outer, inner)| All { inner: Some(inner.into()), ..outer })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn prop_json_is_the_item(all in all(), nulls in prop::sample::subsequence(vec!["nick", "inner", "quoted \" \\ \u{1}name", "strings"], 0..=4)) {
        agrees(&all, &nulls);
    }
}

/// Serializes as a map of so many entries, or of a struct's fields, one of them twice.
struct Entries(&'static [&'static str], bool);

impl Serialize for Entries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::{SerializeMap, SerializeStruct};
        if self.1 {
            let mut fields = serializer.serialize_struct("Entries", self.0.len())?;
            for name in self.0 {
                fields.serialize_field(name, name)?;
            }
            return fields.end();
        }
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for name in self.0 {
            map.serialize_entry(name, name)?;
        }
        map.end()
    }
}

#[derive(Serialize)]
struct Within<T>(T);

#[derive(Serialize)]
struct Field<T> {
    field: T,
}

#[test]
fn what_is_refused_is_not_written() {
    let field = |names, is_struct| agrees(&Field { field: Entries(names, is_struct) }, &[]);
    for is_struct in [false, true] {
        field(&["b", "a", "b"], is_struct);
        field(&["b", "ab", "a"], is_struct);
    }
    agrees(&Entries(&["b", "a", "b"], true), &[]);
    for is_struct in [false, true] {
        let names: &[&str] = &["a", ""];
        assert!(written(&Field { field: Entries(names, is_struct) }, &[]).is_err());
        field(names, is_struct);
        agrees(&Entries(names, is_struct), &[]);
    }
    agrees(&Field { field: FloatKeys }, &[]);
    agrees(&Field { field: Holder::Sets(Set::new()) }, &[]);
    agrees(&Field { field: vec![Set::<String>::new()] }, &[]);
    agrees(&Field { field: [(f32::NAN, 1)] }, &[]);
    agrees(&Field { field: u128::MAX }, &[]);
    for value in [0, 1] {
        agrees(&value, &[]);
    }
    agrees(&"{\"M\":{}}", &[]);
    agrees(&[1], &[]);
    agrees(&None::<Line>, &[]);
    agrees(&Some(Within(Line::default())), &["note"]);
}

#[test]
fn json_nests_as_deep_as_items() {
    fn nest(levels: usize) -> serde_json::Value {
        (1..levels).fold(serde_json::json!(1), |inner, _| serde_json::json!([inner]))
    }
    fn maps(levels: usize) -> serde_json::Value {
        (1..levels).fold(serde_json::json!(1), |inner, _| serde_json::json!({ "a": inner }))
    }
    #[derive(Serialize)]
    enum Deep {
        Tuple(serde_json::Value, Option<u8>),
        Struct { value: serde_json::Value, none: Option<u8> },
        New(serde_json::Value),
    }
    for levels in 28..36 {
        agrees(&Field { field: nest(levels) }, &[]);
        agrees(&Field { field: maps(levels) }, &[]);
        agrees(&Field { field: Deep::Tuple(nest(levels), None) }, &[]);
        agrees(&Field { field: Deep::Struct { value: maps(levels), none: None } }, &[]);
        agrees(&Field { field: Deep::New(nest(levels)) }, &[]);
    }
}

#[test]
fn floats_at_the_bounds_of_their_forms() {
    for bound in [1e-30_f64, 1e30, 1e-7, 1e16, 1e21, 1.0, 0.1] {
        agrees(&Field { field: [bound, bound.next_up(), bound.next_down(), -bound] }, &[]);
    }
    for bound in [1e-30_f32, 1e30, 1e-7, 1e16, 1e21, 1.0, 0.1] {
        agrees(&Field { field: [bound, bound.next_up(), bound.next_down(), -bound] }, &[]);
    }
    for float in [0.0, -0.0, f64::MIN_POSITIVE, f64::MAX, f64::EPSILON, 0.1 + 0.2, 1.0 / 3.0] {
        agrees(&Field { field: [float, -float] }, &[]);
    }
}

#[test]
fn one_name_of_many_is_there_twice() {
    for count in [2, 15, 16, 17, 40] {
        let names = || (0..count).map(|at| format!("n{}", at * 7 % 41));
        let fields = |names: Vec<String>| -> Entries {
            let names = names.into_iter().map(|name| &*name.leak()).collect::<Vec<_>>();
            Entries(names.leak(), true)
        };
        assert!(written(&fields(names().collect()), &[]).is_ok());
        for (first, second) in [(0, 1), (0, count), (count / 2, count), (count - 1, count)] {
            let mut twice: Vec<_> = names().collect();
            twice.insert(second, twice[first].clone());
            assert_eq!(written(&fields(twice.clone()), &[]), Err(Unwritten), "{twice:?}");
            agrees(&fields(twice), &[]);
        }
    }
    // Of one length, with one first character.
    agrees(&Entries(&["ab", "ac", "ad"], true), &[]);
    assert!(written(&Entries(&["ab", "ac", "ad"], true), &[]).is_ok());
}

/// Passes over what it cannot write.
struct Tolerant<T>(Vec<T>, bool);

impl<T: Serialize> Serialize for Tolerant<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::{SerializeMap, SerializeSeq};
        if self.1 {
            let mut map = serializer.serialize_map(Some(self.0.len()))?;
            for value in &self.0 {
                let _ = map.serialize_entry("name", value);
            }
            return map.end();
        }
        let mut list = serializer.serialize_seq(None)?;
        for value in &self.0 {
            let _ = list.serialize_element(value);
        }
        list.end()
    }
}

#[test]
fn a_failure_that_is_passed_over_ends_the_fast_way() {
    for is_map in [false, true] {
        for floats in [vec![1.0, f64::NAN], vec![f64::NAN, 1.0], vec![f64::NAN]] {
            let field = Field { field: Tolerant(floats.clone(), is_map) };
            assert_eq!(written(&field, &[]), Err(Unwritten));
            let inner = floats.into_iter().map(|float| vec![float]).collect();
            assert_eq!(written(&Field { field: Tolerant(inner, is_map) }, &[]), Err(Unwritten));
        }
        assert!(written(&Field { field: Tolerant(vec![1.0], is_map) }, &[]).is_ok());
    }
}

/// Flattened fields, which could be written twice, and items that are no structs.
#[test]
fn what_is_unusual_is_left_to_the_slow_way() {
    let line = Line { sku: "a".into(), ..Line::default() };
    let flat = || Flat { id: 1, nick: None, line: line.clone(), extra: BTreeMap::new() };
    assert_eq!(written(&flat(), &[]), Err(Unwritten));
    assert_eq!(written(&Field { field: flat() }, &[]), Err(Unwritten));
    assert_eq!(written(&BTreeMap::from([("a", 1)]), &[]), Err(Unwritten));
    assert_eq!(written(&Adjacent::Two(1, 2), &[]).map(|item| item.len()), Ok(2));
    assert_eq!(written(&Color::Rgb(1, 2), &[]), Err(Unwritten));
}

#[test]
fn what_is_not_kept_leaves_no_trace() {
    let line = Line { sku: "a".into(), qty: 7, note: None, tags: Set::from(["x".into()]) };
    for (dropped, rest) in [("sku", "qty tags"), ("qty", "sku tags"), ("tags", "sku qty")] {
        let mut shown = Vec::new();
        let json = open_item(&line, &[], &mut |name, json| {
            shown.push(format!("{name}={json}"));
            Ok(name != dropped)
        });
        let json = json.expect("a line") + "}";
        let item = json::item(&mut Text::new(&json)).expect("an item");
        let mut expected = to_item(&line, &[]).expect("an item");
        assert!(expected.remove(dropped).is_some());
        assert_eq!(item, expected);
        assert_eq!(item.len(), rest.split(' ').count());
        assert_eq!(shown, [r#"sku={"S":"a"}"#, r#"qty={"N":"7"}"#, r#"tags={"SS":["x"]}"#]);
    }
    assert_eq!(open_item(&line, &[], &mut |_, _| Err(Unwritten)), Err(Unwritten));
}

struct Shown<T>(T);

impl<T: Display> Serialize for Shown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

#[test]
fn what_is_displayed_is_escaped() {
    for text in ["", "a", "\"", "a\\b\n\u{7f}ß", "\u{0}", "plain text, and 8 bytes more\""] {
        agrees(&Field { field: Shown(text) }, &[]);
        agrees(&Field { field: BTreeMap::from([(text, text)]) }, &[]);
    }
}
