//! One component of a template: the only place where a value becomes key text and text a value.

use super::ascii::{Ascii, complement};
use super::fixed::{Form, Unfit};
use super::{NoneOrder, PartError, PartKind, PartValue, Spec, TextForm, escape};
use std::borrow::Cow;

/// A component of a key template, as the derive describes it.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// The field's name.
    pub field: &'static str,
    /// The kind of the field's type.
    pub kind: PartKind,
    /// What stands behind the colon.
    pub spec: Spec,
    /// What stands behind it in the template.
    pub follow: Follow,
    /// Whether the field is an `Option`.
    pub optional: bool,
}

/// What stands behind a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// Nothing: it is the last.
    End,
    /// A literal that begins with this byte, the delimiter.
    Literal(u8),
    /// Another component or the shard.
    Component,
}

impl Part {
    const fn delimiter(&self) -> Option<u8> {
        match self.follow {
            Follow::Literal(byte) => Some(byte),
            _ => None,
        }
    }

    /// The text of a missing value, where it is kept: it sorts in front of [`mark`](Self::mark) or
    /// behind it.
    pub(crate) const fn none_text(&self) -> Option<&'static str> {
        match self.spec.none {
            Some(NoneOrder::First) => Some("!"),
            Some(NoneOrder::Last) => Some("~"),
            None => None,
        }
    }

    /// What stands in front of a value where a missing one is kept.
    pub(crate) const fn mark(&self) -> &'static str {
        if self.spec.none.is_some() { "+" } else { "" }
    }

    /// The form of components with a fixed width. What is kept of a missing value is shorter, and
    /// tells so by its first byte.
    #[inline]
    pub(super) const fn form(&self) -> Option<Form> {
        Form::of(self.kind, &self.spec)
    }

    /// Whether every text of this component has the same length.
    pub(crate) const fn form_exists(&self) -> bool {
        self.form().is_some()
    }

    /// Appends the stored text. `exact` refuses what a lossy spec would round.
    pub(super) fn write(
        &self,
        value: &PartValue<'_>,
        exact: bool,
        out: &mut String,
    ) -> Result<(), PartError> {
        out.push_str(self.mark());
        if let Some(form) = self.form() {
            let (_, whole) = form.ordinal(value).map_err(|unfit| form.explain(unfit))?;
            if exact && !whole {
                return Err(PartError::new(format!(
                    "would be rounded by `:{}`, and two values would share one item; round it before (`trunc_subsecs` of chrono, `round` of jiff), or use a finer unit",
                    self.unit_word()
                )));
            }
            self.write_fixed(form, value, out);
            return Ok(());
        }
        let start = out.len();
        match (self.kind, value) {
            (PartKind::Text, PartValue::Text(text)) => self.write_text(text, out)?,
            (PartKind::Name(names), PartValue::Name(name)) if names.contains(&&**name) => {
                out.push_str(name);
            }
            (PartKind::Unsigned { max }, PartValue::Unsigned(number)) if *number <= max => {
                out.push_str(Ascii::number(*number).as_str());
            }
            (PartKind::Signed { max }, PartValue::Signed(number))
                if (-max - 1..=max).contains(number) =>
            {
                out.push_str(Ascii::signed(*number).as_str());
            }
            // Only an implementation of `KeyPart` that breaks its contract comes here.
            _ => return Err(PartError::new("is a value that its `KIND` does not have")),
        }
        if out.len() == start {
            return Err(PartError::new("is empty; a key component needs at least one byte"));
        }
        Ok(())
    }

    /// Appends text as it stands in this component, which may be a prefix of the whole.
    pub(super) fn write_text(&self, text: &str, out: &mut String) -> Result<(), PartError> {
        let mut encode = |text: &str| escape::encode(text, self.spec.text, self.delimiter(), out);
        if self.spec.lower {
            return lowered(text).try_for_each(|letter| encode(letter.encode_utf8(&mut [0; 4])));
        }
        encode(text)
    }

    /// The text that the component keeps of a text: all of it, or its lower case.
    pub(super) fn folded<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.spec.lower { Cow::Owned(lowered(text).collect()) } else { Cow::Borrowed(text) }
    }

    pub(super) fn write_ordinal(&self, form: Form, ordinal: u128, out: &mut String) {
        self.write_fixed(form, &form.value(ordinal), out);
    }

    fn write_fixed(&self, form: Form, value: &PartValue<'_>, out: &mut String) {
        let mut text = Ascii::EMPTY;
        form.write(value, &mut text);
        if self.spec.desc {
            text.complement();
        }
        out.push_str(text.as_str());
    }

    /// The value of a stored text; `None` unless it is exactly what [`write`](Self::write) makes.
    pub(crate) fn read<'a>(&self, stored: &'a str) -> Option<PartValue<'a>> {
        let value = self.read_loosely(stored.strip_prefix(self.mark())?)?;
        let mut again = String::with_capacity(stored.len());
        self.write(&value, true, &mut again).ok()?;
        (again == stored).then_some(value)
    }

    /// The same where a missing value may be kept.
    pub(crate) fn read_kept<'a>(&self, stored: &'a str) -> Option<Option<PartValue<'a>>> {
        match self.none_text() {
            Some(none) if none == stored => Some(None),
            _ => self.read(stored).map(Some),
        }
    }

    fn read_loosely<'a>(&self, stored: &'a str) -> Option<PartValue<'a>> {
        if let Some(form) = self.form() {
            let ordinal =
                if self.spec.desc { form.read(&complement(stored))? } else { form.read(stored)? };
            return Some(form.value(ordinal));
        }
        match self.kind {
            PartKind::Text => {
                escape::decode(stored, self.spec.text).map(|text| PartValue::Text(text.into()))
            }
            PartKind::Name(names) => {
                names.contains(&stored).then_some(PartValue::Name(stored.into()))
            }
            PartKind::Unsigned { max } => {
                stored.parse().ok().filter(|number| *number <= max).map(PartValue::Unsigned)
            }
            PartKind::Signed { max } => stored
                .parse()
                .ok()
                .filter(|number| (-max - 1..=max).contains(number))
                .map(PartValue::Signed),
            _ => None,
        }
    }

    /// How many bytes of `rest` belong to this component.
    pub(super) fn split(&self, rest: &str) -> Option<usize> {
        if let Some(none) = self.none_text().filter(|none| rest.starts_with(none)) {
            return Some(none.len());
        }
        let rest = rest.strip_prefix(self.mark())?;
        let length = match (self.form(), self.delimiter()) {
            (Some(form), _) => rest.is_char_boundary(form.len()).then(|| form.len()),
            (None, Some(delimiter)) => rest.bytes().position(|byte| byte == delimiter),
            (None, None) => Some(rest.len()),
        };
        length.map(|length| self.mark().len() + length)
    }

    /// Appends the prefix of a text or a date.
    pub(super) fn write_prefix(&self, prefix: &str, out: &mut String) -> Result<(), PartError> {
        match self.kind {
            PartKind::Text => self.write_text(prefix, out),
            _ => {
                check_date_prefix(prefix)?;
                if self.form().is_some_and(|form| prefix.len() > form.len()) {
                    return Err(PartError::new(format!(
                        "has no text as long as the prefix `{prefix}`"
                    )));
                }
                let text = if self.spec.desc { complement(prefix) } else { prefix.to_owned() };
                out.push_str(&text);
                Ok(())
            }
        }
    }

    /// The ordinal of a bound, clamped to what has a text. `Err(true)`: everything lies below the
    /// bound; `Err(false)`: everything lies above it.
    pub(super) fn clamp(
        &self,
        form: Form,
        value: &PartValue<'_>,
    ) -> Result<Result<(u128, bool), bool>, PartError> {
        match form.ordinal(value) {
            Ok(ordinal) => Ok(Ok(ordinal)),
            Err(Unfit::Above) => Ok(Err(true)),
            Err(Unfit::Below) => Ok(Err(false)),
            Err(unfit @ Unfit::Invalid(_)) => Err(form.explain(unfit)),
        }
    }

    /// The text of a value alone in a partition key, for shards.
    pub(crate) fn partition_text(value: &PartValue<'_>) -> Result<String, PartError> {
        let kind = match value {
            PartValue::Unsigned(_) => PartKind::Unsigned { max: u128::MAX },
            PartValue::Signed(_) => PartKind::Signed { max: i128::MAX },
            PartValue::Name(name) => return Ok(name.clone().into_owned()),
            PartValue::Date { .. } => PartKind::Date,
            PartValue::Timestamp { .. } => PartKind::Timestamp,
            PartValue::Uuid(_) => PartKind::Uuid,
            PartValue::Text(_) | PartValue::Bytes(_) => PartKind::Text,
        };
        let unit = matches!(kind, PartKind::Timestamp).then_some(super::Unit::Nano);
        let spec = Spec { unit, ..Spec::NONE };
        let part = Part { field: "shard", kind, spec, follow: Follow::End, optional: false };
        let mut text = String::new();
        part.write(value, true, &mut text)?;
        Ok(text)
    }

    /// The spec as written in a template, for texts.
    pub(crate) fn spec_text(&self) -> String {
        let spec = &self.spec;
        let mut words = Vec::new();
        match spec.width {
            Some(super::Width::Digits(digits)) => words.push(digits.to_string()),
            Some(super::Width::Plain) => words.push("plain".to_owned()),
            None => {}
        }
        if spec.lower {
            words.push("lower".to_owned());
        }
        match spec.text {
            TextForm::Encoded => {}
            TextForm::Ordered => words.push("ordered".to_owned()),
            TextForm::Raw => words.push("raw".to_owned()),
            TextForm::Rest => words.push("rest".to_owned()),
        }
        if spec.unit.is_some() {
            words.push(self.unit_word().to_owned());
        }
        if spec.desc {
            words.push("desc".to_owned());
        }
        if spec.sparse {
            words.push("sparse".to_owned());
        }
        match spec.none {
            Some(NoneOrder::First) => words.push("none_first".to_owned()),
            Some(NoneOrder::Last) => words.push("none_last".to_owned()),
            None => {}
        }
        words.join(":")
    }

    fn unit_word(&self) -> &'static str {
        use super::Unit;
        match self.spec.unit {
            Some(Unit::Second) => "s",
            Some(Unit::Milli) => "ms",
            Some(Unit::Micro) => "us",
            Some(Unit::Nano) => "ns",
            Some(Unit::EpochSecond) => "epoch_s",
            Some(Unit::EpochMilli) => "epoch_ms",
            Some(Unit::Year) => "year",
            Some(Unit::Month) => "month",
            Some(Unit::Day) => "day",
            Some(Unit::Hour) => "hour",
            None => "",
        }
    }
}

