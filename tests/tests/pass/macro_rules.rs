//! Tables and entities that another macro writes.

use monotable::{Document, Entity, KeyPart, Table};
use serde::{Deserialize, Serialize};

macro_rules! entities {
    ($table:ident: $($entity:ident $field:ident: $ty:ty = $pk:literal, $sk:literal;)*) => {
        #[derive(Table)]
        #[table(pk = "PK", sk = "SK", entities($($entity),*))]
        struct $table;

        $(
            #[derive(Debug, Serialize, Deserialize, Entity)]
            #[entity(table = $table, pk = $pk, sk = $sk)]
            struct $entity {
                $field: $ty,
                // A field whose name only the macro knows.
                number: u8,
            }
        )*
    };
}

entities! {
    Shop:
    User user: String = "USER#<user>", "PROFILE#<number:3>";
    Order order: Id = "ORDER#<order>", "LINE#<number:2>";
}

macro_rules! ids {
    ($($id:ident($ty:ty)),*) => {
        $(
            #[derive(Debug, Serialize, Deserialize, KeyPart)]
            struct $id($ty);
        )*
    };
}

ids!(Id(u64));

#[test]
fn fields_of_the_macro_and_of_the_caller() {
    assert_eq!(User::key("ana", 7).to_string(), "USER#ana + PROFILE#007");
    assert_eq!(Order::key(Id(5), 7).to_string(), "ORDER#5 + LINE#07");
    assert!(format!("{:?}", Order::by_order(Id(5)).number_range(1..)).contains("LINE#01"));
}

macro_rules! grouped {
    ($table:ident, $entity:ident, $document:ident { $one:ident: $ty:ty, $inner:ident }) => {
        #[derive(Table)]
        #[table(pk = "PK", sk = "SK", ttl = "ttl", entities($entity))]
        #[gsi(gsi1, pk = "GSI1PK")]
        struct $table;

        #[derive(Debug, Serialize, Deserialize, Document)]
        struct $document {
            $inner: $ty,
            number: u8,
        }

        #[derive(Debug, Serialize, Deserialize, Entity)]
        #[entity(table = $table, pk = "ID#<id>", sk = "META", version = counted, ttl = until,
                                                                                 unique($inner))]
        #[index(gsi1, pk = "GROUP#<other>#<group>")]
        struct $entity {
            id: u32,
            $one: $ty,
            // Fields whose names only the macro knows.
            group: u32,
            other: u32,
            counted: u32,
            until: u64,
            $inner: $ty,
            document: $document,
        }

        impl $entity {
            fn changes(table: &monotable::Table<$table>) -> String {
                let update = table
                    .update(Self::key(1))
                    .change(|e| (e.group_and_other.set(1, 2), e.$one.set("a")))
                    .change(|e| (e.document.number.add(1), e.document.$inner.set("b")));
                format!("{:?}", update.explain())
            }
        }
    };
}

grouped!(Grouped, Member, Details { name: String, email });

#[test]
fn paths_of_the_macro_and_of_the_caller() {
    let table = super::paths::table::<Grouped>();
    assert!(Member::changes(&table).contains("GROUP#2#1"));
    let update = table
        .update(Member::key(1))
        .change(|m| (m.group_and_other.set(3, 4), m.name.set("c"), m.document.email.set("d")));
    assert!(format!("{:?}", update.explain()).contains("GROUP#4#3"));
}
