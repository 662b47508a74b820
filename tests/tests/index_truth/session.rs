//! A time to live, some of them over, whose field is in an index too.

use chrono::{DateTime, Utc};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use monotable::{Entity, Error, Table};
use serde::{Deserialize, Serialize};
use tests::tape::Tape;

use super::edit::Edit;
use super::run::law;
use super::subject::{Index, Subject, unversioned, without_unique};

#[derive(Debug, Table)]
#[table(pk = "PK", ttl = "expires_at", entities(Session))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
pub(super) struct Sessions;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Sessions, pk = "SESSION#<id>", ttl = until)]
#[index(gsi1, pk = "U#<user>", sk = "<until:ms:sparse>")]
pub(super) struct Session {
    id: u32,
    user: String,
    until: Option<DateTime<Utc>>,
    hits: u32,
}

/// Never, in the year 2100, or long ago.
pub(super) fn until(tape: &mut Tape<'_>) -> Option<DateTime<Utc>> {
    let seconds = tape.pick(&[None, Some(4_102_444_800), Some(4_102_444_801), Some(1_000_000_000)]);
    seconds.map(|seconds| DateTime::from_timestamp(seconds, tape.pick(&[0, 999_000_000])).unwrap())
}

fn user(tape: &mut Tape<'_>) -> String {
    tape.pick(&["ana", "ben"]).to_owned()
}

impl Subject for Session {
    const INDEXES: &'static [Index] = &[Index { pk: "GSI1PK", sk: "GSI1SK" }];

    fn draw(tape: &mut Tape<'_>, id: u32) -> Self {
        Session { id, user: user(tape), until: until(tape), hits: tape.word() % 3 }
    }

    fn keys(&self) -> Vec<(&'static str, Option<String>)> {
        let rendered = |at: DateTime<Utc>| at.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string();
        vec![
            ("PK", Some(format!("SESSION#{}", self.id))),
            ("GSI1PK", Some(format!("U#{}", self.user))),
            ("GSI1SK", self.until.map(rendered)),
            ("expires_at", self.until.map(|at| at.timestamp().to_string())),
        ]
    }

    fn find(
        &self,
        table: &Table<Sessions>,
        _: usize,
    ) -> BoxFuture<'static, Result<Vec<Self>, Error>> {
        table.query(Session::by_user(&self.user)).all().boxed()
    }

    fn expires(&self) -> Option<i64> {
        self.until.map(|at| at.timestamp())
    }

    unversioned!();
    without_unique!();

    edits! {
        any {
            "user": |tape| user(tape), |o, v| o.user.set(v), |e, v| e.user = v;
            "until": |tape| until(tape), |o, v| o.until.set(v), |e, v| e.until = v;
            "until": |_tape| (), |o, ()| o.until.remove(), |e, ()| e.until = None;
            "hits": |tape| tape.word() % 3, |o, v| o.hits.add(v), |e, v| e.hits += v;
        }
        by_item {}
    }
}

#[test]
fn of_an_entity_that_expires() {
    law::<Session>();
}
