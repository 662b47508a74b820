use std::fmt;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::CancellationReason;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;

use super::condition::{Failed, FailedCondition};
use super::{Context, Error, Kind, request};
use crate::entity::{Entity, Item};

/// A transaction that DynamoDB canceled.
pub(crate) struct Transaction {
    context: Context,
    reasons: Vec<Reason>,
    message: String,
    pub(super) outcome_unknown: bool,
    pub(super) source: Box<dyn std::error::Error + Send + Sync>,
}

/// Why one operation of a transaction failed, or that it did not: one of
/// [`Error::reasons`](crate::Error::reasons).
///
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CancellationReason.html>
#[derive(Debug, Clone)]
pub struct Reason {
    /// Entity and key.
    target: String,
    code: Option<String>,
    message: Option<String>,
    condition: Option<FailedCondition>,
}

/// An operation of a transaction, to ask for its [`Reason`]: its place in the order of the calls.
/// It means nothing in another transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Handle(pub(crate) usize);

impl Handle {
    /// The place, from 0.
    pub fn position(self) -> usize {
        self.0
    }
}

impl Error {
    /// `reasons` stand in the order of the operations. A transaction of one operation has it in
    /// its context.
    pub(crate) fn transaction<E>(
        context: Context,
        error: SdkError<E, HttpResponse>,
        reasons: Vec<Reason>,
    ) -> Self
    where
        E: std::error::Error + ProvideErrorMetadata + Send + Sync + 'static,
    {
        Error::new(Kind::Transaction(Transaction {
            outcome_unknown: context.is_write && context.is_lost,
            message: error.message().unwrap_or("the transaction was canceled").to_owned(),
            context,
            reasons,
            source: Box::new(error),
        }))
    }
}

impl Transaction {
    pub(super) fn reasons(&self) -> &[Reason] {
        &self.reasons
    }
}

impl Reason {
    /// `failed` tells why a condition failed on this stored item.
    pub(crate) fn new(
        target: String,
        canceled: Option<&CancellationReason>,
        failed: impl FnOnce(Option<&Item>) -> Failed,
    ) -> Self {
        let code = canceled.and_then(|canceled| canceled.code()).filter(|code| *code != "None");
        let item = || canceled?.item().filter(|item| !item.is_empty()).cloned();
        let condition = (code == Some("ConditionalCheckFailed")).then(|| {
            let item = item();
            let why = failed(item.as_ref());
            // The guard of a unique field is no item of the caller's.
            let is_guard = matches!(why, Failed::Taken(_));
            FailedCondition { why, item: item.filter(|_| !is_guard) }
        });
        Reason {
            target,
            code: code.map(str::to_owned),
            message: canceled.and_then(|canceled| canceled.message()).map(str::to_owned),
            condition,
        }
    }

    pub(super) fn failed_condition(&self) -> Option<&FailedCondition> {
        self.condition.as_ref()
    }

    /// Entity and key, such as `Order (ORDER#o1 + META)`; for people.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// Nothing failed here: another operation made the transaction fail.
    pub fn is_none(&self) -> bool {
        self.code.is_none()
    }

    /// As [`Error::is_condition_failed`](crate::Error::is_condition_failed).
    pub fn is_condition_failed(&self) -> bool {
        self.condition.is_some()
    }

    /// The item must exist and does not.
    pub fn is_item_missing(&self) -> bool {
        self.condition.as_ref().is_some_and(FailedCondition::is_item_missing)
    }

    /// Another write to the item was under way, or came between.
    pub fn is_conflict(&self) -> bool {
        self.code() == Some("TransactionConflict")
            || self.condition.as_ref().is_some_and(FailedCondition::is_conflict)
    }

    /// The table, or an index of it, was written or read too fast.
    pub fn is_throttled(&self) -> bool {
        matches!(
            self.code(),
            Some("ProvisionedThroughputExceeded" | "ThrottlingError" | "RequestLimitExceeded")
        )
    }

    /// As [`Error::is_parent_missing`](crate::Error::is_parent_missing).
    pub fn is_parent_missing(&self) -> bool {
        self.code() == Some("ValidationError")
            && self.message().is_some_and(request::is_parent_missing)
    }

    /// The unique field whose value another item has.
    pub fn taken_field(&self) -> Option<&str> {
        self.condition.as_ref()?.taken_field()
    }

    /// DynamoDB's code, `ConditionalCheckFailed`, `TransactionConflict`, …; `None` where nothing
    /// failed.
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }

    /// DynamoDB's words.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// The stored item of a failed condition, if it is one of `E`.
    pub fn current<E: Entity>(&self) -> Option<E> {
        E::from_item(self.current_item()?.clone()).ok()
    }

    /// The item of a failed condition as stored; `None` if there is none.
    pub fn current_item(&self) -> Option<&Item> {
        self.condition.as_ref()?.item.as_ref()
    }
}

/// The cause, without entity and key.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code(), &self.condition) {
            (_, Some(condition)) => condition.fmt(f),
            (Some("TransactionConflict"), _) => {
                f.write_str("another write to the item is under way")
            }
            (Some(_), _) if self.is_parent_missing() => f.write_str(request::PARENT_MISSING),
            (Some(code), _) => {
                write!(f, "{code}")?;
                self.message().map_or(Ok(()), |message| write!(f, ": {message}"))
            }
            (None, _) => f.write_str("did not fail"),
        }
    }
}

impl fmt::Display for Transaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.context)?;
        let failed = self.reasons.iter().enumerate().filter(|(_, reason)| !reason.is_none());
        let mut is_first = true;
        for (at, reason) in failed {
            f.write_str(if is_first { "" } else { "; " })?;
            is_first = false;
            if self.reasons.len() > 1 {
                write!(f, "operation {at}, {}: ", reason.target)?;
            }
            reason.fmt(f)?;
        }
        if is_first {
            f.write_str(&self.message)?;
        }
        if self.outcome_unknown {
            f.write_str("; the write may or may not have happened")?;
        }
        Ok(())
    }
}
