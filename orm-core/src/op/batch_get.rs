use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::marker::PhantomData;

use aws_sdk_dynamodb::operation::batch_get_item::builders::BatchGetItemFluentBuilder;
use aws_sdk_dynamodb::types::KeysAndAttributes;

use super::batch::{self, Answer, Batch};
use super::json::Json;
use super::with_capacity::capacity_method;
use super::{Explanation, Request};
use crate::entity::{Entity, Item, Key, KeyParts};
use crate::error::{Context, Error, Incomplete, Undone};
use crate::expr::Aliases;
use crate::found::{Decoder, Found, Row};
use crate::meter::Label;
use crate::projection::{Output, Projection, Selected, Whole};
use crate::schema::Schema;
use crate::table::Table;
use crate::ttl;
use crate::wire::{
    CustomBatchGet, Customize, Decode, Holder, Watch, attempt, customize_method, span,
};

/// Many items by their keys: one BatchGetItem per 100 keys, at most 4 at once, and further ones for
/// what DynamoDB leaves over. No key sends nothing.
///
/// A key that is asked for twice is sent once and answered twice. Keys are compared as DynamoDB
/// compares them, attribute by attribute and numbers by value.
///
/// DynamoDB leaves keys over where it throttles, and where an answer would have more than 16 MB.
/// They are sent again after a pause, random up to 50 ms at first and up to twice as long each time,
/// up to 5 s. A request that is throttled as a whole, after the SDK's own retries, counts as one
/// that left everything over. What is not read when the budget of
/// [`max_attempts`](Self::max_attempts) is used up is an error of [`send`](Self::send), and told
/// apart from what does not exist by [`send_partial`](Self::send_partial).
///
/// Each item costs as one [`get`](Table::get) does: half a read capacity unit per 4 KB, twice that
/// when consistent; <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html>.
/// A batch is no snapshot: its items are read one by one.
///
/// # Examples
///
/// ```
/// # use monotable::{Entity, Table};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Table)]
/// # #[table(pk = "PK", entities(User))]
/// # struct App;
/// # #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
/// # #[entity(table = App, pk = "USER#<id>")]
/// # struct User { id: u32 }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let app = engine.table::<App>("app").await?;
/// app.put(&User { id: 7 }).send().await?;
/// let found = app.batch_get([8, 7].map(|id| User::key(id))).send().await?;
/// assert_eq!(found, [None, Some(User { id: 7 })]);
/// # }
/// # Ok(()) }
/// ```
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct BatchGet<E: Entity, O = Whole> {
    pub(super) table: Table<E::Table>,
    pub(super) keys: Vec<Key<E>>,
    consistent: bool,
    include_expired: bool,
    max_attempts: u32,
    custom: CustomBatchGet,
    output: PhantomData<fn() -> O>,
}

/// What a batch says of one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fetched<E> {
    /// The item.
    Found(E),
    /// There is no item.
    Absent,
    /// DynamoDB left the key over until the budget was used up: whether there is an item is not
    /// known.
    Unread,
}

impl<E> Fetched<E> {
    /// The item, if it was found.
    pub fn found(self) -> Option<E> {
        match self {
            Fetched::Found(item) => Some(item),
            Fetched::Absent | Fetched::Unread => None,
        }
    }

    /// Whether the key was not read.
    pub fn is_unread(&self) -> bool {
        matches!(self, Fetched::Unread)
    }
}

/// Keys of one request, DynamoDB's limit.
const MAX_KEYS: usize = 100;

impl<E: Entity> BatchGet<E> {
    pub(crate) fn new(table: Table<E::Table>, keys: Vec<Key<E>>) -> Self {
        BatchGet {
            table,
            keys,
            consistent: false,
            include_expired: false,
            max_attempts: batch::MAX_ATTEMPTS,
            custom: Customize::NONE,
            output: PhantomData,
        }
    }

    /// Returns the projection `P` of each item. DynamoDB reads, and bills, whole items all the same;
    /// what is saved is the way here.
    pub fn select<P: Projection<Entity = E>>(self) -> BatchGet<E, Selected<P>> {
        BatchGet {
            table: self.table,
            keys: self.keys,
            consistent: self.consistent,
            include_expired: self.include_expired,
            max_attempts: self.max_attempts,
            custom: self.custom,
            output: PhantomData,
        }
    }
}

impl<E: Entity, O: Output<E>> BatchGet<E, O> {
    /// Reads what the last successful writes stored, at twice the cost.
    pub fn consistent(mut self) -> Self {
        self.consistent = true;
        self
    }

    /// Returns items whose time to live is over as well, which DynamoDB has not yet deleted.
    pub fn include_expired(mut self) -> Self {
        self.include_expired = true;
        self
    }

