use std::borrow::Cow;

use crate::key::{PartKind, PartValue};

/// Values of the kind: a table of nasty ones first, then pseudo-random ones, always the same.
pub(super) fn samples(kind: PartKind) -> Vec<PartValue<'static>> {
    let mut random = Random(0);
    match kind {
        PartKind::Text => {
            let fixed = TEXTS.iter().map(|&text| Cow::Borrowed(text));
            let long = std::iter::once(Cow::Owned("x".repeat(3000)));
            let some = times().map(|_| Cow::Owned(random.text()));
            fixed.chain(long).chain(some).map(PartValue::Text).collect()
        }
        PartKind::Unsigned { max } => {
            let some: Vec<_> = times().map(|_| random.up_to(max)).collect();
            let fixed = numbers(max).into_iter();
            fixed.chain(some).map(PartValue::Unsigned).collect()
        }
        PartKind::Signed { max } => {
            let some: Vec<_> = times().map(|_| random.up_to(max.unsigned_abs())).collect();
            let magnitudes = numbers(max.unsigned_abs()).into_iter().chain(some);
            // `!n` is `-n - 1`, so that the least value is met too.
            let both = magnitudes.filter_map(|n| i128::try_from(n).ok()).flat_map(|n| [n, !n]);
            both.map(PartValue::Signed).collect()
        }
        PartKind::Name(names) => {
            names.iter().map(|&name| PartValue::Name(Cow::Borrowed(name))).collect()
        }
        PartKind::Date => {
            let some = times().map(|_| random.date());
            let all = DATES.iter().copied().chain(some);
            all.map(|(year, month, day)| PartValue::Date { year, month, day }).collect()
        }
        PartKind::Timestamp => {
            let fixed = SECONDS.iter().flat_map(|&at| NANOS.iter().map(move |&nanos| (at, nanos)));
            let some = times().map(|_| random.timestamp());
            let all = fixed.chain(some);
            all.map(|(seconds, nanos)| PartValue::Timestamp { seconds, nanos }).collect()
        }
        PartKind::Uuid => {
            let fixed = numbers(u128::MAX).into_iter();
            let some = times().map(|_| random.wide());
            fixed.chain(some).map(PartValue::Uuid).collect()
        }
        PartKind::Bytes => {
            let fixed = BYTES.iter().map(|&bytes| Cow::Borrowed(bytes));
            let some = times().map(|_| Cow::Owned(random.bytes()));
            fixed.chain(some).map(PartValue::Bytes).collect()
        }
    }
}

/// Whether the value is one that `kind` describes.
pub(super) fn belongs(kind: PartKind, value: &PartValue<'_>) -> bool {
    match (kind, value) {
        (PartKind::Unsigned { max }, PartValue::Unsigned(number)) => *number <= max,
        (PartKind::Signed { max }, PartValue::Signed(number)) => (!max..=max).contains(number),
        (PartKind::Name(names), PartValue::Name(name)) => names.contains(&&**name),
        (PartKind::Date, &PartValue::Date { year, month, day }) => {
            (1..=days_of(year, month)).contains(&day)
        }
        (PartKind::Timestamp, PartValue::Timestamp { nanos, .. }) => *nanos < 1_000_000_000,
        (PartKind::Text, PartValue::Text(_))
        | (PartKind::Uuid, PartValue::Uuid(_))
        | (PartKind::Bytes, PartValue::Bytes(_)) => true,
        _ => false,
    }
}

fn times() -> std::ops::Range<u32> {
    0..2000
}

/// Delimiters, escapes, their neighbours in byte order, case, and what serde and people write.
#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "", "#", "##", "%", "%2", "%23", "%25", "%2523", "$", "/", ":", "|", "~", "_", "-", ".", "+", "\"",
    "a#b", "a", "a#", "#a", "a$", "a%23b", "a/b", "a:b", "A", "B", "AB", "Ab", "aB", "ab", "abc", "ABC",
    "0", "1", "9", "10", "01", "-1", "1.5", "1e3", "null", "None", "true", "false", "NaN", " ", " a", "a ",
    "a b", "\t", "\n", "\r\n", "\0", "a\0", "a\0b", "\u{1}", "\u{1f}", "\u{7f}", "\u{80}", "é", "e\u{301}",
    "É", "ß", "SS", "ı", "İ", "日本", "\u{ffff}", "\u{10ffff}", "\u{1f600}", "\u{feff}", "\u{202e}", "ES",
    "USD", "de-DE", "2026-03-01", "2026-03-01T00:00:00Z", "a@example.org", "https://example.org/?a=b#c",
    "00000000-0000-0000-0000-000000000000", "KB-104", "order_line", "OrderLine", "ORDER_LINE", "t1", "x\\y",
];

#[rustfmt::skip]
const DATES: &[(i32, u8, u8)] = &[
    (0, 1, 1), (0, 2, 29), (0, 12, 31), (1, 1, 1), (99, 12, 31), (100, 3, 1), (999, 12, 31), (1000, 1, 1),
    (1582, 10, 4), (1582, 10, 15), (1900, 2, 28), (1900, 3, 1), (1969, 12, 31), (1970, 1, 1), (1999, 12, 31),
    (2000, 2, 29), (2024, 2, 29), (2026, 9, 30), (2026, 10, 1), (2038, 1, 19), (9999, 1, 1), (9999, 12, 31),
];

/// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
const FIRST_SECOND: i64 = -62_167_219_200;
const LAST_SECOND: i64 = 253_402_300_799;

