//! The kinds of write, as the library does them and as the model does.

use monotable::expr::{ByItem, ByKey};
use monotable::op::Transact;
use monotable::{Error, Table};
use tests::tape::Tape;

use super::edit::{Edit, apart};
use super::subject::Subject;

#[derive(Debug)]
pub(super) enum Write<E: Subject> {
    Put(E),
    Create(E),
    Update(Vec<Edit<E, ByKey>>),
    /// From the item; with or without the caller's item following.
    UpdateItem(Vec<Edit<E, ByItem>>, bool),
    Modify(Vec<Edit<E, ByItem>>),
    Upsert(E, Vec<Edit<E, ByKey>>),
    DeleteByKey,
    Delete,
}

/// What becomes of a write.
#[derive(Debug)]
pub(super) enum Effect<E> {
    Stored(E),
    Gone,
    /// A condition does not hold.
    Denied,
}

/// What a write finds.
pub(super) struct Before<'a, E> {
    pub(super) item: Option<&'a E>,
    /// Values of unique fields that other items have.
    pub(super) taken: &'a [String],
    pub(super) now: i64,
}

impl<E: Subject> Write<E> {
    /// `kinds` of them: those behind are no parts of a transaction.
    pub(super) fn draw(tape: &mut Tape<'_>, id: u32, before: Option<&E>, kinds: usize) -> Self {
        let mut fresh = E::draw(tape, id);
        // One in eight has a version that is not the stored one.
        let ahead = u64::from(tape.rarely(8));
        let version = before.map_or(0, E::version);
        let update = |tape: &mut Tape<'_>| apart(edits(tape, E::by_key));
        let of_item = |tape: &mut Tape<'_>| apart(edits(tape, E::by_item));
        let kind = match before {
            None if !tape.rarely(6) => tape.pick(&[0, 1, 6]),
            _ => tape.pick(&[1, 2, 2, 2, 3, 3, 3, 4, 5, 0, 6, 7]),
        };
        match kind % kinds {
            0 if E::BLIND => {
                fresh.set_version(version + ahead);
                Write::Put(fresh)
            }
            0 | 1 => Write::Create(fresh),
            2 => Write::Update(update(tape)),
            3 => Write::UpdateItem(of_item(tape), tape.rarely(3)),
            4 if E::BLIND => Write::DeleteByKey,
            4 | 5 => Write::Delete,
            6 if E::BLIND => Write::Upsert(fresh, update(tape)),
            _ => Write::Modify(of_item(tape)),
        }
    }

    /// The item that the caller has.
    pub(super) fn caller(&self, before: Option<&E>, absent: &E) -> E {
        match self {
            Write::Put(item) | Write::Create(item) | Write::Upsert(item, _) => item.clone(),
            _ => before.unwrap_or(absent).clone(),
        }
    }

    pub(super) fn effect(&self, before: &Before<'_, E>) -> Effect<E> {
        let live = before.item.filter(|item| item.expires().is_none_or(|at| at > before.now));
        let stored = |mut item: E, version: u64| {
            item.set_version(version + 1);
            Effect::Stored(item)
        };
        let is_free = |item: &E, own: Option<&E>| {
            let own = own.map(E::unique).unwrap_or_default();
            let mut new = item.unique().into_iter().filter(|value| !own.contains(value));
            !new.any(|value| before.taken.contains(&value))
        };
        match (self, live) {
            (Write::Put(item), live) => {
                let holds = match (E::SCHEMA.version, live) {
                    (None, _) => true,
                    (Some(_), Some(live)) => live.version() == item.version(),
                    (Some(_), None) => item.version() == 0,
                };
                if holds { stored(item.clone(), item.version()) } else { Effect::Denied }
            }
            (Write::Create(item), None) if is_free(item, None) => stored(item.clone(), 0),
            (Write::Update(edits), Some(live)) => stored(edited(live, edits), live.version()),
            (Write::UpdateItem(edits, _), Some(live)) => {
                let item = edited(live, edits);
                if is_free(&item, Some(live)) {
                    stored(item, live.version())
                } else {
                    Effect::Denied
                }
            }
            (Write::Modify(edits), Some(live)) => {
                let item = edited(live, edits);
                match (item == *live, is_free(&item, Some(live))) {
                    (true, _) => Effect::Stored(item),
                    (false, true) => stored(item, live.version()),
                    (false, false) => Effect::Denied,
                }
            }
            (Write::Upsert(_, edits), Some(live)) => stored(edited(live, edits), live.version()),
            (Write::Upsert(item, edits), None) => stored(edited(item, edits), 0),
            (Write::DeleteByKey, _) => Effect::Gone,
            // The guard of an expired item may be another's by now.
            (Write::Delete, live) => match if E::BLIND { before.item } else { live } {
                Some(_) => Effect::Gone,
                None if E::SCHEMA.version.is_none() && E::BLIND => Effect::Gone,
                _ => Effect::Denied,
            },
            (Write::Create(_) | Write::Update(_) | Write::UpdateItem(..) | Write::Modify(_), _) => {
                Effect::Denied
            }
        }
    }

