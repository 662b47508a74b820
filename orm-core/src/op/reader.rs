//! Pages of one partition, as the operations above read them.

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::Select;

use super::Request;
use super::json::Json;
use crate::entity::Item;
use crate::error::Error;
use crate::expr::{Aliases, Expression, Node};
use crate::found::{Decoder, Row};
use crate::key::condition::KeyRange;
use crate::meter::Label;
use crate::schema::{IndexSchema, Schema, TableSchema};
use crate::table::Table;
use crate::wire::{CustomQuery, Decode, Holder, Watch, send, set_some, span};

/// Everything of a Query but key condition, position and page size.
pub(crate) struct Reader<T> {
    pub(crate) table: Table<T>,
    pub(crate) entity: &'static str,
    /// The function that made the pattern.
    pub(crate) pattern: Option<&'static str>,
    pub(crate) index: Option<&'static IndexSchema>,
    pub(crate) descending: bool,
    pub(crate) consistent: bool,
    pub(crate) returned: Returned,
    /// What an item must be like to be returned.
    pub(crate) filter: Node,
    /// Whether the filter is the caller's, and may leave out most of what is read.
    pub(crate) is_selective: bool,
    pub(crate) custom: CustomQuery,
}

/// What a Query returns of each item.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returned {
    /// What the index holds, or the whole item.
    Items,
    /// These attributes, and those of `Keys`.
    Only(&'static [&'static str]),
    /// The key attributes of table and index, and the type attribute.
    Keys,
    /// How many.
    Count,
}

impl Returned {
    /// What a read by key asks for, and the placeholders; `None` for whole items. `ttl`: the
    /// attribute that tells whether the item is expired, where that matters.
    pub(super) fn by_key(
        self,
        table: &TableSchema,
        ttl: Option<&'static str>,
    ) -> Option<(String, Aliases)> {
        let Returned::Only(attributes) = self else { return None };
        let names = key_names(table, None, attributes.iter().copied().chain(ttl));
        let mut aliases = Aliases::default();
        Some((aliases.projection(names), aliases))
    }
}

/// One answer.
#[derive(Debug)]
pub(crate) struct RawPage<V> {
    pub(crate) rows: Vec<Row<V>>,
    pub(crate) count: usize,
    /// Where the next page begins; `None` is the only sign of the end.
    pub(crate) next: Option<Item>,
}

