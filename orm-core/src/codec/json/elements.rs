use serde::de;

use super::value::Payload;
use super::{Tag, Text, Unread};

/// The elements of a list or a set that was entered.
pub(super) struct Elements<'r, 'a> {
    text: &'r mut Text<'a>,
    of_set: Option<Tag>,
    is_first: bool,
    is_over: bool,
    /// How many were read.
    len: usize,
}

impl<'r, 'a> Elements<'r, 'a> {
    /// `tag`: of the list or set.
    pub(super) fn enter(text: &'r mut Text<'a>, tag: Tag) -> Result<Self, Unread> {
        text.enter(b'[')?;
        Ok(Elements { text, of_set: tag.of_element(), is_first: true, is_over: false, len: 0 })
    }

    /// The visitor's value, behind the elements that it did not ask for.
    pub(super) fn finish<T>(mut self, value: Result<T, Unread>) -> Result<T, Unread> {
        if !self.is_over {
            match &value {
                Ok(_) => self.text.skip_elements(&mut self.is_first, self.of_set)?,
                Err(Unread) => self.text.give_up(),
            }
        }
        value
    }

    /// The same if there are so many, and the visitor asked for all of them: it may have defaults
    /// for those that are missing.
    pub(super) fn finish_exactly<T>(
        mut self,
        len: usize,
        value: Result<T, Unread>,
    ) -> Result<T, Unread> {
        let is_over = self.is_over || !self.text.element(&mut self.is_first)?;
        if !is_over {
            self.text.give_up();
        }
        if is_over && self.len == len { value } else { Err(Unread) }
    }

    fn next<T>(
        &mut self,
        read: impl FnOnce(Payload<'_, 'a, '_>) -> Result<T, Unread>,
    ) -> Result<Option<T>, Unread> {
        if self.is_over || !self.text.element(&mut self.is_first)? {
            self.is_over = true;
            return Ok(None);
        }
        self.len += 1;
        match self.of_set {
            Some(tag) => Payload::untagged(self.text, tag, read).map(Some),
            None => Payload::tagged(self.text, read).map(Some),
        }
    }
}

impl<'de> de::SeqAccess<'de> for Elements<'_, 'de> {
    type Error = Unread;

    fn next_element_seed<T: de::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Unread> {
        let element = self.next(|value| seed.deserialize(value));
        if element.is_err() {
            self.text.give_up();
            self.is_over = true;
        }
        element
    }
}
