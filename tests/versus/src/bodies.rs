//! Answers as DynamoDB writes them.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::model::{Mixed, Order};

/// An order as it is stored: keys, type attribute and the fields.
pub fn order(order: &Order) -> Value {
    let mut item = attributes(order);
    item.insert("PK".to_owned(), json!({ "S": order.pk() }));
    item.insert("SK".to_owned(), json!({ "S": order.sk() }));
    item.insert("_type".to_owned(), json!({ "S": "Order" }));
    item.into()
}

pub fn mixed(mixed: &Mixed) -> Value {
    let mut item = attributes(mixed);
    let numbers: Vec<String> = mixed.ns.iter().map(i32::to_string).collect();
    item.insert("ss".to_owned(), json!({ "SS": mixed.ss }));
    item.insert("ns".to_owned(), json!({ "NS": numbers }));
    item.into()
}

/// The fields of a struct as attributes.
pub fn attributes(item: &impl Serialize) -> Map<String, Value> {
    let Ok(Value::Object(fields)) = serde_json::to_value(item) else {
        panic!("an item is a struct");
    };
    fields.into_iter().map(|(name, value)| (name, attribute(value))).collect()
}

fn attribute(value: Value) -> Value {
    match value {
        Value::Null => json!({ "NULL": true }),
        Value::Bool(bool) => json!({ "BOOL": bool }),
        // DynamoDB answers `5`, where serde_json writes `5.0`.
        Value::Number(number) if number.is_f64() => {
            json!({ "N": number.as_f64().unwrap_or_default().to_string() })
        }
        Value::Number(number) => json!({ "N": number.to_string() }),
        Value::String(text) => json!({ "S": text }),
        Value::Array(list) => json!({ "L": list.into_iter().map(attribute).collect::<Vec<_>>() }),
        Value::Object(map) => {
            let map = map.into_iter().map(|(name, value)| (name, attribute(value)));
            json!({ "M": map.collect::<Map<_, _>>() })
        }
    }
}

/// The answer to GetItem.
pub fn get(item: &Value) -> Vec<u8> {
    json!({ "Item": item }).to_string().into_bytes()
}

/// The answer to Query: a page, and the key of its last item where another one follows.
pub fn page(items: &[Value], last_key: Option<&Value>) -> Vec<u8> {
    let (count, items) = (items.len(), Value::from(items));
    let last_key = last_key.map(|key| format!(r#""LastEvaluatedKey":{key},"#)).unwrap_or_default();
    format!(r#"{{"Count":{count},"Items":{items},{last_key}"ScannedCount":{count}}}"#).into_bytes()
}
