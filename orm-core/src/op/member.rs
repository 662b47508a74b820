//! What both forms of a collection do with the items of its partition.

use aws_sdk_dynamodb::types::AttributeValue;

use super::page;
use crate::collection::{ItemCollection, index_of};
use crate::entity::{Entity, KeyParts};
use crate::error::Error;
use crate::expr::{self, IntoCondition, Node, Reading};
use crate::found::Found;
use crate::item;
use crate::schema::{EntitySchema, Schema, check};
use crate::ttl;

/// What an item is to a collection.
pub(super) enum Role {
    /// A member, by position.
    Member(usize),
    /// Of no listed kind.
    Other,
    /// Expired, or a guard of a unique field.
    Absent,
}

/// `now`: the time by which items are expired; `None` takes those as well.
pub(super) fn find<C: ItemCollection>(found: &Found, now: Option<i64>) -> Role {
    let table = C::Table::TABLE;
    let is_of = |entity: &&'static EntitySchema| item::is_of(table, entity, found);
    let is_over = |entity: &EntitySchema| {
        now.is_some_and(|now| ttl::is_over(entity.ttl.and(table.ttl), found, now))
    };
    match C::MEMBERS.iter().position(is_of) {
        Some(at) if is_over(C::MEMBERS[at]) => Role::Absent,
        Some(at) => Role::Member(at),
        None if item::is_guard(table, found) => Role::Absent,
        None => {
            let entities = C::Table::entities().iter().map(|entry| entry.schema);
            let unlisted = entities.into_iter().find(is_of);
            if unlisted.is_some_and(is_over) { Role::Absent } else { Role::Other }
        }
    }
}

/// An item of no listed kind where they are refused.
pub(super) fn refused<C: ItemCollection>(partition: String, found: &Found) -> Error {
    let key = KeyParts::of_item(C::Table::TABLE, found).map(|key| key.to_string());
    Error::member_unknown(C::NAME, partition, key.unwrap_or_default())
}

/// That an item is no `E`, or the condition holds for it.
pub(super) fn filter<C, E, R>(filter: impl FnOnce(&E::Fields<Reading>) -> R) -> Node
where
    C: ItemCollection,
    E: Entity,
    R: IntoCondition,
{
    let (table, schema) = (C::Table::TABLE, E::SCHEMA);
    let refused = |problem| Node::Refused(Error::expression(problem));
    let Some(attribute) = table.type_attribute else {
        return refused(format!(
            "a filter on the member `{}` of `{}` needs a type attribute, which `{}` does not have: write `type_attribute = \"_et\"` on it, or query the kind alone",
            schema.name,
            C::NAME,
            table.name
        ));
    };
    if member::<C>(schema).is_none() {
        return refused(format!("`{}` is no member of `{}`", schema.name, C::NAME));
    }
    let condition = filter(&E::fields()).into_condition().0;
    let index = index_of::<C>().map_or("", |index| index.name);
    let of_key =
        condition.attributes().into_iter().find(|name| check::filter(table, index, name) != 0);
    if let Some(name) = of_key {
        return refused(format!(
            "a collection cannot be filtered by `{name}`, a key attribute of what it reads"
        ));
    }
    let names = schema.type_names().map(|name| AttributeValue::S(name.to_owned())).collect();
    let of_kind = Node::In(expr::attribute(attribute), names);
    Node::Any(vec![Node::Not(Box::new(of_kind)), condition])
}

/// The position of a member.
pub(super) fn member<C: ItemCollection>(schema: &EntitySchema) -> Option<usize> {
    C::MEMBERS.iter().position(|member| member.name == schema.name)
}

/// `Limit` of the next page. A read that takes few items begins with few, and doubles them with
/// each page, since what it skips may be many.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageSize {
    next: Option<i32>,
    cap: Option<i32>,
}

impl PageSize {
    /// `items`: how many are taken, if that is known.
    pub(super) fn new(cap: Option<u32>, items: Option<usize>) -> Result<Self, Error> {
        let cap = page::size(cap)?;
        let next = items.map(|items| i32::try_from(items.max(1)).unwrap_or(i32::MAX));
        Ok(PageSize { next: next.into_iter().chain(cap).min(), cap })
    }

    pub(super) fn get(self) -> Option<i32> {
        self.next
    }

    pub(super) fn grow(&mut self) {
        let doubled = self.next.map(|next| next.saturating_mul(2));
        self.next = doubled.into_iter().chain(self.cap).min();
    }
}
