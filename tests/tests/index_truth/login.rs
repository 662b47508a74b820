//! Unique fields, one of them optional and one in an index.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use monotable::{Entity, Error, Table};
use serde::{Deserialize, Serialize};
use tests::tape::Tape;

use super::edit::Edit;
use super::run::law;
use super::subject::{Index, Subject, unversioned, with_unique};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", entities(Login))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(gsi2, pk = "GSI2PK", sk = "GSI2SK")]
pub(super) struct Logins;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Logins, pk = "LOGIN#<id>", sk = "LOGIN", unique(email, nick))]
#[index(gsi1, pk = "D#<domain>", sk = "<email>#<id:9>")]
#[index(gsi2, pk = "C#<city>", sk = "<id:9>")]
pub(super) struct Login {
    id: u32,
    email: String,
    nick: Option<String>,
    domain: String,
    city: String,
    visits: u32,
}

/// Few, so that items ask for the same.
fn email(tape: &mut Tape<'_>) -> String {
    tape.pick(&["a@x", "b@x", "c@x", "d@x", "e@x", "f@x"]).to_owned()
}

fn nick(tape: &mut Tape<'_>) -> Option<String> {
    tape.pick(&[None, None, Some("ni"), Some("no"), Some("nu")]).map(str::to_owned)
}

fn city(tape: &mut Tape<'_>) -> String {
    tape.pick(&["graz", "linz"]).to_owned()
}

impl Subject for Login {
    const INDEXES: &'static [Index] =
        &[Index { pk: "GSI1PK", sk: "GSI1SK" }, Index { pk: "GSI2PK", sk: "GSI2SK" }];

    fn draw(tape: &mut Tape<'_>, id: u32) -> Self {
        let (email, nick) = (email(tape), nick(tape));
        Login { id, email, nick, domain: city(tape), city: city(tape), visits: tape.word() % 3 }
    }

    fn keys(&self) -> Vec<(&'static str, Option<String>)> {
        let Login { id, email, domain, city, .. } = self;
        vec![
            ("PK", Some(format!("LOGIN#{id}"))),
            ("SK", Some("LOGIN".into())),
            ("GSI1PK", Some(format!("D#{domain}"))),
            ("GSI1SK", Some(format!("{email}#{id:09}"))),
            ("GSI2PK", Some(format!("C#{city}"))),
            ("GSI2SK", Some(format!("{id:09}"))),
        ]
    }

    fn find(
        &self,
        table: &Table<Logins>,
        index: usize,
    ) -> BoxFuture<'static, Result<Vec<Self>, Error>> {
        match index {
            0 => table.query(Login::by_domain(&self.domain)).all().boxed(),
            _ => table.query(Login::by_city(&self.city)).all().boxed(),
        }
    }

    fn unique(&self) -> Vec<String> {
        let nick = self.nick.as_ref().map(|nick| format!("nick#{nick}"));
        [format!("email#{}", self.email)].into_iter().chain(nick).collect()
    }

    unversioned!();
    with_unique!();

    edits! {
        any {
            "domain": |tape| city(tape), |o, v| o.domain.set(v), |e, v| e.domain = v;
            "city": |tape| city(tape), |o, v| o.city.set(v), |e, v| e.city = v;
            "visits": |tape| tape.word() % 3, |o, v| o.visits.add(v), |e, v| e.visits += v;
        }
        by_item {
            "email": |tape| email(tape), |o, v| o.email.set(v), |e, v| e.email = v;
            "nick": |tape| nick(tape), |o, v| o.nick.set(v), |e, v| e.nick = v;
            "nick": |_tape| (), |o, ()| o.nick.remove(), |e, ()| e.nick = None;
        }
    }
}

#[test]
fn of_an_entity_with_unique_fields() {
    law::<Login>();
}
