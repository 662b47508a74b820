use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::ser::{self, Serialize};

use super::error::{CodecError, Result};
use super::name::NameWriter;
use super::write::{Out, Writer};

pub(super) struct ListWriter<'a> {
    pub(super) elements: Vec<AttributeValue>,
    pub(super) writer: Writer<'a>,
}

impl ListWriter<'_> {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let inner = self.writer.inner();
        let written = inner.and_then(|writer| value.serialize(writer)).and_then(Out::or_null);
        self.elements.push(written.map_err(|error| error.in_element(self.elements.len()))?);
        Ok(())
    }
}

pub(super) enum Absent<'a> {
    /// Except for these names, which are NULL.
    LeftOut(&'a [&'a str]),
    Null,
}

pub(super) struct MapWriter<'a> {
    pub(super) entries: HashMap<String, AttributeValue>,
    pub(super) name: Option<String>,
    pub(super) absent: Absent<'a>,
    pub(super) writer: Writer<'a>,
}

/// DynamoDB refuses empty names:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html>.
pub(super) fn check_name(name: &str) -> Result<()> {
    if name.is_empty() {
        return Err(CodecError::new("the name of an attribute has at least one byte, found \"\""));
    }
    Ok(())
}

impl MapWriter<'_> {
    pub(super) fn entry<T: Serialize + ?Sized>(&mut self, name: String, value: &T) -> Result<()> {
        check_name(&name)?;
        match self.value(&name, value) {
            Ok(Some(_)) if self.entries.contains_key(&name) => {
                Err(CodecError::at("written twice, by a field and a flattened map", &name))
            }
            Ok(Some(value)) => {
                self.entries.insert(name, value);
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(error) => Err(error.in_attribute(&name)),
        }
    }

    fn value<T: Serialize + ?Sized>(
        &self,
        name: &str,
        value: &T,
    ) -> Result<Option<AttributeValue>> {
        match (value.serialize(self.writer.inner()?)?, &self.absent) {
            (Out::None, Absent::LeftOut(nulls)) if !nulls.contains(&name) => Ok(None),
            (Out::EmptySet, Absent::LeftOut(_)) => Ok(None),
            (out, _) => out.or_null().map(Some),
        }
    }

    pub(super) fn finish(self) -> Out {
        AttributeValue::M(self.entries).into()
    }
}

pub(super) struct VariantWriter<F> {
    pub(super) variant: &'static str,
    pub(super) fields: F,
}

impl<F> VariantWriter<F> {
    fn part(&mut self, write: impl FnOnce(&mut F) -> Result<()>) -> Result<()> {
        write(&mut self.fields).map_err(|error| error.in_attribute(self.variant))
    }

    fn finish(self, fields: impl FnOnce(F) -> AttributeValue) -> Out {
        let entry = (self.variant.to_string(), fields(self.fields));
        AttributeValue::M(HashMap::from([entry])).into()
    }
}

macro_rules! list_parts {
    ($($trait:ident $method:ident)*) => {$(
        impl ser::$trait for ListWriter<'_> {
            type Ok = Out;
            type Error = CodecError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.element(value)
            }

            fn end(self) -> Result<Out> {
                Ok(AttributeValue::L(self.elements).into())
            }
        }
    )*};
}

list_parts! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
}

impl ser::SerializeTupleVariant for VariantWriter<ListWriter<'_>> {
    type Ok = Out;
    type Error = CodecError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.part(|list| list.element(value))
    }

    fn end(self) -> Result<Out> {
        Ok(self.finish(|list| AttributeValue::L(list.elements)))
    }
}

impl ser::SerializeStruct for MapWriter<'_> {
    type Ok = Out;
    type Error = CodecError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        self.entry(name.to_string(), value)
    }

    fn end(self) -> Result<Out> {
        Ok(self.finish())
    }
}

impl ser::SerializeStructVariant for VariantWriter<MapWriter<'_>> {
    type Ok = Out;
    type Error = CodecError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        self.part(|map| map.entry(name.to_string(), value))
    }

    fn end(self) -> Result<Out> {
        Ok(self.finish(|map| AttributeValue::M(map.entries)))
    }
}

impl ser::SerializeMap for MapWriter<'_> {
    type Ok = Out;
    type Error = CodecError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.name = Some(key.serialize(NameWriter)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self.name.take() {
            Some(name) => self.entry(name, value),
            None => Err(CodecError::new("a map's value was serialized before its key")),
        }
    }

    fn end(self) -> Result<Out> {
        Ok(self.finish())
    }
}
