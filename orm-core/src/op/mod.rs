//! One file an operation. Each builds the SDK's own request, sends it, and decodes the answer.

mod batch;
mod batch_get;
mod batch_write;
mod count;
mod create;
mod delete;
mod delete_all;
mod exists;
mod explain;
mod get;
mod json;
mod page;
mod put;
mod query;
mod read_collection;
mod reader;
mod scan;
mod write;

pub use batch_get::{BatchGet, Fetched};
pub use batch_write::BatchWrite;
pub use create::Create;
pub use delete::Delete;
pub use delete_all::DeleteAll;
pub use exists::Exists;
pub use explain::{Explanation, Request};
pub use get::{Get, IntoKey};
pub use page::{ItemStream, Page};
pub use put::Put;
pub use query::Query;
pub use read_collection::ReadCollection;
pub use scan::{FullScan, ScannedItem};

pub(crate) use reader::{RawPage, Reader};
