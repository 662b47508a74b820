//! The rules for one entity, as constant functions. Each returns the text of the mistake, or an
//! empty text; the derive turns a text into a compile error at the place of the mistake.

mod attribute;
mod collection;
mod entity;
mod guard;
mod index;
mod projection;
mod slot;

pub use attribute::{attribute, constant, key_only, one_template};
pub use collection::{Partition, collection_index, index_position, kind, member};
pub use entity::{halves, listed, sort_attribute};
pub use guard::{ttl, ttl_attribute, ttl_in_index, unique, unique_part};
pub use index::{
    attribute_count, decides, filter, index, index_attribute, index_label, index_sk, is_primary,
    limit, only_when, target, writes,
};
pub use projection::{count, lacks, only, position, projected, read_alike};
pub(crate) use slot::has_few_values;
pub use slot::{class, hot_partition, is_natural, natural, option, part, text_attribute};
