//! One error for every operation, and predicates that hold over all of them.

mod collection;
mod condition;
mod cursor;
mod incomplete;
mod request;
mod table;
mod transaction;
mod value;

use std::fmt;
use std::sync::Arc;

use crate::consumed::Consumed;
use crate::entity::{Entity, Item};
use crate::key::KeyError;

pub(crate) use condition::{Failed, FailedCondition};
pub(crate) use incomplete::{Incomplete, Undone};
pub(crate) use request::{Context, Request};
pub use transaction::{Handle, Reason};

/// What went wrong, for any operation.
///
/// The text names the entity, the key and the attribute; [`source`](std::error::Error::source) is
/// the SDK's error where a request was sent. Ask with the predicates: one fact has one predicate,
/// whichever operation met it.
///
/// Several may hold. Of a write that failed its condition, ask for the particular first:
/// [`taken_field`](Self::taken_field) (a unique value of another item),
/// [`is_item_missing`](Self::is_item_missing), [`is_conflict`](Self::is_conflict) (another write came
/// between: read again), and then [`is_condition_failed`](Self::is_condition_failed), which holds for
/// all of them. [`is_outcome_unknown`](Self::is_outcome_unknown) may come with any.
///
/// # Examples
///
/// ```
/// use monotable::{Entity, Table};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Table)]
/// #[table(pk = "PK")]
/// struct Tokens;
///
/// #[derive(Serialize, Deserialize, Entity)]
/// #[entity(table = Tokens, pk = "TOKEN#<token>")]
/// struct Token { token: String }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// let engine = monotable::testing::Embedded::start().await?;
/// let tokens = engine.table::<Tokens>("tokens").await?;
/// let token = Token { token: "t1".into() };
/// tokens.create(&token).send().await?;
///
/// let error = tokens.create(&token).send().await.unwrap_err();
/// assert!(error.is_condition_failed());
/// assert_eq!(error.current::<Token>().map(|found| found.token), Some("t1".into()));
/// # }
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Error(Arc<Kind>, Option<Arc<Consumed>>);

pub(crate) enum Kind {
    Key(KeyError),
    Value(value::Value),
    Request(Request),
    Transaction(transaction::Transaction),
    Table(table::Table),
    Collection(collection::Collection),
    Incomplete(Incomplete),
    /// An item over the limit of 400 KB.
    TooLarge(String),
    /// A table or index that is not ACTIVE in time.
    NotReady(String),
    /// A condition, a filter or a change that no request can carry.
    Expression(String),
    /// The closure of a `modify` refused.
    Aborted(String, Box<dyn std::error::Error + Send + Sync>),
    /// An item that a write needs.
    Missing(String),
    /// Several items where one was asked for.
    Several(String),
    Usage(String),
    /// A cursor that does not fit the query.
    Cursor(String),
    /// An answer that is none to the request.
    Answer(String),
}

impl Error {
    pub(crate) fn new(kind: Kind) -> Self {
        Error(Arc::new(kind), None)
    }

    /// The same, with what the operation cost before it failed.
    pub(crate) fn with_consumed(self, consumed: Consumed) -> Self {
        Error(self.0, Some(Arc::new(consumed)))
    }

    /// What an operation [`with_capacity`](crate::op::WithCapacity) cost although it failed: the pages
    /// before the one that was throttled, the item that did not decode, every attempt of a `modify`.
    /// DynamoDB's answer to a failed condition or a canceled transaction does not say what it cost;
    /// such requests are counted in [`Consumed::unmeasured`]. `None` of an operation without capacity.
    pub fn consumed(&self) -> Option<&Consumed> {
        self.1.as_deref()
    }

    pub(crate) fn too_large(entity: &str, key: &str, problem: &str) -> Self {
        Error::new(Kind::TooLarge(format!("the item `{key}` of `{entity}` {problem}")))
    }

    /// `text` names the table and what it waits for.
    pub(crate) fn not_ready(text: String) -> Self {
        Error::new(Kind::NotReady(text))
    }

