//! Records of a table's stream as typed changes. Needs the feature `streams` or `lambda`.
//!
//! A stream of a table holds a record for each item that was written, in the order of the writes of
//! that item, for 24 hours:
//! <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html>. A [`Change`] is made
//! by `try_from` of one record:
//!
//! | feature | from |
//! |---|---|
//! | `streams` | `aws_sdk_dynamodbstreams::types::Record`, as `GetRecords` returns it |
//! | `lambda` | `aws_lambda_events::event::dynamodb::EventRecord`, which AWS Lambda hands over |
//!
//! Both take the record or a reference to it. A record that cannot be read is an error of its own and
//! of no other; what belongs to none of the kinds is no error but [`Event::Unknown`].
//!
//! Records come at least once: keep the [`SequenceNumber`] of the last change of an item with what is
//! made of it, and skip what is not later.
//!
//! # Examples
//!
//! ```
//! use monotable::aws_sdk_dynamodb::types::StreamViewType;
//! use monotable::change::{Change, Event};
//! use monotable::{Entity, Table};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Table)]
//! #[table(pk = "PK", sk = "SK", entities(Order))]
//! struct Shop;
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
//! #[entity(table = Shop, pk = "ORDER#<order_id>", sk = "META")]
//! struct Order { order_id: String, total: u32 }
//!
//! # #[cfg(all(feature = "streams", feature = "testing"))]
//! # async fn records(
//! #     streams: &aws_sdk_dynamodbstreams::Client, table: &str,
//! # ) -> Result<Vec<aws_sdk_dynamodbstreams::types::Record>, Box<dyn std::error::Error>> {
//! #     use aws_sdk_dynamodbstreams::types::ShardIteratorType;
//! #     let listed = streams.list_streams().table_name(table).send().await?;
//! #     let stream = listed.streams().first().and_then(|stream| stream.stream_arn()).ok_or("none")?;
//! #     let described = streams.describe_stream().stream_arn(stream).send().await?;
//! #     let shards = described.stream_description().ok_or("none")?.shards();
//! #     let shard = shards.first().and_then(|shard| shard.shard_id()).ok_or("none")?;
//! #     let start = streams.get_shard_iterator().stream_arn(stream).shard_id(shard);
//! #     let start = start.shard_iterator_type(ShardIteratorType::TrimHorizon).send().await?;
//! #     let got = streams.get_records().set_shard_iterator(start.shard_iterator).send().await?;
//! #     Ok(got.records.unwrap_or_default())
//! # }
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # #[cfg(all(feature = "streams", feature = "testing"))] {
//! # let engine = monotable::testing::Embedded::start().await?;
//! let shop = Shop::table(engine.client(), "shop");
//! shop.create_table().stream(StreamViewType::NewAndOldImages).send().await?;
//! shop.create(&Order { order_id: "o1".into(), total: 5 }).send().await?;
//! shop.update(Order::key("o1")).change(|o| o.total.add(2)).send().await?;
//!
//! let mut totals = Vec::new();
//! // The records that GetRecords of the streams client returns.
//! for record in records(&engine.streams_client(), "shop").await? {
//!     let change: Change<Order> = record.try_into()?;
//!     match change.event {
//!         Event::Insert { new: Some(order) } => totals.push((0, order.total)),
//!         Event::Modify { old: Some(old), new: Some(new) } => totals.push((old.total, new.total)),
//!         Event::Remove { .. } | Event::Expire { .. } => {}
//!         other => panic!("not written here: {other:?}"),
//!     }
//! }
//! assert_eq!(totals, [(0, 5), (5, 7)]);
//! # }
//! # Ok(()) }
//! ```

#[cfg(feature = "lambda")]
mod lambda;
mod record;
mod sequence;
#[cfg(feature = "streams")]
mod streams;

use std::time::SystemTime;

use aws_sdk_dynamodb::types::StreamViewType;

pub use self::sequence::{NoSequence, SequenceNumber};
use crate::collection::ItemKind;
use crate::entity::{Entity, Item, Key};
use crate::item;
use crate::schema::Schema;

