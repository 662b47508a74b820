//! Items as text, as DynamoDB writes it and otherwise.

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use aws_smithy_types::base64;
use fastrand::Rng;

use crate::entity::Item;

/// Without white space, and with no more escapes than necessary.
pub(super) fn plain(item: &Item) -> String {
    let mut writer = Writer { out: String::new(), rng: None };
    writer.item(item);
    writer.out
}

/// In another order, with white space and escapes at random.
pub(super) fn styled(item: &Item, rng: &mut Rng) -> String {
    let mut writer = Writer { out: String::new(), rng: Some(rng) };
    writer.item(item);
    writer.out
}

struct Writer<'r> {
    out: String,
    rng: Option<&'r mut Rng>,
}

impl Writer<'_> {
    fn by_chance(&mut self, of: u8) -> bool {
        self.rng.as_mut().is_some_and(|rng| rng.u8(0..of) == 0)
    }

    fn space(&mut self) {
        while self.by_chance(6) {
            let spaces = [' ', '\t', '\r', '\n'];
            let space = self.rng.as_mut().map_or(0, |rng| rng.usize(..spaces.len()));
            self.out.push(spaces[space]);
        }
    }

    fn sign(&mut self, sign: char) {
        self.space();
        self.out.push(sign);
        self.space();
    }

    /// Few with escapes, since those are read slowly.
    fn name(&mut self, text: &str) {
        let is_escaped = self.by_chance(40);
        self.quoted(text, is_escaped);
    }

    fn string(&mut self, text: &str) {
        let is_escaped = self.by_chance(3);
        self.quoted(text, is_escaped);
    }

    fn quoted(&mut self, text: &str, is_escaped: bool) {
        self.out.push('"');
        for char in text.chars() {
            let must = matches!(char, '"' | '\\' | '\0'..='\u{1f}');
            if !(must || is_escaped && self.by_chance(3)) {
                self.out.push(char);
                continue;
            }
            let short = match char {
                '"' | '\\' | '/' => Some(char),
                '\u{8}' => Some('b'),
                '\u{c}' => Some('f'),
                '\n' => Some('n'),
                '\r' => Some('r'),
                '\t' => Some('t'),
                _ => None,
            };
            match short {
                Some(short) if !self.by_chance(3) => self.out.extend(['\\', short]),
                _ => {
                    for unit in char.encode_utf16(&mut [0; 2]) {
                        let unit = match self.by_chance(2) {
                            true => format!("\\u{unit:04X}"),
                            false => format!("\\u{unit:04x}"),
                        };
                        self.out.push_str(&unit);
                    }
                }
            }
        }
        self.out.push('"');
    }

    fn bytes(&mut self, bytes: &Blob) {
        self.out.push_str(&format!("\"{}\"", base64::encode(bytes)));
    }

    fn list<T>(&mut self, list: &[T], write: impl Fn(&mut Self, &T)) {
        self.sign('[');
        for (index, element) in list.iter().enumerate() {
            if index > 0 {
                self.sign(',');
            }
            write(self, element);
        }
        self.sign(']');
    }

    fn item(&mut self, item: &Item) {
        let mut entries: Vec<_> = item.iter().collect();
        entries.sort_by_key(|(name, _)| *name);
        if let Some(rng) = &mut self.rng {
            rng.shuffle(&mut entries);
        }
        self.sign('{');
        for (index, (name, value)) in entries.into_iter().enumerate() {
            if index > 0 {
                self.sign(',');
            }
            self.name(name);
            self.sign(':');
            self.value(value);
        }
        self.sign('}');
    }

    fn value(&mut self, value: &AttributeValue) {
        self.sign('{');
        let tag = crate::codec::type_name(value);
        // Seldom enough that most items have none.
        if self.by_chance(100) {
            self.out.push_str(&format!("\"\\u{:04x}{}\"", tag.as_bytes()[0], &tag[1..]));
        } else {
            self.out.push_str(&format!("\"{tag}\""));
        }
        self.sign(':');
        match value {
            AttributeValue::S(text) | AttributeValue::N(text) => self.string(text),
            AttributeValue::B(bytes) => self.bytes(bytes),
            AttributeValue::Bool(is) | AttributeValue::Null(is) => {
                self.out.push_str(if *is { "true" } else { "false" });
            }
            AttributeValue::M(map) => self.item(map),
            AttributeValue::L(list) => self.list(list, Self::value),
            AttributeValue::Ss(set) | AttributeValue::Ns(set) => {
                self.list(set, |writer, text| writer.string(text));
            }
            AttributeValue::Bs(set) => self.list(set, Self::bytes),
            other => panic!("{other:?} is not written"),
        }
        self.sign('}');
    }
}

/// The text with some characters of it changed.
pub(super) fn damaged(text: &str, rng: &mut Rng) -> String {
    const PARTS: &[&str] = &[
        "\"",
        "\\",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        " ",
        "0",
        "1",
        "a",
        "b",
        "u",
        "S",
        "N",
        "B",
        "L",
        "M",
        "e",
        "-",
        ".",
        "=",
        "null",
        "true",
        "\\u00e9",
        "\\ud83d",
        "\\ude00",
        "\\/",
        "é",
        "\u{1}",
        "{\"S\":\"a\"}",
        "\"a\":{\"N\":\"1\"},",
        "{\"L\":[]}",
        "{\"M\":{}}",
        "\"__type\":\"x\",",
    ];
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..rng.u8(1..3) {
        let at = rng.usize(..chars.len());
        let part = PARTS[rng.usize(..PARTS.len())].chars();
        match rng.u8(0..6) {
            0 => drop(chars.drain(at..(at + rng.usize(1..6)).min(chars.len()))),
            1 => chars.truncate(at + 1),
            2 => {
                let other = rng.usize(..chars.len());
                chars.swap(at, other);
            }
            3 => drop(chars.splice(at..=at, part)),
            _ => drop(chars.splice(at..at, part)),
        }
        if chars.is_empty() {
            break;
        }
    }
    chars.into_iter().collect()
}
