//! The laws of keys, over any template. Each compares what the library made with what the values of
//! the fields alone say.

use std::ops::Bound;

use monotable::key::PartKind;
use proptest::prelude::TestCaseError;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};

use crate::kind::Kind;
use crate::shape::{Field, Fields, Keyed, Partition, Seen, Subject, Value, laws};
use crate::tape::{Tape, cases};
use crate::template::template;

type Outcome = Result<(), TestCaseError>;
type Check = fn(&mut Tape<'_>) -> Outcome;

/// The laws of one template.
pub struct Laws {
    pub name: &'static str,
    pub template: &'static str,
    pub injective: Check,
    pub parse_back: Check,
    pub order: Option<Check>,
    pub prefix: Option<Check>,
    pub exact_ranges: Option<Check>,
    pub once: Check,
}

impl Laws {
    pub fn of<S: Subject>() -> Self {
        Laws {
            name: std::any::type_name::<S>(),
            template: S::TEMPLATE,
            injective: injective::<S>,
            parse_back: parse_back::<S>,
            order: S::ORDERED.then_some(order::<S> as Check),
            prefix: Some(prefix::<S>),
            exact_ranges: Some(exact_ranges::<S>),
            once: once::<S>,
        }
    }

    pub fn of_partition<S: Partition>() -> Self {
        Laws {
            name: std::any::type_name::<S>(),
            template: S::TEMPLATE,
            injective: injective::<S>,
            parse_back: parse_back::<S>,
            order: None,
            prefix: None,
            exact_ranges: None,
            once: partition_once::<S>,
        }
    }
}

/// Runs a law on every template of a group, `usual` cases in all at least.
pub fn check(all: &[Laws], law: impl Fn(&Laws) -> Option<Check>, words: usize, usual: u32) {
    let checks: Vec<_> = all.iter().filter_map(|laws| Some((laws, law(laws)?))).collect();
    let count = u32::try_from(checks.len()).unwrap();
    assert!(count > 0, "no template has this law");
    for (laws, check) in checks {
        let config = Config {
            cases: cases(usual).div_ceil(count),
            failure_persistence: None,
            max_shrink_iters: 2_000,
            rng_seed: RngSeed::Random,
            ..Config::default()
        };
        let tape = proptest::collection::vec(proptest::num::u32::ANY, words / 2..=words);
        let outcome = TestRunner::new(config).run(&tape, |words| check(&mut Tape::new(&words)));
        match outcome {
            Ok(()) => {}
            // The tape says nothing to people.
            Err(TestError::Fail(reason, _)) => {
                panic!("{} (`{}`): {}", laws.name, laws.template, reason.message());
            }
            Err(error) => panic!("{} (`{}`): {error}", laws.name, laws.template),
        }
    }
}

macro_rules! ensure {
    ($holds:expr, $($text:tt)+) => {
        if !$holds {
            return Err(TestCaseError::fail(format!($($text)+)));
        }
    };
}

/// Law 1: different values never render to one key.
fn injective<S: Keyed>(tape: &mut Tape<'_>) -> Outcome {
    let one = S::draw(tape);
    let mut other = S::draw(tape);
    let shared = tape.word();
    for (at, field) in S::FIELDS.iter().enumerate() {
        if shared >> at & 1 == 1 {
            share(*field, &one, &mut other);
        }
    }
    let (one, other) = match tape.rarely(3) {
        true => shifted::<S>(one, other, tape),
        false => (one, other),
    };
    let (a, b) = (S::of(&one).text()?, S::of(&other).text()?);
    let same = S::tuple(&one) == S::tuple(&other);
    ensure!(same == (a == b), "{one:?}\nand {other:?}\nrender {a:?}\nand {b:?}");
    Ok(())
}

pub fn share<V: Clone>(field: Field, from: &Fields<V>, to: &mut Fields<V>) {
    match field {
        Field::S => to.s.clone_from(&from.s),
        Field::A => to.a = from.a,
        Field::X => to.x = from.x.clone(),
        Field::B => to.b.clone_from(&from.b),
    }
}

/// The same texts cut at different delimiters: (`a#b`, `c`) and (`a`, `b#c`).
fn shifted<S: Keyed>(
    one: Fields<Value<S>>,
    other: Fields<Value<S>>,
    tape: &mut Tape<'_>,
) -> (Fields<Value<S>>, Fields<Value<S>>) {
    let takes_text = |field: &Field| match field {
        Field::S | Field::B => true,
        Field::X => S::Kind::from_text("a").is_some(),
        Field::A => false,
    };
    let texts: Vec<_> = S::FIELDS.iter().copied().filter(takes_text).collect();
    if texts.len() < 2 {
        return (one, other);
    }
    let at = tape.below(texts.len() - 1);
    let delimiter = tape.pick(&["#", "/", "|", ":", ".", "-", "$", "%", "%23"]);
    let pieces = [tape.text(), tape.text(), tape.text()];
    let join = |pieces: &[String]| pieces.join(delimiter);
    let with = |left: &str, right: &str| {
        let mut fields = one.clone();
        for (field, text) in [(texts[at], left), (texts[at + 1], right)] {
            match field {
                Field::S => fields.s = text.to_owned(),
                Field::B => fields.b = text.to_owned(),
                _ => fields.x = S::Kind::from_text(text).unwrap(),
            }
        }
        S::storable(fields)
    };
    (with(&join(&pieces[..2]), &pieces[2]), with(&pieces[0], &join(&pieces[1..])))
}

/// Law 2: a key parses to its values, and only canonical text parses.
fn parse_back<S: Keyed>(tape: &mut Tape<'_>) -> Outcome {
    let template = cached_template::<S>();
    let fields = S::draw(tape);
    let text = S::of(&fields).text()?;
    let parsed = template.parse(&text);
    ensure!(
        parsed == Some(S::values(&fields)),
        "{fields:?}\nrenders {text:?}\nwhich parses to {parsed:?}"
    );
    for _ in 0..4 {
        let mutant = mutated(&text, tape);
        let Some(values) = template.parse(&mutant) else { continue };
        let shown = format!("{values:?}");
        // jiff's last instant lies before the last second of the year 9999.
        let Some(again) = S::from_values(values, &fields) else { continue };
        let again = S::of(&again).text()?;
        ensure!(again == mutant, "{mutant:?} parses to {shown}\nwhich renders {again:?}");
    }
    Ok(())
}

/// Made once for each template, since its pieces are leaked.
fn cached_template<S: Keyed>() -> monotable::private::Template {
    use std::collections::HashMap;
    use std::sync::{Mutex, PoisonError};
    static MADE: Mutex<Option<HashMap<&'static str, monotable::private::Template>>> =
        Mutex::new(None);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    *made
        .get_or_insert_default()
        .entry(std::any::type_name::<S>())
        .or_insert_with(|| template(S::TEMPLATE, S::kind_of))
}

/// A key that somebody wrote by hand, nearly right.
fn mutated(text: &str, tape: &mut Tape<'_>) -> String {
    let letters: Vec<char> = text.chars().collect();
    let at = tape.below(letters.len());
    let (head, tail) = (&letters[..at], &letters[at + 1..]);
    let put = |middle: &str| {
        let (head, tail) = (head.iter().collect::<String>(), tail.iter().collect::<String>());
        head + middle + &tail
    };
    let here = letters[at];
    match tape.below(12) {
        0 => put(""),
        1 => put(&format!("{here}{here}")),
        2 => put(&format!("0{here}")),
        3 => put(&format!("+{here}")),
        4 => put(&format!("-{here}")),
        5 => here.to_string().bytes().fold(put(""), |_, byte| put(&format!("%{byte:02X}"))),
        6 => put(&here.to_lowercase().to_string()),
        7 => put(&here.to_uppercase().to_string()),
        8 => {
            put(tape
                .pick(&["#", "/", "%", "$", "0", "9", " ", "T", "Z", "n", "p", ".", "%2f", "%41"]))
        }
        9 => head.iter().collect(),
        10 => text.to_owned() + tape.pick(&["#", "0", "a", "%", "Z", "\0", " "]),
        // Lower-case escapes.
        _ => match text.find("%2") {
            Some(found) => {
                let (head, tail) = text.split_at(found);
                head.to_owned() + &tail.to_lowercase()
            }
            None => put(&format!(" {here}")),
        },
    }
}

/// Law 3: keys sort as the field tuples do.
fn order<S: Subject>(tape: &mut Tape<'_>) -> Outcome {
    let one = S::draw(tape);
    let mut other = S::draw(tape);
    let shared = tape.below(S::FIELDS.len());
    for field in &S::FIELDS[..shared] {
        share(*field, &one, &mut other);
    }
    let (a, b) = (S::of(&one).text()?, S::of(&other).text()?);
    let order = a.as_bytes().cmp(b.as_bytes());
    ensure!(
        order == S::order(&one, &other),
        "{one:?}\nagainst {other:?}\nsorts {a:?}\nagainst {b:?}"
    );
    Ok(())
}

/// Items of one or two partitions, near each other, and the keys of other entities around them.
struct Neighbours<S: Keyed> {
    items: Vec<Fields<Value<S>>>,
    keys: Vec<(String, String)>,
    others: Vec<String>,
}

/// Items of one case.
const ITEMS: usize = 20;

impl<S: Subject> Neighbours<S> {
    fn draw(tape: &mut Tape<'_>) -> Result<Self, TestCaseError> {
        let mut items: Vec<Fields<Value<S>>> = Vec::with_capacity(ITEMS);
        for at in 0..ITEMS {
            let mut item = S::draw(tape);
            let shared = tape.word() as usize;
            if at > 0 {
                let like = &items[shared % at];
                for field in &S::FIELDS[..(shared >> 8) % S::FIELDS.len()] {
                    share(*field, like, &mut item);
                }
            }
            items.push(item);
        }
        let mut keys = Vec::with_capacity(ITEMS);
        for item in &items {
            keys.push((S::partition(item.p), S::of(item).text()?));
        }
        Ok(Neighbours { items, keys, others: others::<S>() })
    }
}

/// Sort keys just outside the entity's block.
pub fn others<S: Subject>() -> Vec<String> {
    let literal = &S::TEMPLATE[..S::TEMPLATE.find('<').unwrap_or(0)];
    if literal.is_empty() {
        return S::Kind::OUTSIDE.iter().map(|text| (*text).to_owned()).collect();
    }
    let delimiter = literal.chars().last().unwrap();
    let head = literal.strip_suffix(delimiter).unwrap();
    let beside =
        |step: i32| char::from_u32(u32::from(delimiter).checked_add_signed(step).unwrap()).unwrap();
    vec![
        head.to_owned(),
        format!("{head}LINE"),
        format!("{head}LINE{literal}1"),
        format!("{head}{}x", beside(1)),
        format!("{head}{}x", beside(-1)),
        format!("{head}{}\u{10ffff}", beside(-1)),
        format!("{head}\0"),
        "!".to_owned(),
        "~".to_owned(),
        "\u{10ffff}".to_owned(),
    ]
}

/// Law 4: a pattern that fixes the first components finds exactly the items with these values.
fn prefix<S: Subject>(tape: &mut Tape<'_>) -> Outcome {
    let near = Neighbours::<S>::draw(tape)?;
    let mut sought = tape.pick(&near.items);
    if tape.rarely(4) {
        sought = S::draw(tape);
    }
    for count in 0..=S::FIELDS.len() {
        let fixed = &S::FIELDS[..count];
        let condition = S::condition(S::fixed(&sought, count))?;
        let Some(condition) = condition else {
            return Err(TestCaseError::fail(format!("{count} of {sought:?} sends nothing")));
        };
        for (item, (partition, sort)) in near.items.iter().zip(&near.keys) {
            let wanted = item.p == sought.p
                && fixed.iter().all(|field| S::seen(item, *field) == S::seen(&sought, *field));
            let found = condition.takes(partition, sort);
            ensure!(
                found == wanted,
                "{count} of {sought:?}\nsends {condition:?}\nbut {sort:?} is {item:?}"
            );
        }
        for other in &near.others {
            let found = condition.takes(&S::partition(sought.p), other);
            ensure!(!found, "{count} of {sought:?}\nsends {condition:?}\nwhich takes {other:?}");
        }
    }
    text_prefix(&near, &sought, tape)
}

/// The prefix of a text or a date, behind fixed components.
fn text_prefix<S: Subject>(
    near: &Neighbours<S>,
    sought: &Fields<Value<S>>,
    tape: &mut Tape<'_>,
) -> Outcome {
    let at = tape.below(S::FIELDS.len());
    let field = S::FIELDS[at];
    let text = |fields: &Fields<Value<S>>| match field {
        Field::X => S::Kind::text(&fields.x),
        _ => fields.b.clone(),
    };
    let whole: Vec<char> = text(sought).chars().collect();
    let length = match S::kind_of("x") {
        // A prefix of a date is made of whole parts.
        PartKind::Date if field == Field::X => tape.pick(&[4, 5, 7, 8, 10]).min(whole.len()),
        _ => tape.below(whole.len() + 1),
    };
    let prefix: String = whole[..length].iter().collect();
    let kept = if field == Field::X { S::Kind::fold(&prefix) } else { prefix.clone() };
    let Some(pattern) = S::prefix(sought, field, &prefix) else { return Ok(()) };
    let Some(condition) = S::condition(pattern)? else {
        return Err(TestCaseError::fail(format!(
            "the prefix {prefix:?} of {field:?} sends nothing"
        )));
    };
    for (item, (partition, sort)) in near.items.iter().zip(&near.keys) {
        let fixed = &S::FIELDS[..at];
        let wanted = item.p == sought.p
            && fixed.iter().all(|field| S::seen(item, *field) == S::seen(sought, *field))
            && text(item).starts_with(&kept);
        let found = condition.takes(partition, sort);
        ensure!(
            found == wanted,
            "the prefix {prefix:?} of {field:?} of {sought:?}\nsends {condition:?}\nbut {sort:?} is {item:?}"
        );
    }
    for other in &near.others {
        ensure!(
            !condition.takes(&S::partition(sought.p), other),
            "the prefix {prefix:?} of {field:?}\nsends {condition:?}\nwhich takes {other:?}"
        );
    }
    Ok(())
}

/// A range on one component, as the oracle sees it.
pub struct Range<S: Keyed> {
    pub sought: Fields<Value<S>>,
    pub at: usize,
    pub low: Bound<Fields<Value<S>>>,
    pub high: Bound<Fields<Value<S>>>,
}

impl<S: Subject> Range<S> {
    /// Bounds are values of items as often as others.
    pub fn draw(at: usize, items: &[Fields<Value<S>>], tape: &mut Tape<'_>) -> Self {
        let sought = tape.pick(items);
        let end = |tape: &mut Tape<'_>| {
            let mut end = tape.pick(items);
            if tape.rarely(2) {
                end.x = S::Kind::bound(tape);
                end.a = tape.pick(&[0, 1, 2, 9, 10, 100, 254, 255]);
                end.b = if tape.rarely(12) { String::new() } else { tape.text() };
            }
            end
        };
        let (mut low, mut high) = (end(tape), end(tape));
        let field = S::FIELDS[at];
        let ascending = S::seen(&low, field) <= S::seen(&high, field);
        if !ascending && !tape.rarely(6) {
            std::mem::swap(&mut low, &mut high);
        }
        Range { sought, at, low: tape.bound(low), high: tape.bound(high) }
    }

    pub fn pattern(&self) -> Option<crate::shape::Pattern<S>> {
        S::range(&self.sought, S::FIELDS[self.at], self.low.as_ref(), self.high.as_ref())
    }

    fn field(&self) -> Field {
        S::FIELDS[self.at]
    }

    fn has_fixed_of(&self, item: &Fields<Value<S>>) -> bool {
        item.p == self.sought.p
            && S::FIELDS[..self.at]
                .iter()
                .all(|field| S::seen(item, *field) == S::seen(&self.sought, *field))
    }

    pub fn wants(&self, item: &Fields<Value<S>>) -> bool {
        let value = S::seen(item, self.field());
        let above = match &self.low {
            Bound::Included(low) => value >= S::seen(low, self.field()),
            Bound::Excluded(low) => value > S::seen(low, self.field()),
            Bound::Unbounded => true,
        };
        let below = match &self.high {
            Bound::Included(high) => value <= S::seen(high, self.field()),
            Bound::Excluded(high) => value < S::seen(high, self.field()),
            Bound::Unbounded => true,
        };
        above && below && self.has_fixed_of(item)
    }

    /// Text at the end on an excluded end: the one thing that is read and dropped.
    fn drops(&self, item: &Fields<Value<S>>) -> bool {
        let is_text = match self.field() {
            Field::B => true,
            Field::X => matches!(S::kind_of("x"), PartKind::Text),
            _ => false,
        };
        let on_end = matches!(&self.high, Bound::Excluded(high)
            if S::seen(item, self.field()) == S::seen(high, self.field()));
        is_text
            && self.at + 1 == S::FIELDS.len()
            && !S::TEMPLATE.ends_with("END")
            && on_end
            && self.has_fixed_of(item)
    }

    /// Whether no value of any kind lies inside.
    fn is_empty(&self) -> bool {
        let end = |bound: &Bound<Fields<Value<S>>>| match bound {
            Bound::Included(end) => Some((S::seen(end, self.field()), false)),
            Bound::Excluded(end) => Some((S::seen(end, self.field()), true)),
            Bound::Unbounded => None,
        };
        let high = end(&self.high);
        if let Some((Seen::Text(text), _)) = &high
            && text.is_empty()
        {
            return true;
        }
        match (end(&self.low), high) {
            (Some((low, cut_low)), Some((high, cut_high))) => {
                low > high || (low == high && (cut_low || cut_high))
            }
            _ => false,
        }
    }
}

