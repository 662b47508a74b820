//! One write of one item, as a request of its own or as a part of a transaction.

use std::fmt;
use std::sync::Arc;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::operation::delete_item::builders::DeleteItemFluentBuilder;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeValue, ConditionCheck, Delete, Put, ReturnValue, ReturnValuesOnConditionCheckFailure,
    TransactWriteItem, Update,
};

use super::cost::Cost;
use super::json::Json;
use super::stored::Stored;
use super::target::Target;
use super::{Explanation, Request, transact, write};
use crate::capacity::least_item_size;
use crate::entity::{Item, KeyParts};
use crate::error::{Error, Failed, FailedCondition};
use crate::expr::{self, Aliases, Node};
use crate::found::{Found, Row};
use crate::item;
use crate::meter::Label;
use crate::schema::{Schema, TableSchema};
use crate::table::Table;
use crate::ttl;
use crate::wire::{
    CustomDelete, CustomPut, CustomTransactWrite, CustomUpdate, Customize, Decode, Holder, Repeat,
    Watch, send, set_some, span,
};

/// One write, ready to be sent.
#[derive(Debug, Clone)]
pub(crate) struct Action {
    pub(crate) table: String,
    /// Its declaration, for what indexes cost.
    pub(crate) schema: &'static TableSchema,
    pub(crate) entity: &'static str,
    pub(crate) key: KeyParts,
    pub(crate) write: Write,
    pub(crate) condition: Option<String>,
    pub(crate) aliases: Aliases,
    pub(crate) expected: Expected,
}

/// What is done to the item.
#[derive(Debug, Clone)]
pub(crate) enum Write {
    Put(Stored),
    /// The text of the update; without one, the condition alone is checked.
    Update(Option<String>),
    Delete,
    /// Nothing: in a transaction, its condition must hold.
    Check,
}

/// What the condition expects, to tell why it failed.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    pub(crate) state: State,
    /// The version attribute and the version that the item must have.
    pub(crate) version: Option<(&'static str, u64)>,
    /// The TTL attribute and the second at which it is compared.
    pub(crate) ttl: Option<(&'static str, i64)>,
    /// Attributes that must be stored as the caller knows them.
    pub(crate) unchanged: Vec<Unchanged>,
}

/// An attribute as the caller knows it.
#[derive(Debug, Clone)]
pub(crate) struct Unchanged {
    pub(crate) name: String,
    pub(crate) value: Option<AttributeValue>,
    /// Whether an item without it reads the same.
    pub(crate) or_missing: bool,
}

impl Unchanged {
    /// The condition that it still is so.
    pub(crate) fn node(&self) -> Node {
        let path = expr::attribute(self.name.clone());
        let missing = self.or_missing.then(|| Node::Missing(path.clone()));
        let equals = Node::equals(path, self.value.clone());
        match missing {
            Some(missing) => Node::Any(vec![missing, equals]),
            None => equals,
        }
    }

    /// Whether a stored value is another one. NULL reads as `None`.
    fn is_changed(&self, stored: Option<&AttributeValue>) -> bool {
        let known = |value: &&AttributeValue| !matches!(value, AttributeValue::Null(_));
        let stored = stored.filter(known);
        if stored.is_none() && self.or_missing {
            return false;
        }
        !expr::same(stored, self.value.as_ref().filter(known))
    }
}

/// Whether the item must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Any,
    Absent,
    Present,
    /// The guard of a unique field must not be there.
    Free(&'static str),
}

/// The writes of one operation: that of the item first, then those of the guards of its unique
/// fields.
#[doc(hidden)]
pub struct Plan<'a> {
    pub(crate) actions: Vec<Action>,
    /// Whether sending it twice is the same as sending it once.
    pub(crate) is_idempotent: bool,
    /// What happens to the caller's item once it is written.
    pub(crate) wrote: Option<Box<dyn FnOnce() + Send + 'a>>,
}

impl Expected {
    pub(crate) const NOTHING: Expected =
        Expected { state: State::Any, version: None, ttl: None, unchanged: Vec::new() };

