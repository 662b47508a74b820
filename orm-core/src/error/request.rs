use std::fmt;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;

use super::condition::FailedCondition;
use super::{Error, Kind};

/// A request that failed, with what the caller knew about it.
pub(crate) struct Request {
    context: Context,
    code: Option<String>,
    message: String,
    pub(super) outcome_unknown: bool,
    pub(super) condition: Option<FailedCondition>,
    pub(super) source: Box<dyn std::error::Error + Send + Sync>,
}

/// What an error says beyond the SDK's words.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) operation: &'static str,
    pub(crate) entity: &'static str,
    /// The key or the index.
    pub(crate) target: String,
    /// Name, region and endpoint of the table.
    pub(crate) table: String,
    /// Whether a lost answer leaves the outcome open.
    pub(crate) is_write: bool,
    /// Whether an attempt got no answer, be it not the last one.
    pub(crate) is_lost: bool,
}

impl Error {
    /// A request without a condition.
    pub(crate) fn request<E>(context: Context, error: SdkError<E, HttpResponse>) -> Self
    where
        E: std::error::Error + ProvideErrorMetadata + Send + Sync + 'static,
    {
        Error::write(context, error, None)
    }

    /// A write, and the condition if that failed.
    pub(crate) fn write<E>(
        context: Context,
        error: SdkError<E, HttpResponse>,
        condition: Option<FailedCondition>,
    ) -> Self
    where
        E: std::error::Error + ProvideErrorMetadata + Send + Sync + 'static,
    {
        // An operation's own timeout ends it between the attempts.
        let lost = context.is_lost || matches!(error, SdkError::TimeoutError(_));
        Error::new(Kind::Request(Request {
            outcome_unknown: context.is_write && lost,
            code: error.code().map(str::to_owned),
            message: match error.message() {
                Some(message) => message.to_owned(),
                None => innermost(&error),
            },
            context,
            condition,
            source: Box::new(error),
        }))
    }
}

impl Request {
    pub(super) fn is(&self, code: &str) -> bool {
        self.code.as_deref() == Some(code)
    }

    pub(super) fn is_throttled(&self) -> bool {
        ["ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"]
            .into_iter()
            .any(|code| self.is(code))
    }

    pub(super) fn is_parent_missing(&self) -> bool {
        self.is("ValidationException") && is_parent_missing(&self.message)
    }

    /// The text without what is said of the outcome.
    pub(super) fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.context)?;
        match (self.code.as_deref(), &self.condition) {
            (_, Some(condition)) => fmt::Display::fmt(condition, f),
            (Some("ResourceNotFoundException"), _) => write!(
                f,
                "the table or index does not exist there, or is not ACTIVE yet; check name, region and endpoint ({})",
                self.message
            ),
            (Some("TransactionInProgressException"), _) => f.write_str(
                "a transaction with this client token is still under way: send it again with the same token",
            ),
            (Some("IdempotentParameterMismatchException"), _) => f.write_str(
                "the client token was used within the last 10 minutes for other operations: give each transaction its own",
            ),
            (Some("ValidationException"), _) if self.is_parent_missing() => {
                f.write_str(PARENT_MISSING)
            }
            (Some(code), _) => write!(f, "{code}: {}", self.message),
            (None, _) => f.write_str(&self.message),
        }
    }
}

pub(super) const PARENT_MISSING: &str = "the stored item does not have the map or the list inside of which a change is: set that as a whole";

/// Whether these are DynamoDB's words for a path whose parent is not there.
pub(super) fn is_parent_missing(message: &str) -> bool {
    message.contains("document path provided in the update expression is invalid")
}

/// The operation, what it is about and where.
impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Context { operation, entity, target, table, .. } = self;
        write!(f, "{operation}")?;
        if !entity.is_empty() {
            write!(f, " of `{entity}`")?;
        }
        if !target.is_empty() {
            write!(f, " ({target})")?;
        }
        write!(f, " on {table}")
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe(f)?;
        if self.outcome_unknown {
            f.write_str("; the write may or may not have happened")?;
        }
        Ok(())
    }
}

/// The SDK's outer texts say "dispatch failure"; what failed stands at the end of the chain.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        text = source.to_string();
        next = source.source();
    }
    text
}
