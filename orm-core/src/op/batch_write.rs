use std::collections::HashMap;
use std::iter;
use std::sync::Arc;

use aws_sdk_dynamodb::operation::batch_write_item::builders::BatchWriteItemFluentBuilder;
use aws_sdk_dynamodb::types::{DeleteRequest, PutRequest, WriteRequest};

use super::batch::{self, Answer, Batch, Outcome};
use super::cost::{Cost, WriteCost};
use super::json::Json;
use super::stored::Stored;
use super::subject::IntoBatchKey;
use super::with_capacity::capacity_method;
use super::{Explanation, Request, write};
use crate::entity::{Entity, KeyParts, LeavesUnique, LeavesVersion};
use crate::error::{Error, Incomplete, Undone};
use crate::meter::Label;
use crate::schema::Schema;
use crate::table::Table;
use crate::wire::{CustomBatchWrite, Customize, Sdk, Watch, attempt, customize_method, span};

/// Many puts and deletes, of any entities of the table: one BatchWriteItem per 25 writes or 16 MB of
/// JSON, at most 4 at once, and further ones for what DynamoDB leaves over. Nothing to write sends
/// nothing.
///
/// **No transaction:** each write happens by itself, in no order, and a part of them can fail. A
/// batch has no conditions; a put replaces whatever is stored under its key, as
/// [`put`](Table::put) does. Two writes to one key are an error before any request, since DynamoDB
/// refuses them; [`last_wins`](Self::last_wins) sends the last of them alone.
///
/// DynamoDB leaves writes over where it throttles. They are sent again after a pause, random up to
/// 50 ms at first and up to twice as long each time, up to 5 s. A request that is throttled as a
/// whole, after the SDK's own retries, counts as one that left everything over. When the budget of
/// [`max_attempts`](Self::max_attempts) is used up, and after any other failure, no further request
/// of 25 is begun, those under way are finished, and the error lists every write that is not
/// confirmed in [`Error::unwritten`].
///
/// Costs what the single writes cost, each item at most 400 KB;
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html>.
///
/// # Examples
///
/// ```
/// # use monotable::{Entity, Table};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Table)]
/// # #[table(pk = "PK", entities(User))]
/// # struct App;
/// # #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
/// # #[entity(table = App, pk = "USER#<id>")]
/// # struct User { id: u32 }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let app = engine.table::<App>("app").await?;
/// let users: Vec<_> = (1..=30).map(|id| User { id }).collect();
/// app.batch_write().put_all(&users).delete(User::key(31)).send().await?; // two requests
///
/// // Send again what an error lists, for example after a pause.
/// if let Err(error) = app.batch_write().put_all(&users).send().await {
///     let rest = error.unwritten().iter().map(|at| &users[*at]);
///     app.batch_write().put_all(rest).send().await?;
/// }
///
/// let twice = app.batch_write().put(&users[0]).delete(&users[0]);
/// assert!(twice.send().await.unwrap_err().to_string().contains("`USER#1`"));
/// # assert!(app.exists(&users[29]).send().await?);
/// # }
/// # Ok(()) }
/// ```
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct BatchWrite<T> {
    table: Table<T>,
    writes: Vec<Result<Write, Error>>,
    last_wins: bool,
    max_attempts: u32,
    custom: CustomBatchWrite,
}

/// One write of a batch.
#[derive(Debug)]
pub(super) struct Write {
    entity: &'static str,
    key: KeyParts,
    /// The item of a put; `None` deletes.
    item: Option<Stored>,
}

/// Writes of one request, DynamoDB's limit.
pub(super) const MAX_WRITES: usize = 25;
/// Bytes of one request: DynamoDB's limit of 16 MB, with room for what stands around the writes.
const MAX_BYTES: usize = 16_000_000;
/// `{"DeleteRequest":{"Key":}},`
const AROUND_A_WRITE: usize = 27;

impl<T: Schema> BatchWrite<T> {
    pub(crate) fn new(table: Table<T>) -> Self {
        BatchWrite {
            table,
            writes: Vec::new(),
            last_wins: false,
            max_attempts: batch::MAX_ATTEMPTS,
            custom: Customize::NONE,
        }
    }

