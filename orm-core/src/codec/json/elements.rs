use serde::de;

use super::value::Payload;
use super::{Tag, Text, Unread};

/// The elements of a list or a set that was entered.
pub(super) struct Elements<'r, 'a> {
    text: &'r mut Text<'a>,
    of_set: Option<Tag>,
    is_first: bool,
    is_over: bool,
}

impl<'r, 'a> Elements<'r, 'a> {
    /// `tag`: of the list or set.
    pub(super) fn enter(text: &'r mut Text<'a>, tag: Tag) -> Result<Self, Unread> {
        text.enter(b'[')?;
        Ok(Elements { text, of_set: tag.of_element(), is_first: true, is_over: false })
    }

    /// Passes the elements that the visitor did not ask for.
    pub(super) fn finish(mut self) -> Result<(), Unread> {
        if self.is_over {
            return Ok(());
        }
        self.text.skip_elements(&mut self.is_first, self.of_set)
    }

    /// That the visitor asked for all of them.
    pub(super) fn finish_exactly(mut self) -> Result<(), Unread> {
        if self.is_over || !self.text.element(&mut self.is_first)? { Ok(()) } else { Err(Unread) }
    }
}

impl<'de> de::SeqAccess<'de> for Elements<'_, 'de> {
    type Error = Unread;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Unread> {
        if self.is_over || !self.text.element(&mut self.is_first)? {
            self.is_over = true;
            return Ok(None);
        }
        match self.of_set {
            Some(tag) => seed.deserialize(Payload::new(self.text, tag)).map(Some),
            None => Payload::tagged(self.text, |value| seed.deserialize(value)).map(Some),
        }
    }
}
