//! A random partition, and what the model says of it.

use aws_sdk_dynamodb::types::AttributeValue;
use monotable::{Entity, Item};
use tests::tape::Tape;

use super::model::{Draft, Kind, Member, Message, Room};

/// The clock of every read; what expires is over by then.
pub(super) const NOW: u64 = 1_000_000;

/// Where a collection is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    Table,
    Global,
    Local,
}

#[derive(Debug)]
pub(super) struct Row {
    /// `None`: an item of another program.
    kind: Option<Kind>,
    /// By place.
    sort: [String; 3],
    id: u16,
    at: u16,
    mark: u8,
    is_expired: bool,
    /// Whether it has the type attribute, by which a filter tells the kinds.
    is_typed: bool,
    pub(super) item: Item,
}

#[derive(Debug)]
pub(super) struct Case {
    pub(super) room: String,
    pub(super) owner: String,
    pub(super) place: Place,
    pub(super) rows: Vec<Row>,
    pub(super) ask: Ask,
}

/// How a collection is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ask {
    pub(super) descending: bool,
    pub(super) page_size: Option<u32>,
    pub(super) include_expired: bool,
    /// Items of the read of an enum.
    pub(super) limit: Option<usize>,
    pub(super) messages: Option<usize>,
    pub(super) members: Option<usize>,
    /// The ids of messages on the table, the times in an index.
    pub(super) range: Option<(u16, u16)>,
    /// Messages with a greater mark only.
    pub(super) mark: Option<u8>,
}

impl Case {
    pub(super) fn draw(tape: &mut Tape<'_>, number: u32) -> Self {
        let (room, owner) = (format!("r{number}"), format!("o{number}"));
        let place = tape.pick(&[Place::Table, Place::Table, Place::Global, Place::Local]);
        let mut rows: Vec<Row> = Vec::new();
        for _ in 0..tape.below(14) {
            let row = Row::draw(tape, &room, &owner);
            // Equal sort keys have no order in an index.
            let is_like = |other: &Row| (0..3).any(|at| other.sort[at] == row.sort[at]);
            if !rows.iter().any(is_like) {
                rows.push(row);
            }
        }
        Case { room, owner, place, rows, ask: Ask::draw(tape) }
    }

    fn sorted(&self) -> Vec<&Row> {
        let place = self.place;
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by(|a, b| a.sort(place).as_bytes().cmp(b.sort(place).as_bytes()));
        if self.ask.descending {
            rows.reverse();
        }
        rows.retain(|row| self.ask.include_expired || !row.is_over());
        let is_left_out = |row: &Row| {
            row.kind == Some(Kind::Message)
                && row.is_typed
                && self.ask.mark.is_some_and(|mark| row.mark <= mark)
        };
        rows.retain(|row| !is_left_out(row));
        rows
    }

    /// The buckets of a struct; `None` where no member has an item.
    pub(super) fn expected(&self, kinds: &[Kind], keeps_others: bool) -> Option<Vec<Vec<String>>> {
        let mut buckets = vec![Vec::new(); kinds.len() + 1];
        for row in self.sorted() {
            let at = row.place_in(kinds);
            let limit = match row.kind.filter(|kind| kinds.contains(kind)) {
                Some(Kind::Message) => {
                    let by = if matches!(self.place, Place::Table) { row.id } else { row.at };
                    if self.ask.range.is_some_and(|(low, high)| by < low || by > high) {
                        continue;
                    }
                    self.ask.messages
                }
                Some(Kind::Member) => self.ask.members,
                Some(_) => None,
                None if keeps_others => None,
                None => continue,
            };
            if limit.is_none_or(|limit| buckets[at].len() < limit) {
                buckets[at].push(row.sort[0].clone());
            }
        }
        buckets[..kinds.len()].iter().any(|bucket| !bucket.is_empty()).then_some(buckets)
    }

    /// The items of an enum, each with the position of its kind.
    pub(super) fn items(&self, kinds: &[Kind], keeps_others: bool) -> Vec<(usize, String)> {
        let rows = self.sorted().into_iter();
        let found = rows.map(|row| (row.place_in(kinds), row.sort[0].clone()));
        let found = found.filter(|(at, _)| keeps_others || *at < kinds.len());
        found.take(self.ask.limit.unwrap_or(usize::MAX)).collect()
    }
}

