use std::time::SystemTime;

use aws_sdk_dynamodb::types::StreamViewType;

use super::sequence::NoSequence;
use super::{Change, Event, EventName, RawEvent, SequenceNumber};
use crate::codec::CodecError;
use crate::collection::{ItemKind, kind_of};
use crate::entity::{Item, KeyParts};
use crate::error::Error;
use crate::item;
use crate::schema::Schema;

/// A record, whoever read it.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) event_name: Option<String>,
    pub(super) identity: Option<Identity>,
    pub(super) event_id: Option<String>,
    pub(super) sequence_number: Option<String>,
    pub(super) created_at: Option<SystemTime>,
    pub(super) view: Option<StreamViewType>,
    pub(super) keys: Option<Item>,
    pub(super) old: Option<Item>,
    pub(super) new: Option<Item>,
}

/// Who changed the item, where the record says so.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) ty: String,
    pub(super) principal: String,
}

impl Identity {
    /// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html>
    fn is_ttl(&self) -> bool {
        self.ty == "Service" && self.principal == "dynamodb.amazonaws.com"
    }
}

impl Record {
    pub(super) fn into_change<K: ItemKind>(self) -> Result<Change<K>, Error> {
        let table = K::Table::TABLE;
        let Some(keys) = self.keys.filter(|keys| !keys.is_empty()) else {
            return Err(unreadable::<K>(None, "its stream record has no keys"));
        };
        let Some(key) = KeyParts::of_item(table, &keys) else {
            let sort = table.sk.map(|sk| format!(" and `{}`", sk.name)).unwrap_or_default();
            let problem = format!(
                "its stream record does not have the key attributes `{}`{sort} of `{}`: it is of another table",
                table.pk.name, table.name
            );
            return Err(unreadable::<K>(None, &problem));
        };
        let unreadable = |problem: &str| unreadable::<K>(Some(key.to_string()), problem);
        let is_ttl = self.identity.as_ref().is_some_and(Identity::is_ttl);
        let name = match self.event_name.as_deref() {
            Some("INSERT") => EventName::Insert,
            Some("MODIFY") => EventName::Modify,
            Some("REMOVE") if is_ttl => EventName::Expire,
            Some("REMOVE") => EventName::Remove,
            Some(name) => {
                let problem = format!(
                    "its stream record tells of a `{name}`, which is none of `INSERT`, `MODIFY` and `REMOVE`"
                );
                return Err(unreadable(&problem));
            }
            None => return Err(unreadable("its stream record does not say what happened")),
        };
        let Some(sequence_number) = self.sequence_number else {
            return Err(unreadable("its stream record has no sequence number"));
        };
        let sequence_number: SequenceNumber =
            sequence_number.parse().map_err(|error: NoSequence| unreadable(&error.to_string()))?;
        let raw = RawEvent { name, old: self.old, new: self.new };
        let (entity, event) = if item::is_guard(table, &keys) {
            (None, Event::Guard(raw))
        } else {
            event::<K>(&keys, raw)?
        };
        Ok(Change {
            event,
            keys,
            sequence_number,
            created_at: self.created_at,
            event_id: self.event_id,
            view: self.view,
            entity: entity.map(|at| K::KINDS[at].name),
        })
    }
}

fn unreadable<K: ItemKind>(key: Option<String>, problem: &str) -> Error {
    Error::decode(K::NAME, key, CodecError::new(problem))
}

/// The typed event, and the kind of the item by the latest image.
fn event<K: ItemKind>(keys: &Item, raw: RawEvent) -> Result<(Option<usize>, Event<K>), Error> {
    let keeps_unknown = K::raw(Item::new()).is_some();
    let (old, new) = (raw.old.as_ref().map(kind_of::<K>), raw.new.as_ref().map(kind_of::<K>));
    let entity = new.or(old).unwrap_or_else(|| kind_of::<K>(keys));
    let knows_images = [old, new].into_iter().flatten().all(|kind| kind.is_some());
    let has_images = old.is_some() || new.is_some();
    if !(keeps_unknown || knows_images && (has_images || entity.is_some())) {
        return Ok((None, Event::Unknown(raw)));
    }
    // Every image is of a kind, or kept as it is.
    let image = |item: Option<Item>, kind: Option<Option<usize>>| match (item, kind.flatten()) {
        (Some(item), Some(at)) => K::decode(at, item.into()).map(Some),
        (Some(item), None) => Ok(K::raw(item)),
        (None, _) => Ok(None),
    };
    let (old, new) = (image(raw.old, old)?, image(raw.new, new)?);
    let event = match raw.name {
        EventName::Insert => Event::Insert { new },
        EventName::Modify => Event::Modify { old, new },
        EventName::Remove => Event::Remove { old },
        EventName::Expire => Event::Expire { old },
    };
    Ok((entity, event))
}
