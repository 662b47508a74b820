//! What an update makes of an item, without a request: the same as DynamoDB would.

use aws_sdk_dynamodb::types::AttributeValue;

use super::change::Action;
use super::path::{DocumentPath, Segment};
use crate::codec::{self, Number};
use crate::entity::Item;
use crate::error::Error;

/// Applies changes that do not overlap. All of them speak of the item as it was.
pub(crate) fn apply(item: &mut Item, actions: &[Action]) -> Result<(), Error> {
    let mut effects = Vec::new();
    for action in actions {
        if let Some(at) = action.at() {
            // An element that another change appends is no place for this one.
            parent(item, at)?;
        }
        effects.extend(effect(item, action)?);
    }
    // Of elements behind the end, the lower comes first; of elements that go, the last.
    effects.sort_by_cached_key(|&(at, _)| order(at));
    let (writes, removals): (Vec<_>, Vec<_>) =
        effects.into_iter().partition(|(_, value)| value.is_some());
    for (at, value) in writes {
        if let Some(value) = value {
            put(item, at, value)?;
        }
    }
    for (at, _) in removals.into_iter().rev() {
        remove(item, at)?;
    }
    Ok(())
}

/// The positions in lists, by which paths of one list are ordered.
fn order(at: &DocumentPath) -> Vec<(Option<&str>, usize)> {
    let segments = at.0.iter().map(|segment| match segment {
        Segment::Name(name) => (Some(&**name), 0),
        Segment::Index(index) => (None, *index),
    });
    segments.collect()
}

/// The new value of a place, `None` where it goes; nothing where it stays.
#[allow(clippy::type_complexity)]
fn effect<'a>(
    item: &Item,
    action: &'a Action,
) -> Result<Option<(&'a DocumentPath, Option<AttributeValue>)>, Error> {
    Ok(Some(match action {
        // What is appended meanwhile does not go.
        Action::Set { at, value: None, .. } if at.find(item).is_none() => return Ok(None),
        Action::Set { at, value, .. } => (at, value.clone()),
        Action::SetIfMissing { at, value } => match at.find(item) {
            Some(_) => return Ok(None),
            None => (at, Some(value.clone())),
        },
        Action::Add { at, number, .. } => (at, Some(sum(at, at.find(item), number)?)),
        Action::Append { at, list, in_front, .. } => {
            let (old, new) = (elements(at, at.find(item))?, elements(at, Some(list))?);
            let (first, last) = if *in_front { (new, old) } else { (old, new) };
            (at, Some(AttributeValue::L([first, last].concat())))
        }
        Action::Insert { at, set } => (at, Some(union(at, at.find(item), set)?)),
        Action::Delete { at, set } => match at.find(item) {
            None => return Ok(None),
            Some(found) => (at, difference(at, found, set)?),
        },
        Action::Refused(error) => return Err(error.clone()),
    }))
}

/// The place inside of which the last step of a path is.
fn parent<'a>(
    item: &'a mut Item,
    at: &'a DocumentPath,
) -> Result<(Parent<'a>, &'a Segment), Error> {
    let missing = || {
        Error::expression(format!(
            "`{at}` has nothing to be in: the map or list around it is missing; set that as a whole"
        ))
    };
    let (last, steps) = at.0.split_last().ok_or_else(missing)?;
    let Some((Segment::Name(first), rest)) = steps.split_first() else {
        return Ok((Parent::Map(item), last));
    };
    let mut found = item.get_mut(&**first).ok_or_else(missing)?;
    for segment in rest {
        found = match (segment, found) {
            (Segment::Name(name), AttributeValue::M(map)) => map.get_mut(&**name),
            (Segment::Index(index), AttributeValue::L(list)) => list.get_mut(*index),
            _ => None,
        }
        .ok_or_else(missing)?;
    }
    match found {
        AttributeValue::M(map) => Ok((Parent::Map(map), last)),
        AttributeValue::L(list) => Ok((Parent::List(list), last)),
        _ => Err(missing()),
    }
}

