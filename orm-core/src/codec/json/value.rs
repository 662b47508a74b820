use std::borrow::Cow;

use serde::de::{self, Deserializer, Visitor};

use super::elements::Elements;
use super::entries::{Entries, Shown};
use super::{Restore, Span, Tag, Text, Unread};
use crate::codec::name::NameReader;
use crate::codec::number;
use crate::codec::read::{any_number, integer};

/// What stands behind a tag, which is next in the text.
pub(super) struct Payload<'r, 'a, 'i> {
    pub(super) text: &'r mut Text<'a>,
    pub(super) tag: Tag,
    /// Set for the item itself.
    pub(super) item: Option<ItemReader<'i>>,
}

/// What an item is to its reader.
pub(super) struct ItemReader<'i> {
    pub(super) shown: &'i Shown,
    pub(super) kept: &'i mut [Span],
    pub(super) restore: Restore<'i>,
}

impl<'r, 'a> Payload<'r, 'a, '_> {
    pub(super) fn new(text: &'r mut Text<'a>, tag: Tag) -> Self {
        Payload { text, tag, item: None }
    }

    /// An attribute's value, from its brace to its brace.
    pub(super) fn tagged<T>(
        text: &'r mut Text<'a>,
        read: impl FnOnce(Payload<'_, 'a, '_>) -> Result<T, Unread>,
    ) -> Result<T, Unread> {
        let tag = text.open()?;
        let value = Payload::untagged(text, tag, read)?;
        text.close()?;
        Ok(value)
    }

    /// What stands behind a tag, or in a set. What was not looked at may be anything.
    pub(super) fn untagged<T>(
        text: &'r mut Text<'a>,
        tag: Tag,
        read: impl FnOnce(Payload<'_, 'a, '_>) -> Result<T, Unread>,
    ) -> Result<T, Unread> {
        let start = text.at();
        let value = read(Payload::new(text, tag))?;
        if text.at() == start { Err(Unread) } else { Ok(value) }
    }

    fn of(&mut self, tag: Tag) -> Result<&mut Text<'a>, Unread> {
        if self.tag == tag { Ok(self.text) } else { Err(Unread) }
    }

    fn string<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unread> {
        match self.text.string()? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn sequence<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Unread> {
        let mut elements = Elements::enter(self.text, self.tag)?;
        let value = visitor.visit_seq(&mut elements);
        elements.finish(value)
    }

    fn entries<V: Visitor<'a>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unread> {
        let mut entries = Entries::enter(self.text, fields, self.item)?;
        let value = visitor.visit_map(&mut entries);
        entries.finish(value)
    }
}

macro_rules! integers {
    ($($method:ident $visit:ident)*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Unread> {
            let text = self.of(Tag::N)?.string()?;
            visitor.$visit(integer(&text).ok_or(Unread)?)
        }
    )*};
}

