use std::fmt::Write as _;

use serde::ser::{self, Serialize};

use super::append;
use super::objects::{ListText, MapText, VariantText};
use crate::codec::{Number, number, set, write};

/// The value is not written this way: it is an error, or unusual. It says no more, because the slow
/// way says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unwritten;

/// Decides whether an attribute of the item stays, by its name and the JSON of its value.
pub(crate) type Keep<'k> = dyn FnMut(&str, &str) -> Result<bool, Unwritten> + 'k;

/// The attributes of a struct as a JSON object without its last brace, so that more can be appended.
/// `nulls` are as those of [`to_item`](crate::codec::to_item).
pub(crate) fn open_item<T: Serialize + ?Sized>(
    value: &T,
    nulls: &[&str],
    keep: &mut Keep<'_>,
) -> Result<String, Unwritten> {
    let text = String::with_capacity(CAPACITY);
    let mut out = Out { text, names: Vec::new(), has_failed: false };
    let item = Some(ItemFields { nulls, keep });
    value.serialize(Writer { out: &mut out, level: 0, item })?;
    if out.has_failed {
        return Err(Unwritten);
    }
    let mut text = out.text;
    match text.strip_prefix(ITEM_START).and_then(|text| text.strip_suffix(ITEM_END)) {
        Some(_) => {
            text.truncate(text.len() - ITEM_END.len());
            text.replace_range(..ITEM_START.len(), "{");
            Ok(text)
        }
        None => Err(Unwritten),
    }
}

/// Room for a small item.
const CAPACITY: usize = 1024;

/// What stands around the attributes where an item is written as a value.
const ITEM_START: &str = "{\"M\":{";
const ITEM_END: &str = "}}";

/// What an item is to its writer.
pub(super) struct ItemFields<'i> {
    pub(super) nulls: &'i [&'i str],
    pub(super) keep: &'i mut Keep<'i>,
}

/// A text in the making.
#[derive(Debug, Default)]
pub(super) struct Out {
    pub(super) text: String,
    /// Where the names of the objects that are not closed stand.
    pub(super) names: Vec<(usize, usize)>,
    /// Whether a part was not written. What serializes may go on behind that, and the text has a part
    /// of a part.
    pub(super) has_failed: bool,
}

impl Out {
    /// Takes note of a failure.
    pub(super) fn note<T>(&mut self, wrote: Result<T, Unwritten>) -> Result<T, Unwritten> {
        self.has_failed |= wrote.is_err();
        wrote
    }
}

/// Writes one value to the end of the text; each compound lends it to its parts. What it leaves
/// behind with [`Unwritten`] is of no use.
pub(super) struct Writer<'o, 'i> {
    pub(super) out: &'o mut Out,
    /// As that of [`write::Writer`].
    pub(super) level: usize,
    /// Set for the item itself, which must be a struct.
    pub(super) item: Option<ItemFields<'i>>,
}

/// What a value became. Of what is absent nothing is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrote {
    Value,
    None,
    EmptySet,
}

impl<'o, 'i> Writer<'o, 'i> {
    /// A part of this value.
    pub(super) fn inner(&mut self) -> Result<Writer<'_, 'static>, Unwritten> {
        if self.level >= write::MAX_LEVEL {
            return Err(Unwritten);
        }
        Ok(Writer { out: self.out, level: self.level + 1, item: None })
    }

    fn value(self, write: impl FnOnce(&mut String)) -> Result<Wrote, Unwritten> {
        write(&mut self.out.text);
        Ok(Wrote::Value)
    }

    fn list(self) -> ListText<'o, 'i> {
        self.out.text.push_str("{\"L\":[");
        ListText { writer: self, is_first: true }
    }

    fn map(self, leaves_out: bool) -> MapText<'o, 'i> {
        self.out.text.push_str("{\"M\":{");
        MapText::new(self, leaves_out)
    }

    /// The begin of a variant with content, which is a level of its own.
    fn variant(self, variant: &str) -> Result<Writer<'o, 'static>, Unwritten> {
        if self.level >= write::MAX_LEVEL || self.item.is_some() || variant.is_empty() {
            return Err(Unwritten);
        }
        self.out.text.push_str("{\"M\":{");
        append::string(&mut self.out.text, variant);
        self.out.text.push(':');
        Ok(Writer { out: self.out, level: self.level + 1, item: None })
    }
}

/// The end of a variant with content.
pub(super) const VARIANT_END: &str = "}}";

impl ser::StdError for Unwritten {}

impl std::fmt::Display for Unwritten {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not written")
    }
}

impl ser::Error for Unwritten {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Unwritten
    }
}

macro_rules! numbers {
    ($($method:ident: $ty:ty)*) => {$(
        fn $method(self, number: $ty) -> Result<Wrote, Unwritten> {
            self.value(|text| append::number(text, &number))
        }
    )*};
}

macro_rules! checked_numbers {
    ($($method:ident: $ty:ty)*) => {$(
        fn $method(self, number: $ty) -> Result<Wrote, Unwritten> {
            let number = Number::try_from(number).map_err(|_| Unwritten)?;
            self.value(|text| append::number(text, &number))
        }
    )*};
}

