//! Several indexes that share fields, groups of two and three, a field alone, and free fields of
//! every kind.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use monotable::shard::shard_of;
use monotable::{Document, Entity, Error, KeyPart, Set, Table};
use serde::{Deserialize, Serialize};
use tests::models::shop::date;
use tests::tape::Tape;

use super::edit::Edit;
use super::run::law;
use super::subject::{Index, Subject, unversioned, without_unique};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", entities(Parcel))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(gsi2, pk = "GSI2PK", sk = "GSI2SK")]
#[gsi(gsi3, pk = "GSI3PK", sk = "GSI3SK")]
#[gsi(gsi4, pk = "GSI4PK", sk = "GSI4SK")]
#[gsi(gsi5, pk = "GSI5PK", sk = "GSI5SK")]
pub(super) struct Parcels;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Status {
    OnTheWay,
    Held,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Document)]
#[serde(rename_all = "camelCase")]
pub(super) struct Address {
    town_name: String,
    zip: Option<String>,
    visits: i64,
    floors: Vec<i32>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[serde(rename_all = "camelCase")]
#[entity(table = Parcels, pk = "DEPOT#<depot>", sk = "P#<id:9>")]
#[index(gsi1, pk = "S#<status>#<region>", sk = "<id:9>")]
#[index(gsi2, pk = "C#<carrier>", sk = "<due:sparse>#<id:9>", name = "by_due")]
#[index(gsi3, pk = "C3#<carrier>#<shard>", sk = "<weight:8>", name = "by_weight",
        shard(by = id, count = 4))]
#[index(gsi4, pk = "X#<x>#<y>", sk = "<y:plain>#<z:4>")]
#[index(gsi5, pk = "D#<depot>", sk = "<sent:6:sparse>", name = "by_sent")]
pub(super) struct Parcel {
    depot: String,
    id: u32,
    status: Status,
    region: String,
    carrier: Option<String>,
    due: Option<NaiveDate>,
    weight: u32,
    x: String,
    y: u16,
    z: i16,
    #[serde(rename = "sent.on-day")]
    sent: Option<u32>,
    #[serde(rename = "free.note-1")]
    note: Option<String>,
    count: i64,
    bonus: Option<i64>,
    address: Address,
    tags: Set<String>,
    marks: Set<i32>,
    log: Vec<String>,
    stock: BTreeMap<String, i64>,
    #[serde(with = "hexadecimal")]
    color: u32,
}

/// A field as serde alone would not write it.
mod hexadecimal {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{value:x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let text = String::deserialize(deserializer)?;
        u32::from_str_radix(&text, 16).map_err(D::Error::custom)
    }
}

fn status(tape: &mut Tape<'_>) -> Status {
    tape.pick(&[Status::OnTheWay, Status::Held])
}

fn text(tape: &mut Tape<'_>) -> String {
    tape.pick(&["a", "b", "c d", "é"]).to_owned()
}

fn due(tape: &mut Tape<'_>) -> Option<NaiveDate> {
    tape.pick(&[None, Some(date(2026, 10, 1)), Some(date(2026, 10, 31))])
}

fn carrier(tape: &mut Tape<'_>) -> Option<String> {
    tape.pick(&[None, Some("post"), Some("rail")]).map(str::to_owned)
}

fn number(tape: &mut Tape<'_>) -> i64 {
    tape.pick(&[0, 1, -1, 7, -250, 1_000_000])
}

fn texts(tape: &mut Tape<'_>) -> Vec<String> {
    (0..tape.below(4)).map(|_| text(tape)).collect()
}

fn address(tape: &mut Tape<'_>) -> Address {
    Address {
        town_name: text(tape),
        zip: tape.rarely(2).then(|| text(tape)),
        visits: number(tape),
        floors: (0..tape.below(3)).map(|floor| i32::try_from(floor).unwrap()).collect(),
    }
}

