//! Records as AWS Lambda hands them over: <https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html>.

use std::time::{SystemTime, UNIX_EPOCH};

use aws_lambda_events::event::dynamodb::EventRecord;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{AttributeValue, StreamViewType};
use serde_dynamo::AttributeValue as LambdaValue;

use super::Change;
use super::record::{Identity, Record};
use crate::collection::ItemKind;
use crate::entity::Item;
use crate::error::Error;

impl<K: ItemKind> TryFrom<EventRecord> for Change<K> {
    type Error = Error;

    /// # Errors
    ///
    /// [`Error::is_decode`]: an image is not what its kind expects, or the record is of another table
    /// or lacks what every record has.
    fn try_from(record: EventRecord) -> Result<Self, Error> {
        let change = record.change;
        let created_at = SystemTime::from(change.approximate_creation_date_time);
        Record {
            event_name: Some(record.event_name),
            identity: record
                .user_identity
                .map(|identity| Identity { ty: identity.type_, principal: identity.principal_id }),
            event_id: Some(record.event_id).filter(|id| !id.is_empty()),
            sequence_number: change.sequence_number,
            // Where the record has none, the event says 1970.
            created_at: Some(created_at).filter(|at| *at != UNIX_EPOCH),
            view: change.stream_view_type.map(|view| StreamViewType::from(&*view.to_string())),
            keys: item(change.keys),
            old: item(change.old_image),
            new: item(change.new_image),
        }
        .into_change()
    }
}

impl<K: ItemKind> TryFrom<&EventRecord> for Change<K> {
    type Error = Error;

    /// # Errors
    ///
    /// As for the record itself.
    fn try_from(record: &EventRecord) -> Result<Self, Error> {
        record.clone().try_into()
    }
}

/// An image that the record does not have is empty in the event; no item is.
fn item(item: serde_dynamo::Item) -> Option<Item> {
    let values = item.into_inner();
    let entry = |(name, of)| (name, value(of));
    (!values.is_empty()).then(|| values.into_iter().map(entry).collect())
}

fn value(value: LambdaValue) -> AttributeValue {
    match value {
        LambdaValue::S(text) => AttributeValue::S(text),
        LambdaValue::N(digits) => AttributeValue::N(digits),
        LambdaValue::B(bytes) => AttributeValue::B(Blob::new(bytes)),
        LambdaValue::Bool(flag) => AttributeValue::Bool(flag),
        LambdaValue::Null(flag) => AttributeValue::Null(flag),
        LambdaValue::Ss(set) => AttributeValue::Ss(set),
        LambdaValue::Ns(set) => AttributeValue::Ns(set),
        LambdaValue::Bs(set) => AttributeValue::Bs(set.into_iter().map(Blob::new).collect()),
        LambdaValue::L(list) => AttributeValue::L(list.into_iter().map(self::value).collect()),
        LambdaValue::M(values) => {
            let entry = |(name, of)| (name, self::value(of));
            AttributeValue::M(values.into_iter().map(entry).collect())
        }
    }
}