    /// Why the condition failed on this stored item.
    pub(crate) fn failed(&self, stored: Option<&Item>) -> Failed {
        if let State::Free(field) = self.state {
            return Failed::Taken(field);
        }
        let number = |name: &str| stored?.get(name)?.as_n().ok();
        let (ttl, now) = self.ttl.unzip();
        let is_expired = stored.is_some_and(|item| ttl::is_over(ttl, item, now.unwrap_or(0)));
        let is_there = stored.is_some() && !is_expired;
        let changed = self
            .unchanged
            .iter()
            .find(|known| known.is_changed(stored.and_then(|item| item.get(&known.name))));
        match (self.state, self.version) {
            // An absent item is what it asks for: an engine that returns none keeps one.
            (State::Absent, _) if is_there || stored.is_none() => Failed::Exists,
            // Whatever a condition asks for beside absence, a missing item does not have.
            (State::Present | State::Any, _) if !is_there => Failed::Missing,
            (_, Some((name, expected))) if is_there => {
                let stored = number(name).and_then(|digits| digits.parse().ok()).unwrap_or(0);
                if stored == expected {
                    Failed::Condition
                } else {
                    Failed::Version { stored, expected }
                }
            }
            _ => match changed {
                Some(changed) if is_there => Failed::Changed(changed.name.clone()),
                _ => Failed::Condition,
            },
        }
    }
}

impl fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("actions", &self.actions).finish_non_exhaustive()
    }
}

/// The user's changes to the one request of a write, by its kind.
#[derive(Debug, Clone)]
pub(crate) enum Custom {
    Put(CustomPut),
    Update(CustomUpdate),
    Delete(CustomDelete),
    Transact(CustomTransactWrite),
}

/// The setters that all builders of a write have. With a condition, its failure returns the item.
macro_rules! filled {
    ($builder:expr, $action:expr) => {{
        let (names, values) = std::mem::take(&mut $action.aliases).into_maps();
        let old = $action.condition.as_ref().map(|_| ReturnValuesOnConditionCheckFailure::AllOld);
        set_some!(
            $builder.table_name(std::mem::take(&mut $action.table)),
            set_condition_expression: $action.condition.take(),
            set_expression_attribute_names: names,
            set_expression_attribute_values: values,
            set_return_values_on_condition_check_failure: old,
        )
    }};
}

impl Action {
    /// A PutItem. As the others, it takes what it needs out of the action, all but the key.
    pub(super) fn put_item(&mut self, client: &Client) -> PutItemFluentBuilder {
        let item = self.take_item();
        filled!(client.put_item().set_item(item), self)
    }

    /// An UpdateItem; a check too, which then changes nothing.
    pub(super) fn update_item(&mut self, client: &Client) -> UpdateItemFluentBuilder {
        let builder = client.update_item().set_update_expression(self.take_text());
        filled!(builder.set_key(Some(self.key_item())), self)
    }

    /// A DeleteItem.
    pub(super) fn delete_item(&mut self, client: &Client) -> DeleteItemFluentBuilder {
        filled!(client.delete_item().set_key(Some(self.key_item())), self)
    }

    /// A part of a TransactWriteItems.
    ///
    /// # Errors
    ///
    /// Neither a change nor a condition.
    pub(super) fn transact_item(&mut self) -> Result<TransactWriteItem, Error> {
        let item = TransactWriteItem::builder();
        let built = match self.member()? {
            Member::Put => {
                let put = Put::builder().set_item(self.take_item());
                filled!(put, self).build().map(|put| item.put(put))
            }
            Member::Update => {
                let update = Update::builder().set_update_expression(self.take_text());
                let update = update.set_key(Some(self.key_item()));
                filled!(update, self).build().map(|update| item.update(update))
            }
            Member::Delete => {
                let delete = Delete::builder().set_key(Some(self.key_item()));
                filled!(delete, self).build().map(|delete| item.delete(delete))
            }
            Member::ConditionCheck => {
                let check = ConditionCheck::builder().set_key(Some(self.key_item()));
                filled!(check, self).build().map(|check| item.condition_check(check))
            }
        };
        // Every required member is set.
        built.map(|item| item.build()).map_err(|error: BuildError| Error::usage(error.to_string()))
    }

    /// The request, when it is one of its own.
    pub(super) fn request(&self, returned: Option<&ReturnValue>) -> Request {
        let operation = match self.write {
            Write::Put(_) => "PutItem",
            Write::Update(_) | Write::Check => "UpdateItem",
            Write::Delete => "DeleteItem",
        };
        let mut members = self.members();
        let returned = returned.map(|returned| Json::text(returned.as_str()));
        members.push(("ReturnValues", returned));
        Request::new(operation, members)
    }

