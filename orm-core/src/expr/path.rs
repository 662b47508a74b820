use std::any::Any;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;
use std::marker::PhantomData;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::codec::{self, CodecError};
use crate::error::Error;

/// A field of an entity, something inside of one, as an expression names it: `T` is the type of
/// the value, `K` the kind of field and `M` what the closure is for; both decide about the methods.
///
/// The fields of a struct with [`#[derive(Document)]`](crate::Document) are fields of its path,
/// `o.address.city`; the elements of a list and the entries of a map are [`at`](Self::at) and
/// [`entry`](Self::entry).
pub struct Path<T, K, M> {
    pub(super) at: DocumentPath,
    pub(super) codec: FieldCodec<T>,
    /// The paths of a document's fields, made when one is asked for.
    pub(super) fields: OnceCell<Box<dyn Any + Send>>,
    kind: PhantomData<fn() -> (K, M)>,
}

/// Where a value stands in an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DocumentPath(pub(crate) Vec<Segment>);

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    Name(Cow<'static, str>),
    Index(usize),
}

/// How a field is stored, as serde writes and reads it.
pub struct FieldCodec<T> {
    pub(super) encode: fn(&T) -> Result<Option<AttributeValue>, CodecError>,
    pub(super) decode: fn(AttributeValue) -> Result<T, CodecError>,
    /// Whether `None` is stored as NULL rather than left out.
    pub(super) null: bool,
    /// Whether a module of the user writes the field, so that its parts are not known.
    pub(super) foreign: bool,
}

impl<T> Clone for FieldCodec<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for FieldCodec<T> {}

impl<T> fmt::Debug for FieldCodec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FieldCodec")
    }
}

impl<T: Serialize + DeserializeOwned> FieldCodec<T> {
    /// By the type's own `Serialize` and `Deserialize`.
    pub(super) const PLAIN: Self = FieldCodec {
        encode: codec::to_field::<T>,
        decode: codec::from_value::<T>,
        null: false,
        foreign: false,
    };

    /// The same for an element of a list or an entry of a map, whose `None` is NULL.
    pub(super) const ELEMENT: Self =
        FieldCodec { encode: |value| codec::to_value(value).map(Some), ..Self::PLAIN };
}

/// By the type's own `Serialize` and `Deserialize`, which it is asked for as every function asks.
pub const fn plain_codec<T: Serialize + DeserializeOwned>() -> FieldCodec<T> {
    FieldCodec::PLAIN
}

impl<T> FieldCodec<T> {
    /// By functions that generated code makes from `#[serde(with)]`.
    pub const fn new(
        encode: fn(&T) -> Result<Option<AttributeValue>, CodecError>,
        decode: fn(AttributeValue) -> Result<T, CodecError>,
    ) -> Self {
        FieldCodec { encode, decode, null: false, foreign: true }
    }

    /// Whose `None` is stored as NULL.
    #[must_use]
    pub const fn null(mut self) -> Self {
        self.null = true;
        self
    }

    /// For something inside of a field: its parts are not known where a module of the user writes
    /// the field.
    pub(super) fn inside(self, foreign: bool) -> Self {
        if !foreign {
            return self;
        }
        FieldCodec { encode: |_| Err(CodecError::new(FOREIGN)), foreign, ..self }
    }

    /// The stored value; `None` where the attribute is left out.
    pub(super) fn stored(&self, value: &T) -> Result<Option<AttributeValue>, CodecError> {
        let stored = (self.encode)(value)?;
        Ok(if self.null { Some(stored.unwrap_or(AttributeValue::Null(true))) } else { stored })
    }
}

/// Why the parts of a field cannot be compared or changed.
pub(super) const FOREIGN: &str = "`#[serde(with)]` writes the field, so how its parts are stored is not known: use the whole field";

impl<T, K, M> Path<T, K, M> {
    /// A field of the item, by its stored name.
    #[doc(hidden)]
    pub fn field(name: &'static str, codec: FieldCodec<T>) -> Self {
        Path::new(DocumentPath(vec![Segment::Name(Cow::Borrowed(name))]), codec)
    }

    pub(super) fn new(at: DocumentPath, codec: FieldCodec<T>) -> Self {
        Path { at, codec, fields: OnceCell::new(), kind: PhantomData }
    }

    /// The value of the path in an item.
    pub(crate) fn read(&self, item: &crate::Item) -> Result<Option<T>, CodecError> {
        let found = self.at.find(item).cloned();
        found.map(self.codec.decode).transpose()
    }

    pub(super) fn encode(&self, value: &T) -> Result<Option<AttributeValue>, Error> {
        let stored = self.codec.stored(value);
        stored.map_err(|error| self.at.refuse(error.below(&self.at.to_string())))
    }
}

impl DocumentPath {
    pub(super) fn step(&self, segment: Segment) -> Self {
        let mut segments = self.0.clone();
        segments.push(segment);
        DocumentPath(segments)
    }

    /// The attribute of the item that it is, or that it is inside of.
    pub(crate) fn root(&self) -> &str {
        match self.0.first() {
            Some(Segment::Name(name)) => name,
            _ => "",
        }
    }

    pub(crate) fn is_top_level(&self) -> bool {
        self.0.len() == 1
    }

    /// Whether a change of both in one request is refused: one is the other, or inside of it.
    pub(crate) fn overlaps(&self, other: &DocumentPath) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a == b)
    }

    pub(crate) fn find<'a>(&self, item: &'a crate::Item) -> Option<&'a AttributeValue> {
        let (first, rest) = self.0.split_first()?;
        let Segment::Name(name) = first else { return None };
        let mut found = item.get(&**name)?;
        for segment in rest {
            found = match (segment, found) {
                (Segment::Name(name), AttributeValue::M(map)) => map.get(&**name)?,
                (Segment::Index(at), AttributeValue::L(list)) => list.get(*at)?,
                _ => return None,
            };
        }
        Some(found)
    }

    pub(super) fn refuse(&self, error: impl fmt::Display) -> Error {
        Error::expression(format!("the value for `{self}` cannot be stored: {error}"))
    }
}

/// As written in an expression without placeholders, `lines[2].qty`.
impl fmt::Display for DocumentPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Name(name) if at == 0 => f.write_str(name)?,
                Segment::Name(name) => write!(f, ".{name}")?,
                Segment::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

impl<T, K, M> fmt::Debug for Path<T, K, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({})", self.at)
    }
}
