use std::sync::Arc;

use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::operation::transact_write_items::builders::TransactWriteItemsFluentBuilder;
use aws_sdk_dynamodb::types::{CancellationReason, TransactWriteItem};

use super::action::{Action, Expected, Plan, State};
use super::cost::Cost;
use super::json::Json;
use super::target::{Tables, Target, repeated};
use super::with_capacity::capacity_method;
use super::{Explanation, Request};
use crate::error::{Context, Error, Handle, Reason};
use crate::meter::Label;
use crate::wire::{
    Connection, CustomTransactWrite, Customize, Sdk, Watch, customize_method, send, span,
};

/// At most 100 actions, and 4 MB of items;
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>.
pub(super) const MAX_ACTIONS: usize = 100;
const MAX_SIZE: usize = 4 * 1024 * 1024;

/// One TransactWriteItems: all operations happen, or none.
///
/// The operations go out in the order in which they are added, at most 100 of them with the guards
/// of unique fields, on items of at most 4 MB together, and at most one an item: put a condition on
/// the operation itself instead of a [`Check`](super::Check) beside it. They may be of several
/// entities, and of tables behind other handles in the same account and region: the client of the
/// handle that began the transaction sends all of them. A transaction without operations sends
/// nothing.
///
/// Each operation costs twice the write capacity units that it costs alone: one time to prepare it,
/// one time to commit; a check costs two units per KB of its item. A canceled transaction costs
/// too. <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html>
///
/// # Examples
///
/// ```
/// use monotable::{Entity, Table};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Table)]
/// #[table(pk = "PK", sk = "SK", entities(Customer, Order))]
/// struct Shop;
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
/// #[entity(table = Shop, pk = "CUST#<id>", sk = "PROFILE")]
/// struct Customer { id: String }
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
/// #[entity(table = Shop, pk = "CUST#<id>", sk = "ORDER#<order>")]
/// struct Order { id: String, order: String, total: u32 }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let shop = engine.table::<Shop>("shop").await?;
/// let order = Order { id: "c1".into(), order: "o1".into(), total: 7 };
/// shop.create(&order).send().await?;
///
/// let mut transaction = shop.transact();
/// let customer = transaction.push(shop.check(Customer::key("c1")));
/// let created = transaction.push(shop.create(&Order { total: 8, ..order }));
/// let error = transaction.send().await.unwrap_err();
/// assert!(error.reason(customer).is_some_and(|reason| reason.is_item_missing()));
/// let stored = error.reason(created).and_then(|reason| reason.current::<Order>());
/// assert_eq!(stored.map(|order| order.total), Some(7));
///
/// shop.transact()
///     .add(shop.create(&Customer { id: "c1".into() }))
///     .add(shop.delete(Order::key("c1", "o1")))
///     .send()
///     .await?;
/// assert_eq!(shop.get(Order::key("c1", "o1")).send().await?, None);
/// # }
/// # Ok(()) }
/// ```
#[must_use = "a transaction does nothing until `.send().await`"]
#[derive(Debug)]
pub struct Transact<'a> {
    connection: Connection,
    operations: Vec<Operation<'a>>,
    token: Option<String>,
    custom: CustomTransactWrite,
}

/// An operation of a transaction.
#[doc(hidden)]
#[derive(Debug)]
pub struct Operation<'a> {
    plan: Result<Plan<'a>, Error>,
}

/// A write operation that can be part of a transaction. Only operations of this crate are: nothing
/// else can name the type of a plan.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no write operation",
    label = "cannot be part of a transaction",
    note = "give an operation such as `table.put(&item)` or `table.check(key)`, without `.send()`; for reads there is `transact_get`"
)]
pub trait TransactWrite<'a> {
    #[doc(hidden)]
    fn plan(self) -> Result<Plan<'a>, Error>;
}

/// One write operation, an `Option` or a `Vec` of one kind of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no write operation",
    label = "cannot be part of a transaction",
    note = "give an operation such as `table.put(&item)` or `table.check(key)`, without `.send()` and `.returning_…()`, an `Option` or a `Vec`; for reads there is `transact_get`"
)]
pub trait TransactWrites<'a> {
    #[doc(hidden)]
    fn operations(self) -> Vec<Operation<'a>>;
}

