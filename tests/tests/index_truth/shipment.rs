//! Keys of several attributes, an index of the table's own key, and an attribute of two indexes.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use monotable::{Entity, Error, Table};
use serde::{Deserialize, Serialize};
use tests::tape::Tape;

use super::edit::Edit;
use super::run::law;
use super::subject::{Index, Subject, unversioned, without_unique};

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", entities(Shipment))]
#[gsi(by_region, pk = ["tenant", "region"], sk = ["state", ("weight", N), "GSI1SK"])]
#[gsi(inverted, pk = "SK", sk = "PK")]
#[gsi(by_carrier, pk = "GSI2PK", sk = "GSI2SK")]
#[gsi(by_carrier_and_id, pk = "GSI2PK", sk = "SK")]
pub(super) struct Shipments;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shipments, pk = "UNIT#<unit>", sk = "S#<id:9>")]
#[index(by_region, pk = ["<tenant>", "<region>"], sk = ["<state>", "<weight>", "D#<day:2>"])]
#[index(inverted, pk = "S#<id:9>", sk = "UNIT#<unit>")]
#[index(by_carrier, pk = "C#<carrier>", sk = "<day:2>#<id:9>", only_when(open = true))]
#[index(by_carrier_and_id, pk = "C#<carrier>", sk = "S#<id:9>", name = "by_carrier_and_id")]
pub(super) struct Shipment {
    unit: String,
    id: u32,
    tenant: String,
    region: Option<String>,
    state: String,
    weight: i32,
    day: u8,
    carrier: Option<String>,
    open: bool,
}

fn region(tape: &mut Tape<'_>) -> Option<String> {
    tape.pick(&[None, Some("eu"), Some("u#s")]).map(str::to_owned)
}

fn state(tape: &mut Tape<'_>) -> String {
    tape.pick(&["new", "old#1"]).to_owned()
}

fn day(tape: &mut Tape<'_>) -> u8 {
    tape.pick(&[1, 2, 31])
}

impl Subject for Shipment {
    const INDEXES: &'static [Index] = &[
        Index { pk: "region", sk: "GSI1SK" },
        Index { pk: "SK", sk: "PK" },
        Index { pk: "GSI2PK", sk: "GSI2SK" },
        Index { pk: "GSI2PK", sk: "SK" },
    ];

    fn draw(tape: &mut Tape<'_>, id: u32) -> Self {
        Shipment {
            unit: "u#1".into(),
            id,
            tenant: "t".into(),
            region: region(tape),
            state: state(tape),
            weight: tape.pick(&[0, -7, 40]),
            day: day(tape),
            carrier: region(tape),
            open: tape.rarely(2),
        }
    }

    fn keys(&self) -> Vec<(&'static str, Option<String>)> {
        let carrier = self.carrier.as_ref().map(|carrier| carrier.replace('#', "%23"));
        vec![
            ("PK", Some("UNIT#u%231".into())),
            ("SK", Some(format!("S#{:09}", self.id))),
            ("tenant", Some(self.tenant.clone())),
            ("region", self.region.clone()),
            ("state", Some(self.state.clone())),
            ("weight", Some(self.weight.to_string())),
            ("GSI1SK", Some(format!("D#{:02}", self.day))),
            // The condition decides about the attribute that `by_carrier` has alone.
            ("GSI2PK", carrier.map(|carrier| format!("C#{carrier}"))),
            ("GSI2SK", self.open.then(|| format!("{:02}#{:09}", self.day, self.id))),
        ]
    }

    fn find(
        &self,
        table: &Table<Shipments>,
        index: usize,
    ) -> BoxFuture<'static, Result<Vec<Self>, Error>> {
        let or_none = |name: &Option<String>| name.clone().unwrap_or_default();
        match index {
            0 => {
                let pattern = Shipment::by_tenant_and_region(&self.tenant, or_none(&self.region));
                table.query(pattern).all().boxed()
            }
            1 => table.query(Shipment::by_id(self.id)).all().boxed(),
            2 => table.query(Shipment::by_carrier(or_none(&self.carrier))).all().boxed(),
            _ => table.query(Shipment::by_carrier_and_id(or_none(&self.carrier))).all().boxed(),
        }
    }

    unversioned!();
    without_unique!();

    edits! {
        any {
            "region": |tape| region(tape), |o, v| o.region.set(v), |e, v| e.region = v;
            "region": |_tape| (), |o, ()| o.region.remove(), |e, ()| e.region = None;
            "day" "carrier" "open": |tape| (day(tape), region(tape), tape.rarely(2)),
                |o, (a, b, c)| o.day_and_carrier_and_open.set(a, b, c),
                |e, (a, b, c)| (e.day, e.carrier, e.open) = (a, b, c);
        }
        by_item {
            "day": |tape| day(tape), |o, v| o.day.set(v), |e, v| e.day = v;
            "carrier": |tape| region(tape), |o, v| o.carrier.set(v), |e, v| e.carrier = v;
            "carrier": |_tape| (), |o, ()| o.carrier.remove(), |e, ()| e.carrier = None;
            "open": |tape| tape.rarely(2), |o, v| o.open.set(v), |e, v| e.open = v;
        }
    }
}

#[test]
fn of_keys_of_several_attributes() {
    law::<Shipment>();
}
