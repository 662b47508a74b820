use std::borrow::Cow;
use std::vec;

use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::{self, Visitor};

use super::value::{ItemReader, Payload};
use super::{Text, Unread};
use crate::codec::name::NameReader;
use crate::codec::read::Reader;

/// Which attributes of an item serde is shown.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    /// The attributes whose places are remembered.
    own: Vec<Own>,
    /// The lengths of their names, a bit for each, modulo 64.
    lengths: u64,
    /// Nothing but these, where it is a projection.
    only: Option<&'static [&'static str]>,
}

/// An attribute that the library knows of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Own {
    pub(crate) name: &'static str,
    /// Whether serde is not shown it.
    pub(crate) is_hidden: bool,
}

impl Shown {
    pub(crate) fn new(own: Vec<Own>, only: Option<&'static [&'static str]>) -> Self {
        let lengths = own.iter().fold(0, |lengths, own| lengths | 1 << (own.name.len() & 63));
        Shown { own, lengths, only }
    }

    pub(crate) fn own(&self) -> &[Own] {
        &self.own
    }

    /// Whether serde is shown the attribute, whose value begins at `at`.
    fn notes(&self, name: &str, at: usize, places: &mut [Option<usize>]) -> bool {
        if self.lengths >> (name.len() & 63) & 1 == 1
            && let Some(position) = self.own.iter().position(|own| own.name == name)
        {
            if let Some(place) = places.get_mut(position) {
                *place = Some(at);
            }
            if self.own[position].is_hidden {
                return false;
            }
        }
        self.only.is_none_or(|only| only.contains(&name))
    }
}

/// The entries of a map, or the attributes of an item, that was entered.
pub(super) struct Entries<'r, 'a, 'i> {
    text: &'r mut Text<'a>,
    is_first: bool,
    is_over: bool,
    item: Option<ItemReader<'i>>,
    turn: Turn<'a>,
    restored: vec::IntoIter<(&'static str, AttributeValue)>,
    value: Option<(&'static str, AttributeValue)>,
}

/// An adjacently tagged enum is a struct of two fields, and serde does not buffer the content where
/// the tag comes first. Of two fields the first one is given first.
#[derive(Clone, Copy)]
enum Turn<'a> {
    /// No two fields, or the first one was found in its place.
    Straight,
    /// Neither field was found.
    Looking([&'static str; 2]),
    /// The first field is given, from a place further on; the other one is next.
    Ahead([&'static str; 2], Text<'a>),
    /// The other field's value is next.
    Back([&'static str; 2]),
    /// The first field was given before.
    Given(&'static str),
}

impl<'r, 'a, 'i> Entries<'r, 'a, 'i> {
    pub(super) fn enter(
        text: &'r mut Text<'a>,
        fields: &'static [&'static str],
        item: Option<ItemReader<'i>>,
    ) -> Result<Self, Unread> {
        text.enter(b'{')?;
        let turn = match *fields {
            [first, second] => Turn::Looking([first, second]),
            _ => Turn::Straight,
        };
        Ok(Entries {
            text,
            is_first: true,
            is_over: false,
            item,
            turn,
            restored: Vec::new().into_iter(),
            value: None,
        })
    }

    /// Passes the entries that the visitor did not ask for.
    pub(super) fn finish(mut self) -> Result<(), Unread> {
        while !self.is_over {
            match self.next()? {
                Some(_) => self.text.skip()?,
                None => self.is_over = true,
            }
        }
        Ok(())
    }

    /// The next name that serde is shown; its value is next in the text.
    fn next(&mut self) -> Result<Option<Cow<'a, str>>, Unread> {
        while let Some(name) = self.text.name(&mut self.is_first)? {
            let at = self.text.at();
            let mut item = self.item.as_mut();
            if item.as_mut().is_none_or(|item| item.shown.notes(&name, at, item.places)) {
                return Ok(Some(name));
            }
            self.text.skip()?;
        }
        Ok(None)
    }

    /// The value of the first of two fields, if it follows behind the value that is next.
    fn ahead(&self, field: &str) -> Result<Option<Text<'a>>, Unread> {
        let mut text = *self.text;
        text.skip()?;
        let mut is_first = false;
        while let Some(name) = text.name(&mut is_first)? {
            if name == field {
                return Ok(Some(text));
            }
            text.skip()?;
        }
        Ok(None)
    }

    /// The next name that is not out of its turn.
    fn in_turn(&mut self) -> Result<Option<Cow<'a, str>>, Unread> {
        if let Turn::Ahead(fields, _) = self.turn {
            self.turn = Turn::Back(fields);
            return Ok(Some(Cow::Borrowed(fields[1])));
        }
        while let Some(name) = self.next()? {
            match self.turn {
                Turn::Looking([first, _]) if name == first => self.turn = Turn::Straight,
                Turn::Looking([first, second]) if name == second => match self.ahead(first)? {
                    Some(text) => {
                        self.turn = Turn::Ahead([first, second], text);
                        return Ok(Some(Cow::Borrowed(first)));
                    }
                    None => self.turn = Turn::Straight,
                },
                Turn::Given(first) if name == first => {
                    self.turn = Turn::Straight;
                    self.text.skip()?;
                    continue;
                }
                _ => {}
            }
            return Ok(Some(name));
        }
        self.is_over = true;
        Ok(None)
    }
}

impl<'de> de::MapAccess<'de> for Entries<'_, 'de, '_> {
    type Error = Unread;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Unread> {
        if !self.is_over {
            if let Some(name) = self.in_turn()? {
                return match name {
                    Cow::Borrowed(name) => seed.deserialize(Name(name)).map(Some),
                    Cow::Owned(name) => owned(seed, &name).map(Some),
                };
            }
            if let Some(item) = self.item.take() {
                self.restored = (item.restore)(item.places).ok_or(Unread)?.into_iter();
            }
        }
        self.value = self.restored.next();
        match &self.value {
            Some((name, _)) => seed.deserialize(Name(name)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<T: de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<T::Value, Unread> {
        if let Some((_, value)) = self.value.take() {
            return seed.deserialize(Reader(value)).map_err(|_| Unread);
        }
        match self.turn {
            Turn::Ahead(_, mut text) => Payload::tagged(&mut text, |value| seed.deserialize(value)),
            turn => {
                if let Turn::Back([first, _]) = turn {
                    self.turn = Turn::Given(first);
                }
                Payload::tagged(self.text, |value| seed.deserialize(value))
            }
        }
    }
}

fn owned<'de, K: de::DeserializeSeed<'de>>(seed: K, name: &str) -> Result<K::Value, Unread> {
    seed.deserialize(NameReader(name)).map_err(|_| Unread)
}

/// A name as it is lent by the text; what is more than text is read by [`NameReader`].
struct Name<'a>(&'a str);

macro_rules! read_as_name {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
            NameReader(self.0).$method(visitor).map_err(|_| Unread)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Name<'de> {
    type Error = Unread;

    read_as_name! {
        deserialize_bool
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unread> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unread> {
        NameReader(self.0).deserialize_enum(name, variants, visitor).map_err(|_| Unread)
    }

    serde::forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}
