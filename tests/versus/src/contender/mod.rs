//! One file a library: its operations on orders, as its documentation writes them.

pub mod ours;
pub mod sdk_serde_dynamo;