    /// Writes an item, replacing what is there.
    pub fn put<E>(mut self, item: &E) -> Self
    where
        E: Entity<Table = T, Version: LeavesVersion<E>, Unique: LeavesUnique<E>>,
    {
        let write = item.key().into_parts().and_then(|key| {
            let stored = Stored::of(self.table.connection(), item, &key, None)?;
            Ok(Write { entity: E::SCHEMA.name, key, item: Some(stored) })
        });
        self.writes.push(write);
        self
    }

    /// Writes each of the items, as [`put`](Self::put).
    pub fn put_all<'a, E>(self, items: impl IntoIterator<Item = &'a E>) -> Self
    where
        E: Entity<Table = T, Version: LeavesVersion<E>, Unique: LeavesUnique<E>>,
    {
        items.into_iter().fold(self, Self::put)
    }

    /// Deletes an item, if it is there. A batch checks no version: an entity with one is given by its
    /// key, and whatever is stored is deleted.
    pub fn delete<E>(mut self, key: impl IntoBatchKey<E>) -> Self
    where
        E: Entity<Table = T, Unique: LeavesUnique<E>>,
    {
        self.writes.push(key.batch_key().parts().map(|key| Write::delete::<E>(key.clone())));
        self
    }

    /// Deletes each of the items, as [`delete`](Self::delete); [`Table::delete_all`] deletes the
    /// items of a pattern.
    pub fn delete_keys<E>(self, keys: impl IntoIterator<Item: IntoBatchKey<E>>) -> Self
    where
        E: Entity<Table = T, Unique: LeavesUnique<E>>,
    {
        keys.into_iter().fold(self, |batch, key| batch.delete(key))
    }

    /// Where several writes have one key, sends the last of them and leaves the others out, as if
    /// all were done one after the other. [`Error::unwritten`] lists the last alone.
    pub fn last_wins(mut self) -> Self {
        self.last_wins = true;
        self
    }

    /// Gives up after so many requests in a row, of one chunk of 25 writes, that wrote none of them;
    /// 10 unless set, and at least 1. A request that writes some begins the count anew.
    pub fn max_attempts(mut self, n: u32) -> Self {
        self.max_attempts = n;
        self
    }

    capacity_method!(table);
    customize_method!(
        batch_write_item,
        BatchWriteItemOutput,
        BatchWriteItemError,
        BatchWriteItemFluentBuilder
    );

    /// The first request for each chunk of writes, unsent.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send) before its first request.
    pub fn explain(&self) -> Result<Explanation, Error> {
        let writes = self.checked()?;
        let chunks = chunks(&self.positions(&writes)?, &writes);
        let requests = chunks.into_iter().map(|chunk| {
            let costs = chunk.iter().map(|at| writes[*at].cost::<T>()).collect();
            let writes = chunk.into_iter().map(|at| writes[at].json::<T>()).collect();
            let tables = [(self.table.name().to_owned(), Json::List(writes))];
            Request::new("BatchWriteItem", vec![("RequestItems", Some(Json::Map(tables.into())))])
                .costing(Cost::Writes(costs))
        });
        Ok(Explanation::of(requests.collect()))
    }

    /// Writes and deletes all of it.
    ///
    /// # Errors
    ///
    /// Before a request, and then nothing is written: [`Error::is_invalid_key`],
    /// [`Error::is_encode`], an item over 400 KB, two writes to one key.
    ///
    /// After one, [`Error::is_incomplete`]: [`Error::unwritten`] lists what is not confirmed, by
    /// position; [`Error::is_throttled`] if the budget was used up, else what DynamoDB or the way to
    /// it reports; [`Error::is_outcome_unknown`] if a request got no answer, so that some of the
    /// listed writes may have happened.
    pub async fn send(self) -> Result<(), Error> {
        let positions = self.positions(&self.checked()?)?;
        let writes = self.writes.into_iter().collect::<Result<Vec<_>, _>>()?;
        let chunks = chunks(&positions, &writes.iter().collect::<Vec<_>>());
        let writes = Writes { table: self.table, writes, custom: self.custom };
        let Outcome { left, unknown, failure, .. } =
            batch::run(&writes, chunks, self.max_attempts).await;
        let Some(first) = left.first() else { return Ok(()) };
        let first = format!("{} at position {first}", writes.writes[*first]);
        Err(Error::incomplete(Incomplete {
            context: writes.table.context("BatchWriteItem"),
            undone: Undone::Writes { positions: left, of: positions.len(), first },
            unknown,
            cause: failure,
            max_attempts: self.max_attempts,
        }))
    }

    fn checked(&self) -> Result<Vec<&Write>, Error> {
        self.writes.iter().map(|write| write.as_ref().map_err(Clone::clone)).collect()
    }

    /// The positions of the writes to send, ascending, no key twice.
    fn positions(&self, writes: &[&Write]) -> Result<Vec<usize>, Error> {
        let mut last = HashMap::new();
        for (at, write) in writes.iter().enumerate() {
            let Some(before) = last.insert(write.key.clone().canonical(), at) else { continue };
            if !self.last_wins {
                return Err(Error::usage(format!(
                    "the writes at positions {before} and {at}, {} and {write}, are to one item, and a batch writes an item once; leave one out, or send the last alone with `.last_wins()`",
                    writes[before],
                )));
            }
        }
        let mut positions: Vec<usize> = last.into_values().collect();
        positions.sort_unstable();
        Ok(positions)
    }
}

