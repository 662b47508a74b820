//! From an operation to the writes that it consists of: the item, with its index keys, its version
//! and its time to live, and the guards of its unique fields.

use aws_sdk_dynamodb::types::AttributeValue;

use super::action::{Action, Expected, State, Unchanged, Write};
use super::stored::Stored;
use crate::capacity::{MAX_ITEM, least_item_size};
use crate::entity::{Entity, Item, Key, KeyParts};
use crate::error::Error;
use crate::expr::{self, Aliases, Expression, Node, Operand, attribute};
use crate::item;
use crate::key::KeyValue;
use crate::known::Known;
use crate::schema::{Schema, UniqueField};
use crate::table::Table;
use crate::ttl;

/// What the writes of one operation on one table share.
pub(super) struct Planner<'t, E: Entity> {
    table: &'t Table<E::Table>,
    key: &'t KeyParts,
    /// Seconds since 1970, at which expired items are told.
    now: i64,
}

/// What deleting an item needs beside its key.
#[derive(Debug, Clone)]
pub(super) struct Deletion {
    node: Node,
    expected: Expected,
    guards: Vec<Action>,
}

impl<'t, E: Entity> Planner<'t, E> {
    pub(super) fn new(table: &'t Table<E::Table>, key: &'t Key<E>) -> Result<Self, Error> {
        Ok(Planner { table, key: key.parts()?, now: table.now() })
    }

    /// A put of the item: `has` is the version of the stored one, if that is checked.
    pub(super) fn put(
        &self,
        item: Stored,
        has: Option<u64>,
        condition: Node,
    ) -> Result<Vec<Action>, Error> {
        let mut node = Node::ALWAYS;
        if let (Some(has), Some(version)) = (has, E::SCHEMA.version) {
            node = match has {
                0 => self.or_expired(is_version(version, 0)),
                has => self.not_expired(is_version(version, has)),
            };
        }
        let state = if has.is_some_and(|has| has > 0) { State::Present } else { State::Any };
        let expected = self.expected(state, has);
        Ok(vec![self.action(Write::Put(item), &node.and(condition), expected)?])
    }

    /// A put of an item that must not be there, with the guards of its unique fields.
    pub(super) fn create(&self, entity: &E, item: Stored) -> Result<Vec<Action>, Error> {
        let pk = attribute(E::Table::TABLE.pk.name);
        let node = self.or_expired(Node::Missing(pk));
        let expected = self.expected(State::Absent, None);
        let mut actions = vec![self.action(Write::Put(item), &node, expected)?];
        let known = Known::item(entity);
        let expires = E::expires(&known)?.flatten();
        for (at, value) in E::guards(&known)? {
            if let Some(value) = value {
                actions.push(self.take(&E::SCHEMA.unique[at], value, expires)?);
            }
        }
        Ok(actions)
    }

    /// What deleting an item that is known asks, and does besides.
    pub(super) fn deletion(&self, item: Option<&E>) -> Result<Deletion, Error> {
        let mut deletion = Deletion {
            node: Node::ALWAYS,
            expected: self.expected(State::Any, None),
            guards: Vec::new(),
        };
        let (schema, Some(item)) = (E::SCHEMA, item) else { return Ok(deletion) };
        if schema.version.is_none() && schema.unique.is_empty() {
            return Ok(deletion);
        }
        // The guard of an expired item may be another's by now.
        let mut node = if schema.unique.is_empty() { is_there::<E>() } else { self.alive() };
        deletion.expected = self.expected(State::Present, schema.version.map(|_| item.version()));
        if let Some(version) = schema.version {
            node = node.and(is_version(version, item.version()));
        }
        for (at, value) in E::guards(&Known::item(item))? {
            let unique = &schema.unique[at];
            deletion.guards.extend(value.map(|value| self.give_up(unique, value)).transpose()?);
            if schema.version.is_none() {
                // The guard of another value would stay behind.
                deletion.expected.unchanged.push(known(item, unique.attribute)?);
            }
        }
        deletion.node = node.and(as_known(&deletion.expected.unchanged));
        Ok(deletion)
    }

    /// A delete; of an item, under its version, and with the guards of its unique fields.
    pub(super) fn delete(&self, item: Deletion, condition: &Node) -> Result<Vec<Action>, Error> {
        let node = item.node.and(condition.clone());
        let mut actions = vec![self.action(Write::Delete, &node, item.expected)?];
        actions.extend(item.guards);
        Ok(actions)
    }

    /// A condition alone.
    pub(super) fn check(&self, condition: &Node) -> Result<Vec<Action>, Error> {
        let node = self.alive().and(condition.clone());
        let expected = self.expected(State::Present, None);
        Ok(vec![self.action(Write::Check, &node, expected)?])
    }

