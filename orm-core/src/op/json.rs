//! The JSON of a request, for `explain`: names in a fixed order, values as DynamoDB's JSON.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use aws_sdk_dynamodb::types::AttributeValue;
use aws_smithy_types::base64;

use crate::entity::Item;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Text(String),
    Number(String),
    Bool(bool),
    List(Vec<Json>),
    Map(BTreeMap<String, Json>),
    /// Members in the order given.
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    pub(crate) fn text(text: impl Into<String>) -> Json {
        Json::Text(text.into())
    }

    /// The members that are there, in the order given.
    pub(crate) fn object(members: Vec<(&'static str, Option<Json>)>) -> Json {
        let members = members.into_iter();
        Json::Object(members.filter_map(|(name, json)| json.map(|json| (name, json))).collect())
    }

    /// The member of an object.
    pub(crate) fn get(&self, member: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => {
                members.iter().find(|(name, _)| *name == member).map(|(_, json)| json)
            }
            _ => None,
        }
    }

    /// The elements of a list; anything else has none.
    pub(crate) fn len(&self) -> usize {
        match self {
            Json::List(list) => list.len(),
            _ => 0,
        }
    }

    pub(crate) fn item(item: &Item) -> Json {
        Json::Map(item.iter().map(|(name, value)| (name.clone(), Json::attribute(value))).collect())
    }

    pub(crate) fn names(names: &HashMap<String, String>) -> Json {
        Json::Map(
            names.iter().map(|(alias, name)| (alias.clone(), Json::text(name.clone()))).collect(),
        )
    }

    fn attribute(value: &AttributeValue) -> Json {
        let texts = |list: &[String]| Json::List(list.iter().map(Json::text).collect());
        let (ty, json) = match value {
            AttributeValue::S(text) => ("S", Json::text(text)),
            AttributeValue::N(digits) => ("N", Json::text(digits)),
            AttributeValue::B(blob) => ("B", Json::Text(base64::encode(blob))),
            AttributeValue::Bool(flag) => ("BOOL", Json::Bool(*flag)),
            AttributeValue::Null(flag) => ("NULL", Json::Bool(*flag)),
            AttributeValue::M(map) => ("M", Json::item(map)),
            AttributeValue::L(list) => {
                ("L", Json::List(list.iter().map(Json::attribute).collect()))
            }
            AttributeValue::Ss(set) => ("SS", texts(set)),
            AttributeValue::Ns(set) => ("NS", texts(set)),
            AttributeValue::Bs(set) => (
                "BS",
                Json::List(set.iter().map(|blob| Json::Text(base64::encode(blob))).collect()),
            ),
            other => ("unknown", Json::Text(format!("{other:?}"))),
        };
        Json::Object(vec![(ty, json)])
    }
}

/// Compact, on one line.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Text(text) => quoted(f, text),
            Json::Number(digits) => f.write_str(digits),
            Json::Bool(flag) => write!(f, "{flag}"),
            Json::List(list) => {
                f.write_str("[")?;
                for (at, json) in list.iter().enumerate() {
                    write!(f, "{}{json}", if at == 0 { "" } else { "," })?;
                }
                f.write_str("]")
            }
            Json::Map(map) => members(f, map.iter().map(|(name, json)| (name.as_str(), json))),
            Json::Object(list) => members(f, list.iter().map(|(name, json)| (*name, json))),
        }
    }
}

fn members<'a>(
    f: &mut fmt::Formatter<'_>,
    members: impl Iterator<Item = (&'a str, &'a Json)>,
) -> fmt::Result {
    f.write_str("{")?;
    for (at, (name, json)) in members.enumerate() {
        f.write_str(if at == 0 { "" } else { "," })?;
        quoted(f, name)?;
        write!(f, ":{json}")?;
    }
    f.write_str("}")
}

fn quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for ch in text.chars() {
        match ch {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            ch if u32::from(ch) < 0x20 => write!(f, "\\u{:04x}", u32::from(ch))?,
            ch => write!(f, "{ch}")?,
        }
    }
    f.write_str("\"")
}
