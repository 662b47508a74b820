//! Type × spec: which values a component takes, and what an oracle sees of them. Nothing here knows
//! how a value is written.

use std::fmt::Debug;
use std::marker::PhantomData;

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, TimeZone, Utc};
use monotable::KeyPart;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::tape::Tape;

/// A type with a spec.
pub trait Kind: 'static {
    type Value: KeyPart + Clone + Debug + PartialEq + Send;
    /// The order that ranges speak of.
    type Seen: Ord + Clone + Debug;
    /// Whether keys sort the other way round.
    const DESC: bool = false;
    /// Sort keys of other entities that cannot lie between the least and the greatest text.
    const OUTSIDE: &'static [&'static str] = &["!", "/x", "zz", "~"];

    fn draw(tape: &mut Tape<'_>) -> Self::Value;
    /// A bound, which may be more than the component can render.
    fn bound(tape: &mut Tape<'_>) -> Self::Value {
        Self::draw(tape)
    }
    /// The value as it is.
    fn exact(value: &Self::Value) -> Self::Seen;
    /// What the spec keeps of it.
    fn floor(seen: Self::Seen) -> Self::Seen {
        seen
    }
    /// In a primary key nothing is rounded, in an index everything is.
    fn seen(value: &Self::Value, primary: bool) -> Self::Seen {
        if primary { Self::exact(value) } else { Self::floor(Self::exact(value)) }
    }
    /// The value that loses nothing, with the same text.
    fn whole(value: Self::Value) -> Self::Value {
        value
    }
    /// An equal value that looks otherwise.
    fn alike(value: &Self::Value, _tape: &mut Tape<'_>) -> Self::Value {
        value.clone()
    }
    fn from_text(_text: &str) -> Option<Self::Value> {
        None
    }
    /// The text that prefixes speak of.
    fn text(_value: &Self::Value) -> String {
        String::new()
    }
    fn fold(prefix: &str) -> String {
        prefix.to_owned()
    }
}

/// Text in every form but those below.
pub struct Text;

impl Kind for Text {
    type Value = String;
    type Seen = String;
    const OUTSIDE: &'static [&'static str] = &[];
    fn draw(tape: &mut Tape<'_>) -> String {
        tape.text()
    }
    fn bound(tape: &mut Tape<'_>) -> String {
        if tape.rarely(12) { String::new() } else { tape.text() }
    }
    fn exact(value: &String) -> String {
        value.clone()
    }
    fn from_text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }
    fn text(value: &String) -> String {
        value.clone()
    }
}

/// `:raw` in front of `D`, or at the end.
pub struct Raw<const D: char>;

impl<const D: char> Kind for Raw<D> {
    type Value = String;
    type Seen = String;
    const OUTSIDE: &'static [&'static str] = &[];
    fn draw(tape: &mut Tape<'_>) -> String {
        tape.text().replace([D, '#'], "r")
    }
    fn exact(value: &String) -> String {
        value.clone()
    }
    fn text(value: &String) -> String {
        value.clone()
    }
}

/// `:lower`.
pub struct Lower;

impl Kind for Lower {
    type Value = String;
    type Seen = String;
    const OUTSIDE: &'static [&'static str] = &[];
    fn draw(tape: &mut Tape<'_>) -> String {
        tape.text()
    }
    fn exact(value: &String) -> String {
        value.clone()
    }
    fn floor(seen: String) -> String {
        seen.chars().flat_map(char::to_lowercase).collect()
    }
    fn seen(value: &String, _primary: bool) -> String {
        Self::floor(value.clone())
    }
    fn whole(value: String) -> String {
        Self::floor(value)
    }
    fn from_text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }
    fn text(value: &String) -> String {
        Self::floor(value.clone())
    }
    fn fold(prefix: &str) -> String {
        Self::floor(prefix.to_owned())
    }
}

/// A newtype of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
pub struct Code(pub String);

pub struct Codes;

