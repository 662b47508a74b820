use std::fmt::Debug;

use futures_util::future::{BoxFuture, LocalBoxFuture};
use monotable::expr::{ByItem, ByKey};
use monotable::op::{Delete, Put, Update};
use monotable::{Entity, Error, Table};
use tests::tape::Tape;

use super::edit::Edit;

/// The key attributes of an index; a sort key may be absent from all of it.
pub(super) struct Index {
    pub(super) pk: &'static str,
    pub(super) sk: &'static str,
}

/// An entity under test, with what it is meant to store, written by hand.
pub(super) trait Subject: Entity + Clone + PartialEq + Debug {
    const INDEXES: &'static [Index];

    /// An item; its key says `id` and nothing else.
    fn draw(tape: &mut Tape<'_>, id: u32) -> Self;

    /// The stored text of every key attribute of an index.
    fn keys(&self) -> Vec<(&'static str, Option<String>)>;

    /// The items of this one's partition of an index, or less, if it is in there.
    fn find(
        &self,
        table: &Table<Self::Table>,
        index: usize,
    ) -> BoxFuture<'static, Result<Vec<Self>, Error>>;

    fn by_key(tape: &mut Tape<'_>) -> Edit<Self, ByKey>;
    fn by_item(tape: &mut Tape<'_>) -> Edit<Self, ByItem>;

    /// The values that no two items share.
    fn unique(&self) -> Vec<String> {
        Vec::new()
    }

    /// The second at which it expires.
    fn expires(&self) -> Option<i64> {
        None
    }

    /// An update that leaves the caller's item as it is, if there is one.
    fn update_shared<'a>(
        table: &Table<Self::Table>,
        item: &'a Self,
    ) -> Option<Update<'a, Self, ByItem>>;

    /// Whether it has the three writes below, which do not know what is stored.
    const BLIND: bool;
    fn put<'a>(table: &Table<Self::Table>, item: &'a mut Self) -> Option<Put<'a, Self>>;
    fn upsert<'a>(
        table: &Table<Self::Table>,
        initial: &'a Self,
        edits: &[Edit<Self, ByKey>],
    ) -> LocalBoxFuture<'a, Result<(), Error>>;
    fn delete_by_key(table: &Table<Self::Table>, item: &Self) -> Option<Delete<Self>>;
}

macro_rules! unversioned {
    () => {
        fn update_shared<'a>(
            table: &monotable::Table<Self::Table>,
            item: &'a Self,
        ) -> Option<monotable::op::Update<'a, Self, monotable::expr::ByItem>> {
            Some(table.update(item))
        }
    };
}

macro_rules! versioned {
    () => {
        fn update_shared<'a>(
            _: &monotable::Table<Self::Table>,
            _: &'a Self,
        ) -> Option<monotable::op::Update<'a, Self, monotable::expr::ByItem>> {
            None
        }
    };
}

macro_rules! without_unique {
    () => {
        const BLIND: bool = true;
        fn put<'a>(
            table: &monotable::Table<Self::Table>,
            item: &'a mut Self,
        ) -> Option<monotable::op::Put<'a, Self>> {
            Some(table.put(item))
        }
        fn upsert<'a>(
            table: &monotable::Table<Self::Table>,
            initial: &'a Self,
            edits: &[Edit<Self, monotable::expr::ByKey>],
        ) -> futures_util::future::LocalBoxFuture<'a, Result<(), Error>> {
            let upsert = table.upsert(initial).change(|paths| super::write::changes(paths, edits));
            upsert.send().boxed_local()
        }
        fn delete_by_key(
            table: &monotable::Table<Self::Table>,
            item: &Self,
        ) -> Option<monotable::op::Delete<Self>> {
            Some(table.delete(monotable::Entity::key(item)))
        }
    };
}

macro_rules! with_unique {
    () => {
        const BLIND: bool = false;
        fn put<'a>(
            _: &monotable::Table<Self::Table>,
            _: &'a mut Self,
        ) -> Option<monotable::op::Put<'a, Self>> {
            None
        }
        fn upsert<'a>(
            _: &monotable::Table<Self::Table>,
            _: &'a Self,
            _: &[Edit<Self, monotable::expr::ByKey>],
        ) -> futures_util::future::LocalBoxFuture<'a, Result<(), Error>> {
            unreachable!("only where `BLIND`")
        }
        fn delete_by_key(
            _: &monotable::Table<Self::Table>,
            _: &Self,
        ) -> Option<monotable::op::Delete<Self>> {
            None
        }
    };
}

pub(super) use {unversioned, versioned, with_unique, without_unique};