impl Row {
    fn draw(tape: &mut Tape<'_>, room: &str, owner: &str) -> Self {
        let (room, owner) = (room.to_owned(), owner.to_owned());
        let (id, at) = (small(tape, 8), small(tape, 8));
        let mark = tape.pick(&[0, 1, 2, 3]);
        let expires_at = tape.pick(&[None, Some(NOW), Some(NOW + 1)]);
        let name = tape.pick(&["a", "b#c", "d%", "z"]).to_owned();
        let kind = tape.pick(&[
            Some(Kind::Message),
            Some(Kind::Room),
            Some(Kind::Member),
            Some(Kind::Draft),
            Some(Kind::Message),
            None,
        ]);
        let mut item = match kind {
            Some(Kind::Room) => Room { room, owner }.to_item(),
            Some(Kind::Message) => Message { room, owner, id, at, mark, expires_at }.to_item(),
            Some(Kind::Member) => Member { room, owner, name }.to_item(),
            Some(Kind::Draft) => Draft { room, owner, id, expires_at }.to_item(),
            None => Ok(alien(tape, &room, &owner)),
        }
        .unwrap();
        let is_typed = !tape.rarely(3);
        if kind.is_some() && !is_typed {
            item.remove("_et");
        }
        let sort = ["SK", "GSI1SK", "LSI1SK"].map(|name| item[name].as_s().unwrap().clone());
        let is_expired = expires_at == Some(NOW);
        Row { kind, sort, id, at, mark, is_expired, is_typed, item }
    }

    fn sort(&self, place: Place) -> &str {
        match place {
            Place::Table => &self.sort[0],
            Place::Global => &self.sort[1],
            Place::Local => &self.sort[2],
        }
    }

    fn place_in(&self, kinds: &[Kind]) -> usize {
        let at = self.kind.and_then(|kind| kinds.iter().position(|one| *one == kind));
        at.unwrap_or(kinds.len())
    }

    fn is_over(&self) -> bool {
        matches!(self.kind, Some(Kind::Message | Kind::Draft)) && self.is_expired
    }
}

/// An item of another program in the same partitions, which may even look like a message.
fn alien(tape: &mut Tape<'_>, room: &str, owner: &str) -> Item {
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let keys = ["AAA", "MSG#", "MSG#x", "MSG#00011", "MF#x", "META#", "MEMBER#", "MN", "ZZZ"];
    let mut item = Item::from([
        ("PK".to_owned(), text(&format!("ROOM#{room}"))),
        ("GSI1PK".to_owned(), text(&format!("OWNER#{owner}"))),
        ("SK".to_owned(), text(tape.pick(&keys))),
        ("GSI1SK".to_owned(), text(tape.pick(&keys))),
        ("LSI1SK".to_owned(), text(tape.pick(&keys))),
        ("expires_at".to_owned(), AttributeValue::N("1".to_owned())),
    ]);
    if tape.rarely(2) {
        item.insert("SK".to_owned(), text("MSG#0003"));
        item.insert("_et".to_owned(), text("Alien"));
    }
    item
}

impl Ask {
    fn draw(tape: &mut Tape<'_>) -> Self {
        let some = |tape: &mut Tape<'_>| tape.rarely(2).then(|| tape.below(5));
        Ask {
            descending: tape.rarely(2),
            page_size: tape.pick(&[None, Some(1), Some(2), Some(3), Some(4), Some(5)]),
            include_expired: tape.rarely(4),
            limit: some(tape),
            messages: some(tape),
            members: some(tape),
            range: tape.rarely(3).then(|| (small(tape, 9), small(tape, 9))),
            mark: tape.rarely(4).then(|| tape.pick(&[0, 1, 2, 3])),
        }
    }
}

fn small(tape: &mut Tape<'_>, end: usize) -> u16 {
    u16::try_from(tape.below(end)).unwrap()
}
