//! Items as answers bring them: maps of the SDK, or text that is not taken apart.

use std::borrow::Cow;
use std::fmt;
use std::str;
use std::sync::{Arc, OnceLock};

use aws_sdk_dynamodb::types::AttributeValue;
use aws_smithy_types::body::SdkBody;

use crate::capacity::item_size;
use crate::codec::json::{self, Shown, Span, Text, Unread};
use crate::entity::Item;
use crate::error::Error;
use crate::key::KeyRef;
use crate::schema::IndexSchema;

/// The attributes of an item.
pub(crate) trait Attributes {
    /// An attribute's value.
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>>;

    /// A value of type S, N or B.
    fn key(&self, name: &str) -> Option<KeyRef<'_>>;
}

impl Attributes for Item {
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>> {
        self.get(name).map(Cow::Borrowed)
    }

    fn key(&self, name: &str) -> Option<KeyRef<'_>> {
        self.get(name).and_then(KeyRef::from_attribute)
    }
}

/// An item of an answer.
#[derive(Clone)]
pub struct Found(Form);

#[derive(Clone)]
enum Form {
    Map(Item),
    Text { answer: Arc<Answer>, at: usize },
}

/// The body that items were found in.
pub(crate) struct Answer {
    body: SdkBody,
    shown: Arc<Shown>,
    places: OnceLock<Places>,
}

/// Where the items are, and their attributes that are kept.
#[derive(Default)]
pub(crate) struct Places {
    pub(crate) items: Vec<Span>,
    pub(crate) kept: Vec<Span>,
}

impl Answer {
    pub(crate) fn new(body: SdkBody, shown: Arc<Shown>) -> Arc<Self> {
        Arc::new(Answer { body, shown, places: OnceLock::new() })
    }

    /// The item at a position; its place is set when the answer is read.
    pub(crate) fn item(self: &Arc<Self>, at: usize) -> Found {
        Found(Form::Text { answer: Arc::clone(self), at })
    }

    pub(crate) fn set_places(&self, places: Places) {
        // Set once, by what reads the answer.
        let _ = self.places.set(places);
    }

    fn text(&self, place: Span) -> Option<Text<'_>> {
        let text = str::from_utf8(self.body.bytes()?.get(place.start..place.end)?).ok()?;
        Some(Text::new(text))
    }

    /// The place of the item, and those of its attributes that are kept.
    fn places(&self, at: usize) -> Option<(Span, &[Span])> {
        let places = self.places.get()?;
        let kept = self.shown.kept();
        Some((*places.items.get(at)?, places.kept.get(at * kept..(at + 1) * kept)?))
    }

    /// The value of an attribute, which is next in the text.
    fn value(&self, at: usize, name: &str) -> Option<Text<'_>> {
        let (item, kept) = self.places(at)?;
        match self.shown.position(name) {
            Some(position) => {
                let place = kept.get(position).filter(|place| place.start > 0)?;
                self.text(Span { end: if place.end == 0 { item.end } else { place.end }, ..*place })
            }
            None => find(self.text(item)?, name),
        }
    }
}

/// The value of an attribute of the item that is next in the text; the last one, as the SDK has it.
fn find<'a>(mut text: Text<'a>, name: &str) -> Option<Text<'a>> {
    text.enter(b'{').ok()?;
    let (mut is_first, mut value) = (true, None);
    while let Some(found) = text.name(&mut is_first).ok()? {
        if found == name {
            value = Some(text);
        }
        text.skip().ok()?;
    }
    value
}

impl Found {
    pub(crate) fn is_empty(&self) -> bool {
        match &self.0 {
            Form::Map(item) => item.is_empty(),
            Form::Text { answer, at } => {
                let text = answer.places(*at).and_then(|(item, _)| answer.text(item));
                text.is_none_or(|mut text| {
                    text.enter(b'{').is_err() || !matches!(text.name(&mut true), Ok(Some(_)))
                })
            }
        }
    }

    /// Its size in bytes, or a little more: text is never shorter than what it says.
    pub(crate) fn size(&self) -> usize {
        match &self.0 {
            Form::Map(item) => item_size(item),
            Form::Text { answer, at } => {
                answer.places(*at).map_or(0, |(item, _)| item.end.saturating_sub(item.start))
            }
        }
    }

