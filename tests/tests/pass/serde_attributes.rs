//! What serde does to names and values.

use monotable::{Entity, KeyPart, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = ("rank", N), type_attribute = "_et", entities(Score, Strict))]
struct Game;

mod as_number {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &str, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(value.parse().map_err(serde::ser::Error::custom)?)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
        Ok(u64::deserialize(from)?.to_string())
    }
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "kebab-case")]
enum Mode {
    TimeTrial,
    #[serde(rename = "2p")]
    TwoPlayers,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[serde(rename_all = "camelCase", default)]
#[entity(table = Game, pk = "GAME#<game_id>#<mode>", sk = "<player_rank>",
         attributes("schemaVersion" = "1"), null(nick_name), allow(overlap(Strict)))]
struct Score {
    game_id: String,
    mode: Mode,
    #[serde(rename = "rank", with = "as_number")]
    player_rank: String,
    nick_name: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(skip)]
    cached: u8,
    #[serde(flatten)]
    rest: std::collections::HashMap<String, u8>,
}

impl Default for Score {
    fn default() -> Self {
        Self {
            game_id: "none".into(),
            mode: Mode::TwoPlayers,
            player_rank: "0".into(),
            nick_name: None,
            tags: Vec::new(),
            cached: 3,
            rest: std::iter::once(("extra".into(), 1)).collect(),
        }
    }
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[serde(deny_unknown_fields)]
#[entity(table = Game, pk = "GAME#<game>", sk = "<rank>", attributes("v" = "2"))]
struct Strict {
    game: String,
    rank: i64,
}

#[test]
fn names_and_values_are_serdes() {
    let score = Score { player_rank: "12".into(), ..Score::default() };
    assert_eq!(score.key().to_string(), "GAME#none#2p + 12");
    let item = score.to_item().expect("it has keys");
    for name in ["gameId", "nickName", "rank", "schemaVersion", "extra", "_et"] {
        assert!(item.contains_key(name), "{name}");
    }
    for name in ["tags", "cached", "player_rank"] {
        assert!(!item.contains_key(name), "{name}");
    }
    let key = Score::key("g1", Mode::TimeTrial, "7".to_owned());
    assert_eq!(key.to_string(), "GAME#g1#time-trial + 7");
}

#[test]
fn unknown_fields_are_refused_and_own_attributes_are_not() {
    let strict = Strict { game: "g1".into(), rank: -3 };
    let mut item = strict.to_item().expect("it has keys");
    assert_eq!(Strict::from_item(item.clone()).expect("it is one"), strict);
    let _ = item.insert("other".into(), item["game"].clone());
    assert!(Strict::from_item(item).expect_err("`other` is unknown").is_decode());
}
