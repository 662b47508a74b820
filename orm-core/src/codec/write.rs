use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::ser::{self, Serialize};

use super::compound::{Absent, ListWriter, MapWriter, VariantWriter, check_name};
use super::error::{CodecError, Result};
use super::{Number, number, set, type_name};

/// Writes one value; each compound hands a new one to its parts.
#[derive(Clone, Copy)]
pub(super) struct Writer<'a> {
    /// 0 is the item itself, 1 an attribute's value.
    level: usize,
    /// Set for the item itself.
    nulls: Option<&'a [&'a str]>,
}

/// What a value became. The compound around it decides how absence is written.
pub(super) enum Out {
    Value(AttributeValue),
    None,
    EmptySet,
}

/// "DynamoDB supports nested attributes up to 32 levels deep"; the value of a top-level attribute
/// is level 1. <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>
pub(super) const MAX_LEVEL: usize = 32;

/// Lengths are announced by the value's own code; room for more than this grows on use.
const MAX_RESERVED: usize = 4096;

impl<'a> Writer<'a> {
    pub(super) fn item(nulls: &'a [&'a str]) -> Self {
        Self { level: 0, nulls: Some(nulls) }
    }

    pub(super) fn attribute() -> Self {
        Self { level: 1, nulls: None }
    }

    pub(super) fn inner(self) -> Result<Writer<'static>> {
        if self.level >= MAX_LEVEL {
            return Err(CodecError::new("nested deeper than DynamoDB's 32 levels"));
        }
        Ok(Writer { level: self.level + 1, nulls: None })
    }

    fn map(self, absent: Absent<'a>, len: usize) -> MapWriter<'a> {
        MapWriter {
            entries: HashMap::with_capacity(len.min(MAX_RESERVED)),
            name: None,
            absent,
            writer: self,
        }
    }

    /// The absent fields of a struct are left out; NULL for those that the item lists.
    fn fields(self, len: usize) -> MapWriter<'a> {
        self.map(Absent::LeftOut(self.nulls.unwrap_or_default()), len)
    }

    fn list(self, len: usize) -> ListWriter<'a> {
        ListWriter { elements: Vec::with_capacity(len.min(MAX_RESERVED)), writer: self }
    }
}

impl Out {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Value(value) => type_name(value),
            Self::None => "`None`",
            Self::EmptySet => "an empty set",
        }
    }

    pub(super) fn or_null(self) -> Result<AttributeValue> {
        match self {
            Self::Value(value) => Ok(value),
            Self::None => Ok(AttributeValue::Null(true)),
            Self::EmptySet => Err(CodecError::empty_set()),
        }
    }
}

impl From<AttributeValue> for Out {
    fn from(value: AttributeValue) -> Self {
        Self::Value(value)
    }
}

macro_rules! numbers {
    ($($method:ident: $ty:ty)*) => {$(
        fn $method(self, number: $ty) -> Result<Out> {
            Ok(AttributeValue::N(number.to_string()).into())
        }
    )*};
}

macro_rules! checked_numbers {
    ($($method:ident: $ty:ty)*) => {$(
        fn $method(self, number: $ty) -> Result<Out> {
            let number = Number::try_from(number).map_err(CodecError::new)?;
            Ok(AttributeValue::N(number.to_string()).into())
        }
    )*};
}

impl<'a> ser::Serializer for Writer<'a> {
    type Ok = Out;
    type Error = CodecError;
    type SerializeSeq = ListWriter<'a>;
    type SerializeTuple = ListWriter<'a>;
    type SerializeTupleStruct = ListWriter<'a>;
    type SerializeTupleVariant = VariantWriter<ListWriter<'static>>;
    type SerializeMap = MapWriter<'a>;
    type SerializeStruct = MapWriter<'a>;
    type SerializeStructVariant = VariantWriter<MapWriter<'static>>;

    numbers! {
        serialize_i8: i8 serialize_i16: i16 serialize_i32: i32 serialize_i64: i64
        serialize_u8: u8 serialize_u16: u16 serialize_u32: u32 serialize_u64: u64
    }

    checked_numbers! {
        serialize_i128: i128 serialize_u128: u128 serialize_f32: f32 serialize_f64: f64
    }

    fn serialize_bool(self, value: bool) -> Result<Out> {
        Ok(AttributeValue::Bool(value).into())
    }

    fn serialize_char(self, value: char) -> Result<Out> {
        Ok(AttributeValue::S(value.into()).into())
    }

    fn serialize_str(self, value: &str) -> Result<Out> {
        Ok(AttributeValue::S(value.into()).into())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Out> {
        Ok(AttributeValue::B(Blob::new(value)).into())
    }

    fn serialize_none(self) -> Result<Out> {
        Ok(Out::None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Out> {
        value.serialize(self)
    }

    // A unit is NULL even in a struct field: serde cannot read it from a missing attribute.
    fn serialize_unit(self) -> Result<Out> {
        Ok(AttributeValue::Null(true).into())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Out> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Out> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Out> {
        match name {
            number::NAME => match value.serialize(self)? {
                Out::Value(AttributeValue::S(text)) => Ok(AttributeValue::N(text).into()),
                other => Ok(other),
            },
            set::STRINGS | set::NUMBERS | set::BINARIES => {
                // The elements of a set are not a level of nesting.
                match value.serialize(Writer::attribute())? {
                    Out::Value(AttributeValue::L(list)) if list.is_empty() => Ok(Out::EmptySet),
                    Out::Value(AttributeValue::L(list)) => Ok(set::from_list(name, list)?.into()),
                    Out::None => Ok(Out::None),
                    other => {
                        let message =
                            format!("expected a sequence for a set, found {}", other.kind());
                        Err(CodecError::new(message))
                    }
                }
            }
            _ => value.serialize(self),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Out> {
        let mut map = self.map(Absent::Null, 1);
        map.entry(variant.to_string(), value)?;
        Ok(map.finish())
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<ListWriter<'a>> {
        Ok(self.list(len.unwrap_or(0)))
    }

    fn serialize_tuple(self, len: usize) -> Result<ListWriter<'a>> {
        Ok(self.list(len))
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<ListWriter<'a>> {
        Ok(self.list(len))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<VariantWriter<ListWriter<'static>>> {
        check_name(variant)?;
        let inner = self.inner().map_err(|error| error.in_attribute(variant))?;
        Ok(VariantWriter { variant, fields: inner.list(len) })
    }

    /// A struct with a `flatten` field serializes as a map of unknown length, which the maps of the
    /// standard library never do.
    fn serialize_map(self, len: Option<usize>) -> Result<MapWriter<'a>> {
        Ok(match len {
            Some(len) if self.nulls.is_none() => self.map(Absent::Null, len),
            _ => self.fields(len.unwrap_or(0)),
        })
    }

    fn serialize_struct(self, _: &'static str, len: usize) -> Result<MapWriter<'a>> {
        Ok(self.fields(len))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<VariantWriter<MapWriter<'static>>> {
        check_name(variant)?;
        let inner = self.inner().map_err(|error| error.in_attribute(variant))?;
        Ok(VariantWriter { variant, fields: inner.fields(len) })
    }
}
