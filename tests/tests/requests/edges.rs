//! The ends of blocks and ranges where a bound is not just the value's text.

use monotable::key::{KeyPart, PartError, PartKind, PartValue};
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};
use tests::bench::on_table;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
enum Grade {
    A,
    AB,
    B,
}

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK")]
struct Grades;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Grades, pk = "PUPIL#<pupil>", sk = "<grade>|<subject>")]
struct Mark {
    pupil: String,
    grade: Grade,
    subject: String,
}

/// `A|…` sorts behind `AB|…`, since `|` sorts behind `B`.
#[tokio::test]
async fn a_block_of_names_holds_all_of_them() {
    on_table::<Grades, _>("edge-names", |bench| async move {
        for grade in [Grade::A, Grade::AB] {
            let mark = Mark { pupil: "p".into(), grade, subject: "x".into() };
            bench.table.put(&mark).send().await.unwrap();
        }
        assert_eq!(bench.table.query(Mark::by_pupil("p")).all().await.unwrap().len(), 2);
        let a = bench.table.query(Mark::by_pupil("p").grade(Grade::A)).all().await.unwrap();
        assert_eq!(a.len(), 1);
    })
    .await;
}

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "name")]
struct Names;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Names, pk = "P#<p>", sk = "<name>")]
struct Natural {
    p: String,
    name: String,
}

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK")]
struct Words;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Words, pk = "P#<p>", sk = "W#<name>")]
struct Word {
    p: String,
    name: String,
}

/// A bound that is longer than any key still has its place among them.
#[tokio::test]
async fn bounds_longer_than_a_key_are_clamped() {
    on_table::<Words, _>("edge-long", |bench| async move {
        // With `W#` in front, exactly 1024 bytes; `ñ` has two.
        let longest = format!("{}ñ", "x".repeat(1020));
        for name in ["w", &longest, "y"] {
            let word = Word { p: "p".into(), name: name.to_owned() };
            bench.table.put(&word).send().await.unwrap();
        }
        let count = async |range: (std::ops::Bound<String>, std::ops::Bound<String>)| {
            bench.table.query(Word::by_p("p").name_range(range)).count().await.unwrap()
        };
        use std::ops::Bound::{Excluded, Included, Unbounded};
        let longer = format!("{longest}ñ");
        assert_eq!(count((Included(longest.clone()), Unbounded)).await, 2);
        assert_eq!(count((Excluded(longest.clone()), Unbounded)).await, 1);
        assert_eq!(count((Included(longer.clone()), Unbounded)).await, 1);
        assert_eq!(count((Unbounded, Included(longer.clone()))).await, 2);
        assert_eq!(count((Unbounded, Excluded(longer))).await, 2);
        assert_eq!(count((Unbounded, Excluded(longest.clone()))).await, 1);
        assert_eq!(count((Unbounded, Included(longest))).await, 2);
    })
    .await;
    on_table::<Names, _>("edge-natural", |bench| async move {
        let longest = "x".repeat(1024);
        for name in ["w", &longest, "y"] {
            let item = Natural { p: "p".into(), name: name.to_owned() };
            bench.table.put(&item).send().await.unwrap();
        }
        let pattern = || Natural::by_p("p");
        let longer = "x".repeat(1100);
        let above = bench.table.query(pattern().name_range(longer.clone()..));
        assert_eq!(above.count().await.unwrap(), 1);
        let below = bench.table.query(pattern().name_range(..longer));
        assert_eq!(below.count().await.unwrap(), 2);
    })
    .await;
}

/// Says that it is text, and gives a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Liar(String);

impl KeyPart for Liar {
    const KIND: PartKind = PartKind::Text;
    fn to_value(&self) -> Result<PartValue<'_>, PartError> {
        Ok(PartValue::Name(self.0.as_str().into()))
    }
    fn from_value(value: PartValue<'_>) -> Result<Self, PartError> {
        Ok(Liar(value.as_text()?.to_owned()))
    }
}

#[derive(Debug, Serialize, Deserialize, Entity)]
#[entity(table = Words, pk = "B#<a>#<b>", sk = "X")]
struct Pair {
    a: Liar,
    b: Liar,
}

#[test]
fn a_key_part_that_breaks_its_contract_is_refused() {
    let key = Pair::key(Liar("x#y".into()), Liar("z".into()));
    let error = key.partition_key().unwrap_err();
    assert!(error.is_invalid_key() && error.to_string().contains("`KIND`"), "{error}");
}

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "day")]
struct Days;

#[derive(Debug, Serialize, Deserialize, Entity)]
#[entity(table = Days, pk = "D#<id>", sk = "<day>")]
struct Day {
    id: String,
    day: chrono::NaiveDate,
}

#[test]
fn natural_dates_keep_their_order() {
    let day = |year| chrono::NaiveDate::from_ymd_opt(year, 1, 1).unwrap();
    assert_eq!(Day::key("x", day(9999)).sort_key().unwrap(), "9999-01-01");
    for year in [10_000, -1] {
        let error = Day::key("x", day(year)).sort_key().unwrap_err();
        assert!(error.to_string().contains("0000 to 9999"), "{error}");
    }
    let client = monotable::testing::local_client("http://127.0.0.1:1").unwrap();
    let days: Table<Days> = Table::new(client, "days");
    let slip = days.query(Day::by_id("x").day_prefix("2026-3")).explain().unwrap_err();
    assert!(slip.is_invalid_key(), "{slip}");
}