impl Subject for Parcel {
    const INDEXES: &'static [Index] = &[
        Index { pk: "GSI1PK", sk: "GSI1SK" },
        Index { pk: "GSI2PK", sk: "GSI2SK" },
        Index { pk: "GSI3PK", sk: "GSI3SK" },
        Index { pk: "GSI4PK", sk: "GSI4SK" },
        Index { pk: "GSI5PK", sk: "GSI5SK" },
    ];

    fn draw(tape: &mut Tape<'_>, id: u32) -> Self {
        Parcel {
            depot: "north".into(),
            id,
            status: status(tape),
            region: text(tape),
            carrier: carrier(tape),
            due: due(tape),
            weight: tape.pick(&[0, 5, 99_999_999]),
            x: text(tape),
            y: tape.pick(&[0, 1, 300]),
            z: tape.pick(&[0, -1, 12, -9_999]),
            sent: tape.pick(&[None, Some(0), Some(20)]),
            note: tape.rarely(2).then(|| text(tape)),
            count: number(tape),
            bonus: tape.rarely(2).then(|| number(tape)),
            address: address(tape),
            tags: texts(tape).into_iter().collect(),
            marks: tape.pick(&[vec![], vec![1], vec![1, 2]]).into_iter().collect(),
            log: texts(tape),
            stock: texts(tape).into_iter().map(|name| (name, 1)).collect(),
            color: tape.pick(&[0, 255]),
        }
    }

    fn keys(&self) -> Vec<(&'static str, Option<String>)> {
        let Parcel { id, region, x, y, .. } = self;
        let status = match self.status {
            Status::OnTheWay => "on-the-way",
            Status::Held => "held",
        };
        let shard = shard_of(&[&id.to_string()], 4);
        let carrier = |head: &str| self.carrier.as_ref().map(|carrier| format!("{head}#{carrier}"));
        // Signed numbers: `p` and the digits, or `n` and their complement.
        let z = match self.z {
            0.. => format!("p{:04}", self.z),
            _ => format!("n{:04}", 9_999 + self.z),
        };
        vec![
            ("PK", Some("DEPOT#north".into())),
            ("SK", Some(format!("P#{id:09}"))),
            ("GSI1PK", Some(format!("S#{status}#{region}"))),
            ("GSI1SK", Some(format!("{id:09}"))),
            ("GSI2PK", carrier("C")),
            ("GSI2SK", self.due.map(|due| format!("{due}#{id:09}"))),
            ("GSI3PK", carrier("C3").map(|text| format!("{text}#{shard}"))),
            ("GSI3SK", Some(format!("{:08}", self.weight))),
            ("GSI4PK", Some(format!("X#{x}#{y}"))),
            ("GSI4SK", Some(format!("{y}#{z}"))),
            ("GSI5PK", Some("D#north".into())),
            ("GSI5SK", self.sent.map(|sent| format!("{sent:06}"))),
        ]
    }

    fn find(
        &self,
        table: &Table<Parcels>,
        index: usize,
    ) -> BoxFuture<'static, Result<Vec<Self>, Error>> {
        let carrier = self.carrier.clone().unwrap_or_default();
        match index {
            0 => table.query(Parcel::by_status_and_region(self.status, &self.region)).all().boxed(),
            1 => table.query(Parcel::by_due(carrier)).all().boxed(),
            2 => table.query(Parcel::by_weight(carrier)).all().boxed(),
            3 => table.query(Parcel::by_x_and_y(&self.x, self.y)).all().boxed(),
            _ => table.query(Parcel::by_sent(&self.depot)).all().boxed(),
        }
    }

    unversioned!();
    without_unique!();

    edits! {
        any {
            "status" "region": |tape| (status(tape), text(tape)),
                |o, (a, b)| o.status_and_region.set(a, b),
                |e, (a, b)| (e.status, e.region) = (a, b);
            "carrier": |tape| carrier(tape), |o, v| o.carrier.set(v), |e, v| e.carrier = v;
            "carrier": |_tape| (), |o, ()| o.carrier.remove(), |e, ()| e.carrier = None;
            "due": |tape| due(tape), |o, v| o.due.set(v), |e, v| e.due = v;
            "weight": |tape| tape.pick(&[0, 77]), |o, v| o.weight.set(v), |e, v| e.weight = v;
            "x" "y" "z": |tape| (text(tape), tape.pick(&[0_u16, 9]), tape.pick(&[3_i16, -4])),
                |o, (x, y, z)| o.x_and_y_and_z.set(x, y, z),
                |e, (x, y, z)| (e.x, e.y, e.z) = (x, y, z);
            "sent": |tape| tape.pick(&[None, Some(3_u32)]), |o, v| o.sent.set(v), |e, v| e.sent = v;
            "sent": |_tape| (), |o, ()| o.sent.remove(), |e, ()| e.sent = None;
            "note": |tape| text(tape), |o, v| o.note.set(v), |e, v| e.note = Some(v);
            "note": |_tape| (), |o, ()| o.note.remove(), |e, ()| e.note = None;
            "note": |tape| text(tape), |o, v| o.note.set_if_missing(v),
                |e, v| e.note = e.note.take().or(Some(v));
            "count": |tape| number(tape), |o, v| o.count.set(v), |e, v| e.count = v;
            "count": |tape| number(tape), |o, v| o.count.add(v), |e, v| e.count += v;
            "count": |tape| number(tape), |o, v| o.count.subtract(v), |e, v| e.count -= v;
            "bonus": |tape| number(tape), |o, v| o.bonus.add(v),
                |e, v| e.bonus = Some(e.bonus.unwrap_or(0) + v);
            "bonus": |_tape| (), |o, ()| o.bonus.remove(), |e, ()| e.bonus = None;
            "address": |tape| address(tape), |o, v| o.address.set(v), |e, v| e.address = v;
            "address.town_name": |tape| text(tape), |o, v| o.address.town_name.set(v),
                |e, v| e.address.town_name = v;
            "address.zip": |tape| tape.rarely(2).then(|| text(tape)), |o, v| o.address.zip.set(v),
                |e, v| e.address.zip = v;
            "address.visits": |tape| number(tape), |o, v| o.address.visits.add(v),
                |e, v| e.address.visits += v;
            "address.floors": |tape| tape.pick(&[4, 5]), |o, v| o.address.floors.append([v]),
                |e, v| e.address.floors.push(v);
            "tags": |tape| texts(tape), |o, v| o.tags.insert(v), |e, v| e.tags.extend(v);
            "tags": |tape| texts(tape), |o, v| o.tags.delete(v),
                |e, v| v.iter().for_each(|gone| { e.tags.remove(gone); });
            "tags": |tape| texts(tape), |o, v| o.tags.set(Set::from_iter(v)),
                |e, v| e.tags = Set::from_iter(v);
            "marks": |tape| tape.pick(&[1, 2, -3]), |o, v| o.marks.insert([v]),
                |e, v| e.marks.insert(v);
            "marks": |tape| tape.pick(&[1, 2, -3]), |o, v| o.marks.delete([v]),
                |e, v| e.marks.remove(&v);
            "log": |tape| texts(tape), |o, v| o.log.append(v), |e, v| e.log.extend(v);
            "log": |tape| texts(tape), |o, v| o.log.prepend(v),
                |e, v| { e.log.splice(0..0, v); };
            "log": |tape| (tape.below(4), text(tape)), |o, (at, v)| o.log.at(at).set(v),
                |e, (at, v)| match e.log.get_mut(at) {
                    Some(element) => *element = v,
                    None => e.log.push(v),
                };
            "log": |tape| tape.below(4), |o, at| o.log.at(at).remove_element(),
                |e, at| if at < e.log.len() { e.log.remove(at); };
            "stock.a": |tape| number(tape), |o, v| o.stock.entry("a").add(v),
                |e, v| *e.stock.entry("a".into()).or_insert(0) += v;
            "stock.b": |tape| number(tape), |o, v| o.stock.entry("b").set(v),
                |e, v| { e.stock.insert("b".into(), v); };
            "stock.c d": |tape| number(tape), |o, v| o.stock.entry("c d").set_if_missing(v),
                |e, v| { e.stock.entry("c d".into()).or_insert(v); };
            "stock.a": |_tape| (), |o, ()| o.stock.entry("a").remove_element(),
                |e, ()| e.stock.remove("a");
            "color": |tape| tape.pick(&[16, 17]), |o, v| o.color.set(v), |e, v| e.color = v;
        }
        by_item {
            "status": |tape| status(tape), |o, v| o.status.set(v), |e, v| e.status = v;
            "region": |tape| text(tape), |o, v| o.region.set(v), |e, v| e.region = v;
            "x": |tape| text(tape), |o, v| o.x.set(v), |e, v| e.x = v;
            "y": |tape| tape.pick(&[2_u16, 40]), |o, v| o.y.set(v), |e, v| e.y = v;
            "z": |tape| tape.pick(&[5_i16, -6]), |o, v| o.z.set(v), |e, v| e.z = v;
        }
    }
}

#[test]
fn of_indexes_that_share_fields() {
    law::<Parcel>();
}
