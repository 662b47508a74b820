//! Fixed-width components: every value is an ordinal, and the text of ordinals sorts like the
//! ordinals. Numbers with `:N`, dates, timestamps, buckets and UUIDs all go through here, so that
//! ranges can step to the next or the previous text without knowing the type.

use super::ascii::Ascii;
use super::calendar::{self, EPOCH_DAYS};
use super::{PartError, PartKind, PartValue, Spec, Unit, Width};

/// How a fixed-width component is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `:N` of an unsigned type.
    Unsigned { digits: u8, max: u128 },
    /// `:N` of a signed type: `n` and complemented digits below zero, `p` and digits else.
    Signed { digits: u8, max: i128 },
    /// A date, whole or cut to a bucket.
    Calendar(Unit),
    /// A timestamp in UTC; buckets of timestamps as well.
    Clock(Unit),
    /// Canonical hexadecimal text.
    Uuid,
}

/// Seconds from 0000-01-01 to 1970-01-01.
const EPOCH_SECONDS: i128 = EPOCH_DAYS as i128 * 86_400;
/// Days of the years 0000–9999.
const DAYS: u128 = 3_652_425;
/// Zero of signed ordinals.
const SIGN: u128 = 1 << 127;

impl Form {
    /// `None` for kinds and specs whose text has no fixed width.
    pub(super) const fn of(kind: PartKind, spec: &Spec) -> Option<Form> {
        match (kind, spec.width, spec.unit) {
            (PartKind::Unsigned { max }, Some(Width::Digits(digits)), _) => {
                Some(Form::Unsigned { digits, max })
            }
            (PartKind::Signed { max }, Some(Width::Digits(digits)), _) => {
                Some(Form::Signed { digits, max })
            }
            (PartKind::Date, _, None) => Some(Form::Calendar(Unit::Day)),
            (PartKind::Date, _, Some(unit)) => Some(Form::Calendar(unit)),
            (PartKind::Timestamp, _, Some(unit)) => Some(Form::Clock(unit)),
            (PartKind::Uuid, _, _) => Some(Form::Uuid),
            _ => None,
        }
    }

    /// The ordinal, rounded down, and whether nothing was rounded.
    pub(super) fn ordinal(self, value: &PartValue<'_>) -> Result<(u128, bool), Unfit> {
        match (self, value) {
            (Form::Unsigned { .. }, PartValue::Unsigned(number)) => {
                self.within(*number).map(|ordinal| (ordinal, true))
            }
            (Form::Signed { .. }, PartValue::Signed(number)) => {
                self.within(signed_ordinal(*number)).map(|ordinal| (ordinal, true))
            }
            (Form::Calendar(unit), PartValue::Date { year, month, day }) => {
                if !calendar::exists(*year, *month, *day) {
                    return Err(Unfit::Invalid("is not a date of the calendar"));
                }
                let days = calendar::day_number(*year, *month, *day);
                let (ordinal, start) = bucket(days, unit);
                Ok((self.within_signed(ordinal)?, start == days))
            }
            (Form::Clock(unit), PartValue::Timestamp { seconds, nanos }) => {
                if *nanos > 999_999_999 {
                    return Err(Unfit::Invalid(
                        "is a leap second, which no key can tell from its neighbour",
                    ));
                }
                let seconds = i128::from(*seconds) + EPOCH_SECONDS;
                let (ordinal, exact) = clock_ordinal(seconds, *nanos, unit);
                Ok((self.within_signed(ordinal)?, exact))
            }
            (Form::Uuid, PartValue::Uuid(number)) => Ok((*number, true)),
            _ => Err(Unfit::Invalid("is a value of another kind")),
        }
    }