#[diagnostic::do_not_recommend]
impl<'a, W: TransactWrite<'a>> TransactWrites<'a> for W {
    fn operations(self) -> Vec<Operation<'a>> {
        vec![Operation::new(self)]
    }
}

#[diagnostic::do_not_recommend]
impl<'a, W: TransactWrite<'a>> TransactWrites<'a> for Option<W> {
    fn operations(self) -> Vec<Operation<'a>> {
        self.into_iter().map(Operation::new).collect()
    }
}

#[diagnostic::do_not_recommend]
impl<'a, W: TransactWrite<'a>> TransactWrites<'a> for Vec<W> {
    fn operations(self) -> Vec<Operation<'a>> {
        self.into_iter().map(Operation::new).collect()
    }
}

impl<'a> Operation<'a> {
    fn new(operation: impl TransactWrite<'a>) -> Self {
        Operation { plan: operation.plan() }
    }
}

impl<'a> Transact<'a> {
    pub(crate) fn new(connection: Connection) -> Self {
        Transact { connection, operations: Vec::new(), token: None, custom: Customize::NONE }
    }

    /// Adds a write operation, an `Option` or a `Vec` of one kind of them. What `customize` changed
    /// on it is refused by [`send`](Self::send): there is one request.
    // No sum: what is added is an operation.
    #[allow(clippy::should_implement_trait)]
    pub fn add(mut self, operations: impl TransactWrites<'a>) -> Self {
        self.operations.extend(operations.operations());
        self
    }

    /// Adds a write operation; the handle asks an error for its [`reason`](Error::reason).
    pub fn push(&mut self, operation: impl TransactWrite<'a>) -> Handle {
        self.operations.push(Operation::new(operation));
        Handle(self.operations.len() - 1)
    }

    /// Gives the client token, 1 to 36 characters. Within 10 minutes DynamoDB answers a transaction
    /// with the same token and the same operations as the first time, without doing it again, and
    /// refuses other operations with the token. Needed only where a transaction is sent again by
    /// another `send`, of a restarted program for example: each `send` makes a token of its own, and
    /// keeps it when the SDK repeats the request. With entities that expire the request holds the
    /// time, and is another one a second later.
    pub fn client_token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    capacity_method!(connection);
    customize_method!(
        transact_write_items,
        TransactWriteItemsOutput,
        TransactWriteItemsError,
        TransactWriteItemsFluentBuilder
    );

    /// The SDK's builder, filled; without a [`client_token`](Self::client_token), the SDK makes one
    /// when it sends.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send) that come before a request.
    pub fn into_sdk(self) -> Result<TransactWriteItemsFluentBuilder, Error> {
        let token = checked(self.token)?;
        into_sdk(&self.connection, plans(self.operations)?, token)
    }

    /// The request, unsent: none without operations. A token that the SDK makes is not shown.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send) that come before a request.
    pub fn explain(&self) -> Result<Explanation, Error> {
        let mut plans = Vec::with_capacity(self.operations.len());
        for operation in &self.operations {
            plans.push(operation.plan.as_ref().map_err(Clone::clone)?);
        }
        explain(&self.connection, &plans, checked(self.token.clone())?)
    }

    /// Sends it.
    ///
    /// # Errors
    ///
    /// Before a request: an operation that cannot be sent, such as one with an invalid key; two
    /// operations on one item, which are named; more than 100 actions; more than 4 MB, as far as it
    /// can be known; a client token that is not 1 to 36 characters.
    ///
    /// If DynamoDB cancels it, [`Error::reasons`] has one reason an operation and
    /// [`Error::reason`] that of a handle; the predicates of the error hold if they do for any
    /// reason. [`Error::is_conflict`] also if a transaction with the same token is still under way.
    pub async fn send(self) -> Result<(), Error> {
        let token = checked(self.token)?;
        send(&self.connection, plans(self.operations)?, token, self.custom).await
    }
}