    /// An update, with every key attribute that the changes decide about; of an item, if it is known,
    /// under what its key attributes are made of.
    pub(super) fn update(
        &self,
        item: Option<&E>,
        changes: &[expr::Action],
        condition: &Node,
    ) -> Result<Vec<Action>, Error> {
        let schema = E::SCHEMA;
        overlapping::<E>(changes)?;
        let typed = changes.iter().filter_map(|change| match change {
            expr::Action::Set { at, typed: Some(typed), .. } => Some((at.root(), typed)),
            _ => None,
        });
        let known = Known::update(typed.collect(), item, self.key);
        self.check_natural(changes)?;
        let mut made = Vec::new();
        for (name, value) in E::index_keys(&known)? {
            made.push(set(name, value.map(AttributeValue::from)));
        }
        let expires = E::expires(&known)?;
        if let (Some(name), Some(at)) = (ttl::attribute_of::<E>(), expires)
            && schema.ttl != Some(name)
        {
            made.push(set(name, at.map(|at| AttributeValue::N(at.to_string()))));
        }
        let (mut node, mut version, mut unchanged) = (self.alive(), None, Vec::new());
        match (schema.version, item) {
            (Some(name), Some(item)) => {
                version = Some(item.version());
                node = node.and(is_version(name, item.version()));
                let next = AttributeValue::N((item.version().saturating_add(1)).to_string());
                made.push(set(name, Some(next)));
            }
            (Some(name), None) => {
                made.push(expr::Action::Add {
                    at: attribute(name),
                    number: "1".to_owned(),
                    begin: None,
                });
            }
            (None, _) => {}
        }
        let mut guards = Vec::new();
        if let Some(item) = item {
            for (unique, actions) in self.guard_changes(item, &known, expires.is_some())? {
                guards.extend(actions);
                if schema.version.is_none() {
                    unchanged.push(self::known(item, unique.attribute)?);
                }
            }
            if schema.version.is_none() {
                for name in known.used() {
                    unchanged.push(self::known(item, name)?);
                }
            }
        }
        let mut aliases = Aliases::default();
        let mut all: Vec<&expr::Action> = changes.iter().collect();
        all.extend(&made);
        let text = aliases.update(&all).map_err(|error| self.named(error))?;
        let node = node.and(as_known(&unchanged)).and(condition.clone());
        let expected = Expected { unchanged, ..self.expected(State::Present, version) };
        let mut actions = vec![self.action_with(Write::Update(text), &node, expected, aliases)?];
        actions.extend(guards);
        Ok(actions)
    }

    /// The update of a `modify`: the difference of two items, under what was read.
    pub(super) fn modify(
        &self,
        before: &E,
        after: &E,
        changes: &[expr::Action],
        unchanged: Vec<Unchanged>,
        version: Option<u64>,
    ) -> Result<Vec<Action>, Error> {
        let mut node = self.alive();
        let mut all: Vec<&expr::Action> = changes.iter().collect();
        let counted = E::SCHEMA
            .version
            .zip(version)
            .map(|(name, version)| set(name, Some(AttributeValue::N(version.to_string()))));
        all.extend(&counted);
        if let Some(name) = E::SCHEMA.version {
            node = node.and(is_version(name, before.version()));
        }
        let mut guards = Vec::new();
        let expiry = |item| Ok::<_, Error>(E::expires(&Known::item(item))?.flatten());
        let expiry_changes = expiry(before)? != expiry(after)?;
        for (_, actions) in self.guard_changes(before, &Known::item(after), expiry_changes)? {
            guards.extend(actions);
        }
        let node = node.and(as_known(&unchanged));
        let version = version.map(|_| before.version());
        let expected = Expected { unchanged, ..self.expected(State::Present, version) };
        let mut aliases = Aliases::default();
        let text = aliases.update(&all).map_err(|error| self.named(error))?;
        let mut actions = vec![self.action_with(Write::Update(text), &node, expected, aliases)?];
        actions.extend(guards);
        Ok(actions)
    }

    /// An update of an item that may be missing.
    pub(super) fn upsert(&self, changes: &[expr::Action]) -> Result<Vec<Action>, Error> {
        overlapping::<E>(changes)?;
        let mut aliases = Aliases::default();
        let all: Vec<&expr::Action> = changes.iter().collect();
        let text = aliases.update(&all).map_err(|error| self.named(error))?;
        let expected = self.expected(State::Any, None);
        Ok(vec![self.action_with(Write::Update(text), &Node::ALWAYS, expected, aliases)?])
    }