    /// Gives up after so many requests in a row, of one chunk of 100 keys, that read none of them;
    /// 10 unless set, and at least 1. A request that reads some begins the count anew.
    pub fn max_attempts(mut self, n: u32) -> Self {
        self.max_attempts = n;
        self
    }

    capacity_method!(table);
    customize_method!(
        batch_get_item,
        BatchGetItemOutput,
        BatchGetItemError,
        BatchGetItemFluentBuilder
    );

    /// The first request for each 100 keys, unsent.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] if a key cannot be rendered.
    pub fn explain(&self) -> Result<Explanation, Error> {
        let Asked { keys, .. } = self.asked()?;
        let requests = keys.chunks(MAX_KEYS).map(|keys| {
            let keys = keys.iter().map(|key| Json::item(&key.to_item(E::Table::TABLE)));
            let mut members = vec![("Keys", Json::List(keys.collect()))];
            members.extend(self.consistent.then_some(("ConsistentRead", Json::Bool(true))));
            if let Some((projection, aliases)) = self.projection() {
                members.push(("ProjectionExpression", Json::text(projection)));
                members.extend(
                    aliases.names().map(|names| ("ExpressionAttributeNames", Json::names(&names))),
                );
            }
            let tables = [(self.table.name().to_owned(), Json::Object(members))];
            Request::new("BatchGetItem", vec![("RequestItems", Some(Json::Map(tables.into())))])
        });
        Ok(Explanation::of(requests.collect()))
    }

    /// The items in the order of the keys; `None` where there is none.
    ///
    /// # Errors
    ///
    /// [`Error::is_invalid_key`] before a request; [`Error::is_incomplete`], which is
    /// [`Error::is_throttled`] too, with keys left over; [`Error::is_decode`] if a stored item is no
    /// `E`; else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<Vec<Option<O::Item>>, Error> {
        let (fetched, incomplete) = self.fetch().await?;
        match incomplete {
            Some(error) => Err(error),
            None => Ok(fetched.into_iter().map(Fetched::found).collect()),
        }
    }

    /// As [`send`](Self::send), but keys left over are no error: what was read is returned, in the
    /// order of the keys.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send), without [`Error::is_incomplete`]. A failure other than throttling
    /// is an error here too, whatever was read before it.
    pub async fn send_partial(self) -> Result<Vec<Fetched<O::Item>>, Error> {
        Ok(self.fetch().await?.0)
    }

    async fn fetch(self) -> Result<(Vec<Fetched<O::Item>>, Option<Error>), Error> {
        let projection = self.projection();
        let Asked { keys, asked } = self.asked()?;
        let positions: Vec<usize> = (0..keys.len()).collect();
        let chunks = positions.chunks(MAX_KEYS).map(<[usize]>::to_vec).collect();
        let max_attempts = self.max_attempts;
        let now = self.table.now();
        let is_expired = |found: &Found| !self.include_expired && ttl::is_expired::<E>(found, now);
        let decoder = O::decoder(None);
        let fetch = Fetch {
            table: self.table,
            entity: E::SCHEMA.name,
            keys,
            consistent: self.consistent,
            projection,
            custom: self.custom,
            decoder: decoder.clone(),
        };
        let outcome = batch::run(&fetch, chunks, max_attempts).await;
        if let Some(failure) = outcome.failure.as_ref().filter(|failure| !failure.is_throttled()) {
            return Err(failure.clone());
        }
        let incomplete = outcome.left.first().map(|first| {
            Error::incomplete(Incomplete {
                context: fetch.context(keys_text(outcome.left.len())),
                undone: Undone::Reads {
                    count: outcome.left.len(),
                    of: fetch.keys.len(),
                    first: fetch.keys[*first].to_string(),
                },
                unknown: false,
                cause: outcome.failure,
                max_attempts,
            })
        });

        let mut slots: Vec<Fetched<Row<O::Item>>> =
            fetch.keys.iter().map(|_| Fetched::Absent).collect();
        for at in outcome.left {
            slots[at] = Fetched::Unread;
        }
        for (at, item) in outcome.found {
            slots[at] = Fetched::Found(item);
        }
        let mut askers = vec![0; slots.len()];
        asked.iter().for_each(|at| askers[*at] += 1);
        let fetched = asked.into_iter().map(|at| {
            askers[at] -= 1;
            match &slots[at] {
                Fetched::Found(row) if is_expired(&row.found) => return Ok(Fetched::Absent),
                Fetched::Found(row) if askers[at] > 0 => {
                    return row.found.clone().decode(&decoder).map(Fetched::Found);
                }
                _ => {}
            }
            match std::mem::replace(&mut slots[at], Fetched::Absent) {
                Fetched::Found(row) => row.into_value(&decoder).map(Fetched::Found),
                Fetched::Absent => Ok(Fetched::Absent),
                Fetched::Unread => {
                    slots[at] = Fetched::Unread;
                    Ok(Fetched::Unread)
                }
            }
        });
        Ok((fetched.collect::<Result<_, _>>()?, incomplete))
    }

    fn projection(&self) -> Option<(String, Aliases)> {
        let ttl = ttl::attribute_of::<E>().filter(|_| !self.include_expired);
        O::RETURNED.by_key(E::Table::TABLE, ttl)
    }

    fn asked(&self) -> Result<Asked, Error> {
        let (mut keys, mut asked) = (Vec::new(), Vec::with_capacity(self.keys.len()));
        let mut known = HashMap::new();
        for key in &self.keys {
            let parts = key.parts()?;
            asked.push(match known.entry(parts.clone().canonical()) {
                Entry::Occupied(entry) => *entry.get(),
                Entry::Vacant(entry) => {
                    keys.push(parts.clone());
                    *entry.insert(keys.len() - 1)
                }
            });
        }
        Ok(Asked { keys, asked })
    }
}

