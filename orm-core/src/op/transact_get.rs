use aws_sdk_dynamodb::operation::transact_get_items::TransactGetItemsError;
use aws_sdk_dynamodb::operation::transact_get_items::builders::TransactGetItemsFluentBuilder;
use aws_sdk_dynamodb::types::{Get as SdkGet, TransactGetItem as SdkTransactGetItem};

use super::json::Json;
use super::target::{Tables, Target, repeated};
use super::transact::MAX_ACTIONS;
use super::with_capacity::capacity_method;
use super::{Explanation, Get, Request, Returned};
use crate::entity::{Entity, Item, Key};
use crate::error::{Error, Failed, Reason};
use crate::expr::Aliases;
use crate::found::Found;
use crate::item;
use crate::meter::Label;
use crate::projection::{Output, Projection, Selected};
use crate::schema::{Schema, TableSchema};
use crate::table::Table;
use crate::ttl;
use crate::wire::{
    Connection, CustomTransactGet, Customize, Decode, Holder, Watch, customize_method, send, span,
};

/// One TransactGetItems: at most 100 items, all as they are at one moment.
///
/// Made from a tuple of 1 to 8 keys of any entities, which gives a tuple of `Option`s, or from a
/// `Vec` or a slice of keys of one entity, which gives a `Vec` of them: in the order asked, and
/// `None` where there is no item, or an expired one. Instead of a key there may be an item of that key, or the `get` of
/// another handle, for another table of the same account and region; the client of the handle that
/// began sends all. Without a key, nothing is sent.
///
/// Costs two read capacity units per 4 KB of each item; the items have at most 4 MB together.
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html>
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
/// struct Order { id: String, order: String }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let shop = engine.table::<Shop>("shop").await?;
/// # let archive = engine.table::<Shop>("archive").await?;
/// let customer = Customer { id: "c1".into() };
/// shop.put(&customer).send().await?;
///
/// let keys = (Order::key("c1", "o1"), Customer::key("c1"));
/// let (order, found) = shop.transact_get(keys).send().await?;
/// assert_eq!((order, found), (None, Some(customer)));
///
/// let both = (Customer::key("c1"), archive.get(Customer::key("c1")));
/// let (here, there) = shop.transact_get(both).send().await?;
/// assert!(here.is_some() && there.is_none());
///
/// let keys = ["o1", "o2"].map(|order| Order::key("c1", order));
/// assert_eq!(shop.transact_get(&keys[..]).send().await?, [None, None]);
/// # }
/// # Ok(()) }
/// ```
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct TransactGet<R> {
    connection: Connection,
    items: Vec<Result<Asked, Error>>,
    decode: fn(Vec<Option<Found>>) -> Result<R, Error>,
    custom: CustomTransactGet,
}

/// An item to read.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Asked {
    pub(super) target: Target,
    pub(super) key_item: Item,
    /// The TTL attribute and the second at which an expired item counts as absent.
    pub(super) ttl: Option<(&'static str, i64)>,
    pub(super) returned: Returned,
    pub(super) schema: &'static TableSchema,
}

/// One item of a [`TransactGet`] begun by a handle of a table `T`: a key, an item that has one, or
/// the `get` of any handle.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the key of one item of the table `{T}`",
    label = "expected a key such as `Order::key(..)`, or for another table its `get(key)`",
    note = "keys stand in a tuple of 1 to 8, or in a `Vec` if they are of one entity"
)]
pub trait TransactGetItem<T> {
    /// What is returned if it is there.
    type Output;

    #[doc(hidden)]
    fn asked(self, table: &Table<T>) -> Result<Asked, Error>;

    #[doc(hidden)]
    fn decode(item: Found) -> Result<Self::Output, Error>;
}

/// The items of a [`TransactGet`]: a tuple, a `Vec` or a slice of keys.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not the keys of items of the table `{T}`",
    label = "expected a tuple of 1 to 8 keys, or a `Vec` of keys of one entity",
    note = "one key in a tuple is written `(key,)`"
)]
pub trait TransactGetItems<T> {
    /// An `Option` an item, in the same shape.
    type Output;