    /// What a change of the item does to its guards, by unique field.
    fn guard_changes(
        &self,
        item: &E,
        known: &Known<'_, E>,
        expiry_changes: bool,
    ) -> Result<Vec<(&'static UniqueField, Vec<Action>)>, Error> {
        let new = E::guards(known)?;
        let expires = match E::expires(known)? {
            Some(expires) => expires,
            None => E::expires(&Known::item(item))?.flatten(),
        };
        let mut changes = Vec::new();
        for (at, old) in E::guards(&Known::item(item))? {
            let unique = &E::SCHEMA.unique[at];
            let decided = new.iter().find(|(field, _)| *field == at);
            let new = decided.map_or_else(|| old.clone(), |(_, new)| new.clone());
            let actions: Vec<_> = if new != old {
                let taken = new.map(|new| self.take(unique, new, expires));
                let given_up = old.map(|old| self.give_up(unique, old));
                taken.into_iter().chain(given_up).collect::<Result<_, _>>()?
            } else if expiry_changes || (decided.is_some() && !known.is_whole()) {
                // The guard expires with the item. A value that is set although it is the same gets
                // the guard that an item stored before the field was unique does not have.
                let kept = new.map(|kept| self.keep(unique, kept, expires));
                kept.into_iter().collect::<Result<_, _>>()?
            } else {
                continue;
            };
            changes.push((unique, actions));
        }
        Ok(changes)
    }

    /// Natural index keys that the changes set: as a put, an update stores no invalid one.
    fn check_natural(&self, changes: &[expr::Action]) -> Result<(), Error> {
        for slot in E::SCHEMA.slots().into_iter().filter(|slot| slot.natural && !slot.primary) {
            for change in changes {
                if let expr::Action::Set { at, value: Some(value), .. } = change
                    && at.root() == slot.attribute.name
                {
                    item::check_natural(E::SCHEMA.name, slot, value)?;
                }
            }
        }
        Ok(())
    }

    /// Puts the guard of a value that no other item may have.
    fn take(
        &self,
        unique: &'static UniqueField,
        value: KeyValue,
        expires: Option<i64>,
    ) -> Result<Action, Error> {
        let pk = attribute(E::Table::TABLE.pk.name);
        let node = self.or_expired(Node::Missing(pk));
        let mut action = self.keep(unique, value, expires)?;
        action.aliases = Aliases::default();
        action.condition = action.aliases.condition(Expression::Condition, &node)?;
        action.expected = self.expected(State::Free(unique.field), None);
        Ok(action)
    }

    /// Puts a guard that this item has already, with another time to live.
    fn keep(
        &self,
        unique: &'static UniqueField,
        value: KeyValue,
        expires: Option<i64>,
    ) -> Result<Action, Error> {
        let table = E::Table::TABLE;
        let mut guard = self.guard(unique, value)?;
        let mut stored = guard.key_item();
        stored.insert(OWNER.to_owned(), AttributeValue::S(self.key.to_string()));
        if let Some(name) = table.type_attribute {
            stored.insert(name.to_owned(), AttributeValue::S(GUARD_TYPE.to_owned()));
        }
        if let (Some(name), Some(expires)) = (ttl::attribute_of::<E>(), expires) {
            stored.insert(name.to_owned(), AttributeValue::N(expires.to_string()));
        }
        guard.write = Write::Put(Stored::Item(stored));
        Ok(guard)
    }

    /// Deletes the guard of a value that the item had.
    fn give_up(&self, unique: &'static UniqueField, value: KeyValue) -> Result<Action, Error> {
        self.guard(unique, value)
    }

    /// A guard is changed by the item that it names. An item stored before its field was unique has
    /// none, and another's may have come to guard its value.
    fn own_guard(&self) -> Node {
        let owner = AttributeValue::S(self.key.to_string());
        Node::Any(vec![
            Node::Missing(attribute(E::Table::TABLE.pk.name)),
            Node::Compare(Operand::Path(attribute(OWNER)), "=", owner),
        ])
    }

    fn guard(&self, unique: &'static UniqueField, pk: KeyValue) -> Result<Action, Error> {
        let sk = match &unique.sk {
            Some(slot) => slot.render(&[], None)?,
            None => None,
        };
        let key = KeyParts { pk, sk };
        let mut aliases = Aliases::default();
        Ok(Action {
            table: self.table.name().to_owned(),
            schema: E::Table::TABLE,
            entity: E::SCHEMA.name,
            key,
            write: Write::Delete,
            condition: aliases.condition(Expression::Condition, &self.own_guard())?,
            aliases,
            expected: self.expected(State::Free(unique.field), None),
        })
    }

