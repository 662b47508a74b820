//! Where a page ends, as text that a client can keep and send back.

mod position;
mod resume;
mod text;

use std::fmt;
use std::hash::Hasher;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use twox_hash::XxHash64;

pub(crate) use position::{KeyOrder, Position};
#[cfg(fuzzing)]
pub(crate) use text::seal;

use crate::error::Error;
use crate::key::KeyValue;
use crate::key::condition::KeyRange;

/// Where a page ends or begins: [`Page::next`](crate::op::Page::next) and
/// [`Page::previous`](crate::op::Page::previous) give one,
/// [`Query::cursor`](crate::op::Query::cursor) takes it.
///
/// `Display`, `FromStr` and serde make it opaque text of letters, digits, `-` and `_`, fit for a URL.
/// It belongs to one query: table, entity, index, partitions and direction must be those that it was
/// made with; filter, limit and the bounds of the sort key may change as long as its position still
/// lies inside of them. A sharded index that is read in another number of shards is another query.
///
/// It **holds the key attributes** of an item, readable for whoever decodes it, and is not signed:
/// anyone who can make a query of yours with a cursor can start it anywhere in the partition that the
/// query reads, and nowhere else. Do not put secrets into keys, or encrypt the text.
///
/// Size: about 20 characters, and 4/3 of the bytes of the key attributes (sort key of what is read,
/// primary key of the table), for each partition that is read: a sharded query has one position a
/// shard.
///
/// # Examples
///
/// ```
/// use monotable::{Cursor, Entity, Table};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Table)]
/// #[table(pk = "PK", sk = "SK")]
/// struct App;
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
/// #[entity(table = App, pk = "ROOM#<room>", sk = "<number:6>")]
/// struct Message { room: String, number: u32 }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let app = engine.table::<App>("app").await?;
/// for number in 1..=5 {
///     app.put(&Message { room: "r1".into(), number }).send().await?;
/// }
/// let first = app.query(Message::by_room("r1")).limit(2).send().await?;
/// let text = first.next.map(|next| next.to_string()); // to the client, and back
///
/// let cursor = text.map(|text| text.parse::<Cursor>()).transpose()?;
/// let second = app.query(Message::by_room("r1")).limit(2).cursor(cursor).send().await?;
/// assert_eq!(second.items[0].number, 3);
///
/// let back = app.query(Message::by_room("r1")).limit(2).cursor(second.previous).send().await?;
/// assert_eq!(back.items, first.items);
///
/// // Of another query: refused before a request.
/// let other = app.query(Message::by_room("r2")).cursor(back.next).send().await;
/// assert!(other.unwrap_err().is_invalid_cursor());
/// # }
/// # Ok(()) }
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Cursor {
    /// What it belongs to.
    scope: u64,
    /// Whether its page lies in front of the position.
    backward: bool,
    /// One a range.
    positions: Vec<Position>,
}

impl Cursor {
    pub(crate) fn new(scope: u64, backward: bool, positions: Vec<Position>) -> Self {
        Cursor { scope, backward, positions }
    }

    pub(crate) fn is_backward(&self) -> bool {
        self.backward
    }
}

/// What a cursor is bound to.
pub(crate) fn scope(
    table: &str,
    entity: &str,
    index: Option<&str>,
    descending: bool,
    ranges: &[KeyRange],
) -> u64 {
    let mut hash = XxHash64::with_seed(0);
    let mut text = |bytes: &[u8]| {
        hash.write(&(bytes.len() as u64).to_le_bytes());
        hash.write(bytes);
    };
    for part in [table, entity, index.unwrap_or_default()] {
        text(part.as_bytes());
    }
    text(&[u8::from(descending)]);
    for value in ranges.iter().flat_map(|range| &range.partition) {
        text(value.type_name().as_bytes());
        match value.clone().canonical() {
            KeyValue::S(value) | KeyValue::N(value) => text(value.as_bytes()),
            KeyValue::B(value) => text(&value),
        }
    }
    hash.finish()
}

/// What [`Query::cursor`](crate::op::Query::cursor) takes: a cursor, owned or borrowed, or an
/// `Option` of one, where `None` is the first page.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no cursor",
    label = "expected a `Cursor`, or an `Option` of one",
    note = "text of a client is one after `text.parse::<Cursor>()?`; `.after(&item)` takes an item"
)]
pub trait IntoCursor {
    /// The cursor, if there is one.
    fn into_cursor(self) -> Option<Cursor>;
}

#[diagnostic::do_not_recommend]
impl IntoCursor for Cursor {
    fn into_cursor(self) -> Option<Cursor> {
        Some(self)
    }
}

#[diagnostic::do_not_recommend]
impl IntoCursor for &Cursor {
    fn into_cursor(self) -> Option<Cursor> {
        Some(self.clone())
    }
}

#[diagnostic::do_not_recommend]
impl<C: IntoCursor> IntoCursor for Option<C> {
    fn into_cursor(self) -> Option<Cursor> {
        self.and_then(C::into_cursor)
    }
}

#[diagnostic::do_not_recommend]
impl IntoCursor for &Option<Cursor> {
    fn into_cursor(self) -> Option<Cursor> {
        self.clone()
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::write(self))
    }
}

impl FromStr for Cursor {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        text::read(text).ok_or_else(|| {
            Error::cursor("is damaged: it is not text that this library, in this version, wrote")
        })
    }
}

/// The text.
impl fmt::Debug for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cursor({self})")
    }
}

impl Serialize for Cursor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Cursor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}