/// Law 5: a range is one condition that reads exactly what lies inside, of this entity.
fn exact_ranges<S: Subject>(tape: &mut Tape<'_>) -> Outcome {
    let near = Neighbours::<S>::draw(tape)?;
    for at in 0..S::FIELDS.len() {
        let range = Range::<S>::draw(at, &near.items, tape);
        let field = S::FIELDS[at];
        let Some(pattern) = range.pattern() else {
            ensure!(field != Field::X || !S::RANGED, "no range on {field:?}");
            continue;
        };
        let condition = S::condition(pattern)?;
        let Range { sought, low, high, .. } = &range;
        let shown =
            format!("{field:?} of {low:?}\nto {high:?}\nbehind {sought:?}\nsends {condition:?}");
        ensure!(condition.is_none() || !range.is_empty(), "empty: {shown}");
        for (item, (partition, sort)) in near.items.iter().zip(&near.keys) {
            let found =
                condition.as_ref().is_some_and(|condition| condition.takes(partition, sort));
            let wanted = range.wants(item);
            ensure!(
                found == wanted || (found && range.drops(item)),
                "{shown}\nbut {sort:?} is {item:?}"
            );
        }
        for other in &near.others {
            let found = condition
                .as_ref()
                .is_some_and(|condition| condition.takes(&S::partition(sought.p), other));
            ensure!(!found, "{shown}\nwhich takes {other:?}");
        }
    }
    Ok(())
}

