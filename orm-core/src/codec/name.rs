//! Map keys as attribute names: strings, chars, integers, bool and unit variants.

use serde::de::{self, IntoDeserializer, Visitor};
use serde::ser::{self, Impossible, Serialize};

use super::error::{CodecError, Result};

pub(super) struct NameWriter;

fn refused<T>(found: &str) -> Result<T> {
    let message =
        format!("a map key must be a string, char, integer, bool or unit variant, found {found}");
    Err(CodecError::new(message))
}

macro_rules! written {
    ($($method:ident: $ty:ty)*) => {$(
        fn $method(self, value: $ty) -> Result<String> {
            Ok(value.to_string())
        }
    )*};
}

impl ser::Serializer for NameWriter {
    type Ok = String;
    type Error = CodecError;
    type SerializeSeq = Impossible<String, CodecError>;
    type SerializeTuple = Impossible<String, CodecError>;
    type SerializeTupleStruct = Impossible<String, CodecError>;
    type SerializeTupleVariant = Impossible<String, CodecError>;
    type SerializeMap = Impossible<String, CodecError>;
    type SerializeStruct = Impossible<String, CodecError>;
    type SerializeStructVariant = Impossible<String, CodecError>;

    written! {
        serialize_i8: i8 serialize_i16: i16 serialize_i32: i32 serialize_i64: i64
        serialize_i128: i128
        serialize_u8: u8 serialize_u16: u16 serialize_u32: u32 serialize_u64: u64
        serialize_u128: u128
        serialize_bool: bool serialize_char: char serialize_str: &str
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<String> {
        Ok(variant.to_string())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<String> {
        value.serialize(self)
    }

    fn serialize_f32(self, _: f32) -> Result<String> {
        refused("a float")
    }

    fn serialize_f64(self, _: f64) -> Result<String> {
        refused("a float")
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<String> {
        refused("binary data")
    }

    fn serialize_none(self) -> Result<String> {
        refused("`None`")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<String> {
        refused("an `Option`")
    }

    fn serialize_unit(self) -> Result<String> {
        refused("a unit")
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<String> {
        refused(name)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: &T,
    ) -> Result<String> {
        refused(variant)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> {
        refused("a sequence")
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple> {
        refused("a tuple")
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct> {
        refused(name)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        refused(variant)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> {
        refused("a map")
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Self::SerializeStruct> {
        refused(name)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant> {
        refused(variant)
    }
}

/// Lends the name, so that struct fields are recognised without a copy.
pub(super) struct NameReader<'a>(pub(super) &'a str);

macro_rules! parsed {
    ($($method:ident $visit:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.0.parse() {
                Ok(value) => visitor.$visit(value),
                Err(_) => Err(de::Error::invalid_type(de::Unexpected::Str(self.0), &visitor)),
            }
        }
    )*};
}

impl<'de> de::Deserializer<'de> for NameReader<'_> {
    type Error = CodecError;

    parsed! {
        deserialize_bool visit_bool
        deserialize_i8 visit_i8 deserialize_i16 visit_i16 deserialize_i32 visit_i32
        deserialize_i64 visit_i64 deserialize_i128 visit_i128
        deserialize_u8 visit_u8 deserialize_u16 visit_u16 deserialize_u32 visit_u32
        deserialize_u64 visit_u64 deserialize_u128 visit_u128
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_str(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(IntoDeserializer::<CodecError>::into_deserializer(self.0))
    }

    serde::forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}
