//! The kinds of a chat, and the collections of them.

use monotable::{Entity, Item, ItemCollection, Table};
use serde::{Deserialize, Serialize};

#[derive(Debug, Table)]
#[table(
    pk = "PK",
    sk = "SK",
    ttl = "expires_at",
    type_attribute = "_et",
    entities(Room, Message, Member, Draft)
)]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
#[lsi(lsi1, sk = "LSI1SK", projection = keys_only)]
pub(super) struct Chat;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Chat, pk = "ROOM#<room>", sk = "META")]
#[index(gsi1, pk = "OWNER#<owner>", sk = "META#<room>")]
#[index(lsi1, sk = "META", name = "in_lsi1")]
pub(super) struct Room {
    pub(super) room: String,
    pub(super) owner: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Chat, pk = "ROOM#<room>", sk = "MSG#<id:4>", ttl = expires_at)]
#[index(gsi1, pk = "OWNER#<owner>", sk = "MSG#<at:4>#<id:4>")]
#[index(lsi1, sk = "MSG#<at:4>#<id:4>", name = "in_lsi1", allow(expired))]
pub(super) struct Message {
    pub(super) room: String,
    pub(super) owner: String,
    pub(super) id: u16,
    pub(super) at: u16,
    pub(super) mark: u8,
    pub(super) expires_at: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Chat, pk = "ROOM#<room>", sk = "MEMBER#<name>")]
#[index(gsi1, pk = "OWNER#<owner>", sk = "MEMBER#<name>")]
#[index(lsi1, sk = "Z#<name>", name = "in_lsi1")]
pub(super) struct Member {
    pub(super) room: String,
    pub(super) owner: String,
    pub(super) name: String,
}

/// Listed by the table and by no collection; its sort keys lie between those of rooms and messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Chat, pk = "ROOM#<room>", sk = "MF#<id:4>", ttl = expires_at)]
#[index(gsi1, pk = "OWNER#<owner>", sk = "MF#<id:4>")]
#[index(lsi1, sk = "MF#<id:4>", name = "in_lsi1", allow(expired))]
pub(super) struct Draft {
    pub(super) room: String,
    pub(super) owner: String,
    pub(super) id: u16,
    pub(super) expires_at: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Room,
    Message,
    Member,
    Draft,
}

/// The sort keys on the table, by member, and those of the items of no listed kind.
pub(super) trait Keys {
    const KINDS: &'static [Kind];
    const KEEPS_OTHERS: bool;
    fn keys(self) -> Vec<Vec<String>>;
}

/// One of them, by the position of its kind; that behind the last is for items of no listed kind.
pub(super) trait OneKey: Sized {
    const KINDS: &'static [Kind];
    const KEEPS_OTHERS: bool;
    fn key(self) -> (usize, String);
}

fn sort_key<E: Entity>(entity: &E) -> String {
    entity.key().sort_key().unwrap()
}

fn sort_keys<'a, E: Entity>(entities: impl IntoIterator<Item = &'a E>) -> Vec<String> {
    entities.into_iter().map(sort_key).collect()
}

fn raw(item: &Item) -> String {
    item["SK"].as_s().unwrap().clone()
}

macro_rules! structs {
    ($($(#[$settings:meta])* $name:ident: $($member:ident $ty:ty = $kind:ident),*;)*) => {$(
        #[derive(Debug, ItemCollection)]
        $(#[$settings])*
        pub(super) struct $name {
            $($member: $ty,)*
        }

        impl Keys for $name {
            const KINDS: &'static [Kind] = &[$(Kind::$kind),*];
            const KEEPS_OTHERS: bool = false;
            fn keys(self) -> Vec<Vec<String>> {
                vec![$(sort_keys(&self.$member),)* Vec::new()]
            }
        }
    )*};
}

structs! {
    #[collection(table = Chat, pk = "ROOM#<room>")]
    Whole: room Option<Room> = Room, messages Vec<Message> = Message, members Vec<Member> = Member;
    #[collection(table = Chat, pk = "ROOM#<room>")]
    Talk: messages Vec<Message> = Message, room Option<Room> = Room;
    #[collection(table = Chat, pk = "ROOM#<room>")]
    People: room Option<Room> = Room, members Vec<Member> = Member;
    #[collection(table = Chat, index = gsi1, pk = "OWNER#<owner>")]
    Owned: rooms Vec<Room> = Room, messages Vec<Message> = Message, members Vec<Member> = Member;
    #[collection(table = Chat, index = lsi1, pk = "ROOM#<room>")]
    Sorted: room Option<Room> = Room, messages Vec<Message> = Message, members Vec<Member> = Member;
    #[collection(table = Chat, index = "lsi1", pk = "ROOM#<room>", name = "of_room")]
    Header: room Option<Room> = Room, messages Vec<Message> = Message;
}

#[derive(Debug, ItemCollection)]
#[collection(table = Chat, pk = "ROOM#<room>")]
pub(super) struct Everything {
    messages: Vec<Message>,
    #[collection(other)]
    others: Vec<Item>,
    members: Vec<Member>,
}

impl Keys for Everything {
    const KINDS: &'static [Kind] = &[Kind::Message, Kind::Member];
    const KEEPS_OTHERS: bool = true;
    fn keys(self) -> Vec<Vec<String>> {
        let others = self.others.iter().map(raw).collect();
        vec![sort_keys(&self.messages), sort_keys(&self.members), others]
    }
}

macro_rules! enums {
    ($(
        $(#[$settings:meta])* $name:ident: $($kind:ident),*;
        other: $keeps:literal $($(#[$other:meta])* $raw:ident)?;
    )*) => {$(
        #[derive(Debug, ItemCollection)]
        $(#[$settings])*
        pub(super) enum $name {
            $($kind($kind),)*
            $($(#[$other])* $raw(Item),)?
        }

        impl OneKey for $name {
            const KINDS: &'static [Kind] = &[$(Kind::$kind),*];
            const KEEPS_OTHERS: bool = $keeps;
            fn key(self) -> (usize, String) {
                let at = |kind| Self::KINDS.iter().position(|one| *one == kind).unwrap();
                match self {
                    $(Self::$kind(one) => (at(Kind::$kind), sort_key(&one)),)*
                    $(Self::$raw(one) => (Self::KINDS.len(), raw(&one)),)?
                }
            }
        }
    )*};
}

enums! {
    #[collection(table = Chat, pk = "ROOM#<room>")]
    Entry: Room, Message, Member;
    other: false;
    #[collection(table = Chat, pk = "ROOM#<room>")]
    Anything: Message, Room;
    other: true #[collection(other)] Other;
    #[collection(table = Chat, index = gsi1, pk = "OWNER#<owner>")]
    OwnedEntry: Message, Member;
    other: false;
    #[collection(table = Chat, index = lsi1, pk = "ROOM#<room>")]
    SortedEntry: Member, Message, Room;
    other: true #[collection(other)] Other;
}
