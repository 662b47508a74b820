//! Percent-encoding of text between delimiters.
//!
//! The upper-case form `%XX` is the only canonical one. Non-ASCII text stays as it is, which a
//! general URL encoder would not do.

use super::{PartError, TextForm};

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Whether `byte` is written as `%XX`.
#[inline]
pub(super) const fn is_escaped(byte: u8, form: TextForm, delimiter: Option<u8>) -> bool {
    match form {
        TextForm::Encoded => {
            matches!(byte, b'#' | b'$' | b'%') || matches!(delimiter, Some(d) if d == byte)
        }
        TextForm::Ordered => byte <= 0x25,
        TextForm::Raw | TextForm::Rest => false,
    }
}

/// Appends `text` in its stored form.
pub(super) fn encode(
    text: &str,
    form: TextForm,
    delimiter: Option<u8>,
    out: &mut String,
) -> Result<(), PartError> {
    if form == TextForm::Raw {
        let delimiter = char::from(delimiter.unwrap_or(b'#'));
        if text.contains(delimiter) {
            return Err(PartError::new(format!(
                "contains the delimiter `{delimiter}`, which `:raw` cannot hold; drop `:raw` to have it encoded"
            )));
        }
    }
    if matches!(form, TextForm::Raw | TextForm::Rest) {
        out.push_str(text);
        return Ok(());
    }
    // What is escaped is ASCII, so the text is cut between letters.
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| is_stored_escaped(byte, form, delimiter))
        && let Some((head, tail)) = rest.split_at_checked(at)
        && let Some(byte) = tail.bytes().next()
    {
        out.push_str(head);
        out.push('%');
        out.push(char::from(HEX[usize::from(byte >> 4)]));
        out.push(char::from(HEX[usize::from(byte & 15)]));
        rest = &tail[1..];
    }
    out.push_str(rest);
    Ok(())
}

/// [`is_escaped`] for a byte of a text; those of letters that are not ASCII stay.
#[inline]
const fn is_stored_escaped(byte: u8, form: TextForm, delimiter: Option<u8>) -> bool {
    byte.is_ascii() && is_escaped(byte, form, delimiter)
}

/// The text behind a stored form. Whether it was canonical is for the caller to see, who renders
/// the result again.
pub(super) fn decode(stored: &str, form: TextForm) -> Option<String> {
    if matches!(form, TextForm::Raw | TextForm::Rest) {
        return Some(stored.to_owned());
    }
    let mut bytes = Vec::with_capacity(stored.len());
    let mut rest = stored.as_bytes();
    while let [first, tail @ ..] = rest {
        if *first == b'%' {
            let [high, low, tail @ ..] = tail else { return None };
            bytes.push(hex(*high)? << 4 | hex(*low)?);
            rest = tail;
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}
