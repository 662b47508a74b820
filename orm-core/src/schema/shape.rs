//! Which texts a template can render, as a row of atoms: one byte out of a set, or one or more of
//! them. Two rows are compared by walking both at once. The row may allow more than the template
//! renders (names count as any text of their letters), never less.

use crate::key::{Follow, NoneOrder, Part, PartKind, Segment, Slot, Spec, TextForm, Unit, Width};

/// A set of bytes; all bytes of non-ASCII text are one member.
#[derive(Clone, Copy)]
pub(super) struct Bytes {
    ascii: u128,
    other: bool,
}

impl Bytes {
    const ANY: Bytes = Bytes { ascii: u128::MAX, other: true };
    const NONE: Bytes = Bytes { ascii: 0, other: false };

    const fn one(byte: u8) -> Bytes {
        Bytes::NONE.with(byte)
    }

    const fn with(mut self, byte: u8) -> Bytes {
        if byte < 128 {
            self.ascii |= 1 << byte;
        } else {
            self.other = true;
        }
        self
    }

    const fn without(mut self, byte: u8) -> Bytes {
        if byte < 128 {
            self.ascii &= !(1 << byte);
        }
        self
    }

    const fn range(first: u8, last: u8) -> Bytes {
        let mut set = Bytes::NONE;
        let mut byte = first;
        while byte <= last {
            set = set.with(byte);
            byte += 1;
        }
        set
    }

    const fn letters_of(texts: &[&str]) -> Bytes {
        let mut set = Bytes::NONE;
        let mut at = 0;
        while at < texts.len() {
            let bytes = texts[at].as_bytes();
            let mut i = 0;
            while i < bytes.len() {
                set = set.with(bytes[i]);
                i += 1;
            }
            at += 1;
        }
        set
    }

    pub(super) const fn has(self, byte: u8) -> bool {
        if byte < 128 { self.ascii & (1 << byte) != 0 } else { self.other }
    }

    pub(super) const fn meets(self, other: Bytes) -> bool {
        self.ascii & other.ascii != 0 || (self.other && other.other)
    }
}

#[derive(Clone, Copy)]
struct Atom {
    set: Bytes,
    many: bool,
    /// Nothing at all is enough.
    skip: bool,
}

/// The atoms of a template.
#[derive(Clone, Copy)]
pub(super) struct Row {
    atoms: [Atom; Self::CAPACITY],
    len: usize,
}

impl Row {
    /// Longer templates end in "anything", which is refused sooner, never later.
    const CAPACITY: usize = 96;

    const EMPTY: Row = Row {
        atoms: [Atom { set: Bytes::NONE, many: false, skip: false }; Self::CAPACITY],
        len: 0,
    };

    const fn push(self, set: Bytes, many: bool) -> Row {
        self.atom(Atom { set, many, skip: false })
    }

    const fn atom(mut self, atom: Atom) -> Row {
        if self.len < Self::CAPACITY {
            self.atoms[self.len] = atom;
            self.len += 1;
        } else {
            self.atoms[Self::CAPACITY - 1] = Atom { set: Bytes::ANY, many: true, skip: true };
        }
        self
    }