    #[doc(hidden)]
    fn asked(self, table: &Table<T>) -> Vec<Result<Asked, Error>>;

    #[doc(hidden)]
    fn decode(items: Vec<Option<Found>>) -> Result<Self::Output, Error>;
}

#[diagnostic::do_not_recommend]
impl<E: Entity> TransactGetItem<E::Table> for Key<E> {
    type Output = E;
    fn asked(self, table: &Table<E::Table>) -> Result<Asked, Error> {
        Asked::new(table, &self)
    }
    fn decode(item: Found) -> Result<E, Error> {
        item.decode_with(item::decoder::<E>)
    }
}

#[diagnostic::do_not_recommend]
impl<E: Entity> TransactGetItem<E::Table> for &Key<E> {
    type Output = E;
    fn asked(self, table: &Table<E::Table>) -> Result<Asked, Error> {
        Asked::new(table, self)
    }
    fn decode(item: Found) -> Result<E, Error> {
        item.decode_with(item::decoder::<E>)
    }
}

#[diagnostic::do_not_recommend]
impl<E: Entity> TransactGetItem<E::Table> for &E {
    type Output = E;
    fn asked(self, table: &Table<E::Table>) -> Result<Asked, Error> {
        Asked::new(table, &self.key())
    }
    fn decode(item: Found) -> Result<E, Error> {
        item.decode_with(item::decoder::<E>)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Schema, E: Entity, O: Output<E>> TransactGetItem<T> for Get<E, O> {
    type Output = O::Item;
    fn asked(self, _: &Table<T>) -> Result<Asked, Error> {
        Get::asked(self)
    }
    fn decode(item: Found) -> Result<O::Item, Error> {
        item.decode_with(O::decoder)
    }
}

impl Asked {
    pub(super) fn new<E: Entity>(table: &Table<E::Table>, key: &Key<E>) -> Result<Self, Error> {
        let target = Target {
            table: table.name().to_owned(),
            entity: E::SCHEMA.name,
            key: key.parts()?.clone(),
        };
        let ttl = ttl::attribute_of::<E>().map(|name| (name, table.now()));
        Ok(Asked {
            target,
            key_item: key.to_item()?,
            ttl,
            returned: Returned::Items,
            schema: E::Table::TABLE,
        })
    }

    fn projection(&self) -> Option<(String, Aliases)> {
        self.returned.by_key(self.schema, self.ttl.map(|(name, _)| name))
    }
}

#[diagnostic::do_not_recommend]
impl<T, G: TransactGetItem<T>> TransactGetItems<T> for Vec<G> {
    type Output = Vec<Option<G::Output>>;

    fn asked(self, table: &Table<T>) -> Vec<Result<Asked, Error>> {
        self.into_iter().map(|item| item.asked(table)).collect()
    }

    fn decode(items: Vec<Option<Found>>) -> Result<Self::Output, Error> {
        items.into_iter().map(|item| item.map(G::decode).transpose()).collect()
    }
}

#[diagnostic::do_not_recommend]
impl<'k, T, G> TransactGetItems<T> for &'k [G]
where
    &'k G: TransactGetItem<T>,
{
    type Output = Vec<Option<<&'k G as TransactGetItem<T>>::Output>>;

    fn asked(self, table: &Table<T>) -> Vec<Result<Asked, Error>> {
        self.iter().map(|item| item.asked(table)).collect()
    }

    fn decode(items: Vec<Option<Found>>) -> Result<Self::Output, Error> {
        items.into_iter().map(|item| item.map(<&'k G>::decode).transpose()).collect()
    }
}

macro_rules! tuples {
    ($($($item:ident)*;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T, $($item: TransactGetItem<T>),*> TransactGetItems<T> for ($($item,)*) {
            type Output = ($(Option<$item::Output>,)*);

            fn asked(self, table: &Table<T>) -> Vec<Result<Asked, Error>> {
                #[allow(non_snake_case)]
                let ($($item,)*) = self;
                vec![$($item.asked(table)),*]
            }

            fn decode(items: Vec<Option<Found>>) -> Result<Self::Output, Error> {
                let mut items = items.into_iter();
                Ok(($(items.next().flatten().map($item::decode).transpose()?,)*))
            }
        }
    )*};
}

tuples! {
    A; A B; A B C; A B C D; A B C D E; A B C D E F; A B C D E F G; A B C D E F G H;
}

impl<E: Entity> TransactGet<Vec<Option<E>>> {
    /// Returns the projection `P` of each item. DynamoDB reads, and bills, whole items all the same;
    /// what is saved is the way here. In a tuple, each `get` has its own `select`.
    pub fn select<P: Projection<Entity = E>>(mut self) -> TransactGet<Vec<Option<P>>> {
        for asked in self.items.iter_mut().flatten() {
            asked.returned = Selected::<P>::RETURNED;
        }
        TransactGet {
            connection: self.connection,
            items: self.items,
            decode: |items| {
                let decoder = item::part_decoder::<P>(None);
                let decode =
                    |item: Option<Found>| item.map(|item| item.decode(&decoder)).transpose();
                items.into_iter().map(decode).collect()
            },
            custom: self.custom,
        }
    }
}

impl<R> TransactGet<R> {
    pub(crate) fn new<T, I>(table: &Table<T>, items: I) -> Self
    where
        T: Schema,
        I: TransactGetItems<T, Output = R>,
    {
        TransactGet {
            connection: table.connection().clone(),
            items: items.asked(table),
            decode: I::decode,
            custom: Customize::NONE,
        }
    }

    /// Returns items whose time to live is over as well, which DynamoDB has not yet deleted.
    pub fn include_expired(mut self) -> Self {
        for asked in self.items.iter_mut().flatten() {
            asked.ttl = None;
        }
        self
    }

    capacity_method!(connection);
    customize_method!(
        transact_get_items,
        TransactGetItemsOutput,
        TransactGetItemsError,
        TransactGetItemsFluentBuilder
    );

    /// The SDK's builder, filled.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send) that come before a request.
    pub fn into_sdk(self) -> Result<TransactGetItemsFluentBuilder, Error> {
        let items = self.items.into_iter().collect::<Result<Vec<_>, _>>()?;
        check(&self.connection, &items)?;
        builder(&self.connection, items)
    }

    /// The request, unsent: none without keys.
    ///
    /// # Errors
    ///
    /// Those of [`send`](Self::send) that come before a request.
    pub fn explain(&self) -> Result<Explanation, Error> {
        if self.items.is_empty() {
            return Ok(Explanation::NOTHING);
        }
        let items = self.items.iter().cloned().collect::<Result<Vec<_>, _>>()?;
        check(&self.connection, &items)?;
        let gets = items.iter().map(|asked| {
            let (projection, aliases) = asked.projection().unzip();
            let names = aliases.and_then(|aliases| aliases.names());
            let members = vec![
                ("TableName", Some(Json::text(&asked.target.table))),
                ("Key", Some(Json::item(&asked.key_item))),
                ("ProjectionExpression", projection.map(Json::text)),
                ("ExpressionAttributeNames", names.as_ref().map(Json::names)),
            ];
            Json::object(vec![("Get", Some(Json::object(members)))])
        });
        let gets = Some(Json::List(gets.collect()));
        let request = Request::new("TransactGetItems", vec![("TransactItems", gets)]);
        Ok(Explanation::of(vec![request]))
    }

    /// The items, in the order asked; `None` where there is none.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`], a key asked twice, both of which are named, and more than 100
    /// keys before a request; [`Error::is_conflict`] if a write to one of the items is under way,
    /// with [`Error::reasons`] in the order asked; [`Error::is_decode`] if a stored item is not of
    /// its entity; else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<R, Error> {
        let items = self.items.into_iter().collect::<Result<Vec<_>, _>>()?;
        if items.is_empty() {
            return (self.decode)(Vec::new());
        }
        check(&self.connection, &items)?;
        let ttls: Vec<_> = items.iter().map(|asked| asked.ttl).collect();
        let targets: Vec<Target> = items.iter().map(|asked| asked.target.clone()).collect();
        let tables = Tables::new(&self.connection, &targets);
        let builder = builder(&self.connection, items)?;
        let span = span!("TransactGetItems", tables, aws.dynamodb.table_names = tables.names());
        let custom = self.custom;
        let label = || Label::of_all(targets.iter().map(|target| target.entity));
        let decode = Decode::new(Holder::TRANSACT_GET, &item::unkept());
        let watch = Watch::new(tables.endpoint(), &decode);
        let output = send!(label(); tables, builder, custom, span, watch);
        let output = output.map_err(|(error, _)| {
            let context = tables.context("TransactGetItems", &targets);
            match error.as_service_error() {
                Some(TransactGetItemsError::TransactionCanceledException(canceled)) => {
                    let canceled = canceled.cancellation_reasons();
                    let reasons = targets.iter().enumerate().map(|(at, target)| {
                        Reason::new(tables.label(target), canceled.get(at), |_| Failed::Condition)
                    });
                    let reasons = reasons.collect();
                    Error::transaction(context, error, reasons)
                }
                _ => Error::request(context, error),
            }
        })?;
        let answers = output.responses.unwrap_or_default();
        if answers.len() != targets.len() {
            return Err(Error::answer(format!(
                "{}: {} answers to {} keys",
                tables.context("TransactGetItems", &targets),
                answers.len(),
                targets.len()
            )));
        }
        let rows = decode.rows_of_each(answers.into_iter().map(|answer| answer.item));
        let answers = rows.into_iter().zip(ttls).map(|(row, ttl)| {
            let (name, now) = ttl.unzip();
            // An empty map is a missing item.
            let there = |item: &Found| {
                !item.is_empty() && !ttl::is_over(name, item, now.unwrap_or_default())
            };
            row.map(|row| row.found).filter(there)
        });
        (self.decode)(answers.collect())
    }
}

/// Reports what DynamoDB would refuse.
fn check(connection: &Connection, items: &[Asked]) -> Result<(), Error> {
    if items.len() > MAX_ACTIONS {
        return Err(Error::usage(format!(
            "{} keys in one TransactGetItems; DynamoDB allows {MAX_ACTIONS}",
            items.len()
        )));
    }
    let targets: Vec<&Target> = items.iter().map(|asked| &asked.target).collect();
    let keys: Vec<_> = targets.iter().map(|target| (&*target.table, &target.key)).collect();
    let Some((first, second)) = repeated(&keys) else { return Ok(()) };
    let tables = Tables::new(connection, targets.iter().copied());
    Err(Error::usage(format!(
        "key {}, {}, and key {}, {}, are one item, which TransactGetItems reads once: ask for it once",
        first,
        tables.label(targets[first]),
        second,
        tables.label(targets[second]),
    )))
}

fn builder(
    connection: &Connection,
    items: Vec<Asked>,
) -> Result<TransactGetItemsFluentBuilder, Error> {
    let gets = items.into_iter().map(|asked| {
        let (projection, aliases) = asked.projection().unzip();
        let get = SdkGet::builder()
            .table_name(asked.target.table)
            .set_key(Some(asked.key_item))
            .set_projection_expression(projection)
            .set_expression_attribute_names(aliases.and_then(|aliases| aliases.names()));
        // Every required member is set.
        let get = get.build().map_err(|error| Error::usage(error.to_string()))?;
        Ok(SdkTransactGetItem::builder().get(get).build())
    });
    let gets = gets.collect::<Result<Vec<_>, Error>>()?;
    Ok(connection.client().transact_get_items().set_transact_items(Some(gets)))
}