    /// An error of an expression, with the item that it was for.
    fn named(&self, error: Error) -> Error {
        error.in_expression_for(E::SCHEMA.name, self.key)
    }

    fn action(&self, write: Write, node: &Node, expected: Expected) -> Result<Action, Error> {
        self.action_with(write, node, expected, Aliases::default())
    }

    fn action_with(
        &self,
        write: Write,
        node: &Node,
        expected: Expected,
        mut aliases: Aliases,
    ) -> Result<Action, Error> {
        let condition = aliases.condition(Expression::Condition, node);
        let condition = condition.map_err(|error| self.named(error))?;
        Ok(Action {
            table: self.table.name().to_owned(),
            schema: E::Table::TABLE,
            entity: E::SCHEMA.name,
            key: self.key.clone(),
            write,
            condition,
            aliases,
            expected,
        })
    }

    fn expected(&self, state: State, version: Option<u64>) -> Expected {
        let version = E::SCHEMA.version.zip(version);
        let ttl = ttl::attribute_of::<E>().map(|name| (name, self.now));
        Expected { state, version, ttl, unchanged: Vec::new() }
    }

    /// The item is there, and not expired.
    fn alive(&self) -> Node {
        self.not_expired(is_there::<E>())
    }

    fn not_expired(&self, node: Node) -> Node {
        match ttl::attribute_of::<E>() {
            Some(name) => node.and(ttl::alive(name, self.now)),
            None => node,
        }
    }

    /// An expired item counts as absent.
    fn or_expired(&self, node: Node) -> Node {
        match ttl::attribute_of::<E>() {
            Some(name) => Node::Any(vec![node, ttl::expired(name, self.now)]),
            None => node,
        }
    }
}

/// Two changes of one place.
fn overlapping<E: Entity>(changes: &[expr::Action]) -> Result<(), Error> {
    let name = E::SCHEMA.name;
    match expr::overlap(changes) {
        None => Ok(()),
        Some((one, other)) if one == other => Err(Error::expression(format!(
            "`{one}` is changed twice in one update of `{name}`: leave one out"
        ))),
        Some((one, other)) => Err(Error::expression(format!(
            "`{one}` and `{other}` overlap in one update of `{name}`: change the whole, or its parts"
        ))),
    }
}

/// The attribute of a guard that names the key of the item which has the value.
const OWNER: &str = "_of";
/// What the type attribute of a guard holds; no entity's name has a `$`.
const GUARD_TYPE: &str = "$unique";

fn is_there<E: Entity>() -> Node {
    Node::Exists(attribute(E::Table::TABLE.pk.name))
}

/// The stored version; an item that has none yet counts as version 0.
fn is_version(name: &'static str, version: u64) -> Node {
    let equal =
        Node::Compare(Operand::Path(attribute(name)), "=", AttributeValue::N(version.to_string()));
    if version == 0 { Node::Any(vec![Node::Missing(attribute(name)), equal]) } else { equal }
}

/// An attribute of the caller's item. Serde may have filled it in: then the stored item does not
/// have it.
fn known<E: Entity>(item: &E, name: &str) -> Result<Unchanged, Error> {
    let value = item::fields(item)?.remove(name);
    let mut without = item.to_item()?;
    without.remove(name);
    let again = E::from_item(without).ok().and_then(|item| item::fields(&item).ok());
    let or_missing =
        value.is_some() && again.is_some_and(|fields| fields.get(name) == value.as_ref());
    Ok(Unchanged { name: name.to_owned(), value, or_missing })
}

/// The condition that nothing was changed since.
fn as_known(unchanged: &[Unchanged]) -> Node {
    Node::All(unchanged.iter().map(Unchanged::node).collect())
}

fn set(name: &'static str, value: Option<AttributeValue>) -> expr::Action {
    expr::Action::Set { at: attribute(name), value, typed: None }
}

/// The item of a put, with this version, checked against the limit of 400 KB.
pub(super) fn item_of<E: Entity>(entity: &E, version: Option<u64>) -> Result<Item, Error> {
    let mut item = entity.to_item()?;
    if let (Some(name), Some(version)) = (E::SCHEMA.version, version) {
        item.insert(name.to_owned(), AttributeValue::N(version.to_string()));
    }
    let size = least_item_size(&item);
    if size > MAX_ITEM {
        let problem =
            format!("has {size} bytes; DynamoDB allows {MAX_ITEM}, attribute names included");
        return Err(Error::too_large(E::SCHEMA.name, &entity.key().to_string(), &problem));
    }
    Ok(item)
}