    const fn literal(mut self, text: &str) -> Row {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            self = self.push(Bytes::one(bytes[at]), false);
            at += 1;
        }
        self
    }

    const fn digits(mut self, count: usize) -> Row {
        let mut at = 0;
        while at < count {
            self = self.push(Bytes::range(b'0', b'9'), false);
            at += 1;
        }
        self
    }

    const fn part(self, part: &Part) -> Row {
        let digits = Bytes::range(b'0', b'9');
        if let Some(none) = part.none_text() {
            // The byte of a missing value, or that in front of a value.
            let first = Bytes::letters_of(&[none, part.mark()]);
            let atom = Atom { set: inside(part), many: true, skip: true };
            return self.push(first, false).atom(atom);
        }
        match (part.kind, part.spec.width) {
            (PartKind::Unsigned { .. }, Some(Width::Digits(count))) => self.digits(count as usize),
            (PartKind::Signed { .. }, Some(Width::Digits(count))) => {
                self.push(Bytes::one(b'n').with(b'p'), false).digits(count as usize)
            }
            (PartKind::Unsigned { .. }, _) => self.push(digits, true),
            (PartKind::Signed { .. }, _) => self.push(digits.with(b'-'), true),
            (PartKind::Date, _) => match part.spec.unit {
                Some(unit) => self.clock(unit),
                None => self.clock(Unit::Day),
            },
            (PartKind::Timestamp, _) => match part.spec.unit {
                Some(unit) => self.clock(unit),
                None => self,
            },
            (PartKind::Uuid, _) => {
                let hex = Bytes::range(b'a', b'f');
                let hex = Bytes { ascii: hex.ascii | digits.ascii, other: false };
                let mut row = self;
                let mut at = 0;
                while at < 36 {
                    let dash = matches!(at, 8 | 13 | 18 | 23);
                    row = row.push(if dash { Bytes::one(b'-') } else { hex }, false);
                    at += 1;
                }
                row
            }
            _ => self.push(rendered(part.kind, &part.spec, part.follow), true),
        }
    }

    const fn clock(self, unit: Unit) -> Row {
        let date = match unit {
            Unit::EpochSecond => return self.digits(10),
            Unit::EpochMilli => return self.digits(13),
            Unit::Year => return self.digits(4),
            Unit::Month => return self.digits(4).literal("-").digits(2),
            _ => self.digits(4).literal("-").digits(2).literal("-").digits(2),
        };
        let hour = match unit {
            Unit::Day => return date,
            _ => date.literal("T").digits(2),
        };
        if matches!(unit, Unit::Hour) {
            return hour;
        }
        let second = hour.literal(":").digits(2).literal(":").digits(2);
        let fraction = match unit {
            Unit::Milli => second.literal(".").digits(3),
            Unit::Micro => second.literal(".").digits(6),
            Unit::Nano => second.literal(".").digits(9),
            _ => second,
        };
        fraction.literal("Z")
    }

    /// Every text of the slot.
    pub(super) const fn whole(slot: &Slot) -> Row {
        Self::segments(slot, slot.template.segments.len())
    }

    /// The literal head of the slot, or its first component: where its list pattern reads.
    pub(super) const fn head(slot: &Slot) -> Row {
        if slot.natural || slot.template.segments.is_empty() {
            return Row::EMPTY;
        }
        Self::segments(slot, 1)
    }

    const fn segments(slot: &Slot, count: usize) -> Row {
        if slot.natural {
            return Row::EMPTY.push(Bytes::ANY, true);
        }
        let mut row = Row::EMPTY;
        let mut at = 0;
        while at < count {
            row = match &slot.template.segments[at] {
                Segment::Literal(text) => row.literal(text),
                Segment::Part(part) => row.part(part),
                Segment::Shard => row.push(Bytes::range(b'0', b'9'), true),
            };
            at += 1;
        }
        row
    }

    /// What the texts begin with.
    pub(super) const fn first(&self) -> Bytes {
        if self.len == 0 { Bytes::NONE } else { self.atoms[0].set }
    }

    /// The same row with its last byte replaced by the next one, the upper end of a closed block.
    pub(super) const fn closed(mut self) -> Row {
        if self.len > 0 {
            let last = &mut self.atoms[self.len - 1];
            last.set = Bytes { ascii: last.set.ascii << 1, other: last.set.other };
        }
        self
    }

    /// Whether some text belongs to both rows; with `open`, whether some text of `other` begins
    /// with a text of `self`.
    pub(super) const fn meets(&self, other: &Row, open: bool) -> bool {
        const SIDE: usize = Row::CAPACITY + 1;
        let mut reached = [[false; SIDE]; SIDE];
        reached[0][0] = true;
        let mut i = 0;
        while i <= self.len {
            let mut j = 0;
            while j <= other.len {
                if reached[i][j] {
                    if i == self.len && (open || j == other.len) {
                        return true;
                    }
                    if i < self.len && self.atoms[i].skip {
                        reached[i + 1][j] = true;
                    }
                    if j < other.len && other.atoms[j].skip {
                        reached[i][j + 1] = true;
                    }
                    if i < self.len && j < other.len {
                        let (a, b) = (self.atoms[i], other.atoms[j]);
                        if a.set.meets(b.set) {
                            reached[i + 1][j + 1] = true;
                            reached[i + 1][j] |= b.many;
                            reached[i][j + 1] |= a.many;
                        }
                    }
                }
                j += 1;
            }
            i += 1;
        }
        false
    }
}