    /// The same as a part of a TransactWriteItems.
    ///
    /// # Errors
    ///
    /// As [`transact_item`](Self::transact_item).
    pub(super) fn transact_json(&self) -> Result<Json, Error> {
        let name = match self.member()? {
            Member::Put => "Put",
            Member::Update => "Update",
            Member::Delete => "Delete",
            Member::ConditionCheck => "ConditionCheck",
        };
        Ok(Json::object(vec![(name, Some(Json::object(self.members())))]))
    }

    fn member(&self) -> Result<Member, Error> {
        match (&self.write, &self.condition) {
            (Write::Put(_), _) => Ok(Member::Put),
            (Write::Update(Some(_)), _) => Ok(Member::Update),
            (Write::Delete, _) => Ok(Member::Delete),
            (Write::Update(None) | Write::Check, Some(_)) => Ok(Member::ConditionCheck),
            (Write::Update(None) | Write::Check, None) => Err(Error::usage(format!(
                "the operation on `{}` ({}) neither changes nor checks anything: give it a change or a condition, or leave it out",
                self.entity, self.key
            ))),
        }
    }

    fn members(&self) -> Vec<(&'static str, Option<Json>)> {
        let (target, text) = match &self.write {
            Write::Put(item) => (("Item", Some(Json::item(&item.item()))), None),
            Write::Update(text) => (("Key", Some(Json::item(&self.key_item()))), text.as_ref()),
            Write::Delete | Write::Check => (("Key", Some(Json::item(&self.key_item()))), None),
        };
        let old = self.condition.as_ref().map(|_| Json::text("ALL_OLD"));
        vec![
            ("TableName", Some(Json::text(&self.table))),
            target,
            ("UpdateExpression", text.map(Json::text)),
            ("ConditionExpression", self.condition.as_ref().map(Json::text)),
            ("ExpressionAttributeNames", self.aliases.names().as_ref().map(Json::names)),
            ("ExpressionAttributeValues", self.aliases.values().as_ref().map(Json::item)),
            ("ReturnValuesOnConditionCheckFailure", old),
        ]
    }

    /// The key's attributes.
    pub(super) fn key_item(&self) -> Item {
        self.key.to_item(self.schema)
    }

    /// The JSON of what is put, as [`Stored::take_json`].
    pub(super) fn take_json(&mut self) -> Option<Arc<str>> {
        match &mut self.write {
            Write::Put(item) => item.take_json(),
            _ => None,
        }
    }

    fn take_item(&mut self) -> Option<Item> {
        match &mut self.write {
            Write::Put(item) => Some(std::mem::take(item).into_item()),
            _ => None,
        }
    }

    fn take_text(&mut self) -> Option<String> {
        match &mut self.write {
            Write::Update(text) => text.take(),
            _ => None,
        }
    }

    /// Bytes that are known of the written item: of all of a put, else of the key. They are the
    /// least where `exactly`, else they may be more.
    pub(super) fn size(&self, exactly: bool) -> usize {
        match &self.write {
            Write::Put(item) if exactly => least_item_size(&item.item()),
            Write::Put(item) => item.size_at_most(),
            _ => least_item_size(&self.key_item()),
        }
    }

    pub(super) fn target(&self) -> Target {
        Target { table: self.table.clone(), entity: self.entity, key: self.key.clone() }
    }
}

/// The members of a `TransactWriteItem`.
enum Member {
    Put,
    Update,
    Delete,
    ConditionCheck,
}

impl Plan<'static> {
    /// Writes that may be done twice and leave the caller's item as it is.
    pub(crate) fn of(actions: Vec<Action>) -> Self {
        Plan { actions, is_idempotent: true, wrote: None }
    }
}