/// Chunks within the limits of one request.
fn chunks(positions: &[usize], writes: &[&Write]) -> Vec<Vec<usize>> {
    let mut chunks: Vec<Vec<usize>> = Vec::new();
    let mut room = 0;
    for at in positions {
        let size = writes[*at].size();
        match chunks.last_mut() {
            Some(chunk) if chunk.len() < MAX_WRITES && size <= room => {
                chunk.push(*at);
                room -= size;
            }
            _ => {
                chunks.push(vec![*at]);
                room = MAX_BYTES.saturating_sub(size);
            }
        }
    }
    chunks
}

impl Write {
    pub(super) fn delete<E: Entity>(key: KeyParts) -> Self {
        Write { entity: E::SCHEMA.name, key, item: None }
    }

    /// Bytes of JSON at most.
    fn size(&self) -> usize {
        // A key has at most 3 KB, and its attribute names 510 bytes.
        AROUND_A_WRITE + self.item.as_ref().map_or(24 * 1024, Stored::json_size)
    }

    fn cost<T: Schema>(&self) -> WriteCost {
        match &self.item {
            Some(item) => WriteCost::put(T::TABLE, &item.item(), false),
            None => WriteCost::delete(T::TABLE),
        }
    }

    fn json<T: Schema>(&self) -> Json {
        let (request, name, item) = match &self.item {
            Some(item) => ("PutRequest", "Item", Json::item(&item.item())),
            None => ("DeleteRequest", "Key", Json::item(&self.key.to_item(T::TABLE))),
        };
        Json::Object(vec![(request, Json::Object(vec![(name, item)]))])
    }

    /// With the item given, where it is a put.
    fn request<T: Schema>(&self, item: Option<Stored>) -> Result<WriteRequest, Error> {
        let builder = WriteRequest::builder();
        let request = match item {
            Some(item) => {
                let put = PutRequest::builder().set_item(Some(item.into_item()));
                put.build().map(|put| builder.put_request(put))
            }
            None => {
                let delete = DeleteRequest::builder().set_key(Some(self.key.to_item(T::TABLE)));
                delete.build().map(|delete| builder.delete_request(delete))
            }
        };
        match request {
            Ok(request) => Ok(request.build()),
            Err(error) => Err(Error::usage(error.to_string())),
        }
    }
}

/// ``put of `Order` (`ORDER#1 + META`)``
impl std::fmt::Display for Write {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verb = if self.item.is_some() { "put" } else { "delete" };
        write!(f, "{verb} of `{}` (`{}`)", self.entity, self.key)
    }
}

/// The writes of a batch, checked.
pub(super) struct Writes<T> {
    pub(super) table: Table<T>,
    pub(super) writes: Vec<Write>,
    pub(super) custom: CustomBatchWrite,
}

impl<T: Schema> Batch for Writes<T> {
    type Found = ();

