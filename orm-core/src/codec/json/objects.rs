use serde::ser::{self, Serialize};

use super::append;
use super::write::{Unwritten, VARIANT_END, Writer, Wrote};
use crate::codec::name::NameWriter;

pub(super) struct ListText<'o, 'i> {
    pub(super) writer: Writer<'o, 'i>,
    pub(super) is_first: bool,
}

impl ListText<'_, '_> {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritten> {
        let wrote = self.element_or_part(value);
        self.writer.out.note(wrote)
    }

    fn element_or_part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritten> {
        if !std::mem::take(&mut self.is_first) {
            self.writer.out.text.push(',');
        }
        let wrote = value.serialize(self.writer.inner()?)?;
        wrote.or_null(&mut self.writer.out.text)
    }

    fn close(&mut self) -> Wrote {
        self.writer.out.text.push_str("]}");
        Wrote::Value
    }
}

pub(super) struct MapText<'o, 'i> {
    writer: Writer<'o, 'i>,
    /// Whether what is absent is left out, and no NULL.
    leaves_out: bool,
    is_first: bool,
    /// Where the names of this object begin.
    names: usize,
    entry: Option<Entry>,
}

/// A name whose value is next.
struct Entry {
    /// Where the text ends without it.
    start: usize,
    name: (usize, usize),
}

impl<'o, 'i> MapText<'o, 'i> {
    pub(super) fn new(writer: Writer<'o, 'i>, leaves_out: bool) -> Self {
        let names = writer.out.names.len();
        MapText { writer, leaves_out, is_first: true, names, entry: None }
    }

    fn begin(&mut self, name: &str) -> Entry {
        let text = &mut self.writer.out.text;
        let start = text.len();
        if !self.is_first {
            text.push(',');
        }
        let name_start = text.len();
        append::string(text, name);
        let name = (name_start, text.len());
        text.push(':');
        Entry { start, name }
    }

    fn value<T: Serialize + ?Sized>(
        &mut self,
        entry: &Entry,
        name: &str,
        value: &T,
    ) -> Result<(), Unwritten> {
        let wrote = self.value_or_part(entry, name, value);
        self.writer.out.note(wrote)
    }

    fn value_or_part<T: Serialize + ?Sized>(
        &mut self,
        entry: &Entry,
        name: &str,
        value: &T,
    ) -> Result<(), Unwritten> {
        // The quotes alone: DynamoDB has no empty names.
        let (start, end) = entry.name;
        if end - start <= "\"\"".len() {
            return Err(Unwritten);
        }
        let wrote = value.serialize(self.writer.inner()?)?;
        let is_null = |nulls: &[&str]| nulls.contains(&name);
        let mut stays = match wrote {
            Wrote::Value => true,
            Wrote::None if self.leaves_out => {
                self.writer.item.as_ref().is_some_and(|item| is_null(item.nulls))
            }
            Wrote::EmptySet if self.leaves_out => false,
            _ => true,
        };
        let out = &mut *self.writer.out;
        if stays {
            wrote.or_null(&mut out.text)?;
            if let Some(item) = &mut self.writer.item {
                stays = (item.keep)(name, &out.text[entry.name.1 + 1..])?;
            }
        }
        if stays {
            out.names.push(entry.name);
            self.is_first = false;
        } else {
            out.text.truncate(entry.start);
        }
        Ok(())
    }

    fn field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Unwritten> {
        let entry = self.begin(name);
        self.value(&entry, name, value)
    }

    fn close(&mut self) -> Result<Wrote, Unwritten> {
        let out = &mut *self.writer.out;
        if self.entry.is_some() || !are_distinct(&out.text, &mut out.names[self.names..]) {
            return Err(Unwritten);
        }
        out.names.truncate(self.names);
        out.text.push_str("}}");
        Ok(Wrote::Value)
    }
}

/// Equal names have equal texts, since there is one way to escape them. Few names are mostly told
/// apart by their lengths and first characters; those of a map are mostly in their order.
fn are_distinct(text: &str, names: &mut [(usize, usize)]) -> bool {
    let name = |(start, end): (usize, usize)| &text.as_bytes()[start..end];
    if names.len() <= FEW {
        let mut seen = 0_u64;
        let mut is_new = |(at, one): (usize, &_)| {
            let one = name(*one);
            // Behind the quotation mark.
            let sign = 1 << ((one.len() * 7 + usize::from(one[1])) & 63);
            let is_first = seen & sign == 0;
            seen |= sign;
            is_first || names[..at].iter().all(|before| name(*before) != one)
        };
        return names.iter().enumerate().all(&mut is_new);
    }
    if names.windows(2).all(|pair| name(pair[0]) < name(pair[1])) {
        return true;
    }
    names.sort_unstable_by_key(|place| (place.1 - place.0, name(*place)));
    names.windows(2).all(|pair| name(pair[0]) != name(pair[1]))
}

/// So many that comparing each with each is as fast as sorting.
const FEW: usize = 16;

pub(super) struct VariantText<F>(pub(super) F);

macro_rules! list_parts {
    ($($trait:ident $method:ident)*) => {$(
        impl ser::$trait for ListText<'_, '_> {
            type Ok = Wrote;
            type Error = Unwritten;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritten> {
                self.element(value)
            }

            fn end(mut self) -> Result<Wrote, Unwritten> {
                Ok(self.close())
            }
        }
    )*};
}

list_parts! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
}

impl ser::SerializeTupleVariant for VariantText<ListText<'_, '_>> {
    type Ok = Wrote;
    type Error = Unwritten;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritten> {
        self.0.element(value)
    }

    fn end(mut self) -> Result<Wrote, Unwritten> {
        let wrote = self.0.close();
        self.0.writer.out.text.push_str(VARIANT_END);
        Ok(wrote)
    }
}

impl ser::SerializeStruct for MapText<'_, '_> {
    type Ok = Wrote;
    type Error = Unwritten;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Unwritten> {
        self.field(name, value)
    }

    fn end(mut self) -> Result<Wrote, Unwritten> {
        self.close()
    }
}

impl ser::SerializeStructVariant for VariantText<MapText<'_, '_>> {
    type Ok = Wrote;
    type Error = Unwritten;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Unwritten> {
        self.0.field(name, value)
    }

    fn end(mut self) -> Result<Wrote, Unwritten> {
        let wrote = self.0.close()?;
        self.0.writer.out.text.push_str(VARIANT_END);
        Ok(wrote)
    }
}

impl ser::SerializeMap for MapText<'_, '_> {
    type Ok = Wrote;
    type Error = Unwritten;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unwritten> {
        let name = key.serialize(NameWriter).map_err(|_| Unwritten);
        let name = self.writer.out.note(name)?;
        let entry = self.begin(&name);
        let begun = match self.entry.replace(entry) {
            None => Ok(()),
            Some(_) => Err(Unwritten),
        };
        self.writer.out.note(begun)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritten> {
        let entry = self.entry.take().ok_or(Unwritten);
        let entry = self.writer.out.note(entry)?;
        // Of a map, nothing is decided by name.
        self.value(&entry, "", value)
    }

    fn end(mut self) -> Result<Wrote, Unwritten> {
        self.close()
    }
}
