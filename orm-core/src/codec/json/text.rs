use std::borrow::Cow;

use super::{Tag, Unread};

/// A place in a JSON text. What it takes, the SDK's parser takes too; what it refuses may still be
/// JSON.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text<'a> {
    text: &'a str,
    at: usize,
    depth: u8,
}

/// DynamoDB nests 32 levels, the SDK's parser reads 128.
const MAX_DEPTH: u8 = 64;

impl<'a> Text<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Text { text, at: 0, depth: 0 }
    }

    /// The same text from another place.
    pub(crate) fn from(self, at: usize) -> Self {
        Text { at, ..self }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Leaves the text for good: nothing is next. What asked for a value may go on behind a failure,
    /// and must not take a part of that value for what follows it.
    pub(crate) fn give_up(&mut self) {
        self.at = usize::MAX;
    }

    pub(crate) fn is_given_up(&self) -> bool {
        self.at == usize::MAX
    }

    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    pub(crate) fn space(&mut self) {
        if let Some(..=b' ') = self.peek() {
            self.spaces();
        }
    }

    #[cold]
    fn spaces(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    #[inline]
    fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// White space, and this byte.
    #[inline]
    pub(crate) fn expect(&mut self, byte: u8) -> Result<(), Unread> {
        self.space();
        if self.takes(byte) { Ok(()) } else { Err(Unread) }
    }

    fn literal(&mut self, literal: &str) -> Result<(), Unread> {
        if self.rest().starts_with(literal.as_bytes()) {
            self.at += literal.len();
            return Ok(());
        }
        Err(Unread)
    }

    pub(crate) fn boolean(&mut self) -> Result<bool, Unread> {
        let is_true = self.peek() == Some(b't');
        let literal = self.literal(if is_true { "true" } else { "false" });
        self.or_give_up(literal.map(|()| is_true))
    }

    /// A string, lent where it has no escapes.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>, Unread> {
        match self.plain_string() {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(Unread) => {
                let text = self.any_string();
                self.or_give_up(text).map(Cow::Owned)
            }
        }
    }

    #[inline]
    fn or_give_up<T>(&mut self, read: Result<T, Unread>) -> Result<T, Unread> {
        if read.is_err() {
            self.give_up();
        }
        read
    }

    /// A string without escapes; any other one is still next.
    #[inline]
    pub(crate) fn plain_string(&mut self) -> Result<&'a str, Unread> {
        let [b'"', rest @ ..] = self.rest() else { return Err(Unread) };
        let len = plain(rest);
        let Some(b'"') = rest.get(len) else { return Err(Unread) };
        let start = self.at + 1;
        let text = self.text.get(start..start + len).ok_or(Unread)?;
        self.at = start + len + 1;
        Ok(text)
    }

    /// A string with escapes.
    #[cold]
    fn any_string(&mut self) -> Result<String, Unread> {
        if !self.takes(b'"') {
            return Err(Unread);
        }
        let start = self.at;
        self.at += plain(self.rest());
        let mut text = String::from(self.text.get(start..self.at).ok_or(Unread)?);
        loop {
            if self.takes(b'"') {
                return Ok(text);
            }
            if !self.takes(b'\\') {
                return Err(Unread);
            }
            text.push(self.escaped()?);
            let start = self.at;
            self.at += self::plain(self.rest());
            text.push_str(self.text.get(start..self.at).ok_or(Unread)?);
        }
    }

    /// What stands behind a backslash.
    fn escaped(&mut self) -> Result<char, Unread> {
        let byte = self.peek().ok_or(Unread)?;
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.unit()?;
                let units = match unit {
                    0xD800..=0xDBFF => {
                        self.literal("\\u")?;
                        [unit, self.unit()?]
                    }
                    _ => [unit, 0],
                };
                let units = &units[..if units[1] == 0 { 1 } else { 2 }];
                let mut chars = char::decode_utf16(units.iter().copied());
                match (chars.next(), chars.next()) {
                    (Some(Ok(char)), None) => char,
                    _ => return Err(Unread),
                }
            }
            _ => return Err(Unread),
        })
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Result<u16, Unread> {
        let digits = self.text.get(self.at..self.at + 4).ok_or(Unread)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(Unread);
        }
        self.at += 4;
        u16::from_str_radix(digits, 16).map_err(|_| Unread)
    }

    /// Goes into an object or a list.
    #[inline]
    pub(crate) fn enter(&mut self, open: u8) -> Result<(), Unread> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > MAX_DEPTH || !self.takes(open) {
            return Err(Unread);
        }
        Ok(())
    }

    /// The next name of an object that was entered, its value being next; `None` behind the object.
    pub(crate) fn name(&mut self, is_first: &mut bool) -> Result<Option<Cow<'a, str>>, Unread> {
        let name = self.name_or_part(is_first);
        self.or_give_up(name)
    }

    fn name_or_part(&mut self, is_first: &mut bool) -> Result<Option<Cow<'a, str>>, Unread> {
        if !self.goes_on(b'}', is_first)? {
            return Ok(None);
        }
        let name = self.string()?;
        self.colon()?;
        Ok(Some(name))
    }

    /// The same of a name without escapes.
    #[inline]
    pub(crate) fn plain_name(&mut self, is_first: &mut bool) -> Result<Option<&'a str>, Unread> {
        let name = self.plain_name_or_part(is_first);
        self.or_give_up(name)
    }

    #[inline]
    fn plain_name_or_part(&mut self, is_first: &mut bool) -> Result<Option<&'a str>, Unread> {
        // As DynamoDB writes the second one and those behind it.
        if let ([b',', b'"', rest @ ..], false) = (self.rest(), *is_first)
            && let len = plain(rest)
            && let Some([b'"', b':', b'{']) = rest.get(len..len + 3)
        {
            let start = self.at + 2;
            let name = self.text.get(start..start + len).ok_or(Unread)?;
            self.at = start + len + 2;
            return Ok(Some(name));
        }
        if !self.goes_on(b'}', is_first)? {
            return Ok(None);
        }
        let name = self.plain_string()?;
        self.colon()?;
        Ok(Some(name))
    }

    #[inline]
    fn colon(&mut self) -> Result<(), Unread> {
        self.expect(b':')?;
        self.space();
        Ok(())
    }

    /// Whether a list that was entered has another element, which is next.
    #[inline]
    pub(crate) fn element(&mut self, is_first: &mut bool) -> Result<bool, Unread> {
        let goes_on = self.goes_on(b']', is_first);
        self.or_give_up(goes_on)
    }

    #[inline]
    fn goes_on(&mut self, close: u8, is_first: &mut bool) -> Result<bool, Unread> {
        self.space();
        let was_first = std::mem::take(is_first);
        match self.peek() {
            Some(byte) if byte == close => {
                self.at += 1;
                self.depth = self.depth.saturating_sub(1);
                Ok(false)
            }
            _ if was_first => Ok(true),
            Some(b',') => {
                self.at += 1;
                self.space();
                Ok(true)
            }
            _ => Err(Unread),
        }
    }

    /// The beginning of an attribute's value, `{"S":`.
    #[inline]
    pub(crate) fn open(&mut self) -> Result<Tag, Unread> {
        // As DynamoDB writes the most frequent ones.
        let tag = match self.rest() {
            [b'{', b'"', b'S', b'"', b':', b'"', ..] => Tag::S,
            [b'{', b'"', b'N', b'"', b':', b'"', ..] => Tag::N,
            [b'{', b'"', b'M', b'"', b':', b'{', ..] => Tag::M,
            [b'{', b'"', b'L', b'"', b':', b'[', ..] => Tag::L,
            _ => return self.open_any(),
        };
        self.at += 5;
        Ok(tag)
    }

    fn open_any(&mut self) -> Result<Tag, Unread> {
        self.expect(b'{')?;
        self.space();
        let (tag, len) = match self.rest() {
            [b'"', b'S', b'"', ..] => (Tag::S, 3),
            [b'"', b'N', b'"', ..] => (Tag::N, 3),
            [b'"', b'B', b'"', ..] => (Tag::B, 3),
            [b'"', b'M', b'"', ..] => (Tag::M, 3),
            [b'"', b'L', b'"', ..] => (Tag::L, 3),
            [b'"', b'S', b'S', b'"', ..] => (Tag::Ss, 4),
            [b'"', b'N', b'S', b'"', ..] => (Tag::Ns, 4),
            [b'"', b'B', b'S', b'"', ..] => (Tag::Bs, 4),
            [b'"', b'B', b'O', b'O', b'L', b'"', ..] => (Tag::Bool, 6),
            [b'"', b'N', b'U', b'L', b'L', b'"', ..] => (Tag::Null, 6),
            _ => return Err(Unread),
        };
        self.at += len;
        self.expect(b':')?;
        self.space();
        Ok(tag)
    }

    /// The end of an attribute's value.
    #[inline]
    pub(crate) fn close(&mut self) -> Result<(), Unread> {
        self.expect(b'}')
    }

    /// Passes an attribute's value, which must be one.
    pub(crate) fn skip(&mut self) -> Result<(), Unread> {
        let tag = self.open()?;
        self.skip_content(tag)?;
        self.close()
    }

    /// Passes what stands behind a tag.
    pub(crate) fn skip_content(&mut self, tag: Tag) -> Result<(), Unread> {
        match tag {
            Tag::S | Tag::N => self.string().map(drop),
            Tag::B => self.bytes().map(drop),
            Tag::Bool | Tag::Null => self.boolean().map(drop),
            Tag::M => {
                self.enter(b'{')?;
                self.skip_names(&mut true)
            }
            Tag::L | Tag::Ss | Tag::Ns | Tag::Bs => {
                self.enter(b'[')?;
                self.skip_elements(&mut true, tag.of_element())
            }
        }
    }

    /// Passes the rest of an object of attributes.
    pub(crate) fn skip_names(&mut self, is_first: &mut bool) -> Result<(), Unread> {
        while self.name(is_first)?.is_some() {
            self.skip()?;
        }
        Ok(())
    }

    /// Passes the rest of a list, or of a set of elements of this type.
    pub(crate) fn skip_elements(
        &mut self,
        is_first: &mut bool,
        of_set: Option<Tag>,
    ) -> Result<(), Unread> {
        while self.element(is_first)? {
            match of_set {
                Some(tag) => self.skip_content(tag)?,
                None => self.skip()?,
            }
        }
        Ok(())
    }

    /// Binary data, a string of base64. The SDK does not look for escapes in it.
    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>, Unread> {
        let bytes = match self.string()? {
            Cow::Borrowed(text) => aws_smithy_types::base64::decode(text).map_err(|_| Unread),
            Cow::Owned(_) => Err(Unread),
        };
        self.or_give_up(bytes)
    }

    /// The whole number that is next, which stays next; 0 where there is none.
    pub(crate) fn count(&self) -> usize {
        let digits = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.text.get(self.at..self.at + digits).and_then(|text| text.parse().ok()).unwrap_or(0)
    }

    /// Passes JSON of any kind, without looking whether it is well formed.
    pub(crate) fn skip_json(&mut self) -> Result<(), Unread> {
        let mut depth = 0_usize;
        loop {
            self.space();
            match self.peek().ok_or(Unread)? {
                b'"' => self.string().map(drop)?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1).ok_or(Unread)?;
                    self.at += 1;
                }
                b',' | b':' if depth > 0 => self.at += 1,
                b',' | b':' => return Err(Unread),
                _ => self.at += scalar(self.rest()),
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

/// How many bytes a number or a literal has.
fn scalar(bytes: &[u8]) -> usize {
    let is_end = |byte: &u8| {
        matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | b'"')
            || matches!(byte, b'{' | b'}' | b'[' | b']')
    };
    bytes.iter().position(is_end).unwrap_or(bytes.len())
}