impl Kind for Codes {
    type Value = Code;
    type Seen = String;
    const OUTSIDE: &'static [&'static str] = &[];
    fn draw(tape: &mut Tape<'_>) -> Code {
        Code(tape.text())
    }
    fn exact(value: &Code) -> String {
        value.0.clone()
    }
    fn from_text(text: &str) -> Option<Code> {
        Some(Code(text.to_owned()))
    }
    fn text(value: &Code) -> String {
        value.0.clone()
    }
}

/// A newtype of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
pub struct Level(pub u32);

impl TryFrom<u128> for Level {
    type Error = std::num::TryFromIntError;
    fn try_from(number: u128) -> Result<Self, Self::Error> {
        u32::try_from(number).map(Level)
    }
}

impl From<Level> for u128 {
    fn from(level: Level) -> u128 {
        level.0.into()
    }
}

/// `:plain` has the width 0 here.
pub struct Unsigned<T, const DIGITS: u32, const DESC: bool = false>(PhantomData<T>);

impl<T, const DIGITS: u32, const DESC: bool> Unsigned<T, DIGITS, DESC>
where
    T: TryFrom<u128>,
{
    fn greatest() -> u128 {
        // Powers of two less one: the greatest that converts is the type's own.
        let widest = [8, 16, 32, 64, 128].map(|bits| u128::MAX >> (128 - bits));
        let max = widest.into_iter().rev().find(|max| T::try_from(*max).is_ok()).unwrap();
        match DIGITS {
            0 => max,
            digits => 10u128.checked_pow(digits).map_or(u128::MAX, |power| power - 1).min(max),
        }
    }
}

impl<T, const DIGITS: u32, const DESC: bool> Kind for Unsigned<T, DIGITS, DESC>
where
    T: TryFrom<u128> + Into<u128> + Copy + KeyPart + Debug + PartialEq + Send + 'static,
{
    type Value = T;
    type Seen = u128;
    const DESC: bool = DESC;
    const OUTSIDE: &'static [&'static str] = &["!", "/x", "META", ":x", "zz"];
    fn draw(tape: &mut Tape<'_>) -> T {
        let greatest = Self::greatest();
        let number = match tape.below(4) {
            0 => tape.below(4) as u128,
            1 => tape.pick(&[0, 1, 8, 9, 10, 11, 19, 20, 99, 100, 101, 110, 255]),
            2 => greatest - tape.below(3) as u128,
            _ => tape.wide() >> (tape.word() % 128),
        };
        number.checked_rem(greatest.wrapping_add(1)).unwrap_or(number).try_into().ok().unwrap()
    }
    fn bound(tape: &mut Tape<'_>) -> T {
        let number = Self::greatest().saturating_add(1 + tape.word() as u128 % 3);
        match T::try_from(number) {
            Ok(beyond) if tape.rarely(6) => beyond,
            _ => Self::draw(tape),
        }
    }
    fn exact(value: &T) -> u128 {
        (*value).into()
    }
}

pub struct Signed<T, const DIGITS: u32, const DESC: bool = false>(PhantomData<T>);

impl<T, const DIGITS: u32, const DESC: bool> Signed<T, DIGITS, DESC>
where
    T: TryFrom<i128>,
{
    fn ends() -> (i128, i128) {
        let widest = [8, 16, 32, 64, 128].map(|bits| i128::MAX >> (128 - bits));
        let max = widest.into_iter().rev().find(|max| T::try_from(*max).is_ok()).unwrap();
        match (DIGITS, 10i128.checked_pow(DIGITS)) {
            (1.., Some(power)) => ((1 - power).max(-max - 1), (power - 1).min(max)),
            _ => (-max - 1, max),
        }
    }
}

