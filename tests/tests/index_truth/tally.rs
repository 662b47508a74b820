//! Index keys that follow from the primary key, so that an upsert is one update.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use monotable::{Entity, Error, Set, Table};
use serde::{Deserialize, Serialize};
use tests::tape::Tape;

use super::edit::Edit;
use super::run::law;
use super::subject::{Index, Subject, versioned, without_unique};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", type_attribute = "_et", entities(Tally))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
pub(super) struct Tallies;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Tallies, pk = "PAGE#<page>", sk = "<day:9>", version = version,
         attributes("v" = "2"))]
#[index(gsi1, pk = "DAY#<day>#<shard>", sk = "<page>", shard(by = page, count = 3))]
pub(super) struct Tally {
    page: String,
    day: u32,
    views: i64,
    rest: i64,
    names: Vec<String>,
    last: Option<String>,
    tags: Set<String>,
    version: u16,
}

fn text(tape: &mut Tape<'_>) -> String {
    tape.pick(&["a", "b"]).to_owned()
}

impl Subject for Tally {
    const INDEXES: &'static [Index] = &[Index { pk: "GSI1PK", sk: "GSI1SK" }];

    fn draw(tape: &mut Tape<'_>, id: u32) -> Self {
        Tally {
            page: "p/1".into(),
            day: id,
            views: i64::from(tape.word() % 5),
            rest: 0,
            names: tape.rarely(2).then(|| text(tape)).into_iter().collect(),
            last: tape.rarely(4).then(|| text(tape)),
            tags: tape.rarely(4).then(|| text(tape)).into_iter().collect(),
            version: 0,
        }
    }

    fn keys(&self) -> Vec<(&'static str, Option<String>)> {
        let day = self.day;
        vec![
            ("PK", Some("PAGE#p/1".into())),
            ("SK", Some(format!("{day:09}"))),
            ("_et", Some("Tally".into())),
            ("v", Some("2".into())),
            ("GSI1PK", Some(format!("DAY#{day}#{}", monotable::shard::shard_of(&["p/1"], 3)))),
            ("GSI1SK", Some("p/1".into())),
        ]
    }

    fn find(
        &self,
        table: &Table<Tallies>,
        _: usize,
    ) -> BoxFuture<'static, Result<Vec<Self>, Error>> {
        table.query(Tally::by_day(self.day)).all().boxed()
    }

    versioned!();
    without_unique!();

    edits! {
        any {
            "views": |tape| i64::from(tape.word() % 7), |o, v| o.views.add(v), |e, v| e.views += v;
            "rest": |tape| i64::from(tape.word() % 7), |o, v| o.rest.set(v), |e, v| e.rest = v;
            "names": |tape| text(tape), |o, v| o.names.append([v]), |e, v| e.names.push(v);
            "names": |tape| text(tape), |o, v| o.names.prepend([v]), |e, v| e.names.insert(0, v);
            "last": |tape| text(tape), |o, v| o.last.set(v), |e, v| e.last = Some(v);
            "last": |_tape| (), |o, ()| o.last.remove(), |e, ()| e.last = None;
            "last": |tape| text(tape), |o, v| o.last.set_if_missing(v),
                |e, v| e.last = e.last.take().or(Some(v));
            "tags": |tape| text(tape), |o, v| o.tags.insert([v]), |e, v| e.tags.insert(v);
            "tags": |tape| text(tape), |o, v| o.tags.delete([v]), |e, v| e.tags.remove(&v);
        }
        by_item {}
    }
}

#[test]
fn of_keys_that_follow_from_the_primary_key() {
    law::<Tally>();
}
