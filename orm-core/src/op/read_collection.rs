use std::sync::Arc;

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;

use super::reader::Returned;
use super::with_capacity::capacity_method;
use super::{Explanation, Reader};
use crate::capacity::{MAX_ITEM, MAX_PAGE, read_units};
use crate::collection::{Bucket, CollectionPattern, ItemCollection};
use crate::entity::{Entity, Item, KeyParts};
use crate::error::Error;
use crate::expr::{self, IntoCondition, Node, Reading};
use crate::item;
use crate::schema::{EntitySchema, Schema, check};
use crate::shard::Merge;
use crate::table::Table;
use crate::ttl;
use crate::wire::{CustomQuery, Customize, customize_method};

/// One Query a page over the sort keys of the collection's members.
///
/// Every page is read, at most [`max_pages`](Self::max_pages): a collection is one value, and half
/// of it would be wrong. Items of kinds that are no member are skipped.
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct ReadCollection<C: ItemCollection> {
    table: Table<C::Table>,
    pattern: CollectionPattern<C>,
    consistent: bool,
    refuse_unknown: bool,
    max_pages: usize,
    filter: Node,
    include_expired: bool,
    custom: CustomQuery,
}

/// 64 MB, far more than fits a struct that one wants to have.
const MAX_PAGES: usize = 64;

impl<C: ItemCollection> ReadCollection<C> {
    pub(crate) fn new(table: Table<C::Table>, pattern: CollectionPattern<C>) -> Self {
        ReadCollection {
            table,
            pattern,
            consistent: false,
            refuse_unknown: false,
            max_pages: MAX_PAGES,
            filter: Node::ALWAYS,
            include_expired: false,
            custom: Customize::NONE,
        }
    }

    /// Reads what the last successful write stored, at twice the cost.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// Makes an item of a kind that is no member an error instead of skipping it.
    pub fn refuse_unknown(mut self) -> Self {
        self.refuse_unknown = true;
        self
    }

    /// At most this many pages of 1 MB; 64 unless set. A larger collection is an error.
    pub fn max_pages(mut self, pages: usize) -> Self {
        self.max_pages = pages;
        self
    }

    /// Leaves out items of the member `E` for which the condition does not hold, while they are
    /// read; items of other kinds stay. It needs the table's type attribute, by which a filter tells
    /// the kinds apart; items stored without it are not filtered. A member that is neither `Option` nor `Vec` and is left out counts as
    /// missing.
    pub fn filter<E, R>(mut self, filter: impl FnOnce(&E::Fields<Reading>) -> R) -> Self
    where
        E: Entity<Table = C::Table>,
        R: IntoCondition,
    {
        let table = C::Table::TABLE;
        let schema = E::SCHEMA;
        let Some(attribute) = table.type_attribute else {
            let problem = format!(
                "a filter on the member `{}` of `{}` needs a type attribute, which `{}` does not have: write `type_attribute = \"_et\"` on it, or query the kind alone",
                schema.name,
                C::NAME,
                table.name
            );
            self.filter = self.filter.and(Node::Refused(Error::expression(problem)));
            return self;
        };
        let condition = filter(&E::fields()).into_condition().0;
        let is_member = C::MEMBERS.iter().any(|member| member.entity.name == schema.name);
        let of_key =
            condition.attributes().into_iter().find(|name| check::filter(table, "", name) != 0);
        let problem = match of_key {
            _ if !is_member => Some(format!("`{}` is no member of `{}`", schema.name, C::NAME)),
            Some(name) => Some(format!(
                "a collection cannot be filtered by `{name}`, a key attribute of what it reads"
            )),
            None => None,
        };
        if let Some(problem) = problem {
            self.filter = self.filter.and(Node::Refused(Error::expression(problem)));
            return self;
        }
        let names = std::iter::once(&schema.type_name).chain(schema.type_aliases);
        let names = names.map(|name| AttributeValue::S((*name).to_owned())).collect();
        let of_kind = Node::In(expr::attribute(attribute), names);
        self.filter = self.filter.and(Node::Any(vec![Node::Not(Box::new(of_kind)), condition]));
        self
    }

    /// Takes items whose time to live is over as well, which DynamoDB has not yet deleted.
    pub fn include_expired(mut self) -> Self {
        self.include_expired = true;
        self
    }

    capacity_method!(table);
    customize_method!(query, QueryOutput, QueryError, QueryFluentBuilder);

    /// The SDK's builder, filled, for the first page.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered.
    pub fn into_sdk(self) -> Result<QueryFluentBuilder, Error> {
        self.reader().builder(&self.pattern.range()?, None, None)
    }

    /// The first request, unsent.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if the key cannot be rendered.
    pub fn explain(&self) -> Result<Explanation, Error> {
        let request = self.reader().explain(&self.pattern.range()?, None, None)?;
        Ok(Explanation::reads(vec![request], read_units(MAX_PAGE + MAX_ITEM, self.consistent)))
    }

    /// The collection; `None` if no item of a member exists.
    ///
    /// # Errors
    ///
    /// [`Error::is_item_missing`] if there are items but a member that is neither `Option` nor
    /// `Vec` has none; [`Error::is_decode`] for a second item of a single member, an unknown one
    /// where they are refused, or one that is no such entity; [`Error::is_invalid_key`] before a
    /// request; else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<Option<C>, Error> {
        let range = self.pattern.range()?;
        let text = range.partition_text();
        let mut buckets: Vec<Bucket> = C::MEMBERS
            .iter()
            .map(|member| Bucket { field: member.field, items: Vec::new() })
            .collect();
        let mut merge = Merge::of(Arc::new(self.reader()), &[range], None);
        let (mut pages, now) = (0, self.table.now());
        let is_over = |entity: &EntitySchema, item: &Item| {
            let ttl = entity.ttl.and(C::Table::TABLE.ttl);
            !self.include_expired && ttl::is_over(ttl, item, now)
        };
        while merge.has_more() {
            if pages == self.max_pages {
                return Err(Error::collection_too_large(C::NAME, text, pages));
            }
            merge.read().await?;
            pages += 1;
            while let Some(found) = merge.ready() {
                let table = C::Table::TABLE;
                let member =
                    C::MEMBERS.iter().position(|member| item::is_of(table, member.entity, &found));
                match member {
                    Some(at) if is_over(C::MEMBERS[at].entity, &found) => {}
                    Some(at) => buckets[at].items.push(found),
                    None if self.refuse_unknown => {
                        let key = KeyParts::of_item(table, &found);
                        let key = key.map(|key| key.to_string()).unwrap_or_default();
                        return Err(Error::member_unknown(C::NAME, text, key));
                    }
                    None => {}
                }
            }
        }
        if buckets.iter().all(|bucket| bucket.items.is_empty()) {
            return Ok(None);
        }
        C::assemble(&text, buckets).map(Some)
    }

    fn reader(&self) -> Reader<C::Table> {
        Reader {
            table: self.table.clone(),
            entity: C::NAME,
            pattern: None,
            index: None,
            descending: false,
            consistent: self.consistent,
            returned: Returned::Items,
            filter: self.filter.clone(),
            is_selective: true,
            custom: self.custom.clone(),
        }
    }
}
