//! Sort keys.

use std::borrow::Cow;

use chrono::{DateTime, FixedOffset, NaiveDate, Utc};
use jiff::Timestamp;
use jiff::civil::Date;
use uuid::Uuid;

use crate::row;
use crate::values::{Code, Level, Status, day, instant, jiff_day, utc, uuid, zoned};

row! { sort text: String, "T#<x>", {
    "a".into() => "T#a",
    "A b".into() => "T#A b",
    "a#b".into() => "T#a%23b",
    "50%".into() => "T#50%25",
    "%23".into() => "T#%2523",
    "$#%&".into() => "T#%24%23%25&",
    "a/b:c|d.e~f-g".into() => "T#a/b:c|d.e~f-g",
    "año 日本 😀".into() => "T#año 日本 😀",
    "\0\t\u{7f}\u{80}\u{10ffff}".into() => "T#\0\t\u{7f}\u{80}\u{10ffff}",
    "<x>".into() => "T#<x>",
} }

row! { sort text_inside: String, "T#<x>#END", {
    "a".into() => "T#a#END",
    "a#b$c%d".into() => "T#a%23b%24c%25d#END",
    "ñ#".into() => "T#ñ%23#END",
} }

row! { sort text_before_a_slash: String, "T/<x>/END", {
    "a/b".into() => "T/a%2Fb/END",
    "a#b".into() => "T/a%23b/END",
    "//".into() => "T/%2F%2F/END",
    "a|b".into() => "T/a|b/END",
} }

row! { sort text_before_other_delimiters: (String), "T#<x>|END", {
    "a|b#c/d".into() => "T#a%7Cb%23c/d|END",
    "~".into() => "T#~|END",
    "%7C".into() => "T#%257C|END",
} }

row! { sort text_borrowed: Cow<'static, str>, "T#<x>", {
    Cow::Borrowed("a#b") => "T#a%23b",
    Cow::Owned("é".into()) => "T#é",
    Cow::Borrowed("%") => "T#%25",
} }

row! { sort text_boxed: Box<str>, "T#<x>", {
    "a#b".into() => "T#a%23b",
    "é".into() => "T#é",
    "%".into() => "T#%25",
} }

row! { sort text_ordered: String, "T#<x:ordered>#END", {
    "abc".into() => "T#abc#END",
    "a b".into() => "T#a%20b#END",
    "\0\u{1f}!\"#$%&".into() => "T#%00%1F%21%22%23%24%25&#END",
    "a\nb".into() => "T#a%0Ab#END",
    "é'~".into() => "T#é'~#END",
} }

row! { sort text_ordered_at_the_end: String, "T#<x:ordered>", {
    "a b".into() => "T#a%20b",
    "#".into() => "T#%23",
    "&".into() => "T#&",
} }

row! { sort text_raw: String, "T/<x:raw>/END", {
    "a#b$c%d".into() => "T/a#b$c%d/END",
    "%2F".into() => "T/%2F/END",
    "é".into() => "T/é/END",
} }

row! { sort text_rest: String, "T#<x:rest>", {
    "a#b/c%23".into() => "T#a#b/c%23",
    "#".into() => "T##",
    "é\0".into() => "T#é\0",
} }

row! { sort text_lower: String, "T#<x:lower>", {
    "Ana@Example.ORG".into() => "T#ana@example.org",
    "A#B".into() => "T#a%23b",
    "ÀÉÑ ΣΊΣΥΦΟΣ".into() => "T#àéñ σίσυφοσ",
    "İ".into() => "T#i\u{307}",
    "straße".into() => "T#straße",
} }

row! { sort newtype_of_text: Code, "T#<x>", {
    Code("KB-104".into()) => "T#KB-104",
    Code("a#b".into()) => "T#a%23b",
    Code("日".into()) => "T#日",
} }

row! { sort newtype_of_a_number: Level, "T#<x:3>", {
    Level(7) => "T#p007",
    Level(0) => "T#p000",
    Level(-7) => "T#n992",
} }

row! { sort unsigned: u32, "T#<x:10>", {
    0 => "T#0000000000",
    42 => "T#0000000042",
    u32::MAX => "T#4294967295",
} }

row! { sort unsigned_narrow: u8, "T#<x:2>", {
    0 => "T#00",
    7 => "T#07",
    99 => "T#99",
} }

row! { sort unsigned_wide: u64, "T#<x:20>", {
    0 => "T#00000000000000000000",
    10_000_000_000 => "T#00000000010000000000",
    u64::MAX => "T#18446744073709551615",
} }

row! { sort unsigned_wider_than_its_type: u8, "T#<x:5>", {
    0 => "T#00000",
    255 => "T#00255",
    10 => "T#00010",
} }

row! { sort unsigned_descending: u32, "T#<x:10:desc>", {
    0 => "T#9999999999",
    42 => "T#9999999957",
    u32::MAX => "T#5705032704",
} }

row! { sort unsigned_plain: u64, "T#<x:plain>", {
    0 => "T#0",
    1_000 => "T#1000",
    u64::MAX => "T#18446744073709551615",
} }

