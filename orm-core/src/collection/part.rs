use super::ItemCollection;
use crate::key::condition::{KeyRange, SortCondition, SortRange};
use crate::key::range;
use crate::key::{KeyError, KeyValue};
use crate::schema::{EntitySchema, Schema};

/// What the caller wants of one member; all of it unless set.
#[derive(Debug, Clone, Default)]
pub(crate) struct Narrowing {
    pub(crate) range: Option<SortRange>,
    pub(crate) limit: Option<usize>,
}

/// One Query of a collection, and what is taken from it.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) range: KeyRange,
    /// The members read by it, by position. An item of another one is in that one's own part.
    pub(crate) members: Vec<usize>,
    /// How many items it takes, if that is known.
    pub(crate) items: Option<usize>,
    /// The member, and how many of its items end the part.
    pub(crate) until: Option<(usize, usize)>,
}

/// The requests that read a collection, as few as read no item of a narrowed member in vain.
///
/// `narrowings`: one for each member.
pub(crate) fn parts<C: ItemCollection>(
    partition: &KeyValue,
    narrowings: &[Narrowing],
    descending: bool,
) -> Result<Vec<Part>, KeyError> {
    let part = |sort, members| Part {
        range: KeyRange { partition: vec![partition.clone()], equal: Vec::new(), sort },
        members,
        items: None,
        until: None,
    };
    let all: Vec<usize> = (0..C::MEMBERS.len()).collect();
    if C::KEEPS_OTHERS {
        return Ok(vec![part(SortRange::ALL, all)]);
    }
    let blocks: Vec<SortRange> =
        C::MEMBERS.iter().map(|member| block(member, C::INDEX)).collect::<Result<_, _>>()?;
    let is_narrowed = |at: &usize| {
        narrowings.get(*at).is_some_and(|one| one.range.is_some() || one.limit.is_some())
    };
    let (narrowed, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(is_narrowed);
    let range_of = |at: usize| narrowings[at].range.as_ref().unwrap_or(&blocks[at]);
    if let [at] = narrowed[..]
        && narrowings[at].limit != Some(0)
        && let Some(hull) = hull(&blocks, range_of(at), at, descending)
        && !is_crossed::<C>(partition, &hull)?
    {
        let mut one = part(between(hull), (0..C::MEMBERS.len()).collect());
        one.items = narrowings[at].limit.map(|limit| limit.saturating_add(rest.len()));
        one.until = narrowings[at].limit.map(|limit| (at, limit));
        return Ok(vec![one]);
    }
    let mut parts: Vec<Part> = groups(&blocks, &narrowed, rest)
        .into_iter()
        .map(|group| part(span(&blocks, &group), group))
        .collect();
    for at in narrowed {
        let mut one = part(range_of(at).clone(), vec![at]);
        one.items = narrowings[at].limit;
        one.until = narrowings[at].limit.map(|limit| (at, limit));
        if !one.range.is_empty() && one.items != Some(0) {
            parts.push(one);
        }
    }
    Ok(parts)
}

/// Where the items of an entity lie in a partition.
fn block(
    entity: &'static EntitySchema,
    index: Option<&'static str>,
) -> Result<SortRange, KeyError> {
    let Some(slot) = entity.first_slots(index).and_then(|(_, sk)| sk) else {
        return Ok(SortRange::ALL);
    };
    range::fixed(slot, &vec![None; slot.template.parts().count()])
}

/// The least key, and what no key is greater than.
type Ends = (String, Option<String>);

/// Both ends of a condition on text; `None` where it has no lower end or is not text.
fn ends(condition: &SortCondition) -> Option<Ends> {
    match condition {
        SortCondition::Equal(KeyValue::S(text)) => Some((text.clone(), Some(text.clone()))),
        SortCondition::BeginsWith(KeyValue::S(text)) => {
            Some((text.clone(), range::successor(text)))
        }
        SortCondition::Between(KeyValue::S(low), KeyValue::S(high)) => {
            Some((low.clone(), Some(high.clone())))
        }
        SortCondition::AtLeast(KeyValue::S(low)) => Some((low.clone(), None)),
        _ => None,
    }
}

fn between((low, high): Ends) -> SortRange {
    let low = KeyValue::S(low);
    SortRange::exactly(match high {
        Some(high) => SortCondition::Between(low, KeyValue::S(high)),
        None => SortCondition::AtLeast(low),
    })
}

/// The sort keys from the first member's to the last's; what else lies between is skipped after
/// reading.
fn span(blocks: &[SortRange], members: &[usize]) -> SortRange {
    if let [one] = members {
        return SortRange::exactly(blocks[*one].condition.clone());
    }
    let mut span: Option<Ends> = None;
    for member in members {
        let Some((low, high)) = ends(&blocks[*member].condition) else { return SortRange::ALL };
        span = Some(match span {
            None => (low, high),
            Some((least, greatest)) => (least.min(low), greatest.zip(high).map(|(a, b)| a.max(b))),
        });
    }
    span.map_or(SortRange::ALL, between)
}

/// From the single items in front of a narrowed member, in the direction of the read, to the end of
/// what is wanted of it; `None` where this reads more of the member than is wanted.
fn hull(blocks: &[SortRange], wanted: &SortRange, at: usize, descending: bool) -> Option<Ends> {
    let (low, high) = ends(&wanted.condition)?;
    let (first, last) = ends(&blocks[at].condition)?;
    let mut hull = (low.clone(), high.clone());
    let mut others = blocks.iter().enumerate().filter(|(other, _)| *other != at).peekable();
    others.peek()?;
    for (_, other) in others {
        let SortCondition::Equal(KeyValue::S(key)) = &other.condition else { return None };
        if descending {
            let is_behind = high.as_ref().is_some_and(|high| key >= high) && high == last;
            hull.1 = hull.1.filter(|_| is_behind).map(|high| high.max(key.clone()));
            hull.1.as_ref()?;
        } else if *key < low && low == first {
            hull.0 = hull.0.min(key.clone());
        } else {
            return None;
        }
    }
    Some(hull)
}

/// Whether an entity of the table that is no member has keys between the ends.
fn is_crossed<C: ItemCollection>(
    partition: &KeyValue,
    (low, high): &Ends,
) -> Result<bool, KeyError> {
    for entry in C::Table::entities() {
        let entity = entry.schema;
        if C::MEMBERS.iter().any(|member| member.name == entity.name) {
            continue;
        }
        let Some((pk, _)) = entity.first_slots(C::INDEX) else { continue };
        if !pk.matches(partition) {
            continue;
        }
        let is_apart = ends(&block(entity, C::INDEX)?.condition).is_some_and(|(first, last)| {
            last.is_some_and(|last| last < *low) || high.as_ref().is_some_and(|high| first > *high)
        });
        if !is_apart {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The members that are read whole, those together between which no narrowed one lies.
fn groups(blocks: &[SortRange], narrowed: &[usize], rest: Vec<usize>) -> Vec<Vec<usize>> {
    let low = |at: usize| ends(&blocks[at].condition).map(|(low, _)| low);
    if narrowed.is_empty() || rest.iter().chain(narrowed).any(|at| low(*at).is_none()) {
        return if rest.is_empty() { Vec::new() } else { vec![rest] };
    }
    let before = |member: usize| narrowed.iter().filter(|at| low(**at) < low(member)).count();
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); narrowed.len() + 1];
    for member in rest {
        groups[before(member)].push(member);
    }
    groups.retain(|group| !group.is_empty());
    groups
}
