//! Items with many equal index keys, and strangers among them.

use monotable::{Entity, KeyPart, Table};
use serde::{Deserialize, Serialize};
use tests::tape::Tape;

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", entities(Post, Before, Behind))]
#[lsi(by_name, sk = "NAME")]
#[gsi(by_tag, pk = "TAG", sk = "RANK")]
#[gsi(by_state, pk = "STATE", sk = "STATE_RANK")]
#[gsi(by_score, pk = "topic", sk = ("score", N))]
#[gsi(ranked, pk = ["topic", "name"], sk = [("rank", N), ("score", N)])]
pub(super) struct Board;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
pub(super) enum State {
    Open,
    Closed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Board, pk = "ROOM#<room>", sk = "POST#<at:2>#<id>")]
#[index(by_name, sk = "POST#<name>", name = "by_name")]
#[index(by_tag, pk = "TAG#<tag>", sk = "<rank:1>")]
#[index(by_state, pk = "STATE#<topic>#<state>#<shard>", sk = "<rank:1>", shard(by = (room, id), count = 3))]
#[index(by_score, pk = "<topic>", sk = "<score>")]
#[index(ranked, pk = ["<topic>", "<name>"], sk = ["<rank>", "<score>"])]
pub(super) struct Post {
    pub room: String,
    pub at: u8,
    pub id: String,
    pub name: String,
    pub tag: String,
    pub rank: u8,
    pub state: State,
    pub topic: Option<String>,
    pub score: i32,
    pub weight: u8,
}

/// In front of the posts of its room.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Board, pk = "ROOM#<room>", sk = "POS#<at:2>")]
#[index(by_name, sk = "POS#<at:2>", name = "by_name")]
pub(super) struct Before {
    pub room: String,
    pub at: u8,
}

/// Behind the posts of its room.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Board, pk = "ROOM#<room>", sk = "POST$<at:2>")]
#[index(by_name, sk = "POST$<at:2>", name = "by_name")]
pub(super) struct Behind {
    pub room: String,
    pub at: u8,
}

pub(super) const NAMES: [&str; 8] = ["a", "a#", "aa", "ab", "b", "b$", "é", "\u{10ffff}"];

/// Up to 24 posts in the rooms `<set>-0` and `<set>-1`; tags, topics and states of the set alone.
pub(super) fn posts(set: u32, tape: &mut Tape<'_>) -> Vec<Post> {
    let mut posts: Vec<Post> = Vec::new();
    for _ in 0..tape.below(25) {
        let post = Post {
            room: format!("{set}-{}", tape.below(2)),
            at: tape.pick(&[0, 1, 2, 9, 10, 99]),
            id: tape.pick(&["a", "a#b", "b", "%", "\u{0}\"€"]).to_owned(),
            name: tape.pick(&NAMES).to_owned(),
            tag: format!("{set}#{}", tape.below(2)),
            rank: tape.pick(&[0, 3, 4, 9]),
            state: tape.pick(&[State::Open, State::Closed]),
            topic: (!tape.rarely(4)).then(|| format!("{set}")),
            score: tape.pick(&[-10, -2, 0, 3, 3, 100]),
            weight: tape.pick(&[0, 1, 2, 3]),
        };
        let is_same = |other: &Post| other.key() == post.key();
        if !posts.iter().any(is_same) {
            posts.push(post);
        }
    }
    posts
}
