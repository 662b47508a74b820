//! A version, on a table without a sort key.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use monotable::{Entity, Error, Table};
use serde::{Deserialize, Serialize};
use tests::tape::Tape;

use super::edit::Edit;
use super::run::law;
use super::subject::{Index, Subject, versioned, without_unique};

#[derive(Debug, Table)]
#[table(pk = "PK", entities(Account))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(gsi2, pk = "GSI2PK")]
pub(super) struct Accounts;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Accounts, pk = "ACCOUNT#<id>", version = revision)]
#[index(gsi1, pk = "O#<owner>#<closed>", sk = "<id:9>")]
#[index(gsi2, pk = "T#<tier>#<id>", name = "by_tier")]
pub(super) struct Account {
    id: u32,
    owner: String,
    closed: bool,
    tier: Option<u8>,
    balance: i64,
    revision: u32,
}

fn owner(tape: &mut Tape<'_>) -> String {
    tape.pick(&["ana", "ben"]).to_owned()
}

fn tier(tape: &mut Tape<'_>) -> Option<u8> {
    tape.pick(&[None, Some(1), Some(2)])
}

impl Subject for Account {
    const INDEXES: &'static [Index] =
        &[Index { pk: "GSI1PK", sk: "GSI1SK" }, Index { pk: "GSI2PK", sk: "GSI2PK" }];

    fn draw(tape: &mut Tape<'_>, id: u32) -> Self {
        let balance = i64::from(tape.word() % 100) - 50;
        let (owner, tier) = (owner(tape), tier(tape));
        Account { id, owner, closed: tape.rarely(2), tier, balance, revision: 0 }
    }

    fn keys(&self) -> Vec<(&'static str, Option<String>)> {
        let Account { id, owner, closed, .. } = self;
        vec![
            ("PK", Some(format!("ACCOUNT#{id}"))),
            ("GSI1PK", Some(format!("O#{owner}#{closed}"))),
            ("GSI1SK", Some(format!("{id:09}"))),
            ("GSI2PK", self.tier.map(|tier| format!("T#{tier}#{id}"))),
            ("revision", Some(self.revision.to_string())),
        ]
    }

    fn find(
        &self,
        table: &Table<Accounts>,
        index: usize,
    ) -> BoxFuture<'static, Result<Vec<Self>, Error>> {
        match index {
            0 => table.query(Account::by_owner_and_closed(&self.owner, self.closed)).all().boxed(),
            _ => table.query(Account::by_tier(self.tier.unwrap_or(0), self.id)).all().boxed(),
        }
    }

    versioned!();
    without_unique!();

    edits! {
        any {
            "owner" "closed": |tape| (owner(tape), tape.rarely(2)),
                |o, (a, b)| o.owner_and_closed.set(a, b),
                |e, (a, b)| (e.owner, e.closed) = (a, b);
            "tier": |tape| tier(tape), |o, v| o.tier.set(v), |e, v| e.tier = v;
            "balance": |tape| i64::from(tape.word() % 9), |o, v| o.balance.add(v),
                |e, v| e.balance += v;
        }
        by_item {
            "owner": |tape| owner(tape), |o, v| o.owner.set(v), |e, v| e.owner = v;
            "closed": |tape| tape.rarely(2), |o, v| o.closed.set(v), |e, v| e.closed = v;
        }
    }
}

#[test]
fn of_a_versioned_entity() {
    law::<Account>();
}