/// A change of one item, of an entity or of an enum of entities.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Change<K> {
    /// What happened.
    pub event: Event<K>,
    /// The key attributes of the item, which every record has.
    pub keys: Item,
    /// The position among the changes of the item.
    pub sequence_number: SequenceNumber,
    /// About when the change happened, rounded down to the second.
    pub created_at: Option<SystemTime>,
    /// The identity of the record. A record that is read twice has the same.
    pub event_id: Option<String>,
    /// Which images the stream gives.
    pub view: Option<StreamViewType>,
    entity: Option<&'static str>,
}

/// What happened to an item.
///
/// An image is `None` where the stream's view type does not give it: `new` with `OLD_IMAGE` and
/// `KEYS_ONLY`, `old` with `NEW_IMAGE` and `KEYS_ONLY`.
#[derive(Debug, Clone, PartialEq)]
pub enum Event<K> {
    /// The item did not exist.
    Insert {
        /// The item that exists now.
        new: Option<K>,
    },
    /// The item existed, and is another now.
    Modify {
        /// The item before.
        old: Option<K>,
        /// The item that exists now.
        new: Option<K>,
    },
    /// A writer removed the item, be it one that was already expired.
    Remove {
        /// The item before.
        old: Option<K>,
    },
    /// DynamoDB removed the item as its time to live was over. In the other regions of a global table
    /// that is a [`Remove`](Self::Remove), as their streams do not say why:
    /// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html>.
    Expire {
        /// The item before.
        old: Option<K>,
    },
    /// An image, or the key where there are none, is of no kind of `K`, and `K` does not keep such
    /// items.
    Unknown(RawEvent),
    /// The item is a guard of a unique field: one of the library's own, which are written in one
    /// transaction with the item whose field it is.
    Guard(RawEvent),
}

/// What happened to an item that is no `K`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RawEvent {
    /// What happened.
    pub name: EventName,
    /// The item before, as stored.
    pub old: Option<Item>,
    /// The item that exists now, as stored.
    pub new: Option<Item>,
}

/// What happens to items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventName {
    /// The item did not exist.
    Insert,
    /// The item existed, and is another now.
    Modify,
    /// A writer removed the item.
    Remove,
    /// DynamoDB removed the item as its time to live was over.
    Expire,
}

impl<K: ItemKind> Change<K> {
    /// The name of the kind of `K` that the item is: of the new image where there are two.
    pub fn entity(&self) -> Option<&'static str> {
        self.entity
    }

    /// The key of the item, if that is an `E`: by the type attribute of an image, else by the key
    /// itself. For another `E` than those of `K` the key alone decides.
    pub fn key<E: Entity<Table = K::Table>>(&self) -> Option<Key<E>> {
        let is_of = match self.entity {
            Some(entity) => entity == E::SCHEMA.name,
            None => item::is_of(<E::Table as Schema>::TABLE, E::SCHEMA, &self.keys),
        };
        is_of.then(|| Key::of_item(&self.keys)).flatten()
    }

    /// The images: the one before and the one now, as far as the event has them.
    pub fn images(&self) -> (Option<&K>, Option<&K>) {
        match &self.event {
            Event::Insert { new } => (None, new.as_ref()),
            Event::Modify { old, new } => (old.as_ref(), new.as_ref()),
            Event::Remove { old } | Event::Expire { old } => (old.as_ref(), None),
            Event::Unknown(_) | Event::Guard(_) => (None, None),
        }
    }
}

impl<K> Event<K> {
    /// What happened, whatever the item is.
    pub fn name(&self) -> EventName {
        match self {
            Event::Insert { .. } => EventName::Insert,
            Event::Modify { .. } => EventName::Modify,
            Event::Remove { .. } => EventName::Remove,
            Event::Expire { .. } => EventName::Expire,
            Event::Unknown(raw) | Event::Guard(raw) => raw.name,
        }
    }
}
