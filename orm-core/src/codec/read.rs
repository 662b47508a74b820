use std::collections::HashMap;
use std::vec;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::{self, Deserializer, Unexpected, Visitor};

use super::error::{CodecError, Result};
use super::name::NameReader;
use super::{Number, number, type_name};

pub(super) struct Reader(pub(super) AttributeValue);

/// "expected a string, found N"
fn mismatch<'de, V: Visitor<'de>>(found: &AttributeValue, visitor: &V) -> CodecError {
    de::Error::invalid_type(Unexpected::Other(type_name(found)), visitor)
}

fn out_of_range<'de, V: Visitor<'de>>(text: &str, visitor: &V) -> CodecError {
    de::Error::invalid_type(Unexpected::Other(&format!("the number {text}")), visitor)
}

/// An integer from any spelling of its value: `5`, `5.0`, `5E0`.
pub(super) fn integer<T: std::str::FromStr + TryFrom<Number>>(text: &str) -> Option<T> {
    text.parse().ok().or_else(|| text.parse::<Number>().ok()?.try_into().ok())
}

/// The type serde is offered where the reader does not ask for one: the integers before `f64`, and
/// the 128-bit ones only where `f64` would not keep the value, because serde cannot buffer them.
pub(super) fn any_number<'de, V: Visitor<'de>, E: de::Error>(
    text: &str,
    visitor: V,
) -> std::result::Result<V::Value, E> {
    if let Ok(integer) = text.parse::<i64>() {
        return visitor.visit_i64(integer);
    }
    let Ok(number) = text.parse::<Number>() else {
        let message = format!("`{text}` is not a DynamoDB number");
        return Err(E::custom(message));
    };
    let (signed, unsigned) = (number.to_i128(), number.to_u128());
    if let Some(Ok(integer)) = signed.map(i64::try_from) {
        return visitor.visit_i64(integer);
    }
    if let Some(Ok(integer)) = signed.map(u64::try_from) {
        return visitor.visit_u64(integer);
    }
    let float = f64::from(number);
    match (signed, unsigned) {
        (None, None) => visitor.visit_f64(float),
        _ if Number::try_from(float) == Ok(number) => visitor.visit_f64(float),
        (Some(integer), _) => visitor.visit_i128(integer),
        (None, Some(integer)) => visitor.visit_u128(integer),
    }
}

macro_rules! integers {
    ($($method:ident $visit:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let AttributeValue::N(text) = self.0 else {
                return Err(mismatch(&self.0, &visitor));
            };
            match integer(&text) {
                Some(integer) => visitor.$visit(integer),
                None => Err(out_of_range(&text, &visitor)),
            }
        }
    )*};
}