impl<T, const DIGITS: u32, const DESC: bool> Kind for Signed<T, DIGITS, DESC>
where
    T: TryFrom<i128> + Into<i128> + Copy + KeyPart + Debug + PartialEq + Send + 'static,
{
    type Value = T;
    type Seen = i128;
    const DESC: bool = DESC;
    const OUTSIDE: &'static [&'static str] = &["!", "META", "m~", "q", "zz"];
    fn draw(tape: &mut Tape<'_>) -> T {
        let (least, greatest) = Self::ends();
        let number = match tape.below(4) {
            0 => tape.below(5) as i128 - 2,
            1 => tape.pick(&[0, 1, -1, 9, -9, 10, -10, 11, -11, 99, -99, 100, -100, 127, -128]),
            2 if tape.rarely(2) => least + tape.below(3) as i128,
            2 => greatest - tape.below(3) as i128,
            _ => tape.wide().cast_signed() >> (tape.word() % 128),
        };
        number.clamp(least, greatest).try_into().ok().unwrap()
    }
    fn bound(tape: &mut Tape<'_>) -> T {
        let (least, greatest) = Self::ends();
        let step = 1 + i128::from(tape.word() % 3);
        let number =
            if tape.rarely(2) { least.saturating_sub(step) } else { greatest.saturating_add(step) };
        match T::try_from(number) {
            Ok(beyond) if tape.rarely(6) => beyond,
            _ => Self::draw(tape),
        }
    }
    fn exact(value: &T) -> i128 {
        (*value).into()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    Pending,
    InTransit,
    #[key(as = "10")]
    Ten,
    #[key(as = "1")]
    One,
}

/// Names have no ranges, so any order will do for the oracle.
pub struct Names<T>(PhantomData<T>);

impl Kind for Names<Status> {
    type Value = Status;
    type Seen = Status;
    const OUTSIDE: &'static [&'static str] = &[];
    fn draw(tape: &mut Tape<'_>) -> Status {
        tape.pick(&[Status::Pending, Status::InTransit, Status::Ten, Status::One])
    }
    fn exact(value: &Status) -> Status {
        *value
    }
}

impl Kind for Names<bool> {
    type Value = bool;
    type Seen = bool;
    const OUTSIDE: &'static [&'static str] = &[];
    fn draw(tape: &mut Tape<'_>) -> bool {
        tape.rarely(2)
    }
    fn exact(value: &bool) -> bool {
        *value
    }
}

pub struct Uuids;

impl Kind for Uuids {
    type Value = Uuid;
    type Seen = Uuid;
    fn draw(tape: &mut Tape<'_>) -> Uuid {
        Uuid::from_u128(match tape.below(4) {
            0 => tape.below(4) as u128,
            1 => u128::MAX - tape.below(3) as u128,
            2 => 1 << (tape.word() % 128),
            _ => tape.wide(),
        })
    }
    fn exact(value: &Uuid) -> Uuid {
        *value
    }
}

/// How much of a date or an instant the spec keeps.
pub trait Grain: 'static {
    /// Nanoseconds of what has a fixed length.
    const NANOS: i128 = 1;
    /// The bytes of `YYYY-MM-DD` that name the bucket.
    const DATE: usize = 10;
    /// Whether ten digits of seconds are all there is.
    const EPOCH: bool = false;
}

macro_rules! grains {
    ($($name:ident { $($rule:tt)* })*) => {$(
        pub struct $name;
        impl Grain for $name { $($rule)* }
    )*};
}

grains! {
    Nano {}
    Micro { const NANOS: i128 = 1_000; }
    Milli { const NANOS: i128 = 1_000_000; }
    Second { const NANOS: i128 = SECOND; }
    Hour { const NANOS: i128 = 3600 * SECOND; }
    Day { const NANOS: i128 = 86_400 * SECOND; }
    Month { const NANOS: i128 = 86_400 * SECOND; const DATE: usize = 7; }
    Year { const NANOS: i128 = 86_400 * SECOND; const DATE: usize = 4; }
    EpochSecond { const NANOS: i128 = SECOND; const EPOCH: bool = true; }
    EpochMilli { const NANOS: i128 = 1_000_000; const EPOCH: bool = true; }
}

const SECOND: i128 = 1_000_000_000;

pub trait Calendar: KeyPart + Clone + Debug + PartialEq + Send + 'static {
    fn from_date(date: NaiveDate) -> Option<Self>;
    fn date(&self) -> NaiveDate;
}