#[rustfmt::skip]
const SECONDS: &[i64] = &[
    FIRST_SECOND, FIRST_SECOND + 1, -62_135_596_800, -2_208_988_800, -86_400, -2, -1, 0, 1, 86_399, 86_400,
    951_782_400, 1_767_225_600, 2_147_483_647, 2_147_483_648, 4_294_967_295, 253_402_207_199, LAST_SECOND,
];

#[rustfmt::skip]
const NANOS: &[u32] = &[0, 1, 999, 1000, 999_999, 1_000_000, 500_000_000, 999_000_000, 999_999_999];

#[rustfmt::skip]
const BYTES: &[&[u8]] = &[
    b"", b"\0", b"\0\0", b"\x01", b"#", b"a", b"a\0", b"ab", b"\x7f", b"\x80", b"\xff", b"\xff\xff", b"\xc3\x28",
];

/// Zero, the ends, and both sides of every power of two and ten, up to `max`.
fn numbers(max: u128) -> Vec<u128> {
    let twos = (0..128).map(|bit| 1_u128 << bit);
    let tens = (0..39).map(|exponent| 10_u128.pow(exponent));
    let around = twos.chain(tens).flat_map(|n| [n - 1, n, n + 1]);
    let mut all: Vec<_> = [max, max.saturating_sub(1), max / 2].into_iter().chain(around).collect();
    all.retain(|number| *number <= max);
    all
}

fn days_of(year: i32, month: u8) -> u8 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}

/// splitmix64: <https://prng.di.unimi.it/splitmix64.c>.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.word()) << 64 | u128::from(self.word())
    }

    /// A number below `end`, in the type that is needed.
    fn below<N: TryFrom<u64> + Default>(&mut self, end: u64) -> N {
        N::try_from(self.word() % end).unwrap_or_default()
    }

    /// A number up to `max`, every order of magnitude as often as another.
    fn up_to(&mut self, max: u128) -> u128 {
        let bits = 128 - max.leading_zeros();
        let shift = 128 - bits + self.below::<u32>(u64::from(bits) + 1);
        let number = self.wide().checked_shr(shift).unwrap_or(0);
        if number <= max { number } else { number % (max + 1) }
    }

    fn text(&mut self) -> String {
        const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
        const SLUG: &str = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_";
        const NASTY: &str = "#%$/:|~\0\u{1}\"\\ 0Aa239é日\u{1f600}";
        match self.below::<u8>(10) {
            0 | 1 => self.letters(UPPER, 4),
            2 => self.letters(LOWER, 4),
            3 => self.letters("0123456789", 10),
            4 => self.letters(UPPER, 12),
            5 => self.letters(LOWER, 12),
            6 => self.letters(SLUG, 30),
            7 => self.letters(NASTY, 8),
            8 => self.letters(UPPER, 1) + &self.letters(LOWER, 8),
            _ => {
                let length = self.below::<usize>(12) + 1;
                let points: Vec<u32> = (0..length).map(|_| self.below(0x11_0000)).collect();
                points.into_iter().filter_map(char::from_u32).collect()
            }
        }
    }

    /// 1 to `longest` letters of the alphabet.
    fn letters(&mut self, alphabet: &str, longest: u64) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        let length = self.below::<usize>(longest) + 1;
        (0..length).map(|_| alphabet[self.below::<usize>(alphabet.len() as u64)]).collect()
    }

    fn date(&mut self) -> (i32, u8, u8) {
        let (year, month) = (self.below::<i32>(10_000), self.below::<u8>(12) + 1);
        (year, month, self.below::<u8>(days_of(year, month).into()) + 1)
    }

    fn timestamp(&mut self) -> (i64, u32) {
        let seconds = match self.below::<u8>(2) {
            // 1970 to 2106.
            0 => self.below::<i64>(1 << 32),
            _ => FIRST_SECOND + self.below::<i64>(LAST_SECOND.abs_diff(FIRST_SECOND) + 1),
        };
        let nanos = match self.below::<u8>(4) {
            0 => 0,
            1 => self.below::<u32>(1000) * 1_000_000,
            2 => self.below::<u32>(1_000_000) * 1000,
            _ => self.below(1_000_000_000),
        };
        (seconds, nanos)
    }

    fn bytes(&mut self) -> Vec<u8> {
        let length = self.below::<usize>(33);
        (0..length).map(|_| self.below(256)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_belong_to_their_kind() {
        let kinds = [
            PartKind::Text,
            PartKind::Unsigned { max: 0 },
            PartKind::Unsigned { max: 1 },
            PartKind::Unsigned { max: 255 },
            PartKind::Unsigned { max: 1000 },
            PartKind::Unsigned { max: u128::MAX },
            PartKind::Signed { max: 0 },
            PartKind::Signed { max: 127 },
            PartKind::Signed { max: i128::MAX },
            PartKind::Name(&["a", "b"]),
            PartKind::Date,
            PartKind::Timestamp,
            PartKind::Uuid,
            PartKind::Bytes,
        ];
        for kind in kinds {
            for value in samples(kind) {
                assert!(belongs(kind, &value), "{kind:?}: {value:?}");
            }
        }
    }

    #[test]
    fn ends_are_among_the_samples() {
        let signed = samples(PartKind::Signed { max: 127 });
        assert!(
            signed.contains(&PartValue::Signed(-128)) && signed.contains(&PartValue::Signed(127))
        );
        let unsigned = samples(PartKind::Unsigned { max: u128::MAX });
        assert!(unsigned.contains(&PartValue::Unsigned(u128::MAX)));
        let instants = samples(PartKind::Timestamp);
        assert!(
            instants.contains(&PartValue::Timestamp { seconds: LAST_SECOND, nanos: 999_999_999 })
        );
    }
}
