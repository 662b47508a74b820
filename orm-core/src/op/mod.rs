//! One file an operation. Each builds the SDK's own request, sends it, and decodes the answer.

mod action;
mod batch;
mod batch_get;
mod batch_write;
mod check;
mod cost;
mod count;
mod create;
mod delete;
mod delete_all;
mod exists;
mod explain;
mod get;
mod hydrate;
mod json;
mod member;
mod modify;
mod page;
mod plan;
mod prepare;
mod put;
mod query;
mod read_collection;
mod read_items;
mod reader;
mod scan;
mod stored;
mod subject;
mod target;
mod transact;
mod transact_get;
mod update;
mod upsert;
mod warning;
mod with_capacity;
mod write;

pub use batch_get::{BatchGet, Fetched};
pub use batch_write::BatchWrite;
pub use check::Check;
pub use create::{Create, CreateOrExisting, Created};
pub use delete::{Delete, DeleteReturningOld};
pub use delete_all::DeleteAll;
pub use exists::Exists;
pub use explain::{Explanation, Request};
pub use get::{Get, IntoKey};
pub use hydrate::Hydrate;
pub use modify::{Modify, Outcome};
pub use page::{ItemStream, Page};
pub use put::{Put, PutReturningOld};
pub use query::Query;
pub use read_collection::ReadCollection;
pub use read_items::ReadItems;
pub use scan::{FullScan, ScannedItem};
pub use subject::{IntoBatchKey, IntoDelete, IntoItem, IntoUpdate};
pub use transact::{Transact, TransactWrite, TransactWrites};
pub use transact_get::{TransactGet, TransactGetItem, TransactGetItems};
pub use update::{Changed, ChangedAttributes, New, Nothing, Old, Returns, Update};
pub use upsert::Upsert;
pub use warning::Warning;
pub use with_capacity::{MeasuredStream, Sends, WithCapacity};

pub use crate::error::{Handle, Reason};

#[doc(hidden)]
pub use reader::Returned;
pub(crate) use reader::{RawPage, Reader};