    /// An argument that no request can carry.
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Error::new(Kind::Usage(text.into()))
    }

    pub(crate) fn item_missing(entity: &str, key: &str) -> Self {
        Error::new(Kind::Missing(format!(
            "there is no item `{key}` of `{entity}`, or it has expired"
        )))
    }

    pub(crate) fn nothing_found(entity: &str) -> Self {
        Error::new(Kind::Missing(format!(
            "the query of `{entity}` found no item, and `one` needs one"
        )))
    }

    pub(crate) fn more_than_one(entity: &str) -> Self {
        Error::new(Kind::Several(format!(
            "the query of `{entity}` found more than one item: narrow the pattern, or take the `first`"
        )))
    }

    /// A read of the only item found several.
    pub fn is_more_than_one(&self) -> bool {
        matches!(&*self.0, Kind::Several(_))
    }

    pub(crate) fn aborted(
        entity: &str,
        key: &str,
        reason: Box<dyn std::error::Error + Send + Sync>,
    ) -> Self {
        let text = format!(
            "`modify` of the item `{key}` of `{entity}` was ended by its closure: {reason}"
        );
        Error::new(Kind::Aborted(text, reason))
    }

    /// A call, or several together, that no request can be: one key twice in a batch or a
    /// transaction, too many operations, a changed primary key in `modify`, `returning_old` of a
    /// transaction. A mistake of the program; nothing was sent.
    pub fn is_usage(&self) -> bool {
        matches!(&*self.0, Kind::Usage(_))
    }

    /// The closure of `modify` returned an error, which is the `source()`. Nothing was written.
    pub fn is_aborted(&self) -> bool {
        matches!(&*self.0, Kind::Aborted(..))
    }

    /// An answer that is none to the request.
    pub(crate) fn answer(text: impl Into<String>) -> Self {
        Error::new(Kind::Answer(text.into()))
    }

    /// `text` names the path and says what to write.
    pub(crate) fn expression(text: impl Into<String>) -> Self {
        Error::new(Kind::Expression(text.into()))
    }

    /// The same, with the item that the expression was for.
    pub(crate) fn in_expression_for(self, entity: &str, key: &impl fmt::Display) -> Self {
        match &*self.0 {
            Kind::Expression(text) => {
                Error::expression(format!("the item `{key}` of `{entity}`: {text}"))
            }
            _ => self,
        }
    }

    /// A condition, a filter or changes that DynamoDB would refuse: two changes of one path, more
    /// than 4 KB of text or 300 operators, a value that cannot be stored. Nothing was sent.
    pub fn is_invalid_expression(&self) -> bool {
        matches!(&*self.0, Kind::Expression(_))
    }

    /// A key that cannot be rendered: an empty component, a value wider than its template, more
    /// than 2048 (partition) or 1024 (sort) bytes, an argument that contradicts `only_when`.
    /// Nothing was sent.
    pub fn is_invalid_key(&self) -> bool {
        matches!(&*self.0, Kind::Key(_))
    }

    /// The condition of a write did not hold: `create` found an item, a check found none, another
    /// write came between, a value of a unique field is taken. In a transaction, of any operation.
    pub fn is_condition_failed(&self) -> bool {
        self.failed_condition().is_some()
    }

    /// The item of a failed condition, if it is one of `E`; [`current_item`](Self::current_item)
    /// has it raw. In a transaction, of the first condition that failed.
    pub fn current<E: Entity>(&self) -> Option<E> {
        E::from_item(self.current_item()?.clone()).ok()
    }

    /// The item of a failed condition as stored; `None` if there is none. In a transaction, of the
    /// first condition that failed.
    pub fn current_item(&self) -> Option<&Item> {
        self.failed_condition()?.item.as_ref()
    }

    /// The unique field whose value another item has.
    pub fn taken_field(&self) -> Option<&str> {
        match &*self.0 {
            Kind::Transaction(_) => self.reasons().iter().find_map(Reason::taken_field),
            _ => self.failed_condition()?.taken_field(),
        }
    }

    /// One reason an operation of a transaction that DynamoDB canceled, in the order in which they
    /// were added; empty for every other error.
    pub fn reasons(&self) -> &[Reason] {
        match &*self.0 {
            Kind::Transaction(transaction) => transaction.reasons(),
            _ => &[],
        }
    }

    /// The reason of one operation.
    pub fn reason(&self, handle: Handle) -> Option<&Reason> {
        self.reasons().get(handle.0)
    }

    /// The table, or an index of it, does not exist or is not there yet.
    pub fn is_table_missing(&self) -> bool {
        match &*self.0 {
            Kind::Table(table) => table.is_missing(),
            _ => {
                self.failed_request().is_some_and(|request| request.is("ResourceNotFoundException"))
            }
        }
    }

    /// The table is not as declared; see [`Table::verify`](crate::Table::verify).
    pub fn is_schema_mismatch(&self) -> bool {
        matches!(&*self.0, Kind::Table(table) if !table.is_missing())
    }

    /// DynamoDB refused because of the rate, after the SDK's own retries; or it left a part of a
    /// batch over, time and again. In a transaction, any operation; the SDK does not repeat a
    /// transaction that was canceled.
    pub fn is_throttled(&self) -> bool {
        match &*self.0 {
            Kind::Incomplete(incomplete) => incomplete.is_throttled(),
            _ => {
                self.failed_request().is_some_and(Request::is_throttled)
                    || self.reasons().iter().any(Reason::is_throttled)
            }
        }
    }

    /// A batch ended before all of it was done: `batch_get` and `delete_all` can simply be called
    /// again; of a `batch_write`, [`unwritten`](Self::unwritten) says what is left.
    pub fn is_incomplete(&self) -> bool {
        matches!(&*self.0, Kind::Incomplete(_))
    }

    /// The writes of a `batch_write` that are not confirmed, by their positions in the caller's
    /// order, from 0, ascending: to be sent again. They are surely not written unless
    /// [`is_outcome_unknown`](Self::is_outcome_unknown) says otherwise.
    ///
    /// Empty for every other error, those included that a `batch_write` reports before its first
    /// request: then nothing is written.
    pub fn unwritten(&self) -> &[usize] {
        match &*self.0 {
            Kind::Incomplete(incomplete) => incomplete.unwritten(),
            _ => &[],
        }
    }

    /// Another write to the item was under way, or came between: it has another version.
    pub fn is_conflict(&self) -> bool {
        let request = self.failed_request().is_some_and(|request| {
            request.is("TransactionConflictException")
                || request.is("TransactionInProgressException")
                || request.is("ReplicatedWriteConflictException")
        });
        request
            || self.failed_condition().is_some_and(FailedCondition::is_conflict)
            || self.reasons().iter().any(Reason::is_conflict)
    }

    /// A write was sent and one of its attempts got no answer, a server error or an answer that
    /// cannot be read: it may or may not have happened, whatever the last attempt says.
    pub fn is_outcome_unknown(&self) -> bool {
        match &*self.0 {
            Kind::Incomplete(incomplete) => incomplete.unknown,
            Kind::Transaction(transaction) => transaction.outcome_unknown,
            _ => self.failed_request().is_some_and(|request| request.outcome_unknown),
        }
    }

    /// A stored item is not what the type expects.
    pub fn is_decode(&self) -> bool {
        matches!(&*self.0, Kind::Value(value) if value.is_decode())
            || matches!(&*self.0, Kind::Collection(collection) if !collection.is_missing())
    }

    /// A value that DynamoDB cannot hold: NaN, 39 digits, a number out of range, an empty set in a
    /// list, an item over 400 KB. Nothing was sent. In a condition or a change, such a value is
    /// [`is_invalid_expression`](Self::is_invalid_expression).
    pub fn is_encode(&self) -> bool {
        match &*self.0 {
            Kind::Value(value) => !value.is_decode(),
            Kind::TooLarge(_) => true,
            _ => false,
        }
    }

    /// A table or index was not ACTIVE, or not gone, when the timeout was over. It may still be on
    /// its way.
    pub fn is_not_ready(&self) -> bool {
        matches!(&*self.0, Kind::NotReady(_))
    }

    /// An item that must exist does not: that of an update or a check, or the member of a collection
    /// that is neither `Option` nor `Vec`.
    pub fn is_item_missing(&self) -> bool {
        matches!(&*self.0, Kind::Missing(_))
            || matches!(&*self.0, Kind::Collection(collection) if collection.is_missing())
            || self.failed_condition().is_some_and(FailedCondition::is_item_missing)
            || self.reasons().iter().any(Reason::is_item_missing)
    }

    /// An update changes something inside of a map or a list that the stored item does not have, as
    /// `o.size.width.set(5)` where there is no `size`: set that as a whole. Nothing was written.
    pub fn is_parent_missing(&self) -> bool {
        self.failed_request().is_some_and(Request::is_parent_missing)
            || self.reasons().iter().any(Reason::is_parent_missing)
    }

    /// Of a transaction, the first.
    fn failed_condition(&self) -> Option<&FailedCondition> {
        match &*self.0 {
            Kind::Request(request) => request.condition.as_ref(),
            Kind::Transaction(transaction) => {
                transaction.reasons().iter().find_map(Reason::failed_condition)
            }
            _ => None,
        }
    }

    fn failed_request(&self) -> Option<&Request> {
        match &*self.0 {
            Kind::Request(request) => Some(request),
            Kind::Incomplete(incomplete) => incomplete.cause.as_ref()?.failed_request(),
            _ => None,
        }
    }
}

impl From<KeyError> for Error {
    fn from(error: KeyError) -> Self {
        Error::new(Kind::Key(error))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Kind::Key(error) => error.fmt(f),
            Kind::Value(error) => error.fmt(f),
            Kind::Request(error) => error.fmt(f),
            Kind::Transaction(error) => error.fmt(f),
            Kind::Table(error) => error.fmt(f),
            Kind::Collection(error) => error.fmt(f),
            Kind::Incomplete(error) => error.fmt(f),
            Kind::TooLarge(text)
            | Kind::NotReady(text)
            | Kind::Expression(text)
            | Kind::Missing(text)
            | Kind::Aborted(text, _)
            | Kind::Several(text)
            | Kind::Usage(text)
            | Kind::Cursor(text)
            | Kind::Answer(text) => f.write_str(text),
        }
    }
}

/// The text, quoted: what `unwrap` and `main` print is meant to be read. The SDK's own error is in
/// `source()`.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Error").field(&self.to_string()).finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.0 {
            Kind::Transaction(transaction) => Some(&*transaction.source),
            Kind::Aborted(_, reason) => Some(&**reason),
            _ => self.failed_request().map(|request| &*request.source as _),
        }
    }
}
