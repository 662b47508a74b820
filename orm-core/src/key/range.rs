//! From fixed components, a prefix or a range to the one sort-key condition of a Query.

use std::ops::Bound;

use super::condition::{Cut, SortCondition, SortRange, compose};

use super::fixed::Form;
use super::{KeyError, KeyValue, Part, PartError, PartKind, PartValue, Slot};
use crate::key::Component;

/// A bound of a range, erased.
pub(crate) type Edge<'a> = Bound<&'a dyn Component>;

/// The items whose first components are `texts`.
pub(crate) fn fixed(slot: &Slot, texts: &[Option<String>]) -> Result<SortRange, KeyError> {
    let (whole, text) = slot.join(texts, None);
    if whole {
        return Ok(SortRange::exactly(SortCondition::Equal(slot.sized(KeyValue::S(text))?)));
    }
    if slot.natural || text.is_empty() {
        if let Some(range) = with_missing(slot)? {
            return Ok(range);
        }
        return between(slot, texts, 0, Bound::Unbounded, Bound::Unbounded);
    }
    Ok(SortRange::exactly(SortCondition::BeginsWith(slot.sized(KeyValue::S(text))?)))
}

/// The block of a template that begins with a component whose missing values are kept: from the
/// lesser of the two first bytes to the one behind the greater.
fn with_missing(slot: &Slot) -> Result<Option<SortRange>, KeyError> {
    let part = slot.template.parts().next();
    let Some((part, none)) = part.and_then(|part| Some((part, part.none_text()?))) else {
        return Ok(None);
    };
    let text = |text: &str| slot.sized(KeyValue::S(text.to_owned()));
    let high = successor(part.mark().max(none)).unwrap_or_default();
    let (low, high) = (text(part.mark().min(none))?, text(&high)?);
    Ok(Some(compose(Some(low), Some(high), Cut { low: false, high: false })))
}

/// The items whose component `at` begins with `prefix`.
pub(crate) fn prefix(
    slot: &Slot,
    texts: &[Option<String>],
    at: usize,
    prefix: &str,
) -> Result<SortRange, KeyError> {
    let (part, mut text) = target(slot, texts, at)?;
    if slot.natural && matches!(part.kind, PartKind::Text) {
        text.push_str(prefix);
    } else {
        part.write_prefix(prefix, &mut text).map_err(|error| slot.error_at(part, error))?;
    }
    if text.is_empty() {
        return fixed(slot, texts);
    }
    Ok(SortRange::exactly(SortCondition::BeginsWith(slot.sized(KeyValue::S(text))?)))
}

/// The items whose component `at` lies between two bounds.
pub(crate) fn between(
    slot: &Slot,
    texts: &[Option<String>],
    at: usize,
    start: Edge<'_>,
    end: Edge<'_>,
) -> Result<SortRange, KeyError> {
    if slot.natural {
        return natural(slot, start, end);
    }
    let (part, head) = target(slot, texts, at)?;
    let fail = |error: PartError| slot.error_at(part, error);
    let ends = match part.form() {
        Some(form) => ordinals(part, form, slot.primary, start, end)
            .map_err(fail)?
            .map(|(low, high)| fixed_width(part, form, &head, low, high)),
        None => text(part, &head, start, end).map_err(fail)?,
    };
    let Some(Ends { low, high, excluded }) = ends else {
        return Ok(SortRange::exactly(SortCondition::Nothing));
    };
    let low = low.map(|low| within_low(low, slot.limit));
    let (high, beyond) = within_high(high, slot.limit);
    let sized = |text: Option<String>| text.map(|text| slot.sized(KeyValue::S(text))).transpose();
    let open = matches!((start, end), (Bound::Unbounded, Bound::Unbounded));
    if open && !head.is_empty() {
        let head = slot.sized(KeyValue::S(head))?;
        return Ok(SortRange::exactly(SortCondition::BeginsWith(head)));
    }
    Ok(compose(sized(low)?, sized(high)?, Cut { low: false, high: excluded || beyond }))
}

/// A lower bound that is longer than any key: what is not less than it begins behind the keys that
/// share its first `limit` bytes.
fn within_low(text: String, limit: usize) -> String {
    if text.len() <= limit { text } else { behind(&text, limit).unwrap_or(text) }
}

/// The same for an upper bound, and whether keys on the new one lie outside.
fn within_high(text: Option<String>, limit: usize) -> (Option<String>, bool) {
    match text {
        Some(text) if text.len() > limit => (behind(&text, limit), true),
        text => (text, false),
    }
}

