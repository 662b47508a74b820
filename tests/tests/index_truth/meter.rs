//! Natural keys of the table and of indexes, a local index, and a field whose `None` is NULL.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use monotable::{Entity, Error, Table};
use serde::{Deserialize, Serialize};
use tests::tape::Tape;

use super::edit::Edit;
use super::run::law;
use super::subject::{Index, Subject, unversioned, without_unique};

#[derive(Debug, Table)]
#[table(pk = "site", sk = ("meter", N), entities(Meter))]
#[gsi(by_level, pk = ("level", N), sk = "GSI1SK")]
#[gsi(by_owner, pk = "owner", sk = ("reading", N))]
#[gsi(by_zone, pk = "GSI3PK", sk = ("reading", N))]
#[gsi(by_city, pk = "GSI4PK", sk = "city")]
#[lsi(by_label, sk = "LSI1SK")]
pub(super) struct Meters;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Meters, pk = "<site>", sk = "<meter>", null(nick))]
#[index(by_level, pk = "<level>", sk = "<label>#<site>", only_when(active = true))]
#[index(by_owner, pk = "<owner>", sk = "<reading>")]
#[index(by_zone, pk = "Z#<zone>", sk = "<reading>")]
#[index(by_city, pk = "N#<nation>", sk = "<city>", only_when(zone = Some(_)))]
#[index(by_label, sk = "<label>", name = "by_label")]
pub(super) struct Meter {
    site: String,
    meter: i64,
    level: Option<u32>,
    owner: Option<String>,
    reading: i32,
    zone: Option<String>,
    nation: String,
    city: String,
    label: String,
    active: bool,
    nick: Option<String>,
}

fn level(tape: &mut Tape<'_>) -> Option<u32> {
    tape.pick(&[None, Some(0), Some(30)])
}

fn name(tape: &mut Tape<'_>) -> Option<String> {
    tape.pick(&[None, Some("a"), Some("b#c")]).map(str::to_owned)
}

fn label(tape: &mut Tape<'_>) -> String {
    tape.pick(&["l", "ma"]).to_owned()
}

impl Subject for Meter {
    const INDEXES: &'static [Index] = &[
        Index { pk: "level", sk: "GSI1SK" },
        Index { pk: "owner", sk: "reading" },
        Index { pk: "GSI3PK", sk: "reading" },
        Index { pk: "GSI4PK", sk: "city" },
        Index { pk: "site", sk: "LSI1SK" },
    ];

    fn draw(tape: &mut Tape<'_>, id: u32) -> Self {
        Meter {
            site: "s#1".into(),
            meter: i64::from(id) - 100,
            level: level(tape),
            owner: name(tape),
            reading: tape.pick(&[0, -5, 100]),
            zone: name(tape),
            nation: label(tape),
            city: label(tape),
            label: label(tape),
            active: tape.rarely(2),
            nick: name(tape),
        }
    }

    fn keys(&self) -> Vec<(&'static str, Option<String>)> {
        let encoded = |text: &String| text.replace('#', "%23");
        vec![
            ("site", Some("s#1".into())),
            ("meter", Some(self.meter.to_string())),
            ("level", self.level.map(|level| level.to_string())),
            // The condition decides about the first key attribute that the index does not share
            // with a field.
            ("GSI1SK", self.active.then(|| format!("{}#s%231", self.label))),
            ("owner", self.owner.clone()),
            ("reading", Some(self.reading.to_string())),
            ("GSI3PK", self.zone.as_ref().map(|zone| format!("Z#{}", encoded(zone)))),
            ("GSI4PK", self.zone.as_ref().map(|_| format!("N#{}", self.nation))),
            ("city", Some(self.city.clone())),
            ("LSI1SK", Some(self.label.clone())),
        ]
    }

    fn find(
        &self,
        table: &Table<Meters>,
        index: usize,
    ) -> BoxFuture<'static, Result<Vec<Self>, Error>> {
        let or_none = |name: &Option<String>| name.clone().unwrap_or_default();
        match index {
            0 => table.query(Meter::by_level(self.level.unwrap_or_default())).all().boxed(),
            1 => table.query(Meter::by_owner(or_none(&self.owner))).all().boxed(),
            2 => table.query(Meter::by_zone(or_none(&self.zone))).all().boxed(),
            3 => table.query(Meter::by_nation(&self.nation)).all().boxed(),
            _ => table.query(Meter::by_label(&self.site)).all().boxed(),
        }
    }

    unversioned!();
    without_unique!();

    edits! {
        any {
            // Whether `level` is a natural key, about which the condition does not decide, is known
            // to the compiler only.
            "level" "label" "active": |tape| (level(tape), label(tape), tape.rarely(2)),
                |o, (a, b, c)| o.level_and_label_and_active.set(a, b, c),
                |e, (a, b, c)| (e.level, e.label, e.active) = (a, b, c);
            "owner": |tape| name(tape), |o, v| o.owner.set(v), |e, v| e.owner = v;
            "reading": |tape| tape.pick(&[1, -2]), |o, v| o.reading.set(v), |e, v| e.reading = v;
            "zone" "nation": |tape| (name(tape), label(tape)),
                |o, (a, b)| o.zone_and_nation.set(a, b),
                |e, (a, b)| (e.zone, e.nation) = (a, b);
            "city": |tape| label(tape), |o, v| o.city.set(v), |e, v| e.city = v;
            "nick": |tape| name(tape), |o, v| o.nick.set(v), |e, v| e.nick = v;
            "nick": |_tape| (), |o, ()| o.nick.remove(), |e, ()| e.nick = None;
            // NULL is an attribute that is there.
            "nick": |_tape| (), |o, ()| o.nick.set_if_missing("never"), |e, ()| e.nick = e.nick.take();
        }
        by_item {
            "level": |tape| level(tape), |o, v| o.level.set(v), |e, v| e.level = v;
            "level": |_tape| (), |o, ()| o.level.remove(), |e, ()| e.level = None;
            "zone": |tape| name(tape), |o, v| o.zone.set(v), |e, v| e.zone = v;
            "nation": |tape| label(tape), |o, v| o.nation.set(v), |e, v| e.nation = v;
            "label": |tape| label(tape), |o, v| o.label.set(v), |e, v| e.label = v;
            "active": |tape| tape.rarely(2), |o, v| o.active.set(v), |e, v| e.active = v;
        }
    }
}

#[test]
fn of_natural_keys() {
    law::<Meter>();
}
