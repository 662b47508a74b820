//! Short ways to write values.

use chrono::{DateTime, FixedOffset, NaiveDate, Utc};
use jiff::Timestamp;
use monotable::KeyPart;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    Pending,
    InTransit,
    #[key(as = "10")]
    Ten,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
pub struct Code(pub String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
pub struct Level(pub i32);

pub fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

pub fn jiff_day(text: &str) -> jiff::civil::Date {
    text.parse().unwrap()
}

pub fn utc(text: &str) -> DateTime<Utc> {
    zoned(text).to_utc()
}

pub fn zoned(text: &str) -> DateTime<FixedOffset> {
    DateTime::parse_from_rfc3339(text).unwrap()
}

pub fn instant(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub fn uuid(text: &str) -> Uuid {
    text.parse().unwrap()
}
