//! Every operation under every plan.

use std::panic::AssertUnwindSafe;

use aws_sdk_dynamodb::types::AttributeValue;
use futures_util::FutureExt;
use futures_util::future::join_all;
use monotable::{Error, Item, Table};
use tests::bench::on_table;
use tests::faults::{Fault, Faults};
use tests::models::shop::Shop;

use super::operations::{Operation, operations};
use super::plans::{Cell, PLANS};

/// What the caller is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Done,
    /// An error of a request that surely had no effect.
    Failed,
    /// The same, because of the rate.
    Throttled,
    /// The write may or may not have happened.
    Unknown,
    /// It may have happened before it was throttled.
    ThrottledUnknown,
    /// The condition does not hold.
    ConditionFailed,
    /// The condition does not hold, perhaps because of the write itself.
    Taken,
}

/// How often the operation took effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stored {
    Before,
    Once,
    Twice,
    Thrice,
}

#[tokio::test]
async fn of_every_operation_under_every_plan() {
    on_table::<Shop, _>("faults", |bench| async move {
        let mut wrong = Vec::new();
        for (row, operation) in operations().iter().enumerate() {
            let cells = operation.cells.iter().enumerate().map(|(column, cell)| {
                wrong_with(&bench.table, operation, cell, format!("{row}-{column}"))
            });
            wrong.extend(join_all(cells).await.into_iter().flatten());
        }
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    })
    .await;
}

/// A plan without an outcome is an operation that nobody thought about.
#[test]
fn are_complete() {
    for fault in Fault::ALL {
        assert!(PLANS.contains(&&[*fault][..]), "no plan is {fault:?} alone");
    }
    for Operation { name, cells, .. } in operations() {
        for plan in PLANS {
            let count = cells.iter().filter(|cell| cell.0 == *plan).count();
            assert_eq!(count, 1, "outcomes of `{name}` under {plan:?}");
        }
        assert_eq!(cells.len(), PLANS.len(), "`{name}` has an outcome of an unknown plan");
    }
}

/// What is not as the cell says, or against the laws that hold for all of them.
async fn wrong_with(
    table: &Table<Shop>,
    operation: &Operation,
    (plan, outcome, requests, stored): &Cell,
    id: String,
) -> Vec<String> {
    let Operation { name, call, stored: partition, repeats, doubles, .. } = operation;
    for item in partition(&id, Stored::Before) {
        let put = table.client().put_item().table_name(table.name());
        put.set_item(Some(item)).send().await.unwrap();
    }
    let (client, faults) = Faults::attach(table.client(), plan);
    let call = call(Table::new(client, table.name()), id.clone());
    let Ok(result) = AssertUnwindSafe(call).catch_unwind().await else {
        return vec![format!("`{name}` under {plan:?}: panics")];
    };
    faults.settle().await;
    let found = read(table, &id).await;

    let mut wrong = Vec::new();
    let mut expect = |holds: bool, text: String| {
        if !holds {
            wrong.push(format!("`{name}` under {plan:?}: {text}"));
        }
    };
    let told = outcome_of(&result);
    expect(told == *outcome, format!("is {told:?}, not {outcome:?}: {result:?}"));
    let sent = faults.requests();
    expect(sent == *requests, format!("sends {sent} requests, not {requests}"));
    let expected = partition(&id, *stored);
    expect(found == expected, format!("leaves {found:?}, not {stored:?}: {expected:?}"));

    let is_once = found == partition(&id, Stored::Once);
    let is_doubled = found == partition(&id, Stored::Twice);
    let lost = told == Outcome::Done && !is_once && !(*doubles && is_doubled);
    expect(!lost, "is done and has no effect, or more than one".to_owned());
    let forwarded = faults.forwarded();
    expect(*repeats || forwarded <= 1, format!("reaches the engine {forwarded} times"));
    let denied = matches!(told, Outcome::Failed | Outcome::Throttled | Outcome::ConditionFailed);
    expect(
        !denied || found == partition(&id, Stored::Before),
        "is denied and has an effect".to_owned(),
    );
    wrong
}

fn outcome_of(result: &Result<(), Error>) -> Outcome {
    let Err(error) = result else { return Outcome::Done };
    match (error.is_outcome_unknown(), error.is_throttled(), error.is_condition_failed()) {
        (false, false, false) => Outcome::Failed,
        (false, true, _) => Outcome::Throttled,
        (false, false, true) => Outcome::ConditionFailed,
        (true, false, false) => Outcome::Unknown,
        (true, true, _) => Outcome::ThrottledUnknown,
        (true, false, true) => Outcome::Taken,
    }
}

/// The partition of customer `id`, and the guard of the same value, without faults.
async fn read(table: &Table<Shop>, id: &str) -> Vec<Item> {
    let mut found = Vec::new();
    for pk in [format!("CUST#{id}"), format!("$unique#Login#email#{id}")] {
        let query = table.client().query().table_name(table.name()).consistent_read(true);
        let query = query.key_condition_expression("#pk = :pk");
        let query = query.expression_attribute_names("#pk", "PK");
        let query = query.expression_attribute_values(":pk", AttributeValue::S(pk));
        found.extend(query.send().await.unwrap().items.unwrap_or_default());
    }
    found
}
