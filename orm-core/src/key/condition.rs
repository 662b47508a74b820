//! The key condition of a Query: which sort keys it reads, and which of them the caller excluded.

use std::cmp::Ordering;

use super::KeyValue;

/// The sort-key condition of a Query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SortCondition {
    /// No condition: the whole partition is the entity's block.
    All,
    Equal(KeyValue),
    BeginsWith(KeyValue),
    Between(KeyValue, KeyValue),
    AtLeast(KeyValue),
    AtMost(KeyValue),
    Above(KeyValue),
    Below(KeyValue),
    /// Nothing can match, so nothing is sent.
    Nothing,
}

/// A value, and whether it is itself outside; `None`: without an end.
type End = Option<(KeyValue, bool)>;

impl SortCondition {
    /// On which side of the condition a value lies; `Equal`: inside.
    pub(crate) fn side(&self, value: &KeyValue) -> Ordering {
        let below = |low: &KeyValue| value.order(low).is_lt();
        let above = |high: &KeyValue| value.order(high).is_gt();
        match self {
            SortCondition::All => Ordering::Equal,
            // Nothing lies inside; either side will do.
            SortCondition::Nothing => Ordering::Less,
            SortCondition::Equal(only) => value.order(only),
            SortCondition::BeginsWith(head) if value.begins_with(head) => Ordering::Equal,
            SortCondition::BeginsWith(head) => value.order(head),
            SortCondition::Between(low, _) | SortCondition::AtLeast(low) if below(low) => {
                Ordering::Less
            }
            SortCondition::Above(low) if !above(low) => Ordering::Less,
            SortCondition::Between(_, high) | SortCondition::AtMost(high) if above(high) => {
                Ordering::Greater
            }
            SortCondition::Below(high) if !below(high) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }

    /// The part of the condition from a value inside of it on, in the direction of the read.
    pub(crate) fn starting_at(&self, value: &KeyValue, descending: bool) -> SortRange {
        let side = self.side(value);
        if side.is_ne() {
            // In front of the range everything is left, behind it nothing.
            return SortRange::exactly(if side.is_gt() == descending {
                self.clone()
            } else {
                SortCondition::Nothing
            });
        }
        let (low, high) = self.ends();
        let value = value.clone();
        let (low, high, cut) = if descending {
            let (low, cut) = low.map_or((None, false), |(low, cut)| (Some(low), cut));
            (low, Some(value), Cut { low: cut, high: false })
        } else {
            let (high, cut) = high.map_or((None, false), |(high, cut)| (Some(high), cut));
            (Some(value), high, Cut { low: false, high: cut })
        };
        match self {
            SortCondition::Equal(_) => SortRange::exactly(self.clone()),
            _ => compose(low, high, cut),
        }
    }

    /// The least and the greatest value.
    fn ends(&self) -> (End, End) {
        let end = |value: &KeyValue, open| Some((value.clone(), open));
        match self {
            SortCondition::All | SortCondition::Nothing => (None, None),
            SortCondition::Equal(only) => (end(only, false), end(only, false)),
            SortCondition::BeginsWith(head) => {
                (end(head, false), head.behind_all_of().map(|next| (next, true)))
            }
            SortCondition::Between(low, high) => (end(low, false), end(high, false)),
            SortCondition::AtLeast(low) => (end(low, false), None),
            SortCondition::AtMost(high) => (None, end(high, false)),
            SortCondition::Above(low) => (end(low, true), None),
            SortCondition::Below(high) => (None, end(high, true)),
        }
    }
}

/// A condition, and the sort keys that it reads but the caller excluded: a BETWEEN includes both
/// of its ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SortRange {
    pub(crate) condition: SortCondition,
    pub(crate) excluded: Vec<KeyValue>,
}

/// The key condition of a Query, and what it reads but the caller excluded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyRange {
    /// The attributes of the partition key.
    pub(crate) partition: Vec<KeyValue>,
    /// The first attributes of the sort key, those that are fixed in whole.
    pub(crate) equal: Vec<KeyValue>,
    /// The attribute behind them.
    pub(crate) sort: SortRange,
}

impl KeyRange {
    pub(crate) fn is_empty(&self) -> bool {
        self.sort.condition == SortCondition::Nothing
    }