/// The bytes that a value can render, in front of which something else stands.
const fn inside(part: &Part) -> Bytes {
    let digits = Bytes::range(b'0', b'9');
    match part.kind {
        PartKind::Unsigned { .. } => digits,
        PartKind::Signed { .. } => digits.with(b'-').with(b'n').with(b'p'),
        PartKind::Date | PartKind::Timestamp => {
            digits.with(b'-').with(b':').with(b'.').with(b'T').with(b'Z')
        }
        PartKind::Uuid => {
            let hex = Bytes::range(b'a', b'f');
            Bytes { ascii: hex.ascii | digits.ascii, other: false }.with(b'-')
        }
        kind => rendered(kind, &part.spec, part.follow),
    }
}

/// The bytes that a component of no fixed width can render.
pub(super) const fn rendered(kind: PartKind, spec: &Spec, follow: Follow) -> Bytes {
    let delimiter = match follow {
        Follow::Literal(byte) => byte,
        Follow::End | Follow::Component => b'#',
    };
    match kind {
        PartKind::Name(names) => Bytes::letters_of(names),
        PartKind::Unsigned { .. } => Bytes::range(b'0', b'9'),
        PartKind::Signed { .. } => Bytes::range(b'0', b'9').with(b'-'),
        _ => match spec.text {
            TextForm::Rest => Bytes::ANY,
            TextForm::Raw => Bytes::ANY.without(delimiter),
            TextForm::Ordered => {
                let mut set = Bytes::ANY;
                let mut byte = 0;
                while byte < b'%' {
                    set = set.without(byte);
                    byte += 1;
                }
                set
            }
            TextForm::Encoded => Bytes::ANY.without(b'#').without(b'$').without(delimiter),
        },
    }
}

/// The bytes between those that the least and the greatest text of a leading component begin with,
/// and the one behind the greatest, where the upper bound may lie. Text has no such bounds.
pub(super) const fn first_bytes(part: &Part) -> Bytes {
    match part.spec.none {
        // From `!` to the byte behind `+`, from `+` to the byte behind `~`.
        Some(NoneOrder::First) => return Bytes::range(b'!', b','),
        Some(NoneOrder::Last) => return Bytes::range(b'+', 0x7F),
        None => {}
    }
    match part.kind {
        PartKind::Signed { .. } if matches!(part.spec.width, Some(Width::Digits(_))) => {
            Bytes::range(b'n', b'p')
        }
        PartKind::Signed { .. } => Bytes::range(b'-', b':'),
        PartKind::Unsigned { .. } | PartKind::Date | PartKind::Timestamp => {
            Bytes::range(b'0', b':')
        }
        PartKind::Uuid => Bytes::range(b'0', b'g'),
        PartKind::Name(names) => {
            let (mut least, mut greatest) = (u8::MAX, 0);
            let mut at = 0;
            while at < names.len() {
                if let Some(first) = names[at].as_bytes().first() {
                    least = if *first < least { *first } else { least };
                    greatest = if *first > greatest { *first } else { greatest };
                }
                at += 1;
            }
            // Beyond ASCII all bytes are one.
            if greatest > 126 { Bytes::ANY } else { Bytes::range(least, greatest + 1) }
        }
        PartKind::Text | PartKind::Bytes => Bytes::ANY,
    }
}
