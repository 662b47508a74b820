use std::collections::BTreeMap;

use monotable::{Bytes, Entity, Key, Number, Set, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", entities(Note))]
pub(crate) struct Notes;

/// Something of everything.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Notes, pk = "NOTE#<id>", sk = "NOTE")]
pub(crate) struct Note {
    pub(crate) id: String,
    pub(crate) s: Option<String>,
    pub(crate) n: Option<Number>,
    pub(crate) i: Option<i128>,
    pub(crate) f: Option<f64>,
    pub(crate) small: Option<f32>,
    pub(crate) b: Option<Bytes>,
    pub(crate) on: Option<bool>,
    pub(crate) nil: Option<()>,
    pub(crate) list: Option<Vec<u8>>,
    #[serde(default)]
    pub(crate) map: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) set: Set<String>,
    pub(crate) event: Option<Event>,
    pub(crate) any: Option<serde_json::Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
pub(crate) enum Event {
    Sent(u8),
    Read { by: String },
}

pub(crate) fn key() -> Key<Note> {
    Note::key("n1")
}
