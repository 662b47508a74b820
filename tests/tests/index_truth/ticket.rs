//! Every form of `only_when`, a shard by two fields, a lossy spec, a type attribute and constants.

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use monotable::shard::shard_of;
use monotable::{Entity, Error, KeyPart, Table};
use serde::{Deserialize, Serialize};
use tests::tape::Tape;

use super::edit::Edit;
use super::run::law;
use super::subject::{Index, Subject, unversioned, without_unique};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", type_attribute = "_et", entities(Ticket))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(gsi2, pk = "GSI2PK", sk = "GSI2SK")]
#[gsi(gsi3, pk = "GSI3PK", sk = "GSI3SK")]
#[gsi(gsi4, pk = "GSI4PK", sk = "GSI4SK")]
pub(super) struct Tickets;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
pub(super) enum State {
    Open,
    Blocked,
    Done,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Tickets, pk = "PROJECT#<project>", sk = "T#<number:9>",
         attributes("v" = "1"), type_name = "ticket")]
#[index(gsi1, pk = "A#<assignee>", sk = "<opened:s>#<number:9>",
        only_when(state = State::Open | State::Blocked))]
#[index(gsi2, pk = "U#<team>#<urgent>", sk = "<rank:4>", only_when(urgent = true, team = Some(_)))]
#[index(gsi3, pk = "M#<closed:month>#<shard>", sk = "<number:9>", name = "by_month",
        shard(by = (project, number), count = 5), only_when(archived = false))]
#[index(gsi4, pk = "P#<project>", sk = "<title>", name = "by_title", only_when(visible = true))]
pub(super) struct Ticket {
    project: String,
    number: u32,
    state: State,
    assignee: Option<String>,
    opened: DateTime<Utc>,
    urgent: bool,
    team: Option<String>,
    rank: u16,
    closed: Option<DateTime<Utc>>,
    archived: bool,
    visible: bool,
    title: String,
    votes: u32,
}

fn state(tape: &mut Tape<'_>) -> State {
    tape.pick(&[State::Open, State::Blocked, State::Done])
}

fn name(tape: &mut Tape<'_>) -> Option<String> {
    tape.pick(&[None, Some("ana"), Some("ben")]).map(str::to_owned)
}

/// With a fraction that the specs floor.
fn time(tape: &mut Tape<'_>) -> DateTime<Utc> {
    let start = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
    start + TimeDelta::milliseconds(tape.pick(&[0, 1, 999, 1_000, 2_592_000_001]))
}

fn closed(tape: &mut Tape<'_>) -> Option<DateTime<Utc>> {
    tape.rarely(2).then(|| time(tape))
}

fn title(tape: &mut Tape<'_>) -> String {
    tape.pick(&["a", "bc"]).to_owned()
}

impl Subject for Ticket {
    const INDEXES: &'static [Index] = &[
        Index { pk: "GSI1PK", sk: "GSI1SK" },
        Index { pk: "GSI2PK", sk: "GSI2SK" },
        Index { pk: "GSI3PK", sk: "GSI3SK" },
        Index { pk: "GSI4PK", sk: "GSI4SK" },
    ];

    fn draw(tape: &mut Tape<'_>, id: u32) -> Self {
        Ticket {
            project: "p".into(),
            number: id,
            state: state(tape),
            assignee: name(tape),
            opened: time(tape),
            urgent: tape.rarely(2),
            team: name(tape),
            rank: tape.pick(&[0, 12, 9_999]),
            closed: closed(tape),
            archived: tape.rarely(2),
            visible: tape.rarely(2),
            title: title(tape),
            votes: tape.word() % 5,
        }
    }

    fn keys(&self) -> Vec<(&'static str, Option<String>)> {
        let number = self.number;
        let shard = shard_of(&["p", &number.to_string()], 5);
        let is_open = self.state != State::Done;
        let opened = self.opened.format("%Y-%m-%dT%H:%M:%SZ");
        let team = self.team.as_ref().filter(|_| self.urgent);
        let closed = self.closed.filter(|_| !self.archived);
        vec![
            ("PK", Some("PROJECT#p".into())),
            ("SK", Some(format!("T#{number:09}"))),
            ("_et", Some("ticket".into())),
            ("v", Some("1".into())),
            ("GSI1PK", self.assignee.as_ref().filter(|_| is_open).map(|name| format!("A#{name}"))),
            ("GSI1SK", Some(format!("{opened}#{number:09}"))),
            ("GSI2PK", team.map(|team| format!("U#{team}#true"))),
            ("GSI2SK", Some(format!("{:04}", self.rank))),
            ("GSI3PK", closed.map(|closed| format!("M#{}#{shard}", closed.format("%Y-%m")))),
            ("GSI3SK", Some(format!("{number:09}"))),
            ("GSI4PK", self.visible.then(|| "P#p".into())),
            ("GSI4SK", Some(self.title.clone())),
        ]
    }

    fn find(
        &self,
        table: &Table<Tickets>,
        index: usize,
    ) -> BoxFuture<'static, Result<Vec<Self>, Error>> {
        let or_none = |name: &Option<String>| name.clone().unwrap_or_default();
        match index {
            0 => table.query(Ticket::by_assignee(or_none(&self.assignee))).all().boxed(),
            1 => {
                let pattern = Ticket::by_team_and_urgent(or_none(&self.team), self.urgent);
                table.query(pattern).all().boxed()
            }
            2 => table.query(Ticket::by_month(self.closed.unwrap_or_default())).all().boxed(),
            _ => table.query(Ticket::by_title("p")).all().boxed(),
        }
    }

    unversioned!();
    without_unique!();

    edits! {
        any {
            "state" "assignee": |tape| (state(tape), name(tape)),
                |o, (a, b)| o.state_and_assignee.set(a, b),
                |e, (a, b)| (e.state, e.assignee) = (a, b);
            "opened": |tape| time(tape), |o, v| o.opened.set(v), |e, v| e.opened = v;
            "urgent" "team": |tape| (tape.rarely(2), name(tape)),
                |o, (a, b)| o.urgent_and_team.set(a, b),
                |e, (a, b)| (e.urgent, e.team) = (a, b);
            "rank": |tape| tape.pick(&[1, 2_000]), |o, v| o.rank.set(v), |e, v| e.rank = v;
            "closed" "archived": |tape| (closed(tape), tape.rarely(2)),
                |o, (a, b)| o.closed_and_archived.set(a, b),
                |e, (a, b)| (e.closed, e.archived) = (a, b);
            "visible": |tape| tape.rarely(2), |o, v| o.visible.set(v), |e, v| e.visible = v;
            "title": |tape| title(tape), |o, v| o.title.set(v), |e, v| e.title = v;
            "votes": |tape| tape.word() % 5, |o, v| o.votes.add(v), |e, v| e.votes += v;
        }
        by_item {
            "state": |tape| state(tape), |o, v| o.state.set(v), |e, v| e.state = v;
            "assignee": |tape| name(tape), |o, v| o.assignee.set(v), |e, v| e.assignee = v;
            "assignee": |_tape| (), |o, ()| o.assignee.remove(), |e, ()| e.assignee = None;
            "urgent": |tape| tape.rarely(2), |o, v| o.urgent.set(v), |e, v| e.urgent = v;
            "team": |tape| name(tape), |o, v| o.team.set(v), |e, v| e.team = v;
            "closed": |tape| closed(tape), |o, v| o.closed.set(v), |e, v| e.closed = v;
            "archived": |tape| tape.rarely(2), |o, v| o.archived.set(v), |e, v| e.archived = v;
        }
    }
}

#[test]
fn of_sparse_indexes() {
    law::<Ticket>();
}