impl Calendar for NaiveDate {
    fn from_date(date: NaiveDate) -> Option<Self> {
        Some(date)
    }
    fn date(&self) -> NaiveDate {
        *self
    }
}

impl Calendar for jiff::civil::Date {
    fn from_date(date: NaiveDate) -> Option<Self> {
        let small = |number: u32| i8::try_from(number).ok();
        let year = i16::try_from(date.year()).ok()?;
        jiff::civil::Date::new(year, small(date.month())?, small(date.day())?).ok()
    }
    fn date(&self) -> NaiveDate {
        let part = |number: i8| u32::try_from(number).unwrap();
        NaiveDate::from_ymd_opt(self.year().into(), part(self.month()), part(self.day())).unwrap()
    }
}

fn ymd(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).unwrap()
}

pub struct Dates<T, G, const DESC: bool = false>(PhantomData<(T, G)>);

impl<T: Calendar, G: Grain, const DESC: bool> Kind for Dates<T, G, DESC> {
    type Value = T;
    type Seen = NaiveDate;
    const DESC: bool = DESC;
    const OUTSIDE: &'static [&'static str] = &["!", "/x", "META", ":x", "zz"];
    fn draw(tape: &mut Tape<'_>) -> T {
        let from = |start: NaiveDate, days: usize| start + chrono::Days::new(days as u64);
        let date = match tape.below(4) {
            0 => from(ymd(2026, 9, 29), tape.below(4)),
            1 => from(ymd(2025, 12, 30), tape.below(70)),
            2 => tape.pick(&[
                ymd(0, 1, 1),
                ymd(0, 12, 31),
                ymd(1, 1, 1),
                ymd(99, 12, 31),
                ymd(1000, 1, 1),
                ymd(1970, 1, 1),
                ymd(2024, 2, 29),
                ymd(9998, 12, 31),
                ymd(9999, 1, 1),
                ymd(9999, 12, 31),
            ]),
            _ => from(ymd(0, 1, 1), tape.below(3_652_425)),
        };
        T::from_date(date).unwrap()
    }
    fn bound(tape: &mut Tape<'_>) -> T {
        let date = tape.pick(&[ymd(-1, 12, 31), ymd(10_000, 1, 1), ymd(-9999, 1, 1)]);
        match T::from_date(date) {
            Some(beyond) if tape.rarely(6) => beyond,
            _ => Self::draw(tape),
        }
    }
    fn exact(value: &T) -> NaiveDate {
        value.date()
    }
    fn floor(date: NaiveDate) -> NaiveDate {
        first_of::<G>(date)
    }
    fn whole(value: T) -> T {
        T::from_date(first_of::<G>(value.date())).unwrap()
    }
    fn text(value: &T) -> String {
        let date = value.date();
        let mut text = format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day());
        text.truncate(G::DATE);
        text
    }
}

fn first_of<G: Grain>(date: NaiveDate) -> NaiveDate {
    match G::DATE {
        4 => ymd(date.year(), 1, 1),
        7 => ymd(date.year(), date.month(), 1),
        _ => date,
    }
}

pub trait Instant: KeyPart + Clone + Debug + PartialEq + Send + 'static {
    /// Nanoseconds since 1970.
    fn nanos(&self) -> i128;
    fn from_nanos(nanos: i128, offset: i32) -> Option<Self>;
}

fn utc(nanos: i128) -> Option<DateTime<Utc>> {
    let seconds = i64::try_from(nanos.div_euclid(SECOND)).ok()?;
    DateTime::from_timestamp(seconds, u32::try_from(nanos.rem_euclid(SECOND)).ok()?)
}

impl Instant for DateTime<Utc> {
    fn nanos(&self) -> i128 {
        i128::from(self.timestamp()) * SECOND + i128::from(self.timestamp_subsec_nanos())
    }
    fn from_nanos(nanos: i128, _offset: i32) -> Option<Self> {
        utc(nanos)
    }
}