    pub(super) async fn send(&self, table: &Table<E::Table>, caller: &mut E) -> Result<(), Error> {
        match self {
            Write::Put(_) => E::put(table, caller).unwrap().send().await,
            Write::Create(_) => table.create(caller).send().await,
            Write::Update(edits) => {
                let update = table.update(monotable::Entity::key(caller));
                update.change(|paths| changes(paths, edits)).send().await
            }
            Write::UpdateItem(edits, shared) => {
                if *shared && let Some(update) = E::update_shared(table, caller) {
                    return update.change(|paths| changes(paths, edits)).send().await;
                }
                table.update(caller).change(|paths| changes(paths, edits)).send().await
            }
            Write::Modify(edits) => {
                let key = monotable::Entity::key(caller);
                let change = |item: &mut E| edits.iter().for_each(|edit| (edit.apply)(item));
                let stored = table.modify(key, change).send().await?;
                *caller = stored;
                Ok(())
            }
            Write::Upsert(_, edits) => E::upsert(table, caller, edits).await,
            Write::DeleteByKey => E::delete_by_key(table, caller).unwrap().send().await,
            Write::Delete => table.delete(&*caller).send().await,
        }
    }

    /// As a part of a transaction; an upsert and a `modify` are none.
    pub(super) fn add<'a>(
        &self,
        transact: Transact<'a>,
        table: &Table<E::Table>,
        caller: &'a mut E,
    ) -> Transact<'a> {
        match self {
            Write::Put(_) => transact.add(E::put(table, caller)),
            Write::Create(_) => transact.add(table.create(caller)),
            Write::Update(edits) => {
                let update = table.update(monotable::Entity::key(caller));
                transact.add(update.change(|paths| changes(paths, edits)))
            }
            Write::UpdateItem(edits, shared) => {
                if *shared && E::SCHEMA.version.is_none() {
                    let update = E::update_shared(table, caller);
                    return transact
                        .add(update.map(|update| update.change(|paths| changes(paths, edits))));
                }
                transact.add(table.update(caller).change(|paths| changes(paths, edits)))
            }
            Write::DeleteByKey => transact.add(E::delete_by_key(table, caller)),
            Write::Delete => transact.add(table.delete(&*caller)),
            Write::Upsert(..) | Write::Modify(_) => unreachable!("`draw` leaves them out"),
        }
    }

    /// Whether the caller's item afterwards is what is stored.
    pub(super) fn follows(&self) -> bool {
        match self {
            Write::Put(_) | Write::Create(_) | Write::Modify(_) => true,
            Write::UpdateItem(_, shared) => !shared || E::SCHEMA.version.is_some(),
            _ => false,
        }
    }
}

/// Kinds of write that are parts of a transaction.
pub(super) const IN_TRANSACTION: usize = 6;
pub(super) const ALL: usize = 8;

fn edits<E: Subject, M: 'static>(
    tape: &mut Tape<'_>,
    draw: fn(&mut Tape<'_>) -> Edit<E, M>,
) -> Vec<Edit<E, M>> {
    let count = tape.pick(&[1, 2, 1, 3, 2, 0, 4]);
    (0..count).map(|_| draw(tape)).collect()
}

fn edited<E: Subject, M>(item: &E, edits: &[Edit<E, M>]) -> E {
    let mut item = item.clone();
    edits.iter().for_each(|edit| (edit.apply)(&mut item));
    item
}

pub(super) fn changes<E: Subject, M>(
    paths: &E::Fields<M>,
    edits: &[Edit<E, M>],
) -> Vec<monotable::expr::Change> {
    edits.iter().map(|edit| (edit.change)(paths)).collect()
}
