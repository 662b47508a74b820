use std::cell::Cell;

use super::ascii::Ascii;
use super::{KeyError, KeyValue, Part, PartKind, PartValue};
use crate::schema::{KeyAttribute, KeyType};

thread_local! {
    /// Keys are written here before their size is known, so that each is one allocation of its size.
    static SCRATCH: Cell<String> = const { Cell::new(String::new()) };
}

/// The text of a key template and its pieces, as the derive reads it.
#[derive(Debug, Clone, Copy)]
pub struct Template {
    /// As written.
    pub text: &'static str,
    /// In order.
    pub segments: &'static [Segment],
}

/// A piece of a key template.
#[derive(Debug, Clone, Copy)]
pub enum Segment {
    /// Text that stands in every key.
    Literal(&'static str),
    /// `<field:spec>`
    Part(Part),
    /// `<shard>`
    Shard,
}

/// What one entity writes to one key attribute.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// The entity's name.
    pub entity: &'static str,
    /// The attribute it fills.
    pub attribute: KeyAttribute,
    /// How.
    pub template: Template,
    /// `<x>` alone on the attribute of the field's own name: stored as serde writes it.
    pub natural: bool,
    /// Whether the attribute belongs to the table's primary key.
    pub primary: bool,
    /// The greatest size in bytes: 2048 for partition keys, 1024 for sort keys.
    pub limit: usize,
}

/// A field's value on its way into a key; made by generated code.
pub trait Component {
    /// `None` for an `Option` that is `None`.
    ///
    /// # Errors
    ///
    /// The value cannot stand in a key.
    fn value(&self) -> Result<Option<PartValue<'_>>, super::PartError>;

    /// The value as serde writes it, for natural keys.
    ///
    /// # Errors
    ///
    /// The value does not serialize to S, N or B.
    fn natural(&self) -> Result<Option<KeyValue>, super::PartError>;
}

impl Template {
    /// The components, without literals and shard.
    pub fn parts(&self) -> impl Iterator<Item = &'static Part> {
        self.segments.iter().filter_map(|segment| match segment {
            Segment::Part(part) => Some(part),
            _ => None,
        })
    }

    /// Whether a shard number stands in it.
    pub(crate) const fn has_shard(&self) -> bool {
        let mut at = 0;
        while at < self.segments.len() {
            if matches!(self.segments[at], Segment::Shard) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// The stored texts of the components, in order. `None`: not a key of this template.
    fn split<'a>(&self, stored: &'a str) -> Option<Vec<&'a str>> {
        let mut rest = stored;
        let mut texts = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            let (text, tail) = match segment {
                Segment::Literal(literal) => ("", rest.strip_prefix(literal)?),
                Segment::Part(part) => rest.split_at_checked(part.split(rest)?)?,
                Segment::Shard => {
                    let end = match self.segments.get(at + 1) {
                        Some(Segment::Literal(literal)) => rest.find(literal)?,
                        _ => rest.len(),
                    };
                    let (number, tail) = rest.split_at(end);
                    let canonical = number.parse::<u32>().ok()?.to_string() == number;
                    ("", canonical.then_some(tail)?)
                }
            };
            if let Segment::Part(_) = segment {
                texts.push(text);
            }
            rest = tail;
        }
        rest.is_empty().then_some(texts)
    }

    /// The values of the components of a stored key. Only text that the template renders parses;
    /// text without one of the values does not.
    pub fn parse<'a>(&self, stored: &'a str) -> Option<Vec<PartValue<'a>>> {
        self.parse_kept(stored)?.into_iter().collect()
    }

    /// The same, with what is kept of missing values.
    pub fn parse_kept<'a>(&self, stored: &'a str) -> Option<Vec<Option<PartValue<'a>>>> {
        let texts = self.split(stored)?;
        self.parts().zip(texts).map(|(part, text)| part.read_kept(text)).collect()
    }
}

impl Slot {
    /// The stored value; `None` where an `Option` leaves the item out.
    pub(crate) fn render(
        &self,
        values: &[&dyn Component],
        shard: Option<u32>,
    ) -> Result<Option<KeyValue>, KeyError> {
        if self.natural {
            let value = values.first().map(|value| self.natural(*value));
            return value.transpose().map(Option::flatten);
        }
        let mut text = SCRATCH.try_with(Cell::take).unwrap_or_default();
        text.clear();
        let is_present = self.write_all(values, shard, &mut text)?;
        let key = if is_present {
            self.check_size(text.len())?;
            Some(KeyValue::S(text.as_str().to_owned()))
        } else {
            None
        };
        // Without room for more than a key: a text that is too long has returned above.
        let _ = SCRATCH.try_with(|scratch| scratch.set(text));
        Ok(key)
    }

