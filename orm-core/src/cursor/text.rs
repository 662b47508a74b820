//! The bytes of a cursor: version, flags, scope, positions, checksum; in base64 for URLs.

use aws_smithy_types::base64;
use twox_hash::XxHash64;

use super::{Cursor, Position};
use crate::key::KeyValue;

const VERSION: u8 = 1;
const CHECKSUM: usize = 4;

pub(super) fn write(cursor: &Cursor) -> String {
    let mut out = vec![VERSION, u8::from(cursor.backward)];
    out.extend(cursor.scope.to_le_bytes());
    number(cursor.positions.len(), &mut out);
    for position in &cursor.positions {
        let (tag, values) = match position {
            Position::Start => (0, None),
            Position::End => (1, None),
            Position::After(values) => (2, Some(values)),
            Position::From(values) => (3, Some(values)),
            Position::Past(values) => (4, Some(values)),
        };
        out.push(tag);
        let Some(values) = values else { continue };
        number(values.len(), &mut out);
        for value in values {
            let (tag, bytes) = match value {
                KeyValue::S(text) => (b'S', text.as_bytes()),
                KeyValue::N(text) => (b'N', text.as_bytes()),
                KeyValue::B(bytes) => (b'B', &bytes[..]),
            };
            out.push(tag);
            number(bytes.len(), &mut out);
            out.extend(bytes);
        }
    }
    seal(out)
}

/// The text of bytes to which a checksum is added.
pub(crate) fn seal(mut out: Vec<u8>) -> String {
    out.extend(checksum(&out));
    let url_safe = |letter| match letter {
        '+' => '-',
        '/' => '_',
        other => other,
    };
    base64::encode(out).trim_end_matches('=').chars().map(url_safe).collect()
}

/// `None` for what `write` does not write.
pub(super) fn read(text: &str) -> Option<Cursor> {
    let mut standard = String::with_capacity(text.len() + 3);
    for letter in text.chars() {
        standard.push(match letter {
            '-' => '+',
            '_' => '/',
            '+' | '/' | '=' => return None,
            other => other,
        });
    }
    while !standard.len().is_multiple_of(4) {
        standard.push('=');
    }
    let bytes = base64::decode(&standard).ok()?;
    let (payload, found) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM)?)?;
    if found != checksum(payload) {
        return None;
    }
    let mut input = Input(payload);
    let cursor = input.cursor()?;
    // One text a cursor: neither spare bits nor longer forms of the same numbers.
    (input.0.is_empty() && write(&cursor) == text).then_some(cursor)
}

/// Against damage, not against forgery.
fn checksum(payload: &[u8]) -> [u8; CHECKSUM] {
    let [a, b, c, d, ..] = XxHash64::oneshot(0, payload).to_le_bytes();
    [a, b, c, d]
}

/// Seven bits a byte, the least first.
fn number(mut number: usize, out: &mut Vec<u8>) {
    loop {
        let low = u8::try_from(number & 0x7f).unwrap_or(0);
        number >>= 7;
        if number == 0 {
            return out.push(low);
        }
        out.push(low | 0x80);
    }
}

struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn cursor(&mut self) -> Option<Cursor> {
        if self.byte()? != VERSION {
            return None;
        }
        let backward = match self.byte()? {
            0 => false,
            1 => true,
            _ => return None,
        };
        let scope = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
        let positions = self.list(Self::position)?;
        Some(Cursor { scope, backward, positions })
    }

    fn position(&mut self) -> Option<Position> {
        Some(match self.byte()? {
            0 => Position::Start,
            1 => Position::End,
            2 => Position::After(self.list(Self::value)?),
            3 => Position::From(self.list(Self::value)?),
            4 => Position::Past(self.list(Self::value)?),
            _ => return None,
        })
    }

    fn value(&mut self) -> Option<KeyValue> {
        let tag = self.byte()?;
        let size = self.number()?;
        let bytes = self.take(size)?.to_vec();
        Some(match tag {
            b'S' => KeyValue::S(String::from_utf8(bytes).ok()?),
            b'N' => KeyValue::N(String::from_utf8(bytes).ok()?),
            b'B' => KeyValue::B(bytes),
            _ => return None,
        })
    }

    fn list<V>(&mut self, one: fn(&mut Self) -> Option<V>) -> Option<Vec<V>> {
        let count = self.number()?;
        // Each is a byte at least, so a great number that is not there reserves nothing.
        if count > self.0.len() {
            return None;
        }
        (0..count).map(|_| one(self)).collect()
    }

    fn number(&mut self) -> Option<usize> {
        let (mut number, mut shift) = (0_usize, 0);
        loop {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
            shift += 7;
            if shift > 28 {
                return None;
            }
        }
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn take(&mut self, size: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(size)?;
        self.0 = rest;
        Some(head)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value() -> impl Strategy<Value = KeyValue> {
        prop_oneof![
            ".{0,20}".prop_map(KeyValue::S),
            "-?[0-9]{1,38}(E[0-9]{1,2})?".prop_map(KeyValue::N),
            proptest::collection::vec(any::<u8>(), 0..40).prop_map(KeyValue::B),
        ]
    }

    fn cursor() -> impl Strategy<Value = Cursor> {
        let values = || proptest::collection::vec(value(), 0..4);
        let position = prop_oneof![
            Just(Position::Start),
            Just(Position::End),
            values().prop_map(Position::After),
            values().prop_map(Position::From),
            values().prop_map(Position::Past),
        ];
        let positions = proptest::collection::vec(position, 0..12);
        (any::<u64>(), any::<bool>(), positions).prop_map(|(scope, backward, positions)| Cursor {
            scope,
            backward,
            positions,
        })
    }

    fn is_url_safe(text: &str) -> bool {
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn a_cursor_comes_back_as_it_was(cursor in cursor()) {
            let text = cursor.to_string();
            prop_assert!(is_url_safe(&text), "{text}");
            prop_assert_eq!(text.parse::<Cursor>().unwrap(), cursor);
        }

        #[test]
        fn one_changed_letter_is_noticed(cursor in cursor(), at: prop::sample::Index, to in "[A-Za-z0-9_-]") {
            let mut text: Vec<char> = cursor.to_string().chars().collect();
            let at = at.index(text.len());
            let to = to.chars().next().unwrap();
            prop_assume!(text[at] != to);
            text[at] = to;
            let text: String = text.into_iter().collect();
            prop_assert!(text.parse::<Cursor>().unwrap_err().is_invalid_cursor());
        }

        #[test]
        fn no_text_is_a_panic(text in ".{0,80}") {
            // Random text has no fitting checksum.
            prop_assert!(text.parse::<Cursor>().is_err());
        }
    }

    #[test]
    fn every_cut_is_noticed() {
        let values = vec![KeyValue::S("\u{0}\"€".into()), KeyValue::N("1E+3".into())];
        let text = Cursor::new(7, true, vec![Position::After(values), Position::End]).to_string();
        for end in 0..text.len() {
            assert!(text[..end].parse::<Cursor>().is_err(), "{end}");
        }
    }

    /// Cursors are in the hands of clients while a new version is deployed.
    #[test]
    fn known_text() {
        let values = vec![KeyValue::S("ORDER#2026-09-30#o1031".into())];
        let cursor = Cursor::new(0x0102_0304_0506_0708, false, vec![Position::After(values)]);
        assert_eq!(cursor.to_string(), "AQAIBwYFBAMCAQECAVMWT1JERVIjMjAyNi0wOS0zMCNvMTAzMSsLEOo");
    }
}
