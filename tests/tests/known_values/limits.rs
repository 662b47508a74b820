//! What no key can hold is an error that names the field, before any request.

use chrono::{DateTime, NaiveDate, Utc};
use monotable::{Entity, Error};
use serde::{Deserialize, Serialize};

use crate::values::{day, utc};
use crate::{Stored, stored};

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Stored, pk = "P#<p>", sk = "S#<s>")]
#[index(gsi1, pk = "G#<g>", sk = "H#<h>", name = "on_index")]
struct Texts {
    p: String,
    s: String,
    g: String,
    h: String,
}

fn texts(p: &str, s: &str, g: &str, h: &str) -> Result<monotable::Item, Error> {
    Texts { p: p.into(), s: s.into(), g: g.into(), h: h.into() }.to_item()
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, Error>, words: &[&str]) {
    let error = result.unwrap_err();
    assert!(error.is_invalid_key(), "{error}");
    for word in words {
        assert!(error.to_string().contains(word), "`{word}` is not in: {error}");
    }
}

#[test]
fn sizes_are_counted_in_bytes() {
    // Two bytes of literal, and the rest of the limit.
    let (partition, sort) = (2046, 1022);
    for letter in ["a", "é", "日", "😀"] {
        let fill =
            |size: usize| letter.repeat(size / letter.len()) + &"x".repeat(size % letter.len());
        texts(&fill(partition), &fill(sort), &fill(partition), &fill(sort)).unwrap();
        let over = |size: usize| fill(size) + "x";
        refused(texts(&over(partition), "s", "g", "h"), &["`PK`", "2049", "2048"]);
        refused(texts("p", &over(sort), "g", "h"), &["`SK`", "1025", "1024"]);
        refused(texts("p", "s", &over(partition), "h"), &["`GSI1PK`", "2049"]);
        refused(texts("p", "s", "g", &over(sort)), &["`GSI1SK`", "1025"]);
    }
}

#[test]
fn an_escape_has_three_bytes() {
    texts("p", &("#".repeat(340) + "xx"), "g", "h").unwrap();
    refused(texts("p", &("#".repeat(340) + "xxx"), "g", "h"), &["1025"]);
    refused(texts("p", &"#".repeat(341), "g", "h"), &["1025"]);
}

#[test]
fn an_empty_component_is_refused() {
    texts("p", "s", "g", "h").unwrap();
    refused(texts("", "s", "g", "h"), &["`p`", "empty"]);
    refused(texts("p", "", "g", "h"), &["`s`", "empty"]);
    refused(texts("p", "s", "", "h"), &["`g`", "empty"]);
    refused(texts("p", "s", "g", ""), &["`h`", "empty"]);
}

#[test]
fn a_value_wider_than_its_width_is_refused() {
    #[derive(Serialize, Deserialize, Entity)]
    #[entity(table = Stored, pk = "P#<u:3>", sk = "S#<i:3>")]
    struct Numbers {
        u: u32,
        i: i32,
    }

    let sort = |i| Numbers::key(1, i).sort_key();
    assert_eq!(Numbers::key(999, 1).partition_key().unwrap(), "P#999");
    refused(Numbers::key(1000, 1).partition_key(), &["`u`", "3 digits"]);
    assert_eq!((sort(999).unwrap(), sort(-999).unwrap()), ("S#p999".into(), "S#n000".into()));
    refused(sort(1000), &["`i`", "3 digits"]);
    refused(sort(-1000), &["`i`", "3 digits"]);
    refused(sort(i32::MIN), &["`i`"]);
}

#[test]
fn the_greatest_widths() {
    #[derive(Serialize, Deserialize, Entity)]
    #[entity(table = Stored, pk = "P#<u:39>", sk = "S#<i:38>")]
    struct Numbers {
        u: u128,
        i: i128,
    }

    let key = |u, i| {
        let key = Numbers::key(u, i);
        (key.partition_key().unwrap(), key.sort_key().unwrap())
    };
    let most = 10_i128.pow(38) - 1;
    let (greatest, last) = key(u128::MAX, most);
    assert_eq!(greatest, "P#340282366920938463463374607431768211455");
    assert_eq!(last, "S#p99999999999999999999999999999999999999");
    let (least, first) = key(0, -most);
    assert_eq!(least, "P#000000000000000000000000000000000000000");
    assert_eq!(first, "S#n00000000000000000000000000000000000000");
    refused(Numbers::key(0, most + 1).sort_key(), &["`i`", "38 digits"]);
    refused(Numbers::key(0, i128::MIN).sort_key(), &["`i`", "38 digits"]);
}

