//! A web shop's back end: users with integer ids, their orders newest first, a token that keeps a
//! checkout from happening twice, and an export of everything. Run it with
//! `cargo run --example vault_commerce`; it needs no account.

use std::collections::BTreeMap;

use monotable::testing::Embedded;
use monotable::{Entity, Error, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(User, Order, Checkout))]
struct Vault;

/// An integer in a partition key is written plain, `USER#42`: nothing there needs an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Vault, pk = "USER#<user_id>", sk = "PROFILE")]
struct User {
    user_id: u64,
    email: String,
}

/// Numbered from 1 each year. In a sort key numbers are padded, so that 10 comes after 9; a number
/// that needs more digits is an error, not a key in the wrong place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Vault, pk = "USER#<user_id>", sk = "ORDER#<year:4>-<number:4>")]
struct Order {
    user_id: u64,
    year: u16,
    number: u16,
    cents: u64,
}

/// What a checkout has become, under the token that the browser sends along with every attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Vault, pk = "CHECKOUT#<token>", sk = "CHECKOUT")]
struct Checkout {
    token: String,
    user_id: u64,
    year: u16,
    number: u16,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Embedded::start().await?;
    let vault: Table<Vault> = engine.table("vault").await?;
    fill(&vault).await?;

    // A user and an order by their ids: one GetItem each.
    let get = vault.get(User::key(42));
    let request = get.explain()?;
    let user = get.send().await?.ok_or("user 42 exists")?;
    println!("user 42: {}\n   {request}", user.email);
    assert_eq!(user.email, "ana@example.org");

    let get = vault.get(Order::key(42, 2026, 3));
    let request = get.explain()?;
    let order = get.send().await?.ok_or("order 2026-0003 exists")?;
    println!("order 2026-3 of user 42: {} cents\n   {request}", order.cents);
    assert_eq!(order, Order { user_id: 42, year: 2026, number: 3, cents: 1803 });

    // The 20 most recent of 25 orders, across the turn of the year.
    let recent = vault.query(Order::by_user_id(42)).descending().limit(20);
    let request = recent.explain()?;
    let recent = recent.send().await?;
    let (newest, oldest) = (recent[0].key().sort_key()?, recent[19].key().sort_key()?);
    println!("20 most recent orders: {newest} down to {oldest}\n   {request}");
    assert_eq!(recent.len(), 20);
    assert_eq!((&*newest, &*oldest), ("ORDER#2026-0015", "ORDER#2025-0006"));
    assert!(recent.next.is_some());

    // The orders of one year, and of its first quarter of numbers.
    let in_2025 = vault.query(Order::by_user_id(42).year(2025)).count().await?;
    let first = vault.query(Order::by_user_id(42).year(2025).number_range(1..=5)).all().await?;
    println!("orders in 2025: {in_2025}, {} of them up to number 5", first.len());
    assert_eq!((in_2025, first.len()), (10, 5));

    // A checkout takes the next number and records its token.
    let first = Checkout { token: "tok-7f3a".into(), user_id: 42, year: 2026, number: 16 };
    let create = vault.create(&first);
    println!("checkout\n   {}", create.explain()?);
    create.send().await?;

    // The answer got lost and the browser tries again. The token is taken, and the error carries
    // what was recorded under it: the shop shows that order instead of charging twice.
    let again = Checkout { number: 17, ..first.clone() };
    let error = vault.create(&again).send().await.unwrap_err();
    assert!(error.is_condition_failed());
    let recorded = error.current::<Checkout>().ok_or("the stored token comes with the error")?;
    println!("checkout again: {error}\n   it was order {}-{}", recorded.year, recorded.number);
    assert_eq!(recorded, first);

    // The recorded number makes the order itself repeatable: whoever comes second finds it there.
    let Checkout { user_id, year, number, .. } = recorded;
    vault.create(&Order { user_id, year, number, cents: 4990 }).send().await?;
    let latest = vault.query(Order::by_user_id(42)).descending().first().await?;
    assert_eq!(latest.map(|order| order.number), Some(16));

    // The admin's export reads, and pays for, the whole table; the budget leaves the rest of the
    // capacity to the users. Small pages keep to it evenly.
    let export = vault.full_scan().page_size(10).capacity_per_second(50.0);
    let request = export.explain()?;
    let mut counts = BTreeMap::new();
    for found in export.all().await? {
        *counts.entry(found.entity().unwrap_or("unknown")).or_insert(0) += 1;
    }
    println!("export: {counts:?}\n   {request}");
    assert_eq!(counts, BTreeMap::from([("Checkout", 1), ("Order", 27), ("User", 2)]));
    Ok(())
}

/// Ana has ten orders of 2025 and fifteen of 2026; Ben has one.
async fn fill(vault: &Table<Vault>) -> Result<(), Error> {
    for (user_id, email) in [(42, "ana@example.org"), (7, "ben@example.org")] {
        vault.create(&User { user_id, email: email.into() }).send().await?;
    }
    for (user_id, year, numbers) in [(42, 2025, 1..=10), (42, 2026, 1..=15), (7, 2026, 1..=1)] {
        for number in numbers {
            let cents = 1800 + u64::from(number);
            vault.create(&Order { user_id, year, number, cents }).send().await?;
        }
    }
    Ok(())
}