struct Asked {
    /// Each key once.
    keys: Vec<KeyParts>,
    /// The position in `keys` of each key that the caller gave.
    asked: Vec<usize>,
}

/// The keys of a batch, without their type.
struct Fetch<T, V> {
    table: Table<T>,
    entity: &'static str,
    keys: Vec<KeyParts>,
    consistent: bool,
    projection: Option<(String, Aliases)>,
    custom: CustomBatchGet,
    decoder: Decoder<V>,
}

impl<T: Schema, V: Send + 'static> Batch for Fetch<T, V> {
    type Found = Row<V>;

    async fn request(&self, positions: &[usize]) -> Answer<Row<V>> {
        let sent: HashMap<KeyParts, usize> =
            positions.iter().map(|at| (self.keys[*at].clone().canonical(), *at)).collect();
        let span = span!(
            "BatchGetItem",
            self.table,
            db.operation.batch.size = positions.len(),
            aws.dynamodb.consistent_read = self.consistent
        );
        let builder = match self.builder(positions) {
            Ok(builder) => builder,
            Err(error) => return Answer { found: Vec::new(), left: Err(error), lost: false },
        };
        let decode = Decode::new(Holder::BATCH_GET, &self.decoder);
        let watch = Watch::new(self.table.endpoint(), &decode);
        let (answer, lost) =
            attempt!(Label::of(self.entity); self.table, builder, self.custom, span, watch);
        match answer {
            Ok(output) => {
                // One table was asked; by which of its names the answer calls it does not matter.
                let key = |item: &Item| KeyParts::of_item(T::TABLE, item);
                let items = output.responses.unwrap_or_default().into_values().flatten();
                let rows = decode.rows(items).into_iter();
                let found = rows.filter_map(|row| {
                    let key = KeyParts::of_item(T::TABLE, &row.found)?;
                    Some((*sent.get(&key.canonical())?, row))
                });
                let found: Vec<(usize, Row<V>)> = found.collect();
                let unread = output.unprocessed_keys.unwrap_or_default();
                let unread = unread.values().flat_map(|unread| &unread.keys).map(key);
                let mut left = batch::left_over(&sent, unread);
                left.retain(|at| found.iter().all(|(read, _)| read != at));
                Answer { found, left: Ok(left), lost }
            }
            Err(error) => {
                let context = self.context(keys_text(positions.len()));
                let left = Err(Error::request(context, error));
                Answer { found: Vec::new(), left, lost }
            }
        }
    }
}

impl<T: Schema, V> Fetch<T, V> {
    fn builder(&self, positions: &[usize]) -> Result<BatchGetItemFluentBuilder, Error> {
        let keys = positions.iter().map(|at| self.keys[*at].to_item(T::TABLE)).collect();
        let (projection, aliases) = self.projection.clone().unzip();
        let keys = KeysAndAttributes::builder()
            .set_keys(Some(keys))
            .set_projection_expression(projection)
            .set_expression_attribute_names(aliases.and_then(|aliases| aliases.names()))
            .set_consistent_read(self.consistent.then_some(true))
            .build()
            .map_err(|error| Error::usage(error.to_string()))?;
        Ok(self.table.client().batch_get_item().request_items(self.table.name(), keys))
    }

    fn context(&self, target: String) -> Context {
        Context { entity: self.entity, target, ..self.table.context("BatchGetItem") }
    }
}

fn keys_text(count: usize) -> String {
    if count == 1 { "1 key".to_owned() } else { format!("{count} keys") }
}
