//! The rules for one entity, as constant functions. Each returns the text of the mistake, or an
//! empty text; the derive turns a text into a compile error at the place of the mistake.

mod attribute;
mod collection;
mod entity;
mod guard;
mod index;
mod projection;
mod slot;

pub use attribute::{attribute, constant, one_template};
pub use collection::member;
pub use entity::{halves, listed, sort_attribute};
pub use guard::{ttl, ttl_attribute, ttl_in_index, unique, unique_part};
pub use index::{filter, index, index_attribute, index_label, index_sk, only_when, target};
pub use projection::{lacks, position, projected, read_alike};
pub use slot::{class, hot_partition, is_natural, natural, option, part, text_attribute};