/// Law 6: put, get and patterns have one text, and equal values have one key.
fn once<S: Subject>(tape: &mut Tape<'_>) -> Outcome {
    let fields = S::draw(tape);
    let item = S::of(&fields);
    let text = item.text()?;
    ensure!(item.key() == S::key_of(&fields), "{} is not {}", item.key(), S::key_of(&fields));
    let stored = json(laws().put(&item).explain()?.requests());
    let asked = json(laws().get(S::key_of(&fields)).explain()?.requests());
    let sort = if S::PRIMARY { "SK" } else { "GSI1SK" };
    ensure!(stored["Item"][sort]["S"] == *text, "{text:?} is put as {}", stored["Item"][sort]);
    for name in ["PK", "SK"] {
        ensure!(stored["Item"][name] == asked["Key"][name], "{stored}\nagainst {asked}");
    }
    let condition = S::condition(S::fixed(&fields, S::FIELDS.len()))?.unwrap();
    ensure!(
        condition.equals(&text) && condition.partition == S::partition(fields.p),
        "{text:?} is sought by {condition:?}"
    );
    ensure!(condition.index.is_some() != S::PRIMARY, "{condition:?}");
    let alike = Fields { x: S::Kind::alike(&fields.x, tape), ..fields.clone() };
    let other = S::of(&alike).text()?;
    ensure!(other == text, "{fields:?}\nand {alike:?}\nrender {text:?}\nand {other:?}");
    Ok(())
}

fn partition_once<S: Partition>(tape: &mut Tape<'_>) -> Outcome {
    let fields = S::draw(tape);
    let item = S::of(&fields);
    let text = item.text()?;
    let stored = json(laws().put(&item).explain()?.requests());
    let name = if S::PRIMARY { "PK" } else { "GSI1PK" };
    ensure!(stored["Item"][name]["S"] == *text, "{text:?} is put as {}", stored["Item"][name]);
    let condition = S::sought(&fields);
    ensure!(condition.partition == text, "{text:?} is sought by {condition:?}");
    let alike = Fields { x: S::Kind::alike(&fields.x, tape), ..fields.clone() };
    let other = S::of(&alike).text()?;
    ensure!(other == text, "{fields:?}\nand {alike:?}\nrender {text:?}\nand {other:?}");
    Ok(())
}

fn json(requests: &[monotable::op::Request]) -> serde_json::Value {
    assert_eq!(requests.len(), 1);
    serde_json::from_str(&requests[0].body()).unwrap()
}
