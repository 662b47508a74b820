//! Values of no shape in particular, with names and texts that shapes know.

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use fastrand::Rng;

use super::value::{Random, few};
use crate::entity::Item;

const NAMES: &[&str] = &[
    "a", "b", "c", "d", "x", "y", "t", "kind", "id", "1", "2", "-1", "007", "true", "false", "One",
    "Two", "Three", "Four", "Red", "Green", "Dot", "both", "TEXT", "text", "", "secs", "nanos",
    "start", "end", "Ok", "Err", "inner",
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-0",
    "+1",
    "007",
    "5.0",
    "5E0",
    "0.5",
    "300",
    "-129",
    "1E-130",
    "1E125",
    "1E126",
    "1e400",
    "1e39",
    "-1E400",
    "18446744073709551615",
    "18446744073709551616",
    "9e18",
    "1e19",
    "340282366920938463463374607431768211455",
    "99999999999999999999999999999999999999",
    "0.1000000000000000055511151231257827",
    "123456789012345678.5",
    "NaN",
    "inf",
    "-inf",
    "",
    " 1",
    "1 ",
    "0x1",
    "1_0",
    ".5",
    "5.",
    "1e",
    "١",
];

fn any_of(texts: &[&str], rng: &mut Rng) -> String {
    texts[rng.usize(..texts.len())].to_owned()
}

pub(super) fn item(rng: &mut Rng) -> Item {
    (0..rng.u8(0..6)).map(|_| (any_of(NAMES, rng), value(rng, 4))).collect()
}

fn text(rng: &mut Rng) -> String {
    match rng.u8(0..3) {
        0 => any_of(NAMES, rng),
        1 => any_of(NUMBERS, rng),
        _ => String::random(rng),
    }
}

fn number(rng: &mut Rng) -> String {
    if rng.bool() { any_of(NUMBERS, rng) } else { rng.i64(-300..300).to_string() }
}

fn value(rng: &mut Rng, depth: u8) -> AttributeValue {
    match rng.u8(0..if depth == 0 { 8 } else { 14 }) {
        0 | 1 => AttributeValue::S(text(rng)),
        2 => AttributeValue::N(number(rng)),
        3 => AttributeValue::B(Blob::new(few::<u8, Vec<u8>>(rng))),
        4 => AttributeValue::Bool(rng.bool()),
        5 => AttributeValue::Null(rng.bool()),
        6 => AttributeValue::Ss((0..rng.u8(0..4)).map(|_| text(rng)).collect()),
        7 if rng.bool() => AttributeValue::Ns((0..rng.u8(0..4)).map(|_| number(rng)).collect()),
        7 => AttributeValue::Bs(
            (0..rng.u8(0..3)).map(|_| Blob::new(few::<u8, Vec<u8>>(rng))).collect(),
        ),
        8..11 => AttributeValue::L((0..rng.u8(0..4)).map(|_| value(rng, depth - 1)).collect()),
        _ => {
            let entry = |_| (any_of(NAMES, rng), value(rng, depth - 1));
            AttributeValue::M((0..3).map(entry).take(2).collect())
        }
    }
}

/// Changes one thing somewhere in an item.
pub(super) fn change(item: &mut Item, rng: &mut Rng) {
    let mut names: Vec<String> = item.keys().cloned().collect();
    names.sort();
    match rng.u8(0..8) {
        0 => drop(item.insert(any_of(NAMES, rng), value(rng, 2))),
        choice if !names.is_empty() => {
            let name = &names[rng.usize(..names.len())];
            match choice {
                1 => drop(item.remove(name)),
                2 => {
                    let value = item.remove(name);
                    item.extend(value.map(|value| (any_of(NAMES, rng), value)));
                }
                _ => item.get_mut(name).into_iter().for_each(|value| change_value(value, rng)),
            }
        }
        _ => {}
    }
}

fn change_value(place: &mut AttributeValue, rng: &mut Rng) {
    match place {
        AttributeValue::M(map) if rng.u8(0..4) > 0 => change(map, rng),
        AttributeValue::L(list) if rng.u8(0..4) > 0 => match (list.len(), rng.u8(0..4)) {
            (0, _) | (_, 0) => list.push(value(rng, 1)),
            (_, 1) => drop(list.pop()),
            (len, _) => change_value(&mut list[rng.usize(..len)], rng),
        },
        AttributeValue::N(text) if rng.bool() => *text = number(rng),
        AttributeValue::S(place) if rng.bool() => *place = text(rng),
        AttributeValue::Ns(set) if rng.bool() => set.push(number(rng)),
        _ => *place = value(rng, 2),
    }
}