macro_rules! floats {
    ($($method:ident $visit:ident: $ty:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let AttributeValue::N(text) = self.0 else {
                return Err(mismatch(&self.0, &visitor));
            };
            match text.parse::<$ty>() {
                Ok(float) if float.is_finite() => visitor.$visit(float),
                _ => Err(out_of_range(&text, &visitor)),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Reader {
    type Error = CodecError;

    integers! {
        deserialize_i8 visit_i8 deserialize_i16 visit_i16 deserialize_i32 visit_i32
        deserialize_i64 visit_i64 deserialize_i128 visit_i128
        deserialize_u8 visit_u8 deserialize_u16 visit_u16 deserialize_u32 visit_u32
        deserialize_u64 visit_u64 deserialize_u128 visit_u128
    }

    floats! { deserialize_f32 visit_f32: f32 deserialize_f64 visit_f64: f64 }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            AttributeValue::N(text) => any_number(&text, visitor),
            AttributeValue::S(text) => visitor.visit_string(text),
            AttributeValue::Bool(value) => visitor.visit_bool(value),
            AttributeValue::Null(_) => visitor.visit_unit(),
            AttributeValue::B(bytes) => visitor.visit_byte_buf(bytes.into_inner()),
            AttributeValue::M(map) => visitor.visit_map(Entries::new(map, &[])),
            other => match elements(other) {
                Ok(elements) => visitor.visit_seq(elements),
                Err(other) => Err(mismatch(&other, &visitor)),
            },
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            AttributeValue::Bool(value) => visitor.visit_bool(value),
            other => Err(mismatch(&other, &visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            AttributeValue::S(text) => visitor.visit_string(text),
            other => Err(mismatch(&other, &visitor)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_string(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_string(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            AttributeValue::B(bytes) => visitor.visit_byte_buf(bytes.into_inner()),
            AttributeValue::L(_) => self.deserialize_seq(visitor),
            other => Err(mismatch(&other, &visitor)),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            AttributeValue::Null(_) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            AttributeValue::Null(_) => visitor.visit_unit(),
            other => Err(mismatch(&other, &visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match self.0 {
            AttributeValue::N(text) if name == number::NAME => visitor.visit_string(text),
            other if name == number::NAME => Err(mismatch(&other, &visitor)),
            other => visitor.visit_newtype_struct(Reader(other)),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match elements(self.0) {
            Ok(elements) => visitor.visit_seq(elements),
            Err(other) => Err(mismatch(&other, &visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        match elements(self.0) {
            Ok(elements) if elements.len() == len => visitor.visit_seq(elements),
            Ok(elements) => Err(de::Error::invalid_length(elements.len(), &visitor)),
            Err(other) => Err(mismatch(&other, &visitor)),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            AttributeValue::M(map) => visitor.visit_map(Entries::new(map, &[])),
            other => Err(mismatch(&other, &visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.0 {
            AttributeValue::M(map) => visitor.visit_map(Entries::new(map, fields)),
            other => Err(mismatch(&other, &visitor)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let (variant, content) = match self.0 {
            AttributeValue::S(variant) => (variant, None),
            AttributeValue::M(map) => {
                let mut entries = map.into_iter();
                match (entries.next(), entries.next()) {
                    (Some((variant, content)), None) => (variant, Some(content)),
                    _ => {
                        let found = Unexpected::Other("M without exactly one entry");
                        return Err(de::Error::invalid_type(found, &visitor));
                    }
                }
            }
            other => return Err(mismatch(&other, &visitor)),
        };
        visitor.visit_enum(Variant { variant, content })
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

/// The elements of a list or a set; any other value is given back.
fn elements(value: AttributeValue) -> std::result::Result<Elements, AttributeValue> {
    let items = match value {
        AttributeValue::L(list) => list,
        AttributeValue::Ss(set) => set.into_iter().map(AttributeValue::S).collect(),
        AttributeValue::Ns(set) => set.into_iter().map(AttributeValue::N).collect(),
        AttributeValue::Bs(set) => set.into_iter().map(AttributeValue::B).collect(),
        other => return Err(other),
    };
    Ok(Elements { items: items.into_iter(), index: 0 })
}

struct Elements {
    items: vec::IntoIter<AttributeValue>,
    index: usize,
}

impl Elements {
    fn len(&self) -> usize {
        self.items.len()
    }
}

impl<'de> de::SeqAccess<'de> for Elements {
    type Error = CodecError;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        let Some(value) = self.items.next() else {
            return Ok(None);
        };
        let index = self.index;
        self.index += 1;
        seed.deserialize(Reader(value)).map(Some).map_err(|error| error.in_element(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len())
    }
}

struct Entries {
    entries: vec::IntoIter<(String, AttributeValue)>,
    current: Option<(String, AttributeValue)>,
}

impl Entries {
    /// `fields` come first, in their order: serde does not buffer the content of an adjacently
    /// tagged enum when it sees the tag before it.
    fn new(mut map: HashMap<String, AttributeValue>, fields: &[&str]) -> Self {
        let mut entries = Vec::with_capacity(map.len());
        entries.extend(fields.iter().filter_map(|field| map.remove_entry(*field)));
        entries.extend(map);
        Self { entries: entries.into_iter(), current: None }
    }
}

impl<'de> de::MapAccess<'de> for Entries {
    type Error = CodecError;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.current = self.entries.next();
        match &self.current {
            Some((name, _)) => seed.deserialize(NameReader(name)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<T: de::DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        match self.current.take() {
            Some((name, value)) => {
                seed.deserialize(Reader(value)).map_err(|error| error.in_attribute(&name))
            }
            None => Err(CodecError::new("a map's value was read before its key")),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

struct Variant {
    variant: String,
    content: Option<AttributeValue>,
}

impl<'de> de::EnumAccess<'de> for Variant {
    type Error = CodecError;
    type Variant = Self;

    fn variant_seed<T: de::DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self)> {
        Ok((seed.deserialize(NameReader(&self.variant))?, self))
    }
}

impl Variant {
    fn read<T>(self, read: impl FnOnce(Reader) -> Result<T>) -> Result<T> {
        match self.content {
            Some(value) => read(Reader(value)).map_err(|error| error.in_attribute(&self.variant)),
            None => {
                let message =
                    format!("variant `{}` has content, found only its name", self.variant);
                Err(CodecError::new(message))
            }
        }
    }
}

impl<'de> de::VariantAccess<'de> for Variant {
    type Error = CodecError;

    fn unit_variant(self) -> Result<()> {
        match self.content {
            Some(_) => self.read(de::Deserialize::deserialize),
            None => Ok(()),
        }
    }

    fn newtype_variant_seed<T: de::DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.read(|value| seed.deserialize(value))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.read(|value| value.deserialize_tuple(len, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.read(|value| value.deserialize_struct("", fields, visitor))
    }
}
