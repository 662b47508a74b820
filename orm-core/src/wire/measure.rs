//! What requests cost: they are asked to tell where a meter listens, and else are as they are.

use aws_sdk_dynamodb::operation::batch_get_item::BatchGetItemOutput;
use aws_sdk_dynamodb::operation::batch_get_item::builders::BatchGetItemFluentBuilder;
use aws_sdk_dynamodb::operation::batch_write_item::BatchWriteItemOutput;
use aws_sdk_dynamodb::operation::batch_write_item::builders::BatchWriteItemFluentBuilder;
use aws_sdk_dynamodb::operation::delete_item::DeleteItemOutput;
use aws_sdk_dynamodb::operation::delete_item::builders::DeleteItemFluentBuilder;
use aws_sdk_dynamodb::operation::get_item::GetItemOutput;
use aws_sdk_dynamodb::operation::get_item::builders::GetItemFluentBuilder;
use aws_sdk_dynamodb::operation::put_item::PutItemOutput;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::operation::scan::ScanOutput;
use aws_sdk_dynamodb::operation::scan::builders::ScanFluentBuilder;
use aws_sdk_dynamodb::operation::transact_get_items::TransactGetItemsOutput;
use aws_sdk_dynamodb::operation::transact_get_items::builders::TransactGetItemsFluentBuilder;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsOutput;
use aws_sdk_dynamodb::operation::transact_write_items::builders::TransactWriteItemsFluentBuilder;
use aws_sdk_dynamodb::operation::update_item::UpdateItemOutput;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{ConsumedCapacity, ReturnConsumedCapacity};

use crate::consumed::Consumed;
use crate::meter::{Label, Meter, Seen};

/// The meters of a handle.
#[derive(Debug, Clone, Default)]
pub(crate) struct Meters(Vec<Meter>);

impl Meters {
    pub(crate) fn and(&self, meter: &Meter) -> Meters {
        Meters(self.0.iter().chain([meter]).cloned().collect())
    }

    /// The request that tells what it cost, if anyone listens.
    #[inline]
    pub(crate) fn ask<B: Asks>(&self, builder: B) -> B {
        if self.0.is_empty() { builder } else { builder.asking(ReturnConsumedCapacity::Indexes) }
    }

    /// Adds the answer; `lost` attempts got none. `found`: how many items were read beside it.
    pub(crate) fn see<O: Tells, E>(
        &self,
        label: impl FnOnce() -> Label,
        answer: &Result<O, E>,
        found: impl FnOnce() -> Option<usize>,
        lost: u64,
    ) {
        if self.0.is_empty() {
            return;
        }
        let label = label();
        let mut consumed = Consumed::default();
        let (items, scanned) = match answer {
            Ok(output) => {
                let told = output.told();
                let silent = u64::from(told.is_empty());
                consumed.add_answer(O::IS_READ, told, lost + silent);
                let items = found().filter(|_| O::IS_READ);
                (items.unwrap_or_else(|| output.items(label.writes)), output.scanned())
            }
            Err(_) => {
                consumed.add_answer(O::IS_READ, &[], lost.max(1));
                (0, None)
            }
        };
        let scanned = scanned.unwrap_or(if O::IS_READ { items } else { 0 });
        let seen = Seen { operation: O::OPERATION, items, scanned, consumed };
        for meter in &self.0 {
            meter.add(&label, &seen);
        }
    }
}

/// A request that can be asked what it costs.
pub(crate) trait Asks {
    fn asking(self, level: ReturnConsumedCapacity) -> Self;
}

/// An answer that tells what the request cost.
pub(crate) trait Tells {
    const OPERATION: &'static str;
    const IS_READ: bool;

    /// One a table.
    fn told(&self) -> &[ConsumedCapacity];

    /// Items returned or, of `writes`, written.
    fn items(&self, writes: usize) -> usize;

    /// Items read, where the answer counts them.
    fn scanned(&self) -> Option<usize> {
        None
    }
}

macro_rules! measured {
    ($(
        $name:literal $is_read:literal $builder:ident $output:ident:
        $told:expr, $items:expr $(, $scanned:expr)?;
    )*) => {$(
        impl Asks for $builder {
            fn asking(self, level: ReturnConsumedCapacity) -> Self {
                self.return_consumed_capacity(level)
            }
        }

        impl Tells for $output {
            const OPERATION: &'static str = $name;
            const IS_READ: bool = $is_read;

            fn told(&self) -> &[ConsumedCapacity] {
                let told: fn(&$output) -> &[ConsumedCapacity] = $told;
                told(self)
            }

            fn items(&self, writes: usize) -> usize {
                let items: fn(&$output, usize) -> usize = $items;
                items(self, writes)
            }
            $(
                fn scanned(&self) -> Option<usize> {
                    let scanned: fn(&$output) -> i32 = $scanned;
                    usize::try_from(scanned(self)).ok()
                }
            )?
        }
    )*};
}

measured! {
    "GetItem" true GetItemFluentBuilder GetItemOutput:
        |it| one(it.consumed_capacity()),
        // Some engines answer an empty map for a missing item.
        |it, _| usize::from(it.item().is_some_and(|item| !item.is_empty()));
    "Query" true QueryFluentBuilder QueryOutput:
        |it| one(it.consumed_capacity()), |it, _| count(it.count()), QueryOutput::scanned_count;
    "Scan" true ScanFluentBuilder ScanOutput:
        |it| one(it.consumed_capacity()), |it, _| count(it.count()), ScanOutput::scanned_count;
    "BatchGetItem" true BatchGetItemFluentBuilder BatchGetItemOutput:
        BatchGetItemOutput::consumed_capacity,
        |it, _| it.responses().into_iter().flatten().map(|(_, items)| items.len()).sum();
    "TransactGetItems" true TransactGetItemsFluentBuilder TransactGetItemsOutput:
        TransactGetItemsOutput::consumed_capacity,
        |it, _| {
            let there = it.responses().iter().filter_map(|answer| answer.item());
            there.filter(|item| !item.is_empty()).count()
        };
    "PutItem" false PutItemFluentBuilder PutItemOutput:
        |it| one(it.consumed_capacity()), |_, writes| writes;
    "UpdateItem" false UpdateItemFluentBuilder UpdateItemOutput:
        |it| one(it.consumed_capacity()), |_, writes| writes;
    "DeleteItem" false DeleteItemFluentBuilder DeleteItemOutput:
        |it| one(it.consumed_capacity()), |_, writes| writes;
    "BatchWriteItem" false BatchWriteItemFluentBuilder BatchWriteItemOutput:
        BatchWriteItemOutput::consumed_capacity,
        |it, writes| {
            let left = it.unprocessed_items().into_iter().flatten();
            writes.saturating_sub(left.map(|(_, writes)| writes.len()).sum())
        };
    "TransactWriteItems" false TransactWriteItemsFluentBuilder TransactWriteItemsOutput:
        TransactWriteItemsOutput::consumed_capacity, |_, writes| writes;
}

fn one(told: Option<&ConsumedCapacity>) -> &[ConsumedCapacity] {
    told.map(std::slice::from_ref).unwrap_or_default()
}

fn count(items: i32) -> usize {
    usize::try_from(items).unwrap_or(0)
}
