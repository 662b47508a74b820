//! What a request says about attributes: typed paths of fields, and the conditions, filters and
//! changes that closures over them make.
//!
//! The derives make one path a field. A closure gets the paths of the entity and returns one
//! condition or change, a tuple, an `Option` or a `Vec` of them:
//!
//! ```
//! use monotable::{Entity, Table};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Table)]
//! #[table(pk = "PK", sk = "SK")]
//! struct Shop;
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
//! #[entity(table = Shop, pk = "CUST#<customer_id>", sk = "ORDER#<order_id>")]
//! struct Order { customer_id: String, order_id: String, total: u32, note: Option<String> }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # #[cfg(feature = "testing")] {
//! # let engine = monotable::testing::Embedded::start().await?;
//! # let shop = engine.table::<Shop>("shop").await?;
//! let order = Order {
//!     customer_id: "c42".into(), order_id: "o1".into(), total: 120, note: None,
//! };
//! shop.create(&order).send().await?;
//! shop.update(Order::key("c42", "o1"))
//!     .change(|o| (o.total.add(5), o.note.set("gift")))
//!     .condition(|o| o.total.lt(500) & o.note.is_none())
//!     .send()
//!     .await?;
//! let gifts = shop
//!     .query(Order::by_customer_id("c42"))
//!     .filter(|o| o.total.gt(100) & o.note.exists())
//!     .all()
//!     .await?;
//! assert_eq!(gifts[0].total, 125);
//! # }
//! # Ok(()) }
//! ```
//!
//! | field | conditions | changes |
//! |---|---|---|
//! | any | `eq` `ne` `in_` `exists` `missing` `is_none` `is_some` `has_type` `size` | `set`, `set_if_missing` |
//! | text, numbers, binary | `lt` `le` `gt` `ge` `between` | |
//! | text, binary | `begins_with`; `contains` of text | |
//! | numbers | | `add`, `subtract` |
//! | lists | `contains`, `at(i)` | `append`, `prepend`; of `at(i)` also `remove_element` |
//! | maps with text keys | `entry("k")` | of `entry("k")` also `remove_element` |
//! | [`Set`](crate::Set) | `contains` | `insert`, `delete` |
//! | `Option` | those of what is inside | those of what is inside, and `remove` |
//! | documents | `o.address.city` | `o.address.city`, unless the field is an `Option` |
//! | fields of an index template or of `only_when`, unique fields | the same | `set`, `remove`; [groups](crate::op::Update) are set together |
//! | fields of the primary key, the version | the same | none |
//! | fields of `key_only(..)` | none | none |
//!
//! Conditions are joined by `&`, `|`, `!`, [`all`] and [`any`]; tuples have up to 12 members, and a
//! `Vec` any number. [`raw_condition`] is for what is missing here.
//!
//! Names and values never stand in the text of an expression: both are placeholders, so reserved
//! words and names with dots are fields like all others. A value is encoded as its field is stored.
//! DynamoDB's limits (4 KB of text and 300 operators an expression) are checked before a request;
//! <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>.

mod apply;
mod change;
mod compare;
mod condition;
mod document;
mod kind;
mod path;
mod render;
mod value;

pub use change::{Change, IntoChanges};
pub use compare::Size;
pub use condition::{
    AttributeType, Condition, IntoCondition, RawCondition, all, any, raw_condition,
};
pub use document::{Document, Nested};
pub use kind::{Attr, ByItem, ByKey, Filtering, FilteringAny, Reading};
pub use path::Path;
pub use value::{
    Container, HasText, ListField, MapField, Numeric, OptionField, SetField, ValueArg,
};

pub(crate) use apply::{apply, same};
pub(crate) use change::{Action, Typed, overlap};
pub(crate) use condition::{Node, Operand, attribute};
pub(crate) use kind::FlagAt;
pub(crate) use render::{Aliases, Expression};

#[doc(hidden)]
pub mod generated {
    //! What generated code names.
    pub use super::change::group;
    pub use super::document::Inside;
    pub use super::kind::{
        Alone, First, Flag, Free, Grouped, KeyOnly, NeedsItem, Next, Primary, Unique, Version,
        Writes,
    };
    pub use super::path::{FieldCodec, plain_codec};
}
