use std::marker::PhantomData;

use aws_sdk_dynamodb::operation::get_item::builders::GetItemFluentBuilder;

use super::json::Json;
use super::transact_get::Asked;
use super::with_capacity::capacity_method;
use super::{Explanation, Request};
use crate::entity::{Entity, Item, Key};
use crate::error::Error;
use crate::expr::Aliases;
use crate::found::{Decoder, Row};
use crate::item;
use crate::meter::Label;
use crate::projection::{Output, Projection, Selected, Whole};
use crate::schema::Schema;
use crate::table::Table;
use crate::ttl;
use crate::wire::{
    CustomGet, Customize, Decode, Holder, Watch, customize_method, send, set_some, span,
};

/// One GetItem: at most one item, one round trip.
///
/// Costs half a read capacity unit per 4 KB of the item, twice that when consistent;
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html>.
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct Get<E: Entity, O = Whole> {
    table: Table<E::Table>,
    key: Key<E>,
    consistent: bool,
    include_expired: bool,
    custom: CustomGet,
    output: PhantomData<fn() -> O>,
}

/// A key, or an item that has one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the key of one item",
    label = "expected a key such as `Order::key(..)`, or a reference to an item",
    note = "a pattern such as `Order::by_…(..)` finds many items: use `query`"
)]
pub trait IntoKey<E> {
    /// The key.
    fn into_key(self) -> Key<E>;
}

#[diagnostic::do_not_recommend]
impl<E> IntoKey<E> for Key<E> {
    fn into_key(self) -> Key<E> {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<E> IntoKey<E> for &Key<E> {
    fn into_key(self) -> Key<E> {
        self.clone()
    }
}

#[diagnostic::do_not_recommend]
impl<E: Entity> IntoKey<E> for &E {
    fn into_key(self) -> Key<E> {
        self.key()
    }
}

impl<E: Entity> Get<E> {
    pub(crate) fn new(table: Table<E::Table>, key: Key<E>) -> Self {
        Get {
            table,
            key,
            consistent: false,
            include_expired: false,
            custom: Customize::NONE,
            output: PhantomData,
        }
    }

    /// Returns the projection `P` of the item. DynamoDB reads, and bills, the whole item all the
    /// same; what is saved is the way here.
    pub fn select<P: Projection<Entity = E>>(self) -> Get<E, Selected<P>> {
        Get {
            table: self.table,
            key: self.key,
            consistent: self.consistent,
            include_expired: self.include_expired,
            custom: self.custom,
            output: PhantomData,
        }
    }
}

impl<E: Entity, O: Output<E>> Get<E, O> {
    /// Reads what the last successful write stored, at twice the cost.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// Returns an item whose time to live is over as well, which DynamoDB has not yet deleted.
    pub fn include_expired(mut self) -> Self {
        self.include_expired = true;
        self
    }

    capacity_method!(table);
    customize_method!(get_item, GetItemOutput, GetItemError, GetItemFluentBuilder);

    /// As a part of a transaction, which always reads what is stored at its moment.
    pub(super) fn asked(self) -> Result<Asked, Error> {
        if self.custom.is_none() {
            let asked = Asked::new(&self.table, &self.key)?;
            return Ok(Asked {
                ttl: asked.ttl.filter(|_| !self.include_expired),
                returned: O::RETURNED,
                ..asked
            });
        }
        Err(Error::usage(
            "the read is sent as a part of a TransactGetItems: `customize` that one, as in `table.transact_get(..).customize(..)`",
        ))
    }

    /// The SDK's builder, filled.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered.
    pub fn into_sdk(self) -> Result<GetItemFluentBuilder, Error> {
        let builder = self.table.client().get_item().table_name(self.table.name());
        let builder = builder.set_key(Some(self.key.to_item()?));
        let (projection, names) = self.projection().unzip();
        Ok(set_some!(
            builder,
            set_consistent_read: self.consistent.then_some(true),
            set_projection_expression: projection,
            set_expression_attribute_names: names.and_then(|aliases| aliases.names()),
        ))
    }

    /// The request, unsent.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered.
    pub fn explain(&self) -> Result<Explanation, Error> {
        let (projection, aliases) = self.projection().unzip();
        let names = aliases.and_then(|aliases| aliases.names());
        let request = Request::new(
            "GetItem",
            vec![
                ("TableName", Some(Json::text(self.table.name()))),
                ("Key", Some(Json::item(&self.key.to_item()?))),
                ("ConsistentRead", self.consistent.then_some(Json::Bool(true))),
                ("ProjectionExpression", projection.map(Json::text)),
                ("ExpressionAttributeNames", names.as_ref().map(Json::names)),
            ],
        );
        Ok(Explanation::of(vec![request]))
    }

    /// The item, or `None` if there is none.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] before a request; [`Error::is_decode`] if the stored item is no
    /// `E`; else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<Option<O::Item>, Error> {
        let (table, include_expired) = (self.table.clone(), self.include_expired);
        let decoder = O::decoder(None);
        let row = self.row(&decoder).await?;
        let is_there =
            |row: &Row<O::Item>| include_expired || !ttl::is_expired::<E>(&row.found, table.now());
        row.filter(is_there).map(|row| row.into_value(&decoder)).transpose()
    }

    fn projection(&self) -> Option<(String, Aliases)> {
        let ttl = ttl::attribute_of::<E>().filter(|_| !self.include_expired);
        O::RETURNED.by_key(E::Table::TABLE, ttl)
    }

    /// The item as stored, expired or not.
    pub(super) async fn raw(self) -> Result<Option<Item>, Error> {
        let row = self.row(&item::undecoded(E::Table::TABLE, None)).await?;
        row.map(|row| row.found.into_item()).transpose()
    }

    async fn row<V: Send + 'static>(self, decoder: &Decoder<V>) -> Result<Option<Row<V>>, Error> {
        let Get { table, key, consistent, custom, .. } = &self;
        let (table, key, consistent, custom) =
            (table.clone(), key.clone(), *consistent, custom.clone());
        fetch(&table, &key, consistent, self.into_sdk()?, custom, decoder).await
    }
}

/// One GetItem: the item, or what is asked of it.
pub(super) async fn fetch<E: Entity, V: Send + 'static>(
    table: &Table<E::Table>,
    key: &Key<E>,
    consistent: bool,
    builder: GetItemFluentBuilder,
    custom: CustomGet,
    decoder: &Decoder<V>,
) -> Result<Option<Row<V>>, Error> {
    let decode = Decode::new(Holder::GET, decoder);
    let span = span!("GetItem", table, aws.dynamodb.consistent_read = consistent);
    let label = || Label::of(E::SCHEMA.name);
    let watch = Watch::new(table.endpoint(), &decode);
    let output = send!(label(); table, builder, custom, span, watch).map_err(|(error, _)| {
        let mut context = table.context("GetItem");
        context.entity = E::SCHEMA.name;
        context.target = key.to_string();
        Error::request(context, error)
    })?;
    // Some engines answer an empty map for a missing item.
    Ok(decode.rows(output.item).into_iter().next().filter(|row| !row.found.is_empty()))
}