impl Instant for DateTime<FixedOffset> {
    fn nanos(&self) -> i128 {
        self.with_timezone(&Utc).nanos()
    }
    fn from_nanos(nanos: i128, offset: i32) -> Option<Self> {
        Some(FixedOffset::east_opt(offset)?.from_utc_datetime(&utc(nanos)?.naive_utc()))
    }
}

impl Instant for jiff::Timestamp {
    fn nanos(&self) -> i128 {
        self.as_nanosecond()
    }
    fn from_nanos(nanos: i128, _offset: i32) -> Option<Self> {
        jiff::Timestamp::from_nanosecond(nanos).ok()
    }
}

pub struct Times<T, G, const DESC: bool = false>(PhantomData<(T, G)>);

/// 0000-01-01T00:00:00Z and the last nanosecond of the year 9999.
const FIRST: i128 = -62_167_219_200 * SECOND;
const LAST: i128 = 253_402_300_800 * SECOND - 1;
/// 2026-09-30T23:59:59Z.
const NEAR: i128 = 1_790_812_799 * SECOND;
const OFFSETS: [i32; 5] = [0, 3600, -5 * 3600, 19_800, 14 * 3600];

impl<T: Instant, G: Grain, const DESC: bool> Times<T, G, DESC> {
    fn ends() -> (i128, i128) {
        // jiff ends a day before the year does.
        let last = if T::from_nanos(LAST, 0).is_some() { LAST } else { LAST - 100_000 * SECOND };
        if G::EPOCH { (0, 9_999_999_999 * SECOND + SECOND - 1) } else { (FIRST, last) }
    }
}

impl<T: Instant, G: Grain, const DESC: bool> Kind for Times<T, G, DESC> {
    type Value = T;
    type Seen = i128;
    const DESC: bool = DESC;
    const OUTSIDE: &'static [&'static str] = &["!", "/x", "META", ":x", "zz"];
    fn draw(tape: &mut Tape<'_>) -> T {
        let (least, greatest) = Self::ends();
        let part = tape.pick(&[
            0,
            1,
            999,
            1000,
            999_999,
            1_000_000,
            1_999_999,
            500_000_000,
            991_000_000,
            999_999_999,
        ]);
        let seconds = match tape.below(5) {
            0 => NEAR + SECOND * tape.below(3) as i128,
            1 => NEAR + 1801 * SECOND * (tape.below(100) as i128 - 50),
            2 => tape.pick(&[
                least,
                least + SECOND,
                0,
                -SECOND,
                -86_400 * SECOND,
                86_400 * SECOND,
                951_782_400 * SECOND,
                946_684_799 * SECOND,
                greatest - part,
                greatest - SECOND,
            ]),
            3 => NEAR + 86_399 * SECOND * (tape.below(1000) as i128 - 500),
            _ => least + SECOND * (tape.wide() % 315_569_520_000).cast_signed(),
        };
        let offset = tape.pick(&OFFSETS);
        T::from_nanos((seconds + part).clamp(least, greatest), offset).unwrap()
    }
    fn bound(tape: &mut Tape<'_>) -> T {
        let (least, greatest) = Self::ends();
        let step = tape.pick(&[1, SECOND, 400 * 86_400 * SECOND]);
        let beyond = if tape.rarely(2) { least - step } else { greatest + step };
        match T::from_nanos(beyond, 0) {
            Some(beyond) if tape.rarely(6) => beyond,
            _ => Self::draw(tape),
        }
    }
    fn exact(value: &T) -> i128 {
        value.nanos()
    }
    fn floor(nanos: i128) -> i128 {
        let nanos = nanos.div_euclid(G::NANOS) * G::NANOS;
        if G::DATE == 10 {
            return nanos;
        }
        let date = first_of::<G>(utc(nanos).unwrap().date_naive());
        date.and_hms_opt(0, 0, 0).unwrap().and_utc().nanos()
    }
    fn whole(value: T) -> T {
        T::from_nanos(Self::floor(value.nanos()), 0).unwrap()
    }
    fn alike(value: &T, tape: &mut Tape<'_>) -> T {
        T::from_nanos(value.nanos(), tape.pick(&OFFSETS)).unwrap()
    }
}