    /// The item as the SDK has it.
    ///
    /// # Errors
    ///
    /// None, as long as text is looked through before it is kept.
    pub(crate) fn into_item(self) -> Result<Item, Error> {
        match self.0 {
            Form::Map(item) => Ok(item),
            Form::Text { answer, at } => {
                let text = answer.places(at).and_then(|(item, _)| answer.text(item));
                let item = text.ok_or(Unread).and_then(|mut text| json::item(&mut text));
                item.map_err(|_| Error::answer("an item that cannot be read again"))
            }
        }
    }

    /// What `decoder` makes of it.
    pub(crate) fn decode<V>(self, decoder: &Decoder<V>) -> Result<V, Error> {
        if let Form::Text { answer, at } = &self.0
            && let Some(mut text) = answer.places(*at).and_then(|(item, _)| answer.text(item))
        {
            let mut kept = vec![Span::default(); decoder.shown.kept()];
            if let Ok(Some(value)) = (decoder.read)(&mut text, &decoder.shown, &mut kept) {
                return Ok(value);
            }
        }
        (decoder.later)(self)
    }

    /// The same for one item.
    pub(crate) fn decode_with<V>(
        self,
        decoder: fn(Option<&'static IndexSchema>) -> Decoder<V>,
    ) -> Result<V, Error> {
        self.decode(&decoder(None))
    }
}

impl From<Item> for Found {
    fn from(item: Item) -> Self {
        Found(Form::Map(item))
    }
}

impl Attributes for Found {
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>> {
        match &self.0 {
            Form::Map(item) => item.attribute(name),
            Form::Text { answer, at } => {
                json::value(&mut answer.value(*at, name)?).ok().map(Cow::Owned)
            }
        }
    }

    fn key(&self, name: &str) -> Option<KeyRef<'_>> {
        match &self.0 {
            Form::Map(item) => item.key(name),
            Form::Text { answer, at } => json::key(&mut answer.value(*at, name)?).ok(),
        }
    }
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Map(item) => item.fmt(f),
            Form::Text { answer, at } => f.debug_tuple("Found").field(&answer.places(*at)).finish(),
        }
    }
}

/// The attributes of an item that is being read, as far as they are kept.
pub(crate) struct Kept<'a> {
    pub(crate) text: Text<'a>,
    pub(crate) shown: &'a Shown,
    pub(crate) places: &'a [Span],
}

impl<'a> Kept<'a> {
    fn value(&self, name: &str) -> Option<Text<'a>> {
        let place = self.places.get(self.shown.position(name)?)?;
        (place.start > 0).then(|| self.text.from(place.start))
    }
}

impl Attributes for Kept<'_> {
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>> {
        json::value(&mut self.value(name)?).ok().map(Cow::Owned)
    }

    fn key(&self, name: &str) -> Option<KeyRef<'_>> {
        json::key(&mut self.value(name)?).ok()
    }
}

/// How the items of an answer become values.
#[derive(Debug)]
pub struct Decoder<V> {
    pub(crate) shown: Arc<Shown>,
    /// The value of the item that is next in the text, if there is one to be made at once.
    pub(crate) read: ReadItem<V>,
    pub(crate) later: fn(Found) -> Result<V, Error>,
}

type ReadItem<V> = fn(&mut Text<'_>, &Shown, &mut [Span]) -> Result<Option<V>, Unread>;

impl<V> Clone for Decoder<V> {
    fn clone(&self) -> Self {
        Decoder { shown: Arc::clone(&self.shown), ..*self }
    }
}

/// An item of an answer, and what was made of it at once.
#[derive(Debug)]
pub(crate) struct Row<V> {
    pub(crate) found: Found,
    pub(crate) value: Option<V>,
}

impl<V> Row<V> {
    pub(crate) fn of_item(item: Item) -> Self {
        Row { found: item.into(), value: None }
    }

    /// What `decoder`, which read the answer, makes of it.
    pub(crate) fn into_value(self, decoder: &Decoder<V>) -> Result<V, Error> {
        match self.value {
            Some(value) => Ok(value),
            None => (decoder.later)(self.found),
        }
    }
}