enum Parent<'a> {
    Map(&'a mut Item),
    List(&'a mut Vec<AttributeValue>),
}

fn put(item: &mut Item, at: &DocumentPath, value: AttributeValue) -> Result<(), Error> {
    match parent(item, at)? {
        (Parent::Map(map), Segment::Name(name)) => {
            map.insert(name.clone().into_owned(), value);
        }
        (Parent::List(list), Segment::Index(index)) => match list.get_mut(*index) {
            Some(element) => *element = value,
            // As DynamoDB does beyond the end.
            None => list.push(value),
        },
        _ => return Err(mismatch(at, "it is not of the type that the path says")),
    }
    Ok(())
}

fn remove(item: &mut Item, at: &DocumentPath) -> Result<(), Error> {
    match parent(item, at)? {
        (Parent::Map(map), Segment::Name(name)) => {
            map.remove(&**name);
        }
        (Parent::List(list), Segment::Index(index)) if *index < list.len() => {
            list.remove(*index);
        }
        _ => {}
    }
    Ok(())
}

fn mismatch(at: &DocumentPath, problem: &str) -> Error {
    Error::expression(format!("`{at}` cannot be changed: {problem}"))
}

fn sum(
    at: &DocumentPath,
    found: Option<&AttributeValue>,
    number: &str,
) -> Result<AttributeValue, Error> {
    let found = match found {
        None => "0",
        Some(AttributeValue::N(found)) => found,
        Some(other) => {
            return Err(mismatch(at, &format!("it is {}, no number", codec::type_name(other))));
        }
    };
    let read = |text: &str| text.parse::<Number>();
    let sum = read(found).and_then(|found| found.sum(read(number)?));
    sum.map(|sum| AttributeValue::N(sum.to_string()))
        .map_err(|error| mismatch(at, &error.to_string()))
}

fn elements(
    at: &DocumentPath,
    found: Option<&AttributeValue>,
) -> Result<Vec<AttributeValue>, Error> {
    match found {
        None => Ok(Vec::new()),
        Some(AttributeValue::L(list)) => Ok(list.clone()),
        Some(other) => Err(mismatch(at, &format!("it is {}, no list", codec::type_name(other)))),
    }
}

fn union(
    at: &DocumentPath,
    found: Option<&AttributeValue>,
    set: &AttributeValue,
) -> Result<AttributeValue, Error> {
    use AttributeValue::{Bs, Ns, Ss};
    fn both<T: Clone>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> Vec<T> {
        let mut all = a.to_vec();
        all.extend(b.iter().filter(|new| !a.iter().any(|old| same(old, new))).cloned());
        all
    }
    Ok(match (found, set) {
        (None, set) => set.clone(),
        (Some(Ss(a)), Ss(b)) => Ss(both(a, b, |a, b| a == b)),
        (Some(Ns(a)), Ns(b)) => Ns(both(a, b, |a, b| same_number(a, b))),
        (Some(Bs(a)), Bs(b)) => Bs(both(a, b, |a, b| a == b)),
        (Some(other), _) => {
            return Err(mismatch(at, &format!("it is {}", codec::type_name(other))));
        }
    })
}

/// What is left; `None` for nothing.
fn difference(
    at: &DocumentPath,
    found: &AttributeValue,
    set: &AttributeValue,
) -> Result<Option<AttributeValue>, Error> {
    use AttributeValue::{Bs, Ns, Ss};
    fn rest<T: Clone>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> Option<Vec<T>> {
        let rest: Vec<_> =
            a.iter().filter(|old| !b.iter().any(|gone| same(old, gone))).cloned().collect();
        (!rest.is_empty()).then_some(rest)
    }
    Ok(match (found, set) {
        (Ss(a), Ss(b)) => rest(a, b, |a, b| a == b).map(Ss),
        (Ns(a), Ns(b)) => rest(a, b, |a, b| same_number(a, b)).map(Ns),
        (Bs(a), Bs(b)) => rest(a, b, |a, b| a == b).map(Bs),
        (other, _) => return Err(mismatch(at, &format!("it is {}", codec::type_name(other)))),
    })
}

/// Whether two stored values are one, numbers by their value and sets in any order.
pub(crate) fn same(a: Option<&AttributeValue>, b: Option<&AttributeValue>) -> bool {
    use AttributeValue::{L, M, N, Ns};
    match (a, b) {
        (Some(N(a)), Some(N(b))) => same_number(a, b),
        (Some(Ns(a)), Some(Ns(b))) => {
            a.len() == b.len() && a.iter().all(|a| b.iter().any(|b| same_number(a, b)))
        }
        (Some(AttributeValue::Ss(a)), Some(AttributeValue::Ss(b))) => {
            a.len() == b.len() && a.iter().all(|a| b.contains(a))
        }
        (Some(AttributeValue::Bs(a)), Some(AttributeValue::Bs(b))) => {
            a.len() == b.len() && a.iter().all(|a| b.contains(a))
        }
        (Some(L(a)), Some(L(b))) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(Some(a), Some(b)))
        }
        (Some(M(a)), Some(M(b))) => {
            a.len() == b.len() && a.iter().all(|(name, a)| same(Some(a), b.get(name)))
        }
        (a, b) => a == b,
    }
}

fn same_number(a: &str, b: &str) -> bool {
    match (a.parse::<Number>(), b.parse::<Number>()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