impl<T: Schema> Reader<T> {
    /// One Query.
    pub(crate) async fn page<V: Send + 'static>(
        &self,
        range: &KeyRange,
        page_size: Option<i32>,
        start: Option<Item>,
        decoder: &Decoder<V>,
    ) -> Result<RawPage<V>, Error> {
        let index = self.index.map(|index| index.name);
        let span = span!(
            "Query",
            self.table,
            aws.dynamodb.index_name = index,
            aws.dynamodb.limit = page_size,
            aws.dynamodb.scan_forward = !self.descending,
            aws.dynamodb.consistent_read = self.consistent
        );
        let builder = self.builder(range, page_size, start)?;
        let label = || Label { pattern: self.pattern, index, ..Label::of(self.entity) };
        let decode = Decode::new(Holder::QUERY, decoder);
        let watch = Watch::new(self.table.endpoint(), &decode);
        let output = send!(label(); self.table, builder, self.custom, span, watch).map_err(
            |(error, _)| {
                let mut context = self.table.context("Query");
                context.entity = self.entity;
                let partition = range.partition_text();
                context.target = match index {
                    Some(index) => format!("index `{index}`, partition `{partition}`"),
                    None => format!("partition `{partition}`"),
                };
                Error::request(context, error)
            },
        )?;
        Ok(RawPage {
            count: usize::try_from(output.count).unwrap_or(0),
            rows: decode.rows(output.items.unwrap_or_default()),
            next: output.last_evaluated_key.filter(|key| !key.is_empty()),
        })
    }

    /// The SDK's builder, filled.
    pub(crate) fn builder(
        &self,
        range: &KeyRange,
        page_size: Option<i32>,
        start: Option<Item>,
    ) -> Result<QueryFluentBuilder, Error> {
        let parts = self.parts(range)?;
        let (names, values) = parts.aliases.into_maps();
        let builder = self.table.client().query().table_name(self.table.name());
        Ok(set_some!(
            builder.key_condition_expression(parts.condition),
            set_index_name: self.index.map(|index| index.name.to_owned()),
            set_filter_expression: parts.filter,
            set_projection_expression: parts.projection,
            set_expression_attribute_names: names,
            set_expression_attribute_values: values,
            set_select: parts.select,
            set_limit: page_size,
            set_exclusive_start_key: start,
            set_scan_index_forward: self.descending.then_some(false),
            set_consistent_read: self.consistent.then_some(true),
        ))
    }

    /// The same as JSON.
    pub(crate) fn explain(
        &self,
        range: &KeyRange,
        page_size: Option<i32>,
        start: Option<&Item>,
    ) -> Result<Request, Error> {
        let parts = self.parts(range)?;
        Ok(Request::new(
            "Query",
            vec![
                ("TableName", Some(Json::text(self.table.name()))),
                ("IndexName", self.index.map(|index| Json::text(index.name))),
                ("Select", parts.select.map(|select| Json::text(select.as_str()))),
                ("Limit", page_size.map(|size| Json::Number(size.to_string()))),
                ("ExclusiveStartKey", start.map(Json::item)),
                ("ConsistentRead", self.consistent.then_some(Json::Bool(true))),
                ("ScanIndexForward", self.descending.then_some(Json::Bool(false))),
                ("ProjectionExpression", parts.projection.map(Json::text)),
                ("KeyConditionExpression", Some(Json::text(parts.condition))),
                ("FilterExpression", parts.filter.map(Json::text)),
                ("ExpressionAttributeNames", parts.aliases.names().as_ref().map(Json::names)),
                ("ExpressionAttributeValues", parts.aliases.values().as_ref().map(Json::item)),
            ],
        )
        .filtered_by_caller(self.is_selective))
    }

    fn parts(&self, range: &KeyRange) -> Result<Parts, Error> {
        let table = T::TABLE;
        let (pk, sk) = table.key_of(self.index);
        let mut aliases = Aliases::default();
        let condition = aliases.key_condition(pk, sk, range);
        let filter = aliases.condition(Expression::Filter, &self.filter)?;
        // A local index fetches from the table what it does not project: what is named, too, but not in
        // every engine, and DynamoDB bills the whole item in both cases.
        let fetches =
            self.index.filter(|index| index.local).is_some_and(|index| match self.returned {
                Returned::Items => index.projection != crate::schema::Projection::All,
                Returned::Only(attributes) => {
                    !attributes.iter().all(|name| index.holds(table, name))
                }
                Returned::Keys | Returned::Count => false,
            });
        let names = match self.returned {
            Returned::Only(_) if fetches => None,
            Returned::Keys => Some(key_names(table, self.index, [])),
            Returned::Only(attributes) => {
                Some(key_names(table, self.index, attributes.iter().copied()))
            }
            Returned::Items | Returned::Count => None,
        };
        let projection = names.map(|names| aliases.projection(names));
        let select = match self.returned {
            Returned::Count => Some(Select::Count),
            _ if fetches => Some(Select::AllAttributes),
            _ => None,
        };
        Ok(Parts { condition, filter, projection, aliases, select })
    }
}

struct Parts {
    condition: String,
    filter: Option<String>,
    projection: Option<String>,
    aliases: Aliases,
    select: Option<Select>,
}

/// Key attributes of table and index, the type attribute where it can be read, and `others`, each
/// once.
fn key_names(
    table: &TableSchema,
    index: Option<&IndexSchema>,
    others: impl IntoIterator<Item = &'static str>,
) -> Vec<&'static str> {
    let mut names = vec![table.pk.name];
    names.extend(table.sk.map(|sk| sk.name));
    if let Some(index) = index {
        names.extend(index.pk.iter().chain(index.sk).map(|attribute| attribute.name));
    }
    let projected = |name: &&str| index.is_none_or(|index| index.local || index.projects(name));
    names.extend(table.type_attribute.filter(projected));
    names.extend(others);
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(*name));
    names
}
