use aws_sdk_dynamodb::types::AttributeValue;
use serde::de::{self, Visitor};

use super::value::{ItemReader, Payload};
use super::{Restored, Span, Text, Unread};
use crate::codec::name::NameReader;
use crate::codec::read::Reader;

/// Which attributes of an item serde is shown.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    /// Attributes whose places are kept, and behind them others that are hidden.
    own: Vec<Own>,
    kept: usize,
    /// The lengths of their names, a bit for each, modulo 64.
    lengths: u64,
    /// Nothing but these, where it is a projection.
    only: Option<&'static [&'static str]>,
}

#[derive(Debug, Clone, Copy)]
struct Own {
    name: &'static str,
    is_hidden: bool,
}

impl Shown {
    /// `kept`, each once, and whether it is hidden; `hidden` are others.
    pub(crate) fn new(
        kept: impl IntoIterator<Item = (&'static str, bool)>,
        hidden: impl IntoIterator<Item = &'static str>,
        only: Option<&'static [&'static str]>,
    ) -> Self {
        let kept = kept.into_iter().map(|(name, is_hidden)| Own { name, is_hidden });
        let mut own: Vec<Own> = kept.collect();
        let kept = own.len();
        own.extend(hidden.into_iter().map(|name| Own { name, is_hidden: true }));
        let lengths = own.iter().fold(0, |lengths, own| lengths | 1 << (own.name.len() & 63));
        Shown { own, kept, lengths, only }
    }

    /// How many attributes are kept.
    pub(crate) fn kept(&self) -> usize {
        self.kept
    }

    /// The position of an attribute that is kept.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.own[..self.kept].iter().position(|own| own.name == name)
    }

    /// Whether serde is shown the attribute, whose value is at `place`.
    #[inline]
    pub(super) fn notes(&self, name: &str, place: Span, kept: &mut [Span]) -> Notes {
        let mut notes = Notes { kept: None, is_shown: true };
        if self.lengths >> (name.len() & 63) & 1 == 1 {
            for (position, own) in self.own.iter().enumerate() {
                if own.name != name {
                    continue;
                }
                if let Some(kept) = kept.get_mut(position) {
                    *kept = place;
                    notes.kept = Some(position);
                }
                notes.is_shown &= !own.is_hidden;
            }
        }
        notes.is_shown = notes.is_shown && self.only.is_none_or(|only| only.contains(&name));
        notes
    }
}

/// What becomes of an attribute.
pub(super) struct Notes {
    kept: Option<usize>,
    is_shown: bool,
}

/// The entries of a map, or the attributes of an item, that was entered.
pub(super) struct Entries<'r, 'a, 'i> {
    text: &'r mut Text<'a>,
    is_first: bool,
    is_over: bool,
    item: Option<ItemReader<'i>>,
    turn: Turn<'a>,
    restored: <Restored as IntoIterator>::IntoIter,
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

    /// The visitor's value, behind the entries that it did not ask for.
    pub(super) fn finish<T>(mut self, value: Result<T, Unread>) -> Result<T, Unread> {
        if value.is_err() && !self.is_over {
            self.give_up();
        }
        while !self.is_over {
            match self.next()? {
                Some(_) => self.text.skip()?,
                None => self.is_over = true,
            }
        }
        value
    }

    /// The next name that serde is shown; its value is next in the text.
    #[inline]
    fn next(&mut self) -> Result<Option<&'a str>, Unread> {
        while let Some(name) = self.text.plain_name(&mut self.is_first)? {
            let start = self.text.at();
            let Some(item) = &mut self.item else { return Ok(Some(name)) };
            let notes = item.shown.notes(name, Span { start, end: 0 }, item.kept);
            if notes.is_shown {
                return Ok(Some(name));
            }
            self.text.skip()?;
            if let Some(kept) = notes.kept.and_then(|position| item.kept.get_mut(position)) {
                kept.end = self.text.at();
            }
        }
        Ok(None)
    }

    fn give_up(&mut self) {
        self.text.give_up();
        self.is_over = true;
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
    #[inline]
    fn in_turn(&mut self) -> Result<Option<&'a str>, Unread> {
        if let Turn::Straight = self.turn {
            let name = self.next()?;
            self.is_over = name.is_none();
            return Ok(name);
        }
        self.of_two()
    }

    /// The same of the fields of two.
    fn of_two(&mut self) -> Result<Option<&'a str>, Unread> {
        if let Turn::Ahead(fields, _) = self.turn {
            self.turn = Turn::Back(fields);
            return Ok(Some(fields[1]));
        }
        while let Some(name) = self.next()? {
            match self.turn {
                Turn::Looking([first, _]) if name == first => self.turn = Turn::Straight,
                Turn::Looking([first, second]) if name == second => match self.ahead(first)? {
                    Some(text) => {
                        self.turn = Turn::Ahead([first, second], text);
                        return Ok(Some(first));
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

impl<'de> Entries<'_, 'de, '_> {
    fn key<K: de::DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Unread> {
        if !self.is_over {
            if let Some(name) = self.in_turn()? {
                return seed.deserialize(Name(name)).map(Some);
            }
            if let Some(item) = self.item.take() {
                self.restored = (item.restore)(item.kept).ok_or(Unread)?.into_iter();
            }
        }
        self.value = self.restored.next();
        match &self.value {
            Some((name, _)) => seed.deserialize(Name(name)).map(Some),
            None => Ok(None),
        }
    }
}

impl<'de> de::MapAccess<'de> for Entries<'_, 'de, '_> {
    type Error = Unread;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Unread> {
        let key = self.key(seed);
        if key.is_err() {
            self.give_up();
        }
        key
    }

    fn next_value_seed<T: de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<T::Value, Unread> {
        if let Some((_, value)) = self.value.take() {
            return seed.deserialize(Reader(value)).map_err(|_| Unread);
        }
        let value = match self.turn {
            Turn::Ahead(_, mut text) => Payload::tagged(&mut text, |value| seed.deserialize(value)),
            turn => {
                if let Turn::Back([first, _]) = turn {
                    self.turn = Turn::Given(first);
                }
                Payload::tagged(self.text, |value| seed.deserialize(value))
            }
        };
        if value.is_err() {
            self.give_up();
        }
        value
    }
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
        deserialize_str
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
        f32 f64 char string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}
