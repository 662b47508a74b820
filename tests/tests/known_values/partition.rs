//! Partition keys: numbers as they are, text as in sort keys.

use chrono::{DateTime, FixedOffset, NaiveDate, Utc};
use jiff::Timestamp;
use uuid::Uuid;

use crate::row;
use crate::values::{Code, Level, Status, day, instant, utc, uuid, zoned};

row! { partition text: String, "P#<x>", {
    "a".into() => "P#a",
    "a#b$c%d".into() => "P#a%23b%24c%25d",
    "日本\0".into() => "P#日本\0",
} }

row! { partition text_before_a_dot: String, "P.<x>.END", {
    "a.b".into() => "P.a%2Eb.END",
    "a/b#".into() => "P.a/b%23.END",
    "..".into() => "P.%2E%2E.END",
} }

row! { partition text_raw: String, "P#<x:raw>#END", {
    "a/b%23".into() => "P#a/b%23#END",
    "$".into() => "P#$#END",
    "é".into() => "P#é#END",
} }

row! { partition text_lower: String, "P#<x:lower>", {
    "Ana@Example.ORG".into() => "P#ana@example.org",
    "#A".into() => "P#%23a",
    "É".into() => "P#é",
} }

row! { partition newtype_of_text: Code, "P#<x>", {
    Code("KB-104".into()) => "P#KB-104",
    Code("a#b".into()) => "P#a%23b",
    Code("é".into()) => "P#é",
} }

row! { partition newtype_of_a_number: Level, "P#<x>", {
    Level(7) => "P#7",
    Level(0) => "P#0",
    Level(-7) => "P#-7",
} }

row! { partition unsigned: u64, "USER#<x>", {
    42 => "USER#42",
    0 => "USER#0",
    u64::MAX => "USER#18446744073709551615",
} }

row! { partition unsigned_padded: u32, "P#<x:6>", {
    42 => "P#000042",
    0 => "P#000000",
    999_999 => "P#999999",
} }

row! { partition signed: i64, "P#<x>", {
    42 => "P#42",
    -42 => "P#-42",
    i64::MIN => "P#-9223372036854775808",
    i64::MAX => "P#9223372036854775807",
} }

row! { partition flag: bool, "P#<x>", {
    true => "P#true",
    false => "P#false",
} }

row! { partition unit_enum: Status, "P#<x>", {
    Status::Pending => "P#PENDING",
    Status::InTransit => "P#IN_TRANSIT",
    Status::Ten => "P#10",
} }

row! { partition date: NaiveDate, "P#<x>", {
    day("2026-03-14") => "P#2026-03-14",
    day("0000-01-01") => "P#0000-01-01",
    day("9999-12-31") => "P#9999-12-31",
} }

row! { partition month_of_a_date: NaiveDate, "P#<x:month>", {
    day("2026-03-14") => "P#2026-03",
    day("0000-01-01") => "P#0000-01",
    day("9999-12-31") => "P#9999-12",
} }

row! { partition second: DateTime<Utc>, "P#<x:s>", {
    utc("2026-03-14T09:26:53.9Z") => "P#2026-03-14T09:26:53Z",
    utc("0000-01-01T00:00:00Z") => "P#0000-01-01T00:00:00Z",
    utc("9999-12-31T23:59:59Z") => "P#9999-12-31T23:59:59Z",
} }

row! { partition milli: DateTime<FixedOffset>, "P#<x:ms>", {
    zoned("2026-03-14T09:26:53+01:00") => "P#2026-03-14T08:26:53.000Z",
    zoned("0000-01-01T00:00:00Z") => "P#0000-01-01T00:00:00.000Z",
    zoned("9999-12-31T23:59:59.9999Z") => "P#9999-12-31T23:59:59.999Z",
} }

row! { partition micro: DateTime<Utc>, "P#<x:us>", {
    utc("2026-03-14T09:26:53Z") => "P#2026-03-14T09:26:53.000000Z",
    utc("0000-01-01T00:00:00.0000011Z") => "P#0000-01-01T00:00:00.000001Z",
    utc("1969-12-31T23:59:59.9999999Z") => "P#1969-12-31T23:59:59.999999Z",
} }

row! { partition nano: Timestamp, "P#<x:ns>", {
    instant("2026-03-14T09:26:53Z") => "P#2026-03-14T09:26:53.000000000Z",
    instant("0000-01-01T00:00:00Z") => "P#0000-01-01T00:00:00.000000000Z",
    instant("1969-12-31T23:59:59.999999999Z") => "P#1969-12-31T23:59:59.999999999Z",
} }

row! { partition year: DateTime<Utc>, "P#<x:year>", {
    utc("2026-03-14T09:26:53.9Z") => "P#2026",
    utc("0000-01-01T00:00:00Z") => "P#0000",
    utc("9999-12-31T23:59:59Z") => "P#9999",
} }

row! { partition day_of_an_instant: DateTime<Utc>, "P#<x:day>", {
    utc("2026-03-14T09:26:53.9Z") => "P#2026-03-14",
    utc("0000-01-01T00:00:00Z") => "P#0000-01-01",
    utc("9999-12-31T23:59:59Z") => "P#9999-12-31",
} }

row! { partition hour: Timestamp, "P#<x:hour>", {
    instant("2026-03-14T09:59:59Z") => "P#2026-03-14T09",
    instant("0000-01-01T00:00:00Z") => "P#0000-01-01T00",
    instant("1969-12-31T23:59:59Z") => "P#1969-12-31T23",
} }

row! { partition uuids: Uuid, "P#<x>", {
    Uuid::nil() => "P#00000000-0000-0000-0000-000000000000",
    uuid("F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6") => "P#f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    Uuid::max() => "P#ffffffff-ffff-ffff-ffff-ffffffffffff",
} }