/// The least key behind those that share the first `limit` bytes. A successor may have more bytes
/// than the text; where it does not fit, no greater letter does, and the one before it is stepped.
fn behind(text: &str, limit: usize) -> Option<String> {
    let mut head = &text[..text.floor_char_boundary(limit)];
    loop {
        match successor(head) {
            Some(next) if next.len() > limit => {
                head = &head[..head.floor_char_boundary(head.len() - 1)];
            }
            next => return next,
        }
    }
}

/// The part, and the text in front of its values: a prefix or a range finds no missing ones.
fn target(
    slot: &Slot,
    texts: &[Option<String>],
    at: usize,
) -> Result<(&'static Part, String), KeyError> {
    let known: Vec<_> = texts.iter().take(at).cloned().collect();
    match slot.template.parts().nth(at) {
        Some(part) => Ok((part, slot.join(&known, None).1 + part.mark())),
        None => Err(KeyError::new(slot.entity, slot.template.text, "has no such component")),
    }
}

struct Ends {
    low: Option<String>,
    high: Option<String>,
    /// Whether items on `high` must be dropped after reading.
    excluded: bool,
}

fn value<'a>(edge: Edge<'a>) -> Result<Bound<PartValue<'a>>, PartError> {
    let get = |component: &'a dyn Component| {
        component.value()?.ok_or_else(|| PartError::new("is absent"))
    };
    Ok(match edge {
        Bound::Included(component) => Bound::Included(get(component)?),
        Bound::Excluded(component) => Bound::Excluded(get(component)?),
        Bound::Unbounded => Bound::Unbounded,
    })
}

/// The first and the last ordinal inside; `None`: the range is empty.
///
/// In an index the stored values are rounded down, and so are the bounds; in a primary key nothing
/// was rounded, and a bound between two ordinals excludes exactly what lies outside it.
fn ordinals(
    part: &Part,
    form: Form,
    exact: bool,
    start: Edge<'_>,
    end: Edge<'_>,
) -> Result<Option<(u128, u128)>, PartError> {
    let low = match value(start)? {
        Bound::Unbounded => form.least(),
        Bound::Included(bound) => match part.clamp(form, &bound)? {
            Ok((ordinal, whole)) if whole || !exact => ordinal,
            Ok((ordinal, _)) => ordinal + 1,
            Err(false) => form.least(),
            Err(true) => return Ok(None),
        },
        Bound::Excluded(bound) => match part.clamp(form, &bound)? {
            Ok((ordinal, _)) if ordinal == form.greatest() => return Ok(None),
            Ok((ordinal, _)) => ordinal + 1,
            Err(false) => form.least(),
            Err(true) => return Ok(None),
        },
    };
    let high = match value(end)? {
        Bound::Unbounded => form.greatest(),
        Bound::Included(bound) => match part.clamp(form, &bound)? {
            Ok((ordinal, _)) => ordinal,
            Err(true) => form.greatest(),
            Err(false) => return Ok(None),
        },
        Bound::Excluded(bound) => match part.clamp(form, &bound)? {
            Ok((ordinal, whole)) if exact && !whole => ordinal,
            Ok((ordinal, _)) if ordinal == form.least() => return Ok(None),
            Ok((ordinal, _)) => ordinal - 1,
            Err(true) => form.greatest(),
            Err(false) => return Ok(None),
        },
    };
    Ok((low <= high).then_some((low, high)))
}

fn fixed_width(part: &Part, form: Form, head: &str, low: u128, high: u128) -> Ends {
    let (first, last) = if part.spec.desc { (high, low) } else { (low, high) };
    let mut low = head.to_owned();
    part.write_ordinal(form, first, &mut low);
    let mut high = head.to_owned();
    part.write_ordinal(form, last, &mut high);
    Ends { low: Some(low), high: Some(past(part, high)), excluded: false }
}

/// The least text behind everything that begins with `text` and goes on behind this component.
fn past(part: &Part, mut text: String) -> String {
    match part.follow {
        super::Follow::End => text,
        super::Follow::Literal(delimiter) if delimiter.is_ascii() => {
            text.push(char::from(delimiter + 1));
            text
        }
        // The first byte of a letter that is not ASCII has no successor in UTF-8.
        super::Follow::Literal(_) | super::Follow::Component => successor(&text).unwrap_or(text),
    }
}