    async fn request(&self, positions: &[usize]) -> Answer<()> {
        let span = span!("BatchWriteItem", self.table, db.operation.batch.size = positions.len());
        let failed = |error, lost| Answer { found: Vec::new(), left: Err(error), lost };
        let (builder, json) = match self.builder(positions) {
            Ok(built) => built,
            Err(error) => return failed(error, false),
        };
        let entities = || positions.iter().map(|at| self.writes[*at].entity);
        let label = || Label::of_all(entities()).writing(positions.len());
        let watch = Watch::new(self.table.endpoint(), &Sdk).with_items(json);
        let (answer, lost) = attempt!(label(); self.table, builder, self.custom, span, watch);
        match answer {
            Ok(output) => {
                // One table was written; by which of its names the answer calls it does not matter.
                let unwritten = output.unprocessed_items.unwrap_or_default();
                let mut keys = unwritten.values().flatten().map(|request| {
                    let put = request.put_request.as_ref().map(|put| &put.item);
                    let delete = request.delete_request.as_ref().map(|delete| &delete.key);
                    KeyParts::of_item(T::TABLE, put.or(delete)?)
                });
                let Some(first) = keys.next() else {
                    return Answer { found: Vec::new(), left: Ok(Vec::new()), lost };
                };
                let sent = positions.iter().map(|at| (self.writes[*at].key.clone(), *at));
                let sent = sent.map(|(key, at)| (key.canonical(), at)).collect();
                let left = batch::left_over(&sent, iter::once(first).chain(keys));
                Answer { found: Vec::new(), left: Ok(left), lost }
            }
            Err(error) => {
                let target = match positions {
                    [one] => self.writes[*one].to_string(),
                    several => format!("{} writes", several.len()),
                };
                let context = write::context(&self.table, "BatchWriteItem", "", target, lost);
                let error = Error::request(context, error);
                let lost = error.is_outcome_unknown();
                failed(error, lost)
            }
        }
    }
}

impl<T: Schema> Writes<T> {
    /// With the JSON for the places of the items that have no attributes.
    fn builder(
        &self,
        positions: &[usize],
    ) -> Result<(BatchWriteItemFluentBuilder, Vec<Arc<str>>), Error> {
        let (mut requests, mut json) = (Vec::with_capacity(positions.len()), Vec::new());
        for at in positions {
            let write = &self.writes[*at];
            let mut item = write.item.clone();
            if self.custom.is_none() {
                json.extend(item.as_mut().and_then(Stored::take_json));
            }
            requests.push(write.request::<T>(item)?);
        }
        let builder = self.table.client().batch_write_item();
        Ok((builder.request_items(self.table.name(), requests), json))
    }
}

#[cfg(test)]
mod tests {
    use aws_sdk_dynamodb::types::AttributeValue;

    use super::*;
    use crate::key::KeyValue;

    fn put(text: &str, bytes: usize) -> Write {
        let key = KeyParts { pk: KeyValue::S("k".into()), sk: None };
        let value = AttributeValue::S(text.repeat(bytes / text.len()));
        Write { entity: "Note", key, item: Some(Stored::Item([("text".to_owned(), value)].into())) }
    }

    fn sizes(writes: &[Write]) -> Vec<usize> {
        let positions: Vec<_> = (0..writes.len()).collect();
        let chunks = chunks(&positions, &writes.iter().collect::<Vec<_>>());
        assert_eq!(chunks.concat(), positions);
        chunks.iter().map(Vec::len).collect()
    }

    fn many(count: usize, text: &str, bytes: usize) -> Vec<Write> {
        (0..count).map(|_| put(text, bytes)).collect()
    }

    #[test]
    fn a_chunk_has_at_most_25_writes() {
        for (count, expected) in
            [(0, vec![]), (1, vec![1]), (25, vec![25]), (26, vec![25, 1]), (50, vec![25, 25])]
        {
            assert_eq!(sizes(&many(count, "x", 10)), expected);
        }
        assert_eq!(sizes(&many(100, "x", 10)), [25; 4]);
    }

    #[test]
    fn a_chunk_has_at_most_16_mb_of_json() {
        // 25 items of 400 KB are 10 MB as text, six times as much with every character escaped.
        assert_eq!(sizes(&many(50, "x", 400_000)), [25, 25]);
        assert_eq!(sizes(&many(14, "\u{1}", 400_000)), [6, 6, 2]);
        let mut mixed = many(24, "x", 1000);
        mixed.extend(many(7, "\u{1}", 400_000));
        assert_eq!(sizes(&mixed), [25, 6]);
    }
}
