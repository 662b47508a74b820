//! A version, a time to live and a unique field together; the number lives in the key alone.

use chrono::{DateTime, Utc};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use monotable::{Entity, Error, Table};
use serde::{Deserialize, Serialize};
use tests::tape::Tape;

use super::edit::Edit;
use super::run::law;
use super::session::until;
use super::subject::{Index, Subject, versioned, with_unique};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", ttl = "expires_at", type_attribute = "_et", entities(Member))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
pub(super) struct Members;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Members, pk = "MEMBER#<id>", sk = "MEMBER", version = version, ttl = until,
         unique(card), key_only(id))]
#[index(gsi1, pk = "C#<club>", sk = "<rank:4>#<id:9>", only_when(paid = true))]
pub(super) struct Member {
    id: u32,
    card: Option<String>,
    club: String,
    rank: u16,
    paid: bool,
    until: Option<DateTime<Utc>>,
    visits: u32,
    version: u64,
}

fn card(tape: &mut Tape<'_>) -> Option<String> {
    tape.pick(&[None, Some("c1"), Some("c2"), Some("c3"), Some("c4")]).map(str::to_owned)
}

fn club(tape: &mut Tape<'_>) -> String {
    tape.pick(&["golf", "chess"]).to_owned()
}

impl Subject for Member {
    const INDEXES: &'static [Index] = &[Index { pk: "GSI1PK", sk: "GSI1SK" }];

    fn draw(tape: &mut Tape<'_>, id: u32) -> Self {
        Member {
            id,
            card: card(tape),
            club: club(tape),
            rank: tape.pick(&[1, 20]),
            paid: tape.rarely(2),
            until: until(tape),
            visits: tape.word() % 3,
            version: 0,
        }
    }

    fn keys(&self) -> Vec<(&'static str, Option<String>)> {
        let id = self.id;
        vec![
            ("PK", Some(format!("MEMBER#{id}"))),
            ("SK", Some("MEMBER".into())),
            ("_et", Some("Member".into())),
            ("GSI1PK", self.paid.then(|| format!("C#{}", self.club))),
            ("GSI1SK", Some(format!("{:04}#{id:09}", self.rank))),
            ("expires_at", self.until.map(|at| at.timestamp().to_string())),
            ("version", Some(self.version.to_string())),
        ]
    }

    fn find(
        &self,
        table: &Table<Members>,
        _: usize,
    ) -> BoxFuture<'static, Result<Vec<Self>, Error>> {
        table.query(Member::by_club(&self.club)).all().boxed()
    }

    fn unique(&self) -> Vec<String> {
        self.card.iter().map(|card| format!("card#{card}")).collect()
    }

    fn expires(&self) -> Option<i64> {
        self.until.map(|at| at.timestamp())
    }

    versioned!();
    with_unique!();

    edits! {
        any {
            "club" "paid": |tape| (club(tape), tape.rarely(2)),
                |o, (a, b)| o.club_and_paid.set(a, b),
                |e, (a, b)| (e.club, e.paid) = (a, b);
            "rank": |tape| tape.pick(&[3, 400]), |o, v| o.rank.set(v), |e, v| e.rank = v;
            "visits": |tape| tape.word() % 3, |o, v| o.visits.add(v), |e, v| e.visits += v;
        }
        by_item {
            "until": |tape| until(tape), |o, v| o.until.set(v), |e, v| e.until = v;
            "club": |tape| club(tape), |o, v| o.club.set(v), |e, v| e.club = v;
            "paid": |tape| tape.rarely(2), |o, v| o.paid.set(v), |e, v| e.paid = v;
            "card": |tape| card(tape), |o, v| o.card.set(v), |e, v| e.card = v;
        }
    }
}

#[test]
fn of_an_entity_with_everything() {
    law::<Member>();
}
