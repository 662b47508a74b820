//! Tables and entities that another macro writes.

use monotable::{Entity, KeyPart, Table};
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