row! { sort signed: i64, "T#<x:19>", {
    0 => "T#p0000000000000000000",
    1 => "T#p0000000000000000001",
    -1 => "T#n9999999999999999998",
    -10 => "T#n9999999999999999989",
    i64::MAX => "T#p9223372036854775807",
    i64::MIN => "T#n0776627963145224191",
} }

row! { sort signed_narrow: i16, "T#<x:2>", {
    99 => "T#p99",
    5 => "T#p05",
    -5 => "T#n94",
    -99 => "T#n00",
} }

row! { sort signed_descending: i16, "T#<x:5:desc>", {
    0 => "T#n99999",
    2 => "T#n99997",
    -2 => "T#p00002",
    i16::MIN => "T#p32768",
    i16::MAX => "T#n67232",
} }

row! { sort signed_plain: i64, "T#<x:plain>", {
    0 => "T#0",
    -42 => "T#-42",
    i64::MIN => "T#-9223372036854775808",
} }

row! { sort flag: bool, "T#<x>", {
    true => "T#true",
    false => "T#false",
} }

row! { sort unit_enum: Status, "T#<x>", {
    Status::Pending => "T#PENDING",
    Status::InTransit => "T#IN_TRANSIT",
    Status::Ten => "T#10",
} }

row! { sort date: NaiveDate, "T#<x>", {
    day("2026-03-14") => "T#2026-03-14",
    day("0000-01-01") => "T#0000-01-01",
    day("0099-02-28") => "T#0099-02-28",
    day("2024-02-29") => "T#2024-02-29",
    day("9999-12-31") => "T#9999-12-31",
} }

row! { sort date_of_jiff: Date, "T#<x>", {
    jiff_day("2026-03-14") => "T#2026-03-14",
    jiff_day("0000-01-01") => "T#0000-01-01",
    jiff_day("9999-12-31") => "T#9999-12-31",
} }

row! { sort date_descending: NaiveDate, "T#<x:desc>", {
    day("2026-03-14") => "T#7973-96-85",
    day("0000-01-01") => "T#9999-98-98",
    day("9999-12-31") => "T#0000-87-68",
} }

row! { sort year_of_a_date: NaiveDate, "T#<x:year>", {
    day("2026-03-14") => "T#2026",
    day("0000-12-31") => "T#0000",
    day("9999-12-31") => "T#9999",
} }

row! { sort month_of_a_date: NaiveDate, "T#<x:month>", {
    day("2026-03-14") => "T#2026-03",
    day("0000-01-31") => "T#0000-01",
    day("9999-12-31") => "T#9999-12",
} }

row! { sort day_of_a_date: Date, "T#<x:day>", {
    jiff_day("2026-03-14") => "T#2026-03-14",
    jiff_day("0000-01-01") => "T#0000-01-01",
    jiff_day("9999-12-31") => "T#9999-12-31",
} }

row! { sort month_of_a_date_descending: Date, "T#<x:month:desc>", {
    jiff_day("2026-03-14") => "T#7973-96",
    jiff_day("0000-01-31") => "T#9999-98",
    jiff_day("9999-12-31") => "T#0000-87",
} }

row! { sort second: DateTime<Utc>, "T#<x:s>", {
    utc("2026-03-14T09:26:53.589Z") => "T#2026-03-14T09:26:53Z",
    utc("1969-12-31T23:59:59.999999999Z") => "T#1969-12-31T23:59:59Z",
    utc("0000-01-01T00:00:00Z") => "T#0000-01-01T00:00:00Z",
    utc("9999-12-31T23:59:59.999999999Z") => "T#9999-12-31T23:59:59Z",
} }

row! { sort second_of_a_zoned_time: DateTime<FixedOffset>, "T#<x:s>", {
    zoned("2026-03-14T09:26:53+05:30") => "T#2026-03-14T03:56:53Z",
    zoned("2026-01-01T00:30:00+01:00") => "T#2025-12-31T23:30:00Z",
    zoned("2025-12-31T23:30:00-01:00") => "T#2026-01-01T00:30:00Z",
} }

row! { sort second_of_jiff: Timestamp, "T#<x:s>", {
    instant("2026-03-14T09:26:53.589Z") => "T#2026-03-14T09:26:53Z",
    instant("1969-12-31T23:59:59.5Z") => "T#1969-12-31T23:59:59Z",
    instant("0000-01-01T00:00:00Z") => "T#0000-01-01T00:00:00Z",
} }

row! { sort milli: DateTime<Utc>, "T#<x:ms>", {
    utc("2026-03-14T09:26:53Z") => "T#2026-03-14T09:26:53.000Z",
    utc("2026-03-14T09:26:53.0179Z") => "T#2026-03-14T09:26:53.017Z",
    utc("0000-01-01T00:00:00.001Z") => "T#0000-01-01T00:00:00.001Z",
    utc("9999-12-31T23:59:59.999999999Z") => "T#9999-12-31T23:59:59.999Z",
} }