    /// Appends the text; `false` where an `Option` leaves the item out.
    fn write_all(
        &self,
        values: &[&dyn Component],
        shard: Option<u32>,
        out: &mut String,
    ) -> Result<bool, KeyError> {
        let mut values = values.iter();
        for segment in self.template.segments {
            match segment {
                Segment::Literal(literal) => out.push_str(literal),
                Segment::Part(part) => {
                    let Some(value) = values.next() else { break };
                    // Looked at in its place: to move it costs as much as to write it.
                    match &value.value() {
                        Ok(Some(value)) => self.write(part, value, out)?,
                        Ok(None) => match part.none_text() {
                            Some(none) => out.push_str(none),
                            None => return Ok(false),
                        },
                        Err(error) => return Err(self.error_at(part, error)),
                    }
                }
                Segment::Shard => out.push_str(shard_number(shard).as_str()),
            }
        }
        Ok(true)
    }

    /// The stored text of one component.
    pub(crate) fn text(&self, part: &Part, value: &PartValue<'_>) -> Result<String, KeyError> {
        let mut text = String::new();
        self.write(part, value, &mut text)?;
        Ok(text)
    }

    fn write(&self, part: &Part, value: &PartValue<'_>, out: &mut String) -> Result<(), KeyError> {
        part.write(value, self.primary, out).map_err(|error| self.error_at(part, error))
    }

    /// The text up to the first unknown component, and whether it is the whole key.
    pub(crate) fn join(&self, texts: &[Option<String>], shard: Option<u32>) -> (bool, String) {
        let mut out = String::new();
        let mut texts = texts.iter();
        for segment in self.template.segments {
            match segment {
                Segment::Literal(literal) => out.push_str(literal),
                Segment::Part(_) => match texts.next() {
                    Some(Some(text)) => out.push_str(text),
                    _ => return (false, out),
                },
                Segment::Shard => out.push_str(shard_number(shard).as_str()),
            }
        }
        (true, out)
    }

    /// The value as serde writes it, checked against the declared type.
    pub(crate) fn natural(&self, value: &dyn Component) -> Result<Option<KeyValue>, KeyError> {
        let stored = self.natural_bound(value)?;
        stored.map(|stored| self.sized(stored)).transpose()
    }

    /// The same for a bound, which may be empty.
    pub(crate) fn natural_bound(
        &self,
        value: &dyn Component,
    ) -> Result<Option<KeyValue>, KeyError> {
        let place = || format!("attribute `{}`", self.attribute.name);
        let stored = value.natural().map_err(|error| KeyError::new(self.entity, place(), error))?;
        let Some(stored) = stored else { return Ok(None) };
        self.natural_year(&stored)?;
        if stored.type_name() != self.attribute.ty.name() {
            return Err(KeyError::new(
                self.entity,
                place(),
                format_args!(
                    "is stored as {} by serde, but the table declares {}",
                    stored.type_name(),
                    self.attribute.ty.name()
                ),
            ));
        }
        Ok(Some(stored))
    }

    /// Dates are in order while their years have four digits; beyond, serde writes a sign.
    pub(crate) fn natural_year(&self, stored: &KeyValue) -> Result<(), KeyError> {
        let is_date = self.template.parts().any(|part| matches!(part.kind, PartKind::Date));
        match stored {
            KeyValue::S(text) if is_date && text.starts_with(['+', '-']) => {
                let place = format!("attribute `{}`", self.attribute.name);
                Err(KeyError::new(self.entity, place, "is outside the years 0000 to 9999"))
            }
            _ => Ok(()),
        }
    }

    /// Checks the limits of DynamoDB for key values.
    pub(crate) fn sized(&self, value: KeyValue) -> Result<KeyValue, KeyError> {
        self.check_size(value.size())?;
        Ok(value)
    }

