//! What DynamoDB holds, without the library.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::{AttributeValue, DeleteRequest, WriteRequest};
use monotable::{Entity, Item, Number, Schema, Table};

use super::subject::Subject;

pub(super) async fn read<E: Subject>(table: &Table<E::Table>, item: &E) -> Option<Item> {
    let get = table.client().get_item().table_name(table.name()).consistent_read(true);
    get.set_key(Some(Entity::key(item).to_item().unwrap())).send().await.unwrap().item
}

pub(super) async fn all<E: Subject>(table: &Table<E::Table>) -> Vec<Item> {
    let scan = table.client().scan().table_name(table.name()).consistent_read(true);
    let items = scan.into_paginator().items().send();
    items.collect::<Result<Vec<_>, _>>().await.unwrap()
}

/// Deletes up to 25 items.
pub(super) async fn delete<E: Subject>(table: &Table<E::Table>, items: &[Item]) {
    let schema = <E::Table as Schema>::TABLE;
    let request = |item: &Item| {
        let names = [Some(schema.pk), schema.sk].into_iter().flatten();
        let key = names.map(|key| (key.name.to_owned(), item[key.name].clone())).collect();
        let delete = DeleteRequest::builder().set_key(Some(key)).build().unwrap();
        WriteRequest::builder().delete_request(delete).build()
    };
    let requests: Vec<_> = items.iter().map(request).collect();
    if !requests.is_empty() {
        let batch = table.client().batch_write_item().request_items(table.name(), requests);
        batch.send().await.unwrap();
    }
}

/// With one form for equal numbers and equal sets.
pub(super) fn canonical(item: &Item) -> BTreeMap<&str, String> {
    item.iter().map(|(name, value)| (name.as_str(), form(value))).collect()
}

fn form(value: &AttributeValue) -> String {
    let number = |text: &String| text.parse::<Number>().unwrap().to_string();
    match value {
        AttributeValue::N(text) => number(text),
        AttributeValue::Ns(texts) => {
            let mut numbers: Vec<_> = texts.iter().map(number).collect();
            numbers.sort();
            format!("{numbers:?}")
        }
        AttributeValue::Ss(texts) => {
            let mut texts = texts.clone();
            texts.sort();
            format!("{texts:?}")
        }
        AttributeValue::L(values) => format!("{:?}", values.iter().map(form).collect::<Vec<_>>()),
        AttributeValue::M(map) => format!("{:?}", canonical(map)),
        other => format!("{other:?}"),
    }
}

/// The text of a key attribute.
pub(super) fn text(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) | AttributeValue::N(text) => text.clone(),
        other => format!("{other:?}"),
    }
}
