use std::collections::BTreeMap;

use monotable::{Bytes, Entity, Number, Set, Table};
use serde::{Deserialize, Serialize};
use tests::bench::on_table;

#[derive(Debug, Table)]
#[table(pk = "PK", entities(Everything))]
struct Values;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Inner {
    nick: Option<String>,
    list: Vec<Option<u8>>,
    map: BTreeMap<String, Option<bool>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Shape {
    Dot,
    Circle(f32),
    Box { w: u8, h: u8 },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Values, pk = "VALUE#<id>")]
struct Everything {
    id: String,
    absent: Option<u64>,
    inner: Inner,
    big: u64,
    exact: Number,
    negative: i128,
    float: f64,
    bytes: Bytes,
    texts: Set<String>,
    numbers: Set<i64>,
    none: Set<String>,
    shapes: Vec<Shape>,
    unit: (),
    #[serde(rename = "user")]
    reserved: String,
    #[serde(skip)]
    skipped: u8,
    empty: String,
}

fn everything() -> Everything {
    Everything {
        id: "ñ#1".into(),
        absent: None,
        inner: Inner {
            nick: None,
            list: vec![Some(1), None],
            map: BTreeMap::from([("a".into(), None), ("b".into(), Some(true))]),
        },
        big: u64::MAX,
        exact: "12345678901234567890.123456789012345678".parse().unwrap(),
        negative: -99_999_999_999_999_999_999_999_999_999_999_999_999,
        float: 0.1 + 0.2,
        bytes: Bytes::from([0u8, 255, 7]),
        texts: ["a", "b"].into_iter().map(str::to_owned).collect(),
        numbers: [3, -1].into_iter().collect(),
        none: Set::new(),
        shapes: vec![Shape::Dot, Shape::Circle(1.5), Shape::Box { w: 1, h: 2 }],
        unit: (),
        reserved: "reserved word".into(),
        skipped: 0,
        empty: String::new(),
    }
}

#[tokio::test]
async fn every_value_comes_back_as_it_was() {
    on_table::<Values, _>("values", |bench| async move {
        bench.table.put(&everything()).send().await.unwrap();
        let sent = bench.recorder.take();
        let item = &sent[0].body["Item"];
        assert_eq!(item["exact"]["N"], "12345678901234567890.123456789012345678");
        assert_eq!(item["float"]["N"], "0.30000000000000004");
        assert_eq!(item["bytes"]["B"], "AP8H");
        assert_eq!(item["texts"]["SS"], serde_json::json!(["a", "b"]));
        assert_eq!(item["inner"]["M"]["list"]["L"][1]["NULL"], true);
        assert_eq!(item["inner"]["M"]["map"]["M"]["a"]["NULL"], true);
        for left_out in ["absent", "none", "skipped", "reserved"] {
            assert!(item.get(left_out).is_none(), "{left_out}");
        }
        assert!(item["inner"]["M"].get("nick").is_none());
        assert_eq!(item["user"]["S"], "reserved word");
        let found = bench.table.get(Everything::key("ñ#1")).send().await.unwrap();
        assert_eq!(found, Some(everything()));
    })
    .await;
}

#[test]
fn the_bridge_to_items_agrees() {
    let item = everything().to_item().unwrap();
    assert_eq!(Everything::from_item(item.clone()).unwrap(), everything());
    assert_eq!(item["PK"].as_s().unwrap(), "VALUE#ñ%231");
    let error = Everything::from_item(monotable::Item::new()).unwrap_err();
    assert!(error.is_decode() && error.to_string().contains("`id`"), "{error}");
}