    fn check_size(&self, size: usize) -> Result<(), KeyError> {
        let problem = if size == 0 {
            "is empty; a key needs at least one byte".to_owned()
        } else if size > self.limit && self.attribute.ty != KeyType::N {
            format!("has {size} bytes; DynamoDB allows {}", self.limit)
        } else {
            return Ok(());
        };
        let place =
            format!("attribute `{}` (template `{}`)", self.attribute.name, self.template.text);
        Err(KeyError::new(self.entity, place, problem))
    }

    /// Whether this slot renders exactly that value for some item.
    pub(crate) fn matches(&self, stored: &KeyValue) -> bool {
        if self.natural {
            return stored.type_name() == self.attribute.ty.name();
        }
        match stored {
            KeyValue::S(text) => self.template.parse_kept(text).is_some(),
            _ => false,
        }
    }

    #[cold]
    pub(crate) fn error_at(&self, part: &Part, problem: impl std::fmt::Display) -> KeyError {
        let place = format!("field `{}` of `{}`", part.field, self.template.text);
        KeyError::new(self.entity, place, problem)
    }
}

fn shard_number(shard: Option<u32>) -> Ascii {
    Ascii::number(shard.unwrap_or(0).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::{Bare, Follow, Spec, TextForm, Width};

    const fn part(kind: PartKind, spec: Spec, follow: Follow) -> Segment {
        Segment::Part(Part { field: "field", kind, spec, follow, optional: false })
    }

    const TEXT: PartKind = PartKind::Text;
    const NUMBER: PartKind = PartKind::Unsigned { max: u64::MAX as u128 };
    const SIGNED: PartKind = PartKind::Signed { max: i64::MAX as i128 };
    const HASH: Follow = Follow::Literal(b'#');

    fn rendered(segments: &'static [Segment], values: &[&dyn Component]) -> String {
        let attribute = KeyAttribute { name: "SK", ty: KeyType::S };
        let template = Template { text: "template", segments };
        let slot =
            Slot { entity: "E", attribute, template, natural: false, primary: true, limit: 1024 };
        match slot.render(values, Some(12)) {
            Ok(Some(KeyValue::S(text))) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_key_is_one_allocation_of_its_size() {
        let (a, b) = ("a#b$".to_owned(), "Zoë".to_owned());
        let cases = [
            rendered(
                const {
                    &[
                        Segment::Literal("ORDER#"),
                        part(TEXT, Spec::NONE, HASH),
                        Segment::Literal("#"),
                        part(TEXT, Spec { text: TextForm::Rest, ..Spec::NONE }, Follow::End),
                    ]
                },
                &[&Bare(&a), &Bare(&b)],
            ),
            rendered(
                const {
                    &[
                        part(TEXT, Spec { lower: true, ..Spec::NONE }, HASH),
                        Segment::Literal("#"),
                        Segment::Shard,
                    ]
                },
                &[&Bare(&b)],
            ),
            rendered(
                const {
                    &[
                        part(NUMBER, Spec { width: Some(Width::Digits(6)), ..Spec::NONE }, HASH),
                        Segment::Literal("#"),
                        part(SIGNED, Spec { width: Some(Width::Plain), ..Spec::NONE }, HASH),
                        Segment::Literal("#"),
                        part(PartKind::Name(&["false", "true"]), Spec::NONE, Follow::End),
                    ]
                },
                &[&Bare(&42_u64), &Bare(&i64::MIN), &Bare(&true)],
            ),
        ];
        let texts = ["ORDER#a%23b%24#Zoë", "zoë#12", "000042#-9223372036854775808#true"];
        for (case, text) in cases.iter().zip(texts) {
            assert_eq!(case, text);
            assert_eq!(case.capacity(), text.len(), "{text}");
        }
    }

    #[cfg(feature = "chrono")]
    #[test]
    fn a_timestamp_is_one_allocation_of_its_size() {
        let milli = const {
            let spec = Spec { unit: Some(crate::key::Unit::Milli), desc: true, ..Spec::NONE };
            &[Segment::Literal("AT#"), part(PartKind::Timestamp, spec, Follow::End)]
        };
        let at = chrono::DateTime::from_timestamp_millis(1_785_600_000_123).unwrap();
        let text = rendered(milli, &[&Bare(&at)]);
        assert_eq!(text, "AT#7973-91-98T83:99:99.876Z");
        assert_eq!(text.capacity(), text.len());
    }
}
