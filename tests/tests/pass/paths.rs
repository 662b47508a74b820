//! Fields under odd names, as paths of conditions and changes.

use monotable::aws_sdk_dynamodb::{Client, Config, config::BehaviorVersion};
use monotable::{Document, Entity, Error, Schema, Set, Table};
use serde::{Deserialize, Serialize};

pub(super) fn table<T: Schema>() -> Table<T> {
    let config = Config::builder().behavior_version(BehaviorVersion::latest()).build();
    Table::new(Client::from_conf(config), "table")
}

#[derive(Table)]
#[table(pk = "PK", sk = "SK", ttl = "ttl", entities(Odd, Group, Session, Member))]
#[gsi(gsi1, pk = "GSI1PK", sk = "rank")]
#[gsi(gsi2, pk = "GSI2PK", sk = "GSI2SK", projection = keys_only)]
struct App;

/// Fields named like methods and private fields of a path, and under other names in the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[serde(rename_all = "camelCase")]
#[entity(table = App, pk = "ODD#<type>", sk = "META")]
#[index(gsi1, pk = "OWNER#<match>", sk = "<rank>")]
#[index(gsi2, pk = "RANK#<rank>", sk = "<set>", allow(expired))]
struct Odd {
    r#type: String,
    r#match: String,
    rank: String,
    set: String,
    eq: u32,
    at: Option<Inner>,
    size: Inner,
    codec: Vec<Inner>,
    fields: Set<String>,
    kind: bool,
    #[serde(rename = "entry.of")]
    entry: u8,
    #[serde(with = "as_text")]
    deref: u32,
    change_total: u64,
}

/// The same for a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Document)]
#[serde(rename_all = "SCREAMING-KEBAB-CASE")]
struct Inner {
    at: u32,
    codec: String,
    fields: Vec<u8>,
    r#where: Option<String>,
    size_of: f64,
    #[serde(with = "as_text")]
    with: u32,
}

mod as_text {
    use serde::{Deserialize, Deserializer, Serializer};

    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub(super) fn serialize<S: Serializer>(value: &u32, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

fn odd() -> Odd {
    let inner =
        Inner { at: 1, codec: "c".into(), fields: vec![1], r#where: None, size_of: 0.5, with: 7 };
    Odd {
        r#type: "t".into(),
        r#match: "m".into(),
        rank: "r".into(),
        set: "s".into(),
        eq: 1,
        at: None,
        size: inner.clone(),
        codec: vec![inner],
        fields: Set::default(),
        kind: true,
        entry: 1,
        deref: 5,
        change_total: 1,
    }
}

#[test]
fn fields_may_be_named_like_methods() -> Result<(), Error> {
    let app = table::<App>();
    let update = app
        .update(Odd::key("t"))
        .change(|o| (o.eq.add(1), o.size.at.set(5), o.codec.at(0).codec.set("x")))
        .change(|o| (o.fields.insert(["f"]), o.kind.set(false), o.entry.subtract(1)))
        .change(|o| (o.size.fields.append([1]), o.size.r#where.set("here"), o.deref.set(6)))
        .condition(|o| o.at.at.eq(1) & o.codec.at(0).fields.at(0).eq(1) & o.set.eq("s"))
        .condition(|o| o.size.with.eq(7) & o.deref.ne(8) & o.change_total.gt(1));
    let text = format!("{:?}", update.explain()?);
    for name in ["entry.of", "SIZE-OF", "WHERE", "WITH", "changeTotal"] {
        assert_eq!(text.contains(name), name != "SIZE-OF", "{name} in {text}");
    }
    Ok(())
}

#[test]
fn an_update_of_an_item_sets_each_field_alone() -> Result<(), Error> {
    let app = table::<App>();
    let item = odd();
    let alone = app.update(&item).change(|o| o.rank.set("a")).explain()?;
    assert!(format!("{alone:?}").contains("GSI2PK"));
    let grouped = app.update(&item).change(|o| o.r#match.set("a")).explain()?;
    assert!(format!("{grouped:?}").contains("OWNER#a"));
    Ok(())
}

#[test]
fn a_filter_may_use_the_key_of_another_index() {
    let app = table::<App>();
    // `rank` is a key attribute of `gsi1` only.
    let table = app.query(Odd::by_type("t")).filter(|o| o.rank.eq("a"));
    assert!(table.explain().is_ok());
    let erased = app.query(Odd::by_type("t").erase()).filter(|o| o.rank.eq("a"));
    assert!(erased.explain().is_ok());
}

/// The names of the members, joined, are those of another field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "GROUP#<id>", sk = "META")]
#[index(gsi2, pk = "G#<status>#<region>", sk = "<id>")]
struct Group {
    id: String,
    status: String,
    region: Option<String>,
    status_and_region: u32,
}

#[test]
fn a_group_gives_way_to_a_field() -> Result<(), Error> {
    let app = table::<App>();
    let update = app
        .update(Group::key("g"))
        .change(|g| (g.status_and_region.add(1), g.status_and_region_group.set("open", "eu")));
    assert!(format!("{:?}", update.explain()?).contains("G#open#eu"));
    let none = app.update(Group::key("g")).change(|g| g.status_and_region_group.set("open", None));
    assert!(!format!("{:?}", none.explain()?).contains("G#open"));
    Ok(())
}

/// What expires by a field of its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "SESSION#<id>", sk = "<until:12>", ttl = until)]
struct Session {
    id: String,
    until: u64,
    seen: u32,
}

#[test]
fn a_time_to_live_may_be_in_the_key() -> Result<(), Error> {
    let app = table::<App>();
    let session = Session { id: "s".into(), until: 1_800_000_000, seen: 0 };
    assert!(format!("{:?}", app.put(&session).explain()?).contains("1800000000"));
    let update = app.update(Session::key("s", 1_800_000_000_u64)).change(|s| s.seen.add(1));
    assert!(update.explain().is_ok());
    Ok(())
}

/// Unique over all tenants, with and without a value, and versioned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "TENANT#<tenant>", sk = "MEMBER#<email>", version = v,
         unique(email, phone))]
struct Member {
    tenant: String,
    email: String,
    phone: Option<String>,
    v: u32,
}

#[test]
fn a_field_of_the_key_may_be_unique() -> Result<(), Error> {
    let app = table::<App>();
    let mut member =
        Member { tenant: "t".into(), email: "a@shop.example".into(), phone: None, v: 0 };
    let text = format!("{:?}", app.create(&mut member).explain()?);
    assert!(text.contains("$unique#Member#email"));
    assert!(!text.contains("$unique#Member#phone"));
    let text = format!("{:?}", app.update(&mut member).change(|m| m.phone.set("1")).explain()?);
    assert!(text.contains("$unique#Member#phone#1"));
    assert!(app.delete(&member).explain().is_ok());
    Ok(())
}
