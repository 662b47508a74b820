//! Shards. The expected numbers come from an implementation written from the specification of
//! XXH64, <https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md>, in another language.

use chrono::{DateTime, NaiveDate, Utc};
use monotable::Entity;
use monotable::shard::shard_of;
use serde::{Deserialize, Serialize};

use crate::values::{day, utc};
use crate::{Stored, stored};

/// The text, and its XXH64 with seed 0.
const HASHES: &[(&[&str], u64)] = &[
    (&[""], 0xEF46_DB37_51D8_E999),
    (&["a"], 0xD24E_C4F1_A98C_6E5B),
    (&["b"], 0x7845_2AA1_1AF3_9F9B),
    (&["abc"], 0x44BC_2CF5_AD77_0999),
    (&["o1001"], 0xB6E4_5DCC_C3B8_4D42),
    (&["o1017"], 0x10E8_E8C4_0A85_7E40),
    (&["o1033"], 0xFE0E_E6DC_9553_1D67),
    (&["a", "b"], 0x030E_09F3_83E3_9019),
    (&["t1", "o1033"], 0xDE9F_D7CC_11DF_AA26),
    (&["é"], 0x17D7_57DF_B8B4_6F78),
    (&["日本", "7"], 0x046F_1A6E_D1CE_F536),
    (&["2026-03-01T00:00:00.000000000Z"], 0x3B80_FF94_1BDE_E723),
    (&["00000000-0000-0000-0000-000000000001"], 0x08F7_9CB6_F2DA_19ED),
    (&["42"], 0x6DE6_F5D0_76D7_42B9),
    (&["-42"], 0x38DA_2115_7F24_4677),
    (&["true"], 0xD7C9_B979_4814_2E4A),
];

#[test]
fn shards_are_the_hash_modulo_the_count() {
    for (texts, hash) in HASHES {
        for count in [1, 2, 3, 7, 10, 16, 100, 1000, u32::MAX] {
            let expected = u32::try_from(hash % u64::from(count)).unwrap();
            assert_eq!(shard_of(texts, count), expected, "{texts:?} in {count}");
        }
    }
    assert_eq!(shard_of(&["x".repeat(100).as_str()], 1000), 52);
}

#[test]
fn a_shard_is_plain_decimal_text() {
    #[derive(Serialize, Deserialize, Entity)]
    #[entity(table = Stored, pk = "O#<id>#<number>", sk = "D#<date>#<at:s>#<flag>")]
    #[index(gsi1, pk = "S#<shard>", sk = "ID#<id>", name = "by_shard", shard(by = id, count = 1000))]
    struct Row {
        id: String,
        number: i64,
        date: NaiveDate,
        at: DateTime<Utc>,
        flag: bool,
    }

    let row = |id: &str| Row {
        id: id.to_owned(),
        number: -42,
        date: day("2026-03-01"),
        at: utc("2026-03-01T00:00:00Z"),
        flag: true,
    };
    for (id, text) in [("o1033", "S#727"), ("a", "S#955"), ("o1017", "S#984"), ("é", "S#848")] {
        assert_eq!(stored(&row(id), "GSI1PK"), text);
    }
}

/// Fields count as a partition key stores them, joined by `#`.
#[test]
fn shards_of_other_types() {
    macro_rules! shard_of_field {
        ($ty:ty, $spec:tt, $value:expr, $text:literal) => {{
            #[derive(Serialize, Deserialize, Entity)]
            #[entity(table = Stored, pk = "O#<id>", sk = $spec)]
            #[index(gsi1, pk = "S#<shard>", sk = "ID#<id>", name = "by_shard", shard(by = x, count = 1000))]
            struct Row { id: String, x: $ty }
            assert_eq!(stored(&Row { id: "1".into(), x: $value }, "GSI1PK"), $text);
        }};
    }
    shard_of_field!(u64, "X#<x:20>", 42, "S#401");
    shard_of_field!(i64, "X#<x:19>", -42, "S#15");
    shard_of_field!(bool, "X#<x>", true, "S#594");
    shard_of_field!(DateTime<Utc>, "X#<x:s>", utc("2026-03-01T00:00:00Z"), "S#875");
    shard_of_field!(uuid::Uuid, "X#<x>", uuid::Uuid::from_u128(1), "S#205");
}
