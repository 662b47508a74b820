#![doc = include_str!("docs/crate.md")]
#![forbid(unsafe_code)]

// The derives name this crate by its own path in its own tests and documentation.
extern crate self as monotable;

/// Longer texts: why things are as they are, and what the compiler says.
#[cfg(doc)]
pub mod docs {
    #[doc = include_str!("../DESIGN.md")]
    pub mod design {}
    #[doc = include_str!("docs/capacity.md")]
    pub mod capacity {}
    #[doc = include_str!("docs/compile_errors.md")]
    pub mod compile_errors {}
}

mod capacity;
#[cfg(any(feature = "streams", feature = "lambda"))]
pub mod change;
mod codec;
pub mod collection;
mod consumed;
mod cursor;
mod entity;
mod error;
pub mod expr;
mod found;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
mod inspect;
mod item;
pub mod key;
mod key_only;
mod known;
mod meter;
pub mod number;
pub mod op;
mod pattern;
#[doc(hidden)]
pub mod private;
mod projection;
pub mod schema;
pub mod shard;
mod table;
#[cfg(feature = "testing")]
pub mod testing;
mod ttl;
mod wire;

// The client and the values of the SDK are part of this interface.
#[cfg(feature = "lambda")]
pub use aws_lambda_events;
pub use aws_sdk_dynamodb;
#[cfg(feature = "streams")]
pub use aws_sdk_dynamodbstreams;

#[cfg(any(feature = "streams", feature = "lambda"))]
pub use change::Change;
pub use codec::{Bytes, Number, NumberError, Set, SetElement};
pub use collection::{ItemCollection, ItemKind};
pub use consumed::{Consumed, ConsumedByTable, Units};
pub use cursor::{Cursor, IntoCursor};
pub use entity::{Entity, EntityEntry, Item, Key, Unversioned, VersionField, WithoutUnique};
pub use error::Error;
pub use expr::Document;
pub use inspect::{Inspection, KeyReport};
pub use key::KeyPart;
pub use meter::{Meter, Report, Row};
pub use pattern::{
    ConsistentReads, IntoPattern, OnGlobalIndex, OnLocalIndex, OnPartialIndex, OnTable, Pattern,
};
pub use projection::{Holds, Keys, Output, Projection, ReadFrom, Selected, Whole};
pub use schema::Schema;
pub use table::{CreateTable, DeleteTable, Table, Verify};
pub use ttl::TtlField;

#[cfg(feature = "derive")]
pub use monotable_derive::{Document, Entity, Projection, Table};

/// Checks that entities of other crates, which `entities(..)` of the table does not list, are told
/// apart: `assert_distinct!(Shop: Customer, Order);`.
///
/// # Examples
///
/// ```
/// # use monotable::{Entity, Table};
/// # use serde::{Deserialize, Serialize};
/// #[derive(Table)]
/// #[table(pk = "PK", sk = "SK")]
/// struct Shop;
///
/// #[derive(Serialize, Deserialize, Entity)]
/// #[entity(table = Shop, pk = "CUST#<id>", sk = "PROFILE")]
/// struct Customer { id: String }
///
/// #[derive(Serialize, Deserialize, Entity)]
/// #[entity(table = Shop, pk = "CUST#<id>", sk = "ORDER#<order>")]
/// struct Order { id: String, order: String }
///
/// monotable::assert_distinct!(Shop: Customer, Order);
/// ```
#[macro_export]
macro_rules! assert_distinct {
    ($table:ty: $first:ty $(, $rest:ty)* $(,)?) => {
        $(
            const _: () = {
                const PROBLEM: $crate::private::Text = $crate::private::told_apart(
                    <$table as $crate::Schema>::TABLE,
                    <$first as $crate::Entity>::SCHEMA,
                    <$rest as $crate::Entity>::SCHEMA,
                    false,
                );
                if !PROBLEM.is_empty() {
                    panic!("{}", PROBLEM.as_str());
                }
            };
        )*
        $crate::assert_distinct!($table: $($rest),*);
    };
    ($table:ty: $(,)?) => {};
}