macro_rules! floats {
    ($($method:ident $visit:ident: $ty:ident)*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Unread> {
            match self.of(Tag::N)?.string()?.parse::<$ty>() {
                Ok(float) if float.is_finite() => visitor.$visit(float),
                _ => Err(Unread),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Payload<'_, 'de, '_> {
    type Error = Unread;

    integers! {
        deserialize_i8 visit_i8 deserialize_i16 visit_i16 deserialize_i32 visit_i32
        deserialize_i64 visit_i64 deserialize_i128 visit_i128
        deserialize_u8 visit_u8 deserialize_u16 visit_u16 deserialize_u32 visit_u32
        deserialize_u64 visit_u64 deserialize_u128 visit_u128
    }

    floats! { deserialize_f32 visit_f32: f32 deserialize_f64 visit_f64: f64 }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        match self.tag {
            Tag::S => self.string(visitor),
            Tag::N => any_number(&self.text.string()?, visitor),
            Tag::B => visitor.visit_byte_buf(self.text.bytes()?),
            Tag::Bool => visitor.visit_bool(self.text.boolean()?),
            Tag::Null => {
                self.text.boolean()?;
                visitor.visit_unit()
            }
            Tag::M => self.entries(&[], visitor),
            Tag::L | Tag::Ss | Tag::Ns | Tag::Bs => self.sequence(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Unread> {
        visitor.visit_bool(self.of(Tag::Bool)?.boolean()?)
    }

    fn deserialize_string<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Unread> {
        self.of(Tag::S)?;
        self.string(visitor)
    }

    /// Not lent: a `&str` that can be read from some texts only is read from none.
    fn deserialize_str<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Unread> {
        visitor.visit_str(&self.of(Tag::S)?.string()?)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        self.deserialize_string(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        match self.tag {
            Tag::B => visitor.visit_byte_buf(self.text.bytes()?),
            Tag::L => self.sequence(visitor),
            _ => Err(Unread),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        if self.tag == Tag::Null {
            self.text.boolean()?;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Unread> {
        self.of(Tag::Null)?.boolean()?;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unread> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unread> {
        if name == number::NAME {
            let text = self.of(Tag::N)?.string()?;
            return visitor.visit_str(&text);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        match self.tag {
            Tag::L | Tag::Ss | Tag::Ns | Tag::Bs => self.sequence(visitor),
            _ => Err(Unread),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Unread> {
        if !matches!(self.tag, Tag::L | Tag::Ss | Tag::Ns | Tag::Bs) {
            return Err(Unread);
        }
        let mut elements = Elements::enter(self.text, self.tag)?;
        let value = visitor.visit_seq(&mut elements);
        elements.finish_exactly(len, value)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Unread> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Unread> {
        self.of(Tag::M)?;
        self.entries(&[], visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unread> {
        self.of(Tag::M)?;
        self.entries(fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unread> {
        match (self.tag, self.item) {
            (Tag::S, _) => {
                let name = self.text.string()?;
                visitor.visit_enum(Variant { name, content: None })
            }
            (Tag::M, None) => {
                let text = self.text;
                let mut is_first = true;
                text.enter(b'{')?;
                let name = text.name(&mut is_first)?.ok_or(Unread)?;
                let value = visitor.visit_enum(Variant { name, content: Some(&mut *text) });
                match value.and_then(|value| Ok((value, text.name(&mut is_first)?))) {
                    Ok((value, None)) => Ok(value),
                    _ => {
                        text.give_up();
                        Err(Unread)
                    }
                }
            }
            _ => Err(Unread),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        self.deserialize_any(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        self.text.skip_content(self.tag)?;
        visitor.visit_unit()
    }
}

struct Variant<'r, 'a> {
    name: Cow<'a, str>,
    content: Option<&'r mut Text<'a>>,
}

impl<'de, 'r> de::EnumAccess<'de> for Variant<'r, 'de> {
    type Error = Unread;
    type Variant = Content<'r, 'de>;

    fn variant_seed<T: de::DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Content<'r, 'de>), Unread> {
        let variant = seed.deserialize(NameReader(&self.name)).map_err(|_| Unread)?;
        Ok((variant, Content(self.content)))
    }
}

struct Content<'r, 'a>(Option<&'r mut Text<'a>>);

impl<'de> Content<'_, 'de> {
    fn read<T>(
        self,
        read: impl FnOnce(Payload<'_, 'de, '_>) -> Result<T, Unread>,
    ) -> Result<T, Unread> {
        Payload::tagged(self.0.ok_or(Unread)?, read)
    }
}

impl<'de> de::VariantAccess<'de> for Content<'_, 'de> {
    type Error = Unread;

    fn unit_variant(self) -> Result<(), Unread> {
        match self.0 {
            Some(_) => self.read(|value| de::Deserialize::deserialize(value)),
            None => Ok(()),
        }
    }

    fn newtype_variant_seed<T: de::DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, Unread> {
        self.read(|value| seed.deserialize(value))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Unread> {
        self.read(|value| value.deserialize_tuple(len, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unread> {
        self.read(|value| value.deserialize_struct("", fields, visitor))
    }
}