fn plans(operations: Vec<Operation<'_>>) -> Result<Vec<Plan<'_>>, Error> {
    operations.into_iter().map(|operation| operation.plan).collect()
}

fn checked(token: Option<String>) -> Result<Option<String>, Error> {
    let length = token.as_ref().map_or(1, |token| token.chars().count());
    if (1..=36).contains(&length) {
        return Ok(token);
    }
    Err(Error::usage(format!(
        "a client token has 1 to 36 characters, and this one {length}: a UUID fits"
    )))
}

/// What the plans send as one transaction.
pub(super) fn explain(
    connection: &Connection,
    plans: &[&Plan<'_>],
    token: Option<String>,
) -> Result<Explanation, Error> {
    if plans.is_empty() {
        return Ok(Explanation::NOTHING);
    }
    let parts = Parts::new(connection, plans.iter().copied());
    parts.check()?;
    let mut items = Vec::with_capacity(parts.actions.len());
    for (_, action) in &parts.actions {
        items.push(action.transact_json()?);
    }
    let costs = parts.actions.iter().map(|(_, action)| action.cost()).collect();
    let request = Request::new(
        "TransactWriteItems",
        vec![
            ("TransactItems", Some(Json::List(items))),
            ("ClientRequestToken", token.map(Json::Text)),
        ],
    );
    Ok(Explanation::of(vec![request.costing(Cost::TransactWrites(costs))]))
}

/// The SDK's builder, filled.
pub(super) fn into_sdk(
    connection: &Connection,
    plans: Vec<Plan<'_>>,
    token: Option<String>,
) -> Result<TransactWriteItemsFluentBuilder, Error> {
    Ok(builder(connection, Prepared::new(connection, plans, false)?.items, token))
}

/// Sends the plans as one transaction; nothing without one.
pub(super) async fn send(
    connection: &Connection,
    mut plans: Vec<Plan<'_>>,
    token: Option<String>,
    custom: CustomTransactWrite,
) -> Result<(), Error> {
    if plans.is_empty() {
        return Ok(());
    }
    let wrote: Vec<_> = plans.iter_mut().filter_map(|plan| plan.wrote.take()).collect();
    let takes_json = connection.takes_json() && custom.is_none();
    let prepared = Prepared::new(connection, plans, takes_json)?;
    let Prepared { tables, items, json, expected, operations, writes } = prepared;
    let builder = builder(connection, items, token);
    let span = span!("TransactWriteItems", tables, aws.dynamodb.table_names = tables.names());
    let label = || Label::of_all(operations.iter().map(|target| target.entity)).writing(writes);
    let watch = Watch::new(tables.endpoint(), &Sdk).with_items(json);
    send!(label(); tables, builder, custom, span, watch).map_err(|(error, is_lost)| {
        let context = tables.context("TransactWriteItems", &operations);
        let context = Context { is_write: true, is_lost, ..context };
        match error.as_service_error() {
            Some(TransactWriteItemsError::TransactionCanceledException(canceled)) => {
                let canceled = canceled.cancellation_reasons();
                let labels = operations.iter().map(|target| tables.label(target));
                let reasons = labels.enumerate().map(|(at, label)| {
                    let (canceled, expected) = first_failure(canceled, &expected, at);
                    Reason::new(label, canceled, |item| expected.failed(item))
                });
                let reasons = reasons.collect();
                Error::transaction(context, error, reasons)
            }
            _ => Error::request(context, error),
        }
    })?;
    for wrote in wrote {
        wrote();
    }
    Ok(())
}

/// Of the actions of one operation, the first that failed.
fn first_failure<'a>(
    canceled: &'a [CancellationReason],
    expected: &'a [(usize, Expected)],
    operation: usize,
) -> (Option<&'a CancellationReason>, Expected) {
    let own = canceled.iter().zip(expected).filter(|(_, (owner, _))| *owner == operation);
    let mut failed = own.filter(|(canceled, _)| canceled.code().is_some_and(|code| code != "None"));
    match failed.next() {
        Some((canceled, (_, expected))) => (Some(canceled), expected.clone()),
        None => (None, Expected::NOTHING),
    }
}

fn builder(
    connection: &Connection,
    items: Vec<TransactWriteItem>,
    token: Option<String>,
) -> TransactWriteItemsFluentBuilder {
    let builder = connection.client().transact_write_items();
    builder.set_transact_items(Some(items)).set_client_request_token(token)
}

/// A transaction within the limits.
struct Prepared {
    tables: Tables,
    items: Vec<TransactWriteItem>,
    /// For the places of the items that have no attributes.
    json: Vec<Arc<str>>,
    /// Of each action, its operation and what its condition expects.
    expected: Vec<(usize, Expected)>,
    /// The item of each operation.
    operations: Vec<Target>,
    /// Actions that are no checks.
    writes: usize,
}

impl Prepared {
    fn new(connection: &Connection, plans: Vec<Plan<'_>>, takes_json: bool) -> Result<Self, Error> {
        let parts = Parts::new(connection, &plans);
        parts.check()?;
        let Parts { tables, actions, operations } = parts;
        let mut items = Vec::with_capacity(actions.len());
        let (mut json, mut expected) = (Vec::new(), Vec::with_capacity(actions.len()));
        for (owner, plan) in plans.into_iter().enumerate() {
            for mut action in plan.actions {
                if takes_json {
                    json.extend(action.take_json());
                }
                items.push(action.transact_item()?);
                expected.push((owner, action.expected));
            }
        }
        let writes = items.iter().filter(|item| item.condition_check().is_none()).count();
        Ok(Prepared { tables, items, json, expected, operations, writes })
    }
}

/// The actions of the plans, in their order.
struct Parts<'a> {
    tables: Tables,
    /// With the place of their plan.
    actions: Vec<(usize, &'a Action)>,
    operations: Vec<Target>,
}

impl<'a> Parts<'a> {
    fn new<'p: 'a>(connection: &Connection, plans: impl IntoIterator<Item = &'a Plan<'p>>) -> Self {
        let (mut actions, mut operations) = (Vec::new(), Vec::new());
        for (at, plan) in plans.into_iter().enumerate() {
            operations.extend(plan.actions.first().map(Action::target));
            actions.extend(plan.actions.iter().map(|action| (at, action)));
        }
        Parts { tables: Tables::new(connection, &operations), actions, operations }
    }

    /// Reports what DynamoDB would refuse.
    fn check(&self) -> Result<(), Error> {
        let (actions, operations) = (self.actions.len(), self.operations.len());
        if actions > MAX_ACTIONS {
            let guards = match actions - operations {
                0 => String::new(),
                guards => format!(" and {guards} guards of unique fields"),
            };
            return Err(Error::usage(format!(
                "{operations} operations{guards} in one transaction; DynamoDB allows {MAX_ACTIONS}: send several transactions"
            )));
        }
        let size = |exactly| self.actions.iter().map(|(_, it)| it.size(exactly)).sum::<usize>();
        if size(false) > MAX_SIZE
            && let size = size(true)
            && size > MAX_SIZE
        {
            return Err(Error::usage(format!(
                "the items of the transaction have {size} bytes at least; DynamoDB allows {MAX_SIZE}: send several transactions"
            )));
        }
        let targets: Vec<_> =
            self.actions.iter().map(|(_, action)| (&*action.table, &action.key)).collect();
        let Some((first, second)) = repeated(&targets) else { return Ok(()) };
        let (first, second) = (self.actions[first], self.actions[second]);
        let name = |(at, _): (usize, _)| match self.operations.get(at) {
            Some(target) => format!("operation {at}, {}", self.tables.label(target)),
            None => format!("operation {at}"),
        };
        let (one, other) = (name(first), name(second));
        Err(Error::usage(match (first.1.expected.state, second.1.expected.state) {
            (State::Free(field), State::Free(_)) => {
                format!("{one}, and {other}, have the same `{field}`, which is unique")
            }
            _ => format!(
                "{one}, and {other}, are on one item: a transaction has at most one operation an item; put a condition on the operation instead of a check beside it, or change the item once"
            ),
        }))
    }
}