#[test]
fn a_value_that_would_be_rounded_is_refused_in_a_primary_key_only() {
    macro_rules! rounded {
        ($ty:ty, $unit:literal, $sk:tt, $value:expr, $whole:expr, $text:literal) => {{
            #[derive(Serialize, Deserialize, Entity)]
            #[entity(table = Stored, pk = "P#<id>", sk = $sk)]
            struct Primary {
                id: String,
                x: $ty,
            }

            #[derive(Serialize, Deserialize, Entity)]
            #[entity(table = Stored, pk = "P#<id>", sk = "ROW")]
            #[index(gsi1, pk = "P#<id>", sk = $sk, name = "on_index")]
            struct Index {
                id: String,
                x: $ty,
            }

            refused(
                Primary::key("1", $value).sort_key(),
                &["`x`", concat!("`:", $unit, "`"), "rounded"],
            );
            let whole = Primary::key("1", $whole);
            assert_eq!(whole.sort_key().unwrap(), $text);
            let row = Primary { id: "1".into(), x: $whole };
            assert_eq!(row.key(), whole);
            assert_eq!(stored(&Index { id: "1".into(), x: $value }, "GSI1SK"), $text);
        }};
    }
    let at = utc("2026-03-14T09:26:53.123456789Z");
    rounded!(
        DateTime<Utc>,
        "s",
        "S#<x:s>",
        at,
        utc("2026-03-14T09:26:53Z"),
        "S#2026-03-14T09:26:53Z"
    );
    rounded!(
        DateTime<Utc>,
        "ms",
        "S#<x:ms>",
        at,
        utc("2026-03-14T09:26:53.123Z"),
        "S#2026-03-14T09:26:53.123Z"
    );
    rounded!(
        DateTime<Utc>,
        "us",
        "S#<x:us>",
        at,
        utc("2026-03-14T09:26:53.123456Z"),
        "S#2026-03-14T09:26:53.123456Z"
    );
    rounded!(
        DateTime<Utc>,
        "epoch_s",
        "S#<x:epoch_s>",
        at,
        utc("2026-03-14T09:26:53Z"),
        "S#1773480413"
    );
    rounded!(
        DateTime<Utc>,
        "epoch_ms",
        "S#<x:epoch_ms>",
        at,
        utc("2026-03-14T09:26:53.123Z"),
        "S#1773480413123"
    );
    rounded!(
        DateTime<Utc>,
        "hour",
        "S#<x:hour>",
        at,
        utc("2026-03-14T09:00:00Z"),
        "S#2026-03-14T09"
    );
    rounded!(DateTime<Utc>, "day", "S#<x:day>", at, utc("2026-03-14T00:00:00Z"), "S#2026-03-14");
    rounded!(DateTime<Utc>, "month", "S#<x:month>", at, utc("2026-03-01T00:00:00Z"), "S#2026-03");
    rounded!(DateTime<Utc>, "year", "S#<x:year>", at, utc("2026-01-01T00:00:00Z"), "S#2026");
    rounded!(NaiveDate, "month", "S#<x:month>", day("2026-03-14"), day("2026-03-01"), "S#2026-03");
    rounded!(NaiveDate, "year", "S#<x:year>", day("2026-03-14"), day("2026-01-01"), "S#2026");
    // Before 1970 rounding goes down as well.
    let before = utc("1969-12-31T23:59:59.5Z");
    rounded!(
        DateTime<Utc>,
        "s",
        "S#<x:s>",
        before,
        utc("1969-12-31T23:59:59Z"),
        "S#1969-12-31T23:59:59Z"
    );
}

#[test]
fn two_cases_share_an_item_on_purpose() {
    #[derive(Serialize, Deserialize, Entity)]
    #[entity(table = Stored, pk = "P#<email:lower>", sk = "ROW")]
    struct Account {
        email: String,
    }
    assert_eq!(Account::key("A@b.C"), Account::key("a@B.c"));
    assert_eq!(Account::key("A@b.C").partition_key().unwrap(), "P#a@b.c");
}

#[test]
fn years_are_0000_to_9999() {
    #[derive(Serialize, Deserialize, Entity)]
    #[entity(table = Stored, pk = "P#<id>", sk = "S#<date>#<at:ns>")]
    struct Row {
        id: String,
        date: NaiveDate,
        at: DateTime<Utc>,
    }
    let (date, at) = (day("2026-03-14"), utc("2026-03-14T00:00:00Z"));
    let one = chrono::Days::new(1);
    let outside = [day("0000-01-01") - one, day("9999-12-31") + one];
    for outside in outside {
        refused(Row::key("1", outside, at).sort_key(), &["`date`", "0000 to 9999"]);
        let instant = outside.and_hms_opt(12, 0, 0).unwrap().and_utc();
        refused(Row::key("1", date, instant).sort_key(), &["`at`", "0000 to 9999"]);
    }
    Row::key("1", date, at).sort_key().unwrap();
}

#[test]
fn epoch_seconds_have_ten_digits() {
    #[derive(Serialize, Deserialize, Entity)]
    #[entity(table = Stored, pk = "P#<id>", sk = "S#<at:epoch_s>")]
    struct Row {
        id: String,
        at: DateTime<Utc>,
    }
    let key = |text: &str| Row::key("1", utc(text)).sort_key();
    refused(key("1969-12-31T23:59:59Z"), &["`at`", "1970"]);
    refused(key("2286-11-20T17:46:40Z"), &["`at`", "2286"]);
    assert_eq!(key("2286-11-20T17:46:39Z").unwrap(), "S#9999999999");
}

#[test]
fn a_delimiter_in_raw_text_is_refused() {
    #[derive(Serialize, Deserialize, Entity)]
    #[entity(table = Stored, pk = "P#<p:raw>#END", sk = "S/<a:raw>/<b:raw>")]
    struct Row {
        p: String,
        a: String,
        b: String,
    }
    assert_eq!(Row::key("p/q", "a#b", "c/d").sort_key().unwrap(), "S/a#b/c/d");
    refused(Row::key("p#q", "a", "b").partition_key(), &["`p`", "`#`", "`:raw`"]);
    refused(Row::key("p", "a/b", "c").sort_key(), &["`a`", "`/`", "`:raw`"]);
    refused(Row::key("p", "a", "b#c").sort_key(), &["`b`", "`:raw`"]);
}

#[test]
fn a_leap_second_is_refused() {
    #[derive(Serialize, Deserialize, Entity)]
    #[entity(table = Stored, pk = "P#<id>", sk = "S#<at:ns>")]
    struct Row {
        id: String,
        at: DateTime<Utc>,
    }
    refused(Row::key("1", utc("2016-12-31T23:59:60Z")).sort_key(), &["`at`", "leap second"]);
    Row::key("1", utc("2017-01-01T00:00:00Z")).sort_key().unwrap();
}