    /// The value of an ordinal between [`least`](Self::least) and [`greatest`](Self::greatest).
    pub(super) fn value(self, ordinal: u128) -> PartValue<'static> {
        match self {
            Form::Unsigned { .. } => PartValue::Unsigned(ordinal),
            Form::Signed { .. } => PartValue::Signed((ordinal ^ SIGN).cast_signed()),
            Form::Calendar(unit) => {
                let (year, month, day) = calendar::date(first_day(ordinal, unit));
                PartValue::Date { year, month, day }
            }
            Form::Clock(unit) => {
                let nanos = nanos_at(ordinal, unit);
                let seconds = nanos.div_euclid(1_000_000_000) - EPOCH_SECONDS;
                PartValue::Timestamp {
                    seconds: i64::try_from(seconds).unwrap_or(0),
                    nanos: u32::try_from(nanos.rem_euclid(1_000_000_000)).unwrap_or(0),
                }
            }
            Form::Uuid => PartValue::Uuid(ordinal),
        }
    }

    /// The first ordinal that has a text.
    pub(super) fn least(self) -> u128 {
        match self {
            Form::Signed { digits, max } => SIGN - nines(digits).min(max.unsigned_abs() + 1),
            Form::Clock(unit @ (Unit::EpochSecond | Unit::EpochMilli)) => {
                u128::try_from(EPOCH_SECONDS).unwrap_or(0) * per_second(unit)
            }
            _ => 0,
        }
    }

    /// The last ordinal that has a text.
    pub(super) fn greatest(self) -> u128 {
        match self {
            Form::Unsigned { digits, max } => nines(digits).min(max),
            Form::Signed { digits, max } => SIGN + nines(digits).min(max.unsigned_abs()),
            Form::Calendar(unit) | Form::Clock(unit) => match unit {
                Unit::Year => 9_999,
                Unit::Month => 10_000 * 12 - 1,
                Unit::Day => DAYS - 1,
                Unit::Hour => DAYS * 24 - 1,
                // Ten digits of seconds: until 2286-11-20T17:46:39Z.
                Unit::EpochSecond | Unit::EpochMilli => {
                    self.least() + 10_000_000_000 * per_second(unit) - 1
                }
                _ => DAYS * 86_400 * per_second(unit) - 1,
            },
            Form::Uuid => u128::MAX,
        }
    }

    /// Appends the text of a value that has an ordinal. What a lossy spec rounds is not written, so it is the
    /// text of the ordinal too.
    pub(super) fn write(self, value: &PartValue<'_>, out: &mut Ascii) {
        match (self, value) {
            (Form::Unsigned { digits, .. }, PartValue::Unsigned(number)) => {
                out.padded_wide(*number, usize::from(digits));
            }
            (Form::Signed { digits, .. }, PartValue::Signed(number)) => {
                let size = number.unsigned_abs();
                let (sign, size) =
                    if *number < 0 { (b'n', nines(digits) - size) } else { (b'p', size) };
                out.push(sign);
                out.padded_wide(size, usize::from(digits));
            }
            (Form::Calendar(unit), PartValue::Date { year, month, day }) => {
                write_date(out, (*year, *month, *day), unit);
            }
            (Form::Clock(unit), PartValue::Timestamp { seconds, nanos }) => {
                write_clock(out, *seconds, *nanos, unit);
            }
            (Form::Uuid, PartValue::Uuid(number)) => {
                for (at, byte) in number.to_be_bytes().into_iter().enumerate() {
                    if matches!(at, 4 | 6 | 8 | 10) {
                        out.push(b'-');
                    }
                    out.hexadecimal(byte);
                }
            }
            _ => {}
        }
    }

    /// The number of bytes of every text.
    pub(super) const fn len(self) -> usize {
        match self {
            Form::Unsigned { digits, .. } => digits as usize,
            Form::Signed { digits, .. } => digits as usize + 1,
            Form::Calendar(unit) | Form::Clock(unit) => match unit {
                Unit::Year => 4,
                Unit::Month => 7,
                Unit::Day | Unit::EpochSecond => 10,
                Unit::Hour | Unit::EpochMilli => 13,
                Unit::Second => 20,
                Unit::Milli => 24,
                Unit::Micro => 27,
                Unit::Nano => 30,
            },
            Form::Uuid => 36,
        }
    }

    /// The ordinal of a text of the right length; not every text that it takes is canonical.
    pub(super) fn read(self, text: &str) -> Option<u128> {
        let number = |range: std::ops::Range<usize>| -> Option<u128> {
            let digits = text.get(range)?;
            digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
        };
        let ordinal = match self {
            Form::Unsigned { .. } => number(0..text.len())?,
            Form::Signed { digits, .. } => match text.as_bytes().first()? {
                b'p' => SIGN.checked_add(number(1..text.len())?)?,
                b'n' => SIGN.checked_sub(nines(digits).checked_sub(number(1..text.len())?)?)?,
                _ => return None,
            },
            Form::Calendar(unit) => {
                let days = read_date(text)?;
                u128::try_from(bucket(days, unit).0).ok()?
            }
            Form::Clock(Unit::EpochSecond | Unit::EpochMilli) => {
                self.least() + number(0..text.len())?
            }
            Form::Clock(unit) => {
                let days = read_date(text.get(..text.len().min(10))?)?;
                let part = |range: std::ops::Range<usize>| match text.len() {
                    len if len >= range.end => number(range),
                    _ => Some(0),
                };
                let seconds = u128::try_from(days).ok()? * 86_400
                    + part(11..13)? * 3600
                    + part(14..16)? * 60
                    + part(17..19)?;
                let fraction = if text.len() > 20 { number(20..text.len() - 1)? } else { 0 };
                let nanos = fraction * (1_000_000_000 / per_second(unit).max(1));
                let seconds = i128::try_from(seconds).ok()?;
                u128::try_from(clock_ordinal(seconds, u32::try_from(nanos).ok()?, unit).0).ok()?
            }
            Form::Uuid => {
                let hex: String = text.chars().filter(|c| *c != '-').collect();
                u128::from_str_radix(&hex, 16).ok()?
            }
        };
        self.within(ordinal).ok()
    }

    fn within(self, ordinal: u128) -> Result<u128, Unfit> {
        if ordinal < self.least() {
            Err(Unfit::Below)
        } else if ordinal > self.greatest() {
            Err(Unfit::Above)
        } else {
            Ok(ordinal)
        }
    }

    fn within_signed(self, ordinal: i128) -> Result<u128, Unfit> {
        self.within(u128::try_from(ordinal).map_err(|_| Unfit::Below)?)
    }

    /// What does not fit, in words.
    pub(super) fn explain(self, unfit: Unfit) -> PartError {
        let limits = match self {
            Form::Unsigned { digits, .. } | Form::Signed { digits, .. } => {
                format!(
                    "does not fit {digits} digits; widths are stored data, so choose `:N` for the greatest value ever"
                )
            }
            Form::Clock(Unit::EpochSecond | Unit::EpochMilli) => {
                "is outside 1970-01-01 to 2286-11-20, the range of ten digits of epoch seconds"
                    .into()
            }
            _ => "is outside the years 0000 to 9999".to_owned(),
        };
        match unfit {
            Unfit::Below | Unfit::Above => PartError::new(limits),
            Unfit::Invalid(reason) => PartError::new(reason),
        }
    }
}