row! { sort micro: Timestamp, "T#<x:us>", {
    instant("2026-03-14T09:26:53Z") => "T#2026-03-14T09:26:53.000000Z",
    instant("2026-03-14T09:26:53.0000019Z") => "T#2026-03-14T09:26:53.000001Z",
    instant("1969-12-31T23:59:59.9999999Z") => "T#1969-12-31T23:59:59.999999Z",
} }

row! { sort nano: DateTime<FixedOffset>, "T#<x:ns>", {
    zoned("2026-03-14T09:26:53+00:00") => "T#2026-03-14T09:26:53.000000000Z",
    zoned("2026-03-14T09:26:53.000000001+01:00") => "T#2026-03-14T08:26:53.000000001Z",
    zoned("9999-12-31T23:59:59.999999999Z") => "T#9999-12-31T23:59:59.999999999Z",
} }

row! { sort second_descending: DateTime<Utc>, "T#<x:s:desc>", {
    utc("2026-03-14T09:26:53Z") => "T#7973-96-85T90:73:46Z",
    utc("0000-01-01T00:00:00Z") => "T#9999-98-98T99:99:99Z",
    utc("9999-12-31T23:59:59Z") => "T#0000-87-68T76:40:40Z",
} }

row! { sort milli_descending: DateTime<Utc>, "T#<x:ms:desc>", {
    utc("2026-03-14T09:26:53.589Z") => "T#7973-96-85T90:73:46.410Z",
    utc("0000-01-01T00:00:00Z") => "T#9999-98-98T99:99:99.999Z",
    utc("9999-12-31T23:59:59.999Z") => "T#0000-87-68T76:40:40.000Z",
} }

row! { sort epoch_second: DateTime<Utc>, "T#<x:epoch_s>", {
    utc("1970-01-01T00:00:00Z") => "T#0000000000",
    utc("2026-03-14T09:26:53.9Z") => "T#1773480413",
    utc("2286-11-20T17:46:39.999999999Z") => "T#9999999999",
} }

row! { sort epoch_milli: Timestamp, "T#<x:epoch_ms>", {
    instant("1970-01-01T00:00:00.001Z") => "T#0000000000001",
    instant("2026-03-14T09:26:53.5899Z") => "T#1773480413589",
    instant("2286-11-20T17:46:39.999Z") => "T#9999999999999",
} }

row! { sort epoch_second_descending: DateTime<Utc>, "T#<x:epoch_s:desc>", {
    utc("1970-01-01T00:00:00Z") => "T#9999999999",
    utc("2026-03-14T09:26:53Z") => "T#8226519586",
    utc("2286-11-20T17:46:39Z") => "T#0000000000",
} }

row! { sort year: DateTime<Utc>, "T#<x:year>", {
    utc("2026-12-31T23:59:59.999Z") => "T#2026",
    utc("0000-01-01T00:00:00Z") => "T#0000",
    utc("9999-12-31T23:59:59Z") => "T#9999",
} }

row! { sort month: DateTime<FixedOffset>, "T#<x:month>", {
    zoned("2026-03-01T00:30:00+01:00") => "T#2026-02",
    zoned("0000-01-31T00:00:00Z") => "T#0000-01",
    zoned("9999-12-31T00:00:00Z") => "T#9999-12",
} }

row! { sort day_of_an_instant: Timestamp, "T#<x:day>", {
    instant("2026-03-14T23:59:59.999Z") => "T#2026-03-14",
    instant("0000-01-01T00:00:00Z") => "T#0000-01-01",
    instant("1969-12-31T23:59:59Z") => "T#1969-12-31",
} }

row! { sort hour: DateTime<Utc>, "T#<x:hour>", {
    utc("2026-03-14T09:59:59.999Z") => "T#2026-03-14T09",
    utc("0000-01-01T00:00:00Z") => "T#0000-01-01T00",
    utc("9999-12-31T23:59:59Z") => "T#9999-12-31T23",
} }

row! { sort hour_descending: DateTime<Utc>, "T#<x:hour:desc>", {
    utc("2026-03-14T09:00:00Z") => "T#7973-96-85T90",
    utc("0000-01-01T00:00:00Z") => "T#9999-98-98T99",
    utc("9999-12-31T23:00:00Z") => "T#0000-87-68T76",
} }

row! { sort uuids: Uuid, "T#<x>", {
    Uuid::nil() => "T#00000000-0000-0000-0000-000000000000",
    uuid("F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6") => "T#f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    Uuid::max() => "T#ffffffff-ffff-ffff-ffff-ffffffffffff",
} }

row! { sort touching: NaiveDate, "T<x>END", {
    day("2026-03-14") => "T2026-03-14END",
    day("0000-01-01") => "T0000-01-01END",
    day("9999-12-31") => "T9999-12-31END",
} }

row! { sort sparse: Option<NaiveDate>, "T#<x:sparse>", {
    Some(day("2026-03-14")) => "T#2026-03-14",
    Some(day("0000-01-01")) => "T#0000-01-01",
    Some(day("9999-12-31")) => "T#9999-12-31",
} }
