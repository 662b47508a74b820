//! Indexes of attributes that another key has: they get patterns, and no write of their own.

// Indexes share attributes.
#![allow(clippy::duplicated_attributes)]

use chrono::{DateTime, SubsecRound, Utc};
use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{eventually, on_table};

/// A graph: a node has its own name in both halves, an edge has those of its ends.
#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", entities(User, Group, Membership, Reading))]
#[gsi(inverted, pk = "SK", sk = "PK")]
#[gsi(by_role, pk = "GSI2PK", sk = "GSI2SK")]
#[gsi(by_role_and_user, pk = "GSI2PK", sk = "PK")]
struct Graph;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Graph, pk = "USER#<user>", sk = "USER#<user>")]
struct User {
    user: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Graph, pk = "GROUP#<group>", sk = "GROUP#<group>")]
struct Group {
    group: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Graph, pk = "USER#<user>", sk = "GROUP#<group>")]
#[index(inverted, pk = "GROUP#<group>", sk = "USER#<user>")]
#[index(by_role, pk = "ROLE#<role>", sk = "<since:s>#<user>", only_when(active = true))]
#[index(by_role_and_user, pk = "ROLE#<role>", sk = "USER#<user>", name = "by_role_and_user")]
struct Membership {
    user: String,
    group: String,
    role: Option<String>,
    since: DateTime<Utc>,
    active: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Graph, pk = "AT#<at:s>", sk = "SENSOR#<sensor>")]
#[index(inverted, pk = "SENSOR#<sensor>", sk = "AT#<at:s>")]
struct Reading {
    sensor: String,
    at: DateTime<Utc>,
}

fn at(second: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(second, 0).unwrap()
}

fn member(user: &str, group: &str) -> Membership {
    Membership {
        user: user.into(),
        group: group.into(),
        role: Some("admin".into()),
        since: at(10),
        active: true,
    }
}

#[tokio::test]
async fn the_members_of_a_group_and_the_groups_of_a_member() {
    on_table::<Graph, _>("inverted", |bench| async move {
        let table = &bench.table;
        let [a, b, c] = [member("u1", "g1"), member("u1", "g2"), member("u2", "g1")];
        for item in [&a, &b, &c] {
            table.create(item).send().await.unwrap();
        }
        table.put(&User { user: "u1".into() }).send().await.unwrap();
        table.put(&Group { group: "g1".into() }).send().await.unwrap();
        let sent = bench.recorder.take();
        let mut names: Vec<_> = sent[0].body["Item"].as_object().unwrap().keys().collect();
        names.sort();
        assert_eq!(
            names,
            ["GSI2PK", "GSI2SK", "PK", "SK", "active", "group", "role", "since", "user"]
        );

        // `User` and `Group` are in the index too, and no answer.
        eventually(vec![a.clone(), c.clone()], || async {
            table.query(Membership::by_group("g1")).all().await.unwrap()
        })
        .await;
        let found = table.query(Membership::by_group("g1").user("u2")).all().await.unwrap();
        assert_eq!(found, std::slice::from_ref(&c));
        let found = table.query(Membership::by_group("g1").user_range("u2"..)).all().await.unwrap();
        assert_eq!(found, [c]);
        let groups = table.query(Membership::by_user("u1")).all().await.unwrap();
        assert_eq!(groups, [a, b]);
    })
    .await;
}

#[tokio::test]
async fn an_update_writes_a_shared_attribute_once() {
    on_table::<Graph, _>("inverted-update", |bench| async move {
        let table = &bench.table;
        table.put(&member("u1", "g1")).send().await.unwrap();
        bench.recorder.take();
        let key = || Membership::key("u1", "g1");
        let update = table.update(key());
        let update =
            update.change(|m| m.role_and_since_and_active.set("guest".to_owned(), at(20), false));
        update.send().await.unwrap();
        let sent = bench.recorder.take();
        let names = sent[0].body["ExpressionAttributeNames"].as_object().unwrap();
        let written = |name: &str| names.values().filter(|value| *value == name).count();
        assert_eq!((written("GSI2PK"), written("GSI2SK")), (1, 1));
        assert_eq!((written("PK"), written("SK")), (1, 0), "the condition that the item exists");

        // The condition of `by_role` decides about the attribute that it has alone.
        assert_eq!(table.query(Membership::by_role("guest")).count().await.unwrap(), 0);
        eventually(1, || async {
            table.query(Membership::by_role_and_user("guest").user("u1")).count().await.unwrap()
        })
        .await;
        let gone = table.query(Membership::by_role_and_user("admin")).count().await.unwrap();
        assert_eq!(gone, 0);
    })
    .await;
}

/// Nothing is rounded in the table's key, wherever it is read.
#[tokio::test]
async fn ranges_over_the_table_s_key_are_exact() {
    on_table::<Graph, _>("inverted-exact", |bench| async move {
        let table = &bench.table;
        for second in 10..13 {
            table.put(&Reading { sensor: "s".into(), at: at(second) }).send().await.unwrap();
        }
        let by_sensor = || Reading::by_sensor("s");
        eventually(3, || async { table.query(by_sensor()).count().await.unwrap() }).await;
        let half = at(10) + chrono::TimeDelta::milliseconds(500);
        let count = async |pattern: monotable::Pattern<Reading, _>| {
            table.query(pattern).count().await.unwrap()
        };
        assert_eq!(count(by_sensor().at_range(half..).erase()).await, 2);
        assert_eq!(count(by_sensor().at_range(..half).erase()).await, 1);
        assert_eq!(count(by_sensor().at_range(half..half.round_subsecs(0)).erase()).await, 0);
        let rounded = Reading { sensor: "s".into(), at: half };
        assert!(table.put(&rounded).send().await.unwrap_err().is_invalid_key());
    })
    .await;
}

#[tokio::test]
async fn a_partition_key_that_is_too_long_for_a_sort_key() {
    on_table::<Graph, _>("inverted-size", |bench| async move {
        let table = &bench.table;
        let long = Membership { active: false, ..member(&"u".repeat(1020), "g1") };
        let error = table.put(&long).send().await.unwrap_err();
        assert!(error.is_invalid_key());
        let text = error.to_string();
        assert!(text.contains("attribute `PK` has 1025 bytes"), "{text}");
        assert!(text.contains("sort key of the index `inverted`"), "{text}");
        assert_eq!(bench.recorder.take().len(), 0);
        let layout = Graph::layout();
        assert!(layout.contains("  gsi inverted SK S + PK S, all\n"), "{layout}");
        let report = Graph::inspect(&member("u1", "g1").to_item().unwrap());
        assert!(report.is_faithful(), "{report}");
        assert_eq!(report.keys.len(), 4);
    })
    .await;
}