/// Why a value has no ordinal; ranges clamp, keys are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unfit {
    Below,
    Above,
    Invalid(&'static str),
}

const fn nines(digits: u8) -> u128 {
    match 10u128.checked_pow(digits as u32) {
        Some(power) => power - 1,
        None => u128::MAX,
    }
}

fn signed_ordinal(number: i128) -> u128 {
    number.cast_unsigned() ^ SIGN
}

/// The number of the bucket that holds the day, and the bucket's first day.
fn bucket(days: i64, unit: Unit) -> (i128, i64) {
    match unit {
        Unit::Year => {
            let (year, _, _) = calendar::date(days);
            (i128::from(year), calendar::day_number(year, 1, 1))
        }
        Unit::Month => {
            let (year, month, _) = calendar::date(days);
            (i128::from(year) * 12 + i128::from(month) - 1, calendar::day_number(year, month, 1))
        }
        _ => (i128::from(days), days),
    }
}

/// The first day of a year, month or day by its number.
fn first_day(ordinal: u128, unit: Unit) -> i64 {
    let number = i64::try_from(ordinal).unwrap_or(0);
    let small = |number: i64| i32::try_from(number).unwrap_or(0);
    match unit {
        Unit::Year => calendar::day_number(small(number), 1, 1),
        Unit::Month => {
            let month = u8::try_from(number % 12 + 1).unwrap_or(1);
            calendar::day_number(small(number / 12), month, 1)
        }
        _ => number,
    }
}

const fn per_second(unit: Unit) -> u128 {
    match unit {
        Unit::Milli | Unit::EpochMilli => 1_000,
        Unit::Micro => 1_000_000,
        Unit::Nano => 1_000_000_000,
        _ => 1,
    }
}

