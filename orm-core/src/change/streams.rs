//! Records as the SDK of DynamoDB Streams reads them. Its values are types of their own, with the
//! same ten variants.

use std::time::SystemTime;

use aws_sdk_dynamodb::types::{AttributeValue, StreamViewType};
use aws_sdk_dynamodbstreams::types::{AttributeValue as StreamValue, Record as StreamRecord};

use super::Change;
use super::record::{Identity, Record};
use crate::codec::CodecError;
use crate::collection::ItemKind;
use crate::entity::Item;
use crate::error::Error;

impl<K: ItemKind> TryFrom<StreamRecord> for Change<K> {
    type Error = Error;

    /// # Errors
    ///
    /// [`Error::is_decode`]: an image is not what its kind expects, or the record is of another table
    /// or lacks what every record has.
    fn try_from(record: StreamRecord) -> Result<Self, Error> {
        let change = record.dynamodb;
        let (mut keys, mut old, mut new) = (None, None, None);
        let mut raw = Record {
            event_name: record.event_name.map(|name| name.as_str().to_owned()),
            identity: record.user_identity.map(|identity| Identity {
                ty: identity.r#type.unwrap_or_default(),
                principal: identity.principal_id.unwrap_or_default(),
            }),
            event_id: record.event_id,
            ..Record::default()
        };
        if let Some(change) = change {
            raw.sequence_number = change.sequence_number;
            raw.created_at =
                change.approximate_creation_date_time.and_then(|at| SystemTime::try_from(at).ok());
            raw.view = change.stream_view_type.map(|view| StreamViewType::from(view.as_str()));
            (keys, old, new) = (change.keys, change.old_image, change.new_image);
        }
        let item = |values: Option<Values>| values.map(item::<K>).transpose();
        (raw.keys, raw.old, raw.new) = (item(keys)?, item(old)?, item(new)?);
        raw.into_change()
    }
}

impl<K: ItemKind> TryFrom<&StreamRecord> for Change<K> {
    type Error = Error;

    /// # Errors
    ///
    /// As for the record itself.
    fn try_from(record: &StreamRecord) -> Result<Self, Error> {
        record.clone().try_into()
    }
}

type Values = std::collections::HashMap<String, StreamValue>;

fn item<K: ItemKind>(values: Values) -> Result<Item, Error> {
    map(values).map_err(|error| Error::decode(K::NAME, None, error))
}

fn map(values: Values) -> Result<Item, CodecError> {
    let value = |(name, of): (String, StreamValue)| match value(of) {
        Some(value) => Ok((name, value)),
        None => {
            Err(CodecError::at("its type is newer than the SDK, which has to be updated", &name))
        }
    };
    values.into_iter().map(value).collect()
}

/// `None` for a variant that the SDK does not know.
fn value(value: StreamValue) -> Option<AttributeValue> {
    Some(match value {
        StreamValue::S(text) => AttributeValue::S(text),
        StreamValue::N(digits) => AttributeValue::N(digits),
        StreamValue::B(bytes) => AttributeValue::B(bytes),
        StreamValue::Bool(flag) => AttributeValue::Bool(flag),
        StreamValue::Null(flag) => AttributeValue::Null(flag),
        StreamValue::Ss(set) => AttributeValue::Ss(set),
        StreamValue::Ns(set) => AttributeValue::Ns(set),
        StreamValue::Bs(set) => AttributeValue::Bs(set),
        StreamValue::L(list) => {
            AttributeValue::L(list.into_iter().map(self::value).collect::<Option<_>>()?)
        }
        StreamValue::M(values) => {
            let entry = |(name, of)| Some((name, self::value(of)?));
            AttributeValue::M(values.into_iter().map(entry).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}