macro_rules! floats {
    ($($method:ident: $ty:ty)*) => {$(
        fn $method(self, float: $ty) -> Result<Wrote, Unwritten> {
            // Of these a float's text is that of the number: the fewest digits, without an exponent.
            if (1e-30..1e30).contains(&float.abs()) {
                return self.value(|text| append::number(text, &float));
            }
            let number = Number::try_from(float).map_err(|_| Unwritten)?;
            self.value(|text| append::number(text, &number))
        }
    )*};
}

impl<'o, 'i> ser::Serializer for Writer<'o, 'i> {
    type Ok = Wrote;
    type Error = Unwritten;
    type SerializeSeq = ListText<'o, 'i>;
    type SerializeTuple = ListText<'o, 'i>;
    type SerializeTupleStruct = ListText<'o, 'i>;
    type SerializeTupleVariant = VariantText<ListText<'o, 'static>>;
    type SerializeMap = MapText<'o, 'i>;
    type SerializeStruct = MapText<'o, 'i>;
    type SerializeStructVariant = VariantText<MapText<'o, 'static>>;

    numbers! {
        serialize_i8: i8 serialize_i16: i16 serialize_i32: i32 serialize_i64: i64
        serialize_u8: u8 serialize_u16: u16 serialize_u32: u32 serialize_u64: u64
    }

    checked_numbers! { serialize_i128: i128 serialize_u128: u128 }

    floats! { serialize_f32: f32 serialize_f64: f64 }

    fn serialize_bool(self, value: bool) -> Result<Wrote, Unwritten> {
        self.value(|text| append::boolean(text, value))
    }

    fn serialize_char(self, value: char) -> Result<Wrote, Unwritten> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<Wrote, Unwritten> {
        self.value(|text| append::text(text, value))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Wrote, Unwritten> {
        self.value(|text| append::bytes(text, value))
    }

    fn collect_str<T: std::fmt::Display + ?Sized>(self, value: &T) -> Result<Wrote, Unwritten> {
        let text = &mut self.out.text;
        text.push_str("{\"S\":\"");
        let start = text.len();
        write!(text, "{value}").map_err(|_| Unwritten)?;
        append::escape_from(text, start);
        text.push_str("\"}");
        Ok(Wrote::Value)
    }

    fn serialize_none(self) -> Result<Wrote, Unwritten> {
        Ok(Wrote::None)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Wrote, Unwritten> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Wrote, Unwritten> {
        self.value(append::null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Wrote, Unwritten> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Wrote, Unwritten> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Wrote, Unwritten> {
        match name {
            number::NAME | set::STRINGS | set::NUMBERS | set::BINARIES if self.item.is_some() => {
                Err(Unwritten)
            }
            number::NAME => {
                let Writer { out, level, .. } = self;
                let start = out.text.len();
                let wrote = value.serialize(Writer { out: &mut *out, level, item: None })?;
                if out.text[start..].starts_with("{\"S\"") {
                    out.text.replace_range(start + 2..start + 3, "N");
                }
                Ok(wrote)
            }
            set::STRINGS | set::NUMBERS | set::BINARIES => {
                let set = write::Writer::attribute();
                match set.serialize_newtype_struct(name, value).map_err(|_| Unwritten)? {
                    write::Out::Value(value) => {
                        append::value(&mut self.out.text, &value)?;
                        Ok(Wrote::Value)
                    }
                    write::Out::None => Ok(Wrote::None),
                    write::Out::EmptySet => Ok(Wrote::EmptySet),
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
    ) -> Result<Wrote, Unwritten> {
        let Writer { out, level, .. } = self.variant(variant)?;
        value.serialize(Writer { out: &mut *out, level, item: None })?.or_null(&mut out.text)?;
        out.text.push_str(VARIANT_END);
        Ok(Wrote::Value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<ListText<'o, 'i>, Unwritten> {
        Ok(self.list())
    }

    fn serialize_tuple(self, _: usize) -> Result<ListText<'o, 'i>, Unwritten> {
        Ok(self.list())
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<ListText<'o, 'i>, Unwritten> {
        Ok(self.list())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<VariantText<ListText<'o, 'static>>, Unwritten> {
        Ok(VariantText(self.variant(variant)?.list()))
    }

    /// A struct with a `flatten` field serializes as a map of unknown length.
    fn serialize_map(self, len: Option<usize>) -> Result<MapText<'o, 'i>, Unwritten> {
        match (len, &self.item) {
            (Some(_), None) => Ok(self.map(false)),
            _ => Err(Unwritten),
        }
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<MapText<'o, 'i>, Unwritten> {
        Ok(self.map(true))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<VariantText<MapText<'o, 'static>>, Unwritten> {
        Ok(VariantText(self.variant(variant)?.map(true)))
    }
}

impl Wrote {
    pub(super) fn or_null(self, text: &mut String) -> Result<(), Unwritten> {
        match self {
            Wrote::Value => Ok(()),
            Wrote::None => {
                append::null(text);
                Ok(())
            }
            Wrote::EmptySet => Err(Unwritten),
        }
    }
}