fn text(
    part: &Part,
    head: &str,
    start: Edge<'_>,
    end: Edge<'_>,
) -> Result<Option<Ends>, PartError> {
    let encode = |bound: &PartValue<'_>| {
        let mut text = head.to_owned();
        part.write_text(bound.as_text()?, &mut text)?;
        Ok::<_, PartError>(text)
    };
    let last = part.follow == super::Follow::End;
    let (start, end) = (value(start)?, value(end)?);
    if holds_no_text(part, &start, &end)? {
        return Ok(None);
    }
    let block = block(part, head);
    let low = match start {
        Bound::Included(bound) => encode(&bound)?,
        Bound::Excluded(bound) => {
            let mut text = encode(&bound)?;
            if text.len() > head.len() {
                if last {
                    text.push('\0');
                } else {
                    text = past(part, text);
                }
            }
            text
        }
        Bound::Unbounded => block.0,
    };
    let (high, excluded) = match end {
        Bound::Unbounded => (block.1, false),
        Bound::Included(bound) => (Some(past(part, encode(&bound)?)), false),
        Bound::Excluded(bound) => (Some(encode(&bound)?), last),
    };
    Ok(Some(Ends { low: (!low.is_empty()).then_some(low), high, excluded }))
}

/// Everything that begins with `head`; where that is nothing, the least text of the component and the
/// end of the greatest.
fn block(part: &Part, head: &str) -> (String, Option<String>) {
    // The byte behind `9`.
    let digits_end = Some(":".to_owned());
    match part.kind {
        _ if !head.is_empty() => (head.to_owned(), successor(head)),
        PartKind::Unsigned { .. } => ("0".to_owned(), digits_end),
        PartKind::Signed { .. } => ("-".to_owned(), digits_end),
        PartKind::Name(names) => {
            let least = names.iter().min().copied().unwrap_or_default();
            // `A` and its delimiter may sort behind `AB` and its.
            (least.to_owned(), names.iter().map(|name| past(part, (*name).to_owned())).max())
        }
        _ => (String::new(), None),
    }
}

/// Whether no text of at least one byte lies inside. Nothing lies between a text and the same text
/// with a NUL behind it.
fn holds_no_text(
    part: &Part,
    start: &Bound<PartValue<'_>>,
    end: &Bound<PartValue<'_>>,
) -> Result<bool, PartError> {
    let least = match start {
        Bound::Included(bound) => part.folded(bound.as_text()?).into_owned(),
        Bound::Excluded(bound) => format!("{}\0", part.folded(bound.as_text()?)),
        Bound::Unbounded => String::new(),
    };
    let least = least.max("\0".to_owned());
    Ok(match end {
        Bound::Included(bound) => *part.folded(bound.as_text()?) < *least,
        Bound::Excluded(bound) => *part.folded(bound.as_text()?) <= *least,
        Bound::Unbounded => false,
    })
}

/// The least text that is greater than every text beginning with `text`.
pub(crate) fn successor(text: &str) -> Option<String> {
    let mut head = text.to_owned();
    while let Some(last) = head.pop() {
        // The scalar values have one gap, the surrogates, which `step` jumps over.
        let next = u32::from(last) + 1;
        let next = if next == 0xD800 { 0xE000 } else { next };
        if let Some(next) = char::from_u32(next) {
            head.push(next);
            return Some(head);
        }
    }
    None
}

fn natural(slot: &Slot, start: Edge<'_>, end: Edge<'_>) -> Result<SortRange, KeyError> {
    let bound = |edge: Edge<'_>| -> Result<Option<(KeyValue, bool)>, KeyError> {
        let (component, open) = match edge {
            Bound::Included(component) => (component, false),
            Bound::Excluded(component) => (component, true),
            Bound::Unbounded => return Ok(None),
        };
        Ok(slot.natural_bound(component)?.map(|value| (value, open)))
    };

    let low = bound(start)?.filter(|(value, _)| value.size() > 0);
    let high = bound(end)?;
    if high.as_ref().is_some_and(|(value, _)| value.size() == 0) {
        return Ok(SortRange::exactly(SortCondition::Nothing));
    }
    let low = match low {
        Some((KeyValue::S(text), _)) if text.len() > slot.limit => {
            Some((KeyValue::S(within_low(text, slot.limit)), false))
        }
        low => low,
    };
    let high = match high {
        Some((KeyValue::S(text), _)) if text.len() > slot.limit => {
            within_high(Some(text), slot.limit).0.map(|text| (KeyValue::S(text), true))
        }
        high => high,
    };
    let cut = Cut {
        low: low.as_ref().is_some_and(|(_, open)| *open),
        high: high.as_ref().is_some_and(|(_, open)| *open),
    };
    // Binary bounds over the limit are the only ones left to refuse.
    let checked = |bound: Option<(KeyValue, bool)>| match bound {
        Some((value, _)) if value.size() > 0 => slot.sized(value).map(Some),
        bound => Ok(bound.map(|(value, _)| value)),
    };
    Ok(compose(checked(low)?, checked(high)?, cut))
}