/// How many bytes stand in front of a quotation mark, a backslash or a control character.
#[inline]
pub(super) fn plain(bytes: &[u8]) -> usize {
    match bytes.first_chunk().map(|chunk| special(*chunk)) {
        Some(special @ ..8) => special,
        _ => plain_of_many(bytes),
    }
}

#[inline(never)]
fn plain_of_many(bytes: &[u8]) -> usize {
    let (chunks, tail) = bytes.as_chunks();
    for (at, chunk) in chunks.iter().enumerate() {
        let special = special(*chunk);
        if special < 8 {
            return at * 8 + special;
        }
    }
    chunks.len() * 8 + tail.iter().position(is_special).unwrap_or(tail.len())
}

/// Whether one of them must be escaped in a string.
#[inline]
pub(super) fn has_special(bytes: &[u8]) -> bool {
    match bytes.last_chunk() {
        Some(last) => bytes.as_chunks().0.iter().chain([last]).any(|chunk| special(*chunk) < 8),
        None => bytes.iter().any(is_special),
    }
}

fn is_special(byte: &u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..0x20)
}

/// The position of the first of these bytes; 8 if there is none. Of the bytes that the test marks, the
/// least significant one is the first.
#[inline]
fn special(chunk: [u8; 8]) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let word = u64::from_le_bytes(chunk);
    // With one bit turned, a quotation mark stands where a space was, next to the control characters.
    let low = (word ^ (ONES * 0x02)).wrapping_sub(ONES * 0x21);
    let backslash = (word ^ (ONES * 0x5C)).wrapping_sub(ONES);
    // A byte that is less than what is taken from it borrows; those beyond ASCII do not count.
    let found = (low | backslash) & !word & (ONES << 7);
    found.trailing_zeros() as usize / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place() {
        for len in 0..=25 {
            for at in 0..len {
                for byte in 0..=u8::MAX {
                    for filler in [b'a', b' ', b'!', b'#', b'\\' + 1, 0x7F, 0x80, 0xA2, 0xDC, 0xFF]
                    {
                        let mut bytes = vec![filler; len];
                        bytes[at] = byte;
                        let is_special = matches!(byte, b'"' | b'\\' | ..0x20);
                        assert_eq!(has_special(&bytes), is_special, "{bytes:?}");
                        assert_eq!(plain(&bytes), if is_special { at } else { len }, "{bytes:?}");
                        if is_special {
                            // What is behind it counts for nothing.
                            bytes[at..].fill(byte);
                            assert_eq!(plain(&bytes), at, "{bytes:?}");
                        }
                    }
                }
            }
        }
        assert_eq!((plain(b""), has_special(b"")), (0, false));
    }
}
