//! Projections of entities whose fields, types and parameters are not plain.

mod store {
    use monotable::{Entity, Projection, Set, Table};
    use serde::{Deserialize, Serialize};

    #[derive(Table)]
    #[table(pk = "PK", sk = "SK")]
    #[gsi(gsi1, pk = "GSI1PK", projection = include("type", "Line.Count"))]
    pub(crate) struct Shop;

    #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
    #[entity(table = Shop, pk = "ORDER#<id>", sk = "META", allow(unlisted))]
    #[index(gsi1, pk = "NOTE#<note>")]
    pub(crate) struct Order<M, D = ()> {
        id: u32,
        note: String,
        r#type: Kind,
        #[serde(rename = "Line.Count")]
        lines: u8,
        #[serde(with = "hex")]
        color: u32,
        tags: Set<String>,
        #[serde(rename = "meta")]
        details: M,
        more: D,
        #[serde(skip)]
        _cached: Option<std::time::Instant>,
    }

    /// A type that nobody else sees.
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Kind {
        Gift,
    }

    mod hex {
        use serde::{Deserialize, Deserializer, Serializer};

        #[allow(clippy::trivially_copy_pass_by_ref)]
        pub(super) fn serialize<S: Serializer>(color: &u32, to: S) -> Result<S::Ok, S::Error> {
            to.collect_str(&format_args!("{color:06x}"))
        }

        pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
            let text = String::deserialize(from)?;
            u32::from_str_radix(&text, 16).map_err(serde::de::Error::custom)
        }
    }

    pub(crate) fn order() -> Order<Vec<u8>> {
        Order {
            id: 7,
            note: "late".into(),
            r#type: Kind::Gift,
            lines: 3,
            color: 0xff_00_80,
            tags: Set::default(),
            details: vec![1],
            more: (),
            _cached: None,
        }
    }

    /// In the module of the type that it names.
    #[derive(Debug, PartialEq, Deserialize, Projection)]
    #[projection(entity = self::Order<Vec<u8>>)]
    #[serde(deny_unknown_fields)]
    pub(crate) struct Noted {
        r#type: Kind,
        #[serde(rename = "Line.Count")]
        pub(super) r#fn: u8,
        #[serde(deserialize_with = "hex::deserialize")]
        pub(super) color: u32,
    }
}

use monotable::{Entity, Projection, Set};
use serde::{Deserialize, Serialize};

/// The entity's fields are private here, and other names may stand for them.
#[derive(Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(entity = store::Order<Vec<u8>>, crate = ::monotable)]
#[serde(rename_all(serialize = "SCREAMING-KEBAB-CASE"))]
struct Row {
    #[serde(rename(deserialize = "meta"))]
    u8: Vec<u8>,
    tags: Set<String>,
    id: u32,
    #[serde(skip_deserializing, default)]
    is_shown: bool,
}

#[test]
fn they_read_what_they_name() {
    let order = store::order();
    let item = || order.to_item().unwrap();
    let noted = store::Noted::from_item(item()).unwrap();
    assert_eq!((noted.r#fn, noted.color), (3, 0xff_00_80));
    let row = Row::from_item(item()).unwrap();
    assert_eq!(row, Row { u8: vec![1], tags: Set::default(), id: 7, is_shown: false });
    let json = serde_json::to_value(row).unwrap();
    assert_eq!(json["IS-SHOWN"], false);

    let shop = super::paths::table::<store::Shop>();
    let key = || store::Order::<Vec<u8>>::key(7);
    let read = shop.query(store::Order::<Vec<u8>>::by_id(7)).select::<Row>();
    let local = format!("{:?} {:?}", read.explain(), shop.get(key()).select::<Row>().explain());
    assert!(local.contains("ORDER#7"), "{local}");
}
