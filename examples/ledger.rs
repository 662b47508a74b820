//! A ledger: accounts with a version and a unique e-mail address, sessions that expire, and
//! transfers that happen once, however often they are asked for.
//!
//! `cargo run --example ledger`

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::future::try_join_all;
use monotable::op::Created;
use monotable::{Entity, Error, Table, testing::Embedded};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", ttl = "expires_at", entities(Account, Transfer, Session))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Ledger;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Ledger, pk = "ACCOUNT#<account_id>", sk = "ACCOUNT", version = version, unique(email))]
struct Account {
    account_id: String,
    email: String,
    /// In cents.
    balance: i64,
    version: u64,
}

/// The item of a transfer is its proof: its key is the token that the caller made for it, so a
/// second request with the same token finds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Ledger, pk = "TRANSFER#<token>", sk = "TRANSFER")]
#[index(gsi1, pk = "FROM#<from>", sk = "<token>")]
struct Transfer {
    token: String,
    from: String,
    to: String,
    amount: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Ledger, pk = "SESSION#<session_id>", sk = "SESSION", ttl = until)]
struct Session {
    session_id: String,
    account_id: String,
    /// Stored by serde as it likes; the library writes `expires_at` in whole seconds from it.
    until: SystemTime,
}

/// What became of a request to transfer.
#[derive(Debug, PartialEq)]
enum Outcome {
    Done,
    /// A request with this token was done before.
    DoneBefore,
    NotEnough,
}

/// Moves money in one transaction: both accounts and the transfer's own item, or nothing.
async fn transfer(ledger: &Table<Ledger>, transfer: &Transfer) -> Result<Outcome, Error> {
    let Transfer { from, to, amount, .. } = transfer;
    loop {
        let mut transaction = ledger.transact();
        let debit = transaction.push(
            ledger
                .update(Account::key(from))
                .change(|account| account.balance.subtract(*amount))
                .condition(|account| account.balance.ge(*amount)),
        );
        transaction
            .push(ledger.update(Account::key(to)).change(|account| account.balance.add(*amount)));
        let proof = transaction.push(ledger.create(transfer));
        let Err(error) = transaction.send().await else { return Ok(Outcome::Done) };

        let failed = |handle| error.reason(handle).filter(|reason| reason.is_condition_failed());
        if failed(proof).is_some() {
            return Ok(Outcome::DoneBefore);
        }
        if failed(debit).is_some_and(|reason| !reason.is_item_missing()) {
            return Ok(Outcome::NotEnough);
        }
        // Another transaction holds one of the accounts: the token makes it safe to try again, also
        // when the answer was lost.
        if !(error.is_conflict() || error.is_throttled() || error.is_outcome_unknown()) {
            return Err(error);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Everything that the ledger does, with transfers from `t0` on. Asked for twice, it is done once.
async fn scenario(ledger: &Table<Ledger>) -> Result<[i64; 2], Error> {
    for (account_id, email, balance) in
        [("ana", "ana@example.org", 10_000), ("ben", "ben@example.org", 0)]
    {
        let mut account =
            Account { account_id: account_id.into(), email: email.into(), balance, version: 0 };
        match ledger.create(&mut account).or_existing().send().await? {
            Created::Created => assert_eq!(account.version, 1),
            Created::Exists(found) => assert_eq!(found.email, email),
        }
    }

    // Fifty transfers at once, of 1 to 50 cents.
    let transfers: Vec<_> = (1..=50)
        .map(|amount| Transfer {
            token: format!("t{amount:02}"),
            from: "ana".into(),
            to: "ben".into(),
            amount,
        })
        .collect();
    try_join_all(transfers.iter().map(|request| transfer(ledger, request))).await?;

    let too_much = Transfer { token: "t99".into(), amount: 1_000_000, ..transfers[0].clone() };
    assert_eq!(transfer(ledger, &too_much).await?, Outcome::NotEnough);

    let (ana, ben) = ledger.transact_get((Account::key("ana"), Account::key("ben"))).send().await?;
    Ok([ana, ben].map(|account| account.map_or(0, |account| account.balance)))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Embedded::start().await?;
    let ledger = engine.table::<Ledger>("ledger").await?;

    let first = scenario(&ledger).await?;
    println!("balances after the scenario: ana {}, ben {}", first[0], first[1]);
    assert_eq!(first, [10_000 - 1_275, 1_275]);
    // Each transaction has a new client token now; the transfers' own items stop the second ones.
    assert_eq!(scenario(&ledger).await?, first);
    println!("the same after it ran again");
    let sent = ledger.query(Transfer::by_from("ana")).count().await?;
    println!("transfers from ana: {sent}");
    assert_eq!(sent, 50);

    // A version: of two writers with the same item one loses.
    let mut mine = ledger.get(Account::key("ana")).send().await?.ok_or("no account")?;
    let mut theirs = mine.clone();
    ledger.update(&mut theirs).change(|a| a.email.set("ana@example.com")).send().await?;
    assert_eq!((theirs.version, theirs.email.as_str()), (mine.version + 1, "ana@example.com"));
    let lost = ledger.update(&mut mine).change(|a| a.balance.set(0)).send().await.unwrap_err();
    println!("the second writer: {lost}");
    assert!(lost.is_conflict());
    // `modify` reads again until it wins.
    let ana = ledger.modify(Account::key("ana"), |account| account.balance += 25).send().await?;
    assert_eq!(ana.balance, first[0] + 25);

    // The e-mail address is unique: the old one is free, the new one taken.
    let mut cleo = Account {
        account_id: "cleo".into(),
        email: "ana@example.com".into(),
        balance: 0,
        version: 0,
    };
    let taken = ledger.create(&mut cleo).send().await.unwrap_err();
    println!("a second account: {taken}");
    assert_eq!(taken.taken_field(), Some("email"));
    cleo.email = "ana@example.org".into();
    ledger.create(&mut cleo).send().await?;
    ledger.delete(&cleo).send().await?;

    // A session that is over is not found, long before DynamoDB deletes it.
    let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
    let session = Session { session_id: "s1".into(), account_id: "ana".into(), until: at(1_000) };
    ledger.put(&session).send().await?;
    for (now, is_there) in [(999, true), (1_000, false)] {
        let then = ledger.with_clock(move || at(now));
        assert_eq!(then.get(&session).send().await?.is_some(), is_there);
    }
    println!("the session was there in time, and is not any more");
    Ok(())
}
