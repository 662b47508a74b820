//! Parts of the library, for `benches/`, which measures them one by one. Not public: it changes in any
//! release, and semver does not cover it.

use std::sync::Arc;

use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::ser_de::DeserializeResponse;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::config_bag::ConfigBag;

use crate::codec::json::{self, Span, Text, Unread};
use crate::cursor::{Cursor, Position};
use crate::entity::{Entity, Item};
use crate::error::Error;
use crate::expr::Node;
use crate::found::{Decoder, Row};
use crate::item;
use crate::key::KeyValue;
use crate::op::{RawPage, Reader, Returned};
use crate::pattern::IntoPattern;
use crate::schema::Schema;
use crate::shard::Merge;
use crate::table::Table;
use crate::wire::{CustomQuery, Decode, Holder};

/// The text of an item, as a put sends it; `None` where that is left to `Entity::to_item`.
pub fn write<E: Entity>(entity: &E) -> Option<String> {
    let key = entity.key();
    item::encode_json(entity, key.parts().ok()?, None).ok()
}

/// The entities of a list of items; `None` where one of them is left to `Entity::from_item`.
pub fn read<E: Entity>(items: &str) -> Option<Vec<E>> {
    let Decoder { shown, read, .. } = item::decoder::<E>(None);
    let mut kept = vec![Span::default(); shown.kept()];
    list(items, |text| {
        kept.fill(Span::default());
        read(text, &shown, &mut kept)?.ok_or(Unread)
    })
}

/// The same list as the maps that `Entity::from_item` takes.
pub fn read_maps(items: &str) -> Option<Vec<Item>> {
    list(items, json::item)
}

fn list<T>(
    items: &str,
    mut read: impl FnMut(&mut Text<'_>) -> Result<T, Unread>,
) -> Option<Vec<T>> {
    let mut text = Text::new(items);
    text.enter(b'[').ok()?;
    let (mut is_first, mut values) = (true, Vec::new());
    while text.element(&mut is_first).ok()? {
        values.push(read(&mut text).ok()?);
    }
    Some(values)
}

/// A cursor behind items with these key attributes, one a partition.
pub fn cursor(items: &[&[&str]]) -> Cursor {
    let value = |text: &&str| KeyValue::S((*text).into());
    let after = |item: &&[&str]| Position::After(item.iter().map(value).collect());
    Cursor::new(0, false, items.iter().map(after).collect())
}

/// A query whose pages are read, and none of whose items is taken.
#[allow(missing_debug_implementations)]
pub struct Pages<E: Entity>(Merge<E::Table, E>);

impl<E: Entity> Pages<E> {
    /// `bodies`: the answer to the last Query of each partition.
    ///
    /// # Errors
    ///
    /// A pattern with a key that cannot be rendered, or a body that is no answer.
    pub fn new(
        table: &Table<E::Table>,
        pattern: impl IntoPattern<Entity = E>,
        bodies: &[String],
    ) -> Result<Self, Error> {
        let plan = pattern.into_pattern().plan()?;
        let index = plan.index.and_then(|index| E::Table::TABLE.index(index.name));
        let reader = Reader {
            table: table.clone(),
            entity: E::SCHEMA.name,
            pattern: None,
            index,
            descending: false,
            consistent: false,
            returned: Returned::Items,
            filter: Node::ALWAYS,
            is_selective: false,
            custom: CustomQuery::NONE,
        };
        let mut merge = Merge::of(Arc::new(reader), &plan.ranges, item::decoder::<E>);
        let decoder = item::decoder::<E>(index);
        for (at, body) in (0..plan.ranges.len()).zip(bodies) {
            let rows = rows(body, &decoder).ok_or_else(|| Error::answer("is none to a Query"))?;
            merge.turn(at, RawPage { count: rows.len(), rows, next: None })?;
        }
        Ok(Pages(merge))
    }

    /// The items in key order.
    ///
    /// # Errors
    ///
    /// An item that is no `E`.
    pub fn merge(&mut self) -> Result<Vec<E>, Error> {
        let mut items = Vec::new();
        self.0.take_ready(usize::MAX, &mut items)?;
        Ok(items)
    }
}

fn rows<E: Entity>(body: &str, decoder: &Decoder<E>) -> Option<Vec<Row<E>>> {
    let decode = Decode::new(Holder::QUERY, decoder);
    let response = HttpResponse::new(200.try_into().ok()?, SdkBody::from(body));
    let output = decode.deserialize_nonstreaming_with_config(&response, &ConfigBag::base()).ok()?;
    Some(decode.rows(output.downcast::<QueryOutput>().ok()?.items.unwrap_or_default()))
}