/// `seconds` since 0000-01-01.
fn clock_ordinal(seconds: i128, nanos: u32, unit: Unit) -> (i128, bool) {
    let whole_seconds = |per: i128| (seconds.div_euclid(per), seconds.rem_euclid(per) == 0);
    match unit {
        Unit::Year | Unit::Month | Unit::Day => {
            let (days, midnight) = whole_seconds(86_400);
            let days = i64::try_from(days).unwrap_or(i64::MAX);
            if !(0..3_652_425).contains(&days) {
                return (if days < 0 { -1 } else { i128::MAX }, false);
            }
            let (ordinal, start) = bucket(days, unit);
            (ordinal, start == days && midnight && nanos == 0)
        }
        Unit::Hour => {
            let (hours, exact) = whole_seconds(3600);
            (hours, exact && nanos == 0)
        }
        _ => {
            let per = per_second(unit);
            let step = 1_000_000_000 / per;
            let nanos = u128::from(nanos);
            let per = i128::try_from(per).unwrap_or(1);
            let part = i128::try_from(nanos / step).unwrap_or(0);
            (seconds * per + part, nanos.is_multiple_of(step))
        }
    }
}

/// Nanoseconds from 0000-01-01 to the beginning of the bucket or step.
fn nanos_at(ordinal: u128, unit: Unit) -> i128 {
    let number = i128::try_from(ordinal).unwrap_or(0);
    match unit {
        Unit::Year | Unit::Month | Unit::Day => {
            i128::from(first_day(ordinal, unit)) * 86_400_000_000_000
        }
        Unit::Hour => number * 3_600_000_000_000,
        _ => number * i128::try_from(1_000_000_000 / per_second(unit)).unwrap_or(1),
    }
}

#[inline]
fn write_date(out: &mut Ascii, (year, month, day): (i32, u8, u8), unit: Unit) {
    let year = u16::try_from(year).unwrap_or(0);
    let narrow = |number: u16| u8::try_from(number).unwrap_or(0);
    let [a, b] = two_digits(narrow(year / 100));
    let [c, d] = two_digits(narrow(year % 100));
    let [e, f] = two_digits(month);
    let [g, h] = two_digits(day);
    let date = [a, b, c, d, b'-', e, f, b'-', g, h];
    out.extend(match unit {
        Unit::Year => &date[..4],
        Unit::Month => &date[..7],
        _ => &date,
    });
}

/// The digits of a number below 100.
const fn two_digits(number: u8) -> [u8; 2] {
    [b'0' + number / 10 % 10, b'0' + number % 10]
}

fn write_clock(out: &mut Ascii, seconds: i64, nanos: u32, unit: Unit) {
    if matches!(unit, Unit::EpochSecond | Unit::EpochMilli) {
        out.padded(seconds.unsigned_abs(), 10);
        if unit == Unit::EpochMilli {
            out.padded(nanos / 1_000_000, 3);
        }
        return;
    }
    let date = calendar::date(seconds.div_euclid(86_400) + EPOCH_DAYS);
    write_date(out, date, unit);
    if matches!(unit, Unit::Year | Unit::Month | Unit::Day) {
        return;
    }
    let of_day = seconds.rem_euclid(86_400).unsigned_abs();
    out.push(b'T');
    out.padded(of_day / 3600, 2);
    if unit == Unit::Hour {
        return;
    }
    out.push(b':');
    out.padded(of_day / 60 % 60, 2);
    out.push(b':');
    out.padded(of_day % 60, 2);
    let fraction = match unit {
        Unit::Milli => Some((nanos / 1_000_000, 3)),
        Unit::Micro => Some((nanos / 1_000, 6)),
        Unit::Nano => Some((nanos, 9)),
        _ => None,
    };
    if let Some((fraction, digits)) = fraction {
        out.push(b'.');
        out.padded(fraction, digits);
    }
    out.push(b'Z');
}

/// The day of `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; the first one where the text stops early.
fn read_date(text: &str) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| -> Option<u16> {
        let digits = text.get(range)?;
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let year = i32::from(number(0..4)?);
    let month = if text.len() >= 7 { u8::try_from(number(5..7)?).ok()? } else { 1 };
    let day = if text.len() >= 10 { u8::try_from(number(8..10)?).ok()? } else { 1 };
    calendar::exists(year, month, day).then(|| calendar::day_number(year, month, day))
}