    /// Whether an item can be read by both.
    pub(crate) fn overlaps(&self, other: &KeyRange) -> bool {
        let same = |a: &[KeyValue], b: &[KeyValue]| {
            a.iter().zip(b).all(|(a, b)| a.order(b) == Ordering::Equal)
        };
        if !same(&self.partition, &other.partition) || !same(&self.equal, &other.equal) {
            return false;
        }
        match self.equal.len().cmp(&other.equal.len()) {
            Ordering::Equal => self.sort.overlaps(&other.sort),
            Ordering::Less => self.sort.condition.side(&other.equal[self.equal.len()]).is_eq(),
            Ordering::Greater => other.overlaps(self),
        }
    }

    /// The order in which several patterns are one query, whichever order they are given in.
    pub(crate) fn order(&self, other: &KeyRange) -> Ordering {
        let each = |a: &[KeyValue], b: &[KeyValue]| {
            let values = a.iter().zip(b).map(|(a, b)| a.order(b));
            values.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        };
        each(&self.partition, &other.partition)
            .then_with(|| each(&self.equal, &other.equal))
            .then_with(|| self.sort.begins(&other.sort))
    }

    /// The partition key, for messages.
    pub(crate) fn partition_text(&self) -> String {
        let texts: Vec<_> = self.partition.iter().map(KeyValue::to_string).collect();
        texts.join(" + ")
    }
}

impl SortRange {
    /// Both ends, those outside that are dropped after reading included.
    fn ends(&self) -> (End, End) {
        let (low, high) = self.condition.ends();
        let end = |end: End| {
            end.map(|(value, open)| {
                let out = open || self.excludes(&value);
                (value, out)
            })
        };
        (end(low), end(high))
    }

    fn overlaps(&self, other: &SortRange) -> bool {
        let is_nothing = |range: &SortRange| range.condition == SortCondition::Nothing;
        if is_nothing(self) || is_nothing(other) {
            return false;
        }
        let ((low, high), (other_low, other_high)) = (self.ends(), other.ends());
        let reaches = |high: &End, low: &End| match (high, low) {
            (Some((high, open)), Some((low, cut))) => match high.order(low) {
                Ordering::Less => false,
                Ordering::Equal => !open && !cut,
                Ordering::Greater => true,
            },
            _ => true,
        };
        reaches(&high, &other_low) && reaches(&other_high, &low)
    }

    /// By where it begins.
    fn begins(&self, other: &SortRange) -> Ordering {
        match (self.condition.ends().0, other.condition.ends().0) {
            (Some((a, _)), Some((b, _))) => a.order(&b),
            (a, b) => a.is_some().cmp(&b.is_some()),
        }
    }

    /// Everything of the partition.
    pub(crate) const ALL: Self = SortRange { condition: SortCondition::All, excluded: Vec::new() };

    pub(crate) fn exactly(condition: SortCondition) -> Self {
        SortRange { condition, excluded: Vec::new() }
    }

    /// Whether a sort key lies inside.
    pub(crate) fn contains(&self, key: &KeyValue) -> bool {
        self.condition.side(key).is_eq() && !self.excludes(key)
    }

    /// Whether a sort key is one that the condition reads, but the caller excluded.
    pub(crate) fn excludes(&self, key: &KeyValue) -> bool {
        self.excluded.iter().any(|bound| bound.order(key).is_eq())
    }
}

/// Which ends the caller excluded although the bound itself could be read.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    pub(super) low: bool,
    pub(super) high: bool,
}

pub(super) fn compose(low: Option<KeyValue>, high: Option<KeyValue>, cut: Cut) -> SortRange {
    SortRange::exactly(match (low, high) {
        (None, None) => SortCondition::All,
        (Some(low), None) if cut.low => SortCondition::Above(low),
        (Some(low), None) => SortCondition::AtLeast(low),
        (None, Some(high)) if cut.high => SortCondition::Below(high),
        (None, Some(high)) => SortCondition::AtMost(high),
        (Some(low), Some(high)) => {
            let order = low.order(&high);
            if order.is_gt() || (order.is_eq() && (cut.low || cut.high)) {
                return SortRange::exactly(SortCondition::Nothing);
            }
            let mut excluded = Vec::new();
            excluded.extend(cut.low.then(|| low.clone()));
            excluded.extend(cut.high.then(|| high.clone()));
            return SortRange { condition: SortCondition::Between(low, high), excluded };
        }
    })
}