impl Plan<'_> {
    /// Whether it is one request of its own, and no transaction.
    fn is_single(&self) -> bool {
        matches!(&self.actions[..], [action] if !matches!(action.write, Write::Check))
    }

    /// What [`send`](Self::send) would send.
    ///
    /// # Errors
    ///
    /// As [`Transact::explain`](super::Transact::explain).
    pub(crate) fn explain<T: Schema>(
        &self,
        table: &Table<T>,
        returned: Option<&ReturnValue>,
    ) -> Result<Explanation, Error> {
        match &self.actions[..] {
            [action] if self.is_single() => {
                let cost = Cost::Writes(vec![action.cost()]);
                Ok(Explanation::of(vec![action.request(returned).costing(cost)]))
            }
            _ => transact::explain(table.connection(), &[self], None),
        }
    }

    /// Sends it: one action as a request of its own, several and a check as one TransactWriteItems,
    /// which returns no attributes. The answer's attributes, if any were asked for and there are
    /// any; <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html#DDB-UpdateItem-request-ReturnValues>.
    ///
    /// # Errors
    ///
    /// What DynamoDB or the way to it reports, with what [`Expected`] says of a failed condition;
    /// changes of the user to another kind of request than is sent.
    pub(crate) async fn send<T: Schema>(
        mut self,
        table: &Table<T>,
        returned: Option<ReturnValue>,
        custom: Option<Custom>,
    ) -> Result<Option<Found>, Error> {
        if !self.is_single() {
            let custom = match custom {
                Some(Custom::Transact(custom)) => custom,
                Some(Custom::Put(custom)) => write::not_customized(&custom)?,
                Some(Custom::Update(custom)) => write::not_customized(&custom)?,
                Some(Custom::Delete(custom)) => write::not_customized(&custom)?,
                None => Customize::NONE,
            };
            transact::send(table.connection(), vec![self], None, custom).await?;
            return Ok(None);
        }
        let wrote = self.wrote.take();
        let Some(action) = self.actions.pop() else { return Ok(None) };
        let repeat = if self.is_idempotent { Repeat::Any } else { Repeat::OnlyIfUnsent };
        let attributes = action.send(table, returned, custom, repeat).await?;
        if let Some(wrote) = wrote {
            wrote();
        }
        Ok(attributes)
    }
}

impl Action {
    async fn send<T: Schema>(
        mut self,
        table: &Table<T>,
        returned: Option<ReturnValue>,
        custom: Option<Custom>,
        repeat: Repeat,
    ) -> Result<Option<Found>, Error> {
        let decoder = returned.as_ref().map(|_| item::undecoded(T::TABLE, None));
        let entity = self.entity;
        // Each kind has types of its own in the SDK.
        macro_rules! sent {
            ($name:literal, $holder:ident, $kind:ident, $error:ident, $builder:expr) => {{
                let custom = match custom {
                    Some(Custom::$kind(custom)) => custom,
                    _ => Customize::NONE,
                };
                let json = if custom.is_none() { self.take_json() } else { None };
                let span = span!($name, table);
                let builder = set_some!($builder, set_return_values: returned);
                let label = || Label::of(entity).writing(1);
                let decode = decoder.as_ref().map(|it| Decode::new(Holder::$holder, it));
                let watch = Watch::new(table.endpoint(), &decode).repeating(repeat);
                let watch = watch.with_items(json.into_iter().collect());
                let output = send!(label(); table, builder, custom, span, watch);
                let output = output.map_err(
                    |(error, lost)| {
                        let condition = match error.as_service_error() {
                            Some($error::ConditionalCheckFailedException(failed)) => {
                                let item = failed.item().filter(|item| !item.is_empty()).cloned();
                                let why = self.expected.failed(item.as_ref());
                                Some(FailedCondition { why, item })
                            }
                            _ => None,
                        };
                        let key = self.key.to_string();
                        let context = write::context(table, $name, entity, key, lost);
                        Error::write(context, error, condition)
                    },
                )?;
                match decode {
                    Some(decode) => decode.rows(output.attributes).into_iter().next(),
                    None => output.attributes.map(Row::of_item),
                }
            }};
        }
        let client = table.client();
        let attributes = match self.write {
            Write::Put(_) => sent!("PutItem", PUT, Put, PutItemError, self.put_item(client)),
            Write::Update(_) | Write::Check => {
                sent!("UpdateItem", UPDATE, Update, UpdateItemError, self.update_item(client))
            }
            Write::Delete => {
                sent!("DeleteItem", DELETE, Delete, DeleteItemError, self.delete_item(client))
            }
        };
        // Some engines answer an empty map for nothing.
        Ok(attributes.map(|row: Row<Found>| row.found).filter(|found| !found.is_empty()))
    }
}

#[cfg(test)]
mod tests;