/// Letter by letter: a final sigma would make a prefix differ from the whole.
fn lowered(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}

fn check_date_prefix(prefix: &str) -> Result<(), PartError> {
    // Whole parts only: `2026-3` is a slip for `2026-03`, not a search that finds nothing.
    let number = |range: std::ops::Range<usize>| {
        let digits = prefix.get(range)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<u8>().ok())?
    };
    let dashes = [4, 7].iter().all(|at| matches!(prefix.as_bytes().get(*at), None | Some(b'-')));
    let year = prefix.get(..4).is_some_and(|year| year.bytes().all(|byte| byte.is_ascii_digit()));
    let (month, day) = (number(5..7), number(8..10));
    let possible = dashes
        && year
        && match prefix.len() {
            4 | 5 => true,
            7 | 8 => month.is_some_and(|month| super::calendar::exists(0, month, 1)),
            10 => month.zip(day).is_some_and(|(month, day)| {
                let year = prefix[..4].parse().unwrap_or(0);
                super::calendar::exists(year, month, day)
            }),
            _ => false,
        };
    if possible {
        Ok(())
    } else {
        Err(PartError::new(format!(
            "has no date that begins with `{prefix}`; a prefix looks like `2026`, `2026-03` or `2026-03-14`"
        )))
    }
}
