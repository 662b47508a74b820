//! What is appended to a text: attributes' values, from brace to brace, and strings.

use std::fmt::{Display, Write as _};

use aws_sdk_dynamodb::types::AttributeValue;

use super::text::{has_special, plain};
use super::write::Unwritten;

/// A JSON string.
pub(crate) fn string(out: &mut String, text: &str) {
    out.push('"');
    escaped(out, text);
    out.push('"');
}

#[inline]
fn escaped(out: &mut String, text: &str) {
    if has_special(text.as_bytes()) {
        escaped_parts(out, text);
    } else {
        out.push_str(text);
    }
}

#[cold]
fn escaped_parts(out: &mut String, mut text: &str) {
    loop {
        let (head, tail) = text.split_at(plain(text.as_bytes()));
        out.push_str(head);
        let Some(char) = tail.chars().next() else { return };
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            control => {
                // A string takes whatever is written to it.
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
        }
        text = &tail[1..];
    }
}

/// Escapes what stands from there on.
pub(super) fn escape_from(out: &mut String, start: usize) {
    if plain(&out.as_bytes()[start..]) < out.len() - start {
        let text = out.split_off(start);
        escaped(out, &text);
    }
}

pub(crate) fn text(out: &mut String, text: &str) {
    out.push_str("{\"S\":");
    string(out, text);
    out.push('}');
}

pub(crate) fn number(out: &mut String, number: &(impl Display + ?Sized)) {
    // A string takes whatever is written to it.
    let _ = write!(out, "{{\"N\":\"{number}\"}}");
}

pub(crate) fn bytes(out: &mut String, bytes: &[u8]) {
    out.push_str("{\"B\":\"");
    out.push_str(&aws_smithy_types::base64::encode(bytes));
    out.push_str("\"}");
}

pub(super) fn boolean(out: &mut String, value: bool) {
    out.push_str(if value { "{\"BOOL\":true}" } else { "{\"BOOL\":false}" });
}

pub(super) fn null(out: &mut String) {
    out.push_str("{\"NULL\":true}");
}

/// A value that is no map and no list.
pub(crate) fn value(out: &mut String, value: &AttributeValue) -> Result<(), Unwritten> {
    match value {
        AttributeValue::S(value) => text(out, value),
        AttributeValue::N(digits) => number(out, digits),
        AttributeValue::B(blob) => bytes(out, blob.as_ref()),
        AttributeValue::Bool(value) => boolean(out, *value),
        AttributeValue::Null(_) => null(out),
        AttributeValue::Ss(set) => elements(out, "SS", set, |out, text| string(out, text)),
        AttributeValue::Ns(set) => elements(out, "NS", set, |out, digits| string(out, digits)),
        AttributeValue::Bs(set) => elements(out, "BS", set, |out, blob| {
            string(out, &aws_smithy_types::base64::encode(blob));
        }),
        _ => return Err(Unwritten),
    }
    Ok(())
}

fn elements<T>(out: &mut String, tag: &str, set: &[T], append: impl Fn(&mut String, &T)) {
    // A string takes whatever is written to it.
    let _ = write!(out, "{{\"{tag}\":[");
    for (at, element) in set.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        append(out, element);
    }
    out.push_str("]}");
}
