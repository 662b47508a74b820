//! One file an operation. Each builds the SDK's own request, sends it, and decodes the answer.

mod action;
mod check;
mod count;
mod create;
mod delete;
mod explain;
mod get;
mod json;
mod page;
mod put;
mod query;
mod read_collection;
mod reader;
mod scan;
mod target;
mod transact;
mod transact_get;
mod write;

pub use check::Check;
pub use create::Create;
pub use delete::Delete;
pub use explain::{Explanation, Request};
pub use get::{Get, IntoKey};
pub use page::{ItemStream, Page};
pub use put::Put;
pub use query::Query;
pub use read_collection::ReadCollection;
pub use scan::{FullScan, ScannedItem};
pub use transact::{Transact, TransactWrite, TransactWrites};
pub use transact_get::{TransactGet, TransactGetItem, TransactGetItems};

pub use crate::error::{Handle, Reason};

pub(crate) use reader::{RawPage, Reader};
