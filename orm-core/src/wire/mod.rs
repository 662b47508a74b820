//! The seam into the SDK: how a filled builder is sent, and what is seen of it on the way.

mod attempts;
mod backoff;
mod connection;
mod customize;
mod decode;
mod encode;
mod endpoint;
mod measure;
mod send;
mod shape;
mod watch;

pub(crate) use attempts::{Attempts, Repeat};
pub(crate) use backoff::Backoff;
pub(crate) use connection::Connection;
pub(crate) use customize::{
    CustomBatchGet, CustomBatchWrite, CustomDelete, CustomGet, CustomPut, CustomQuery, CustomScan,
    CustomTransactGet, CustomTransactWrite, CustomUpdate, Customize, customize_method,
};
pub(crate) use decode::{Decode, Holder, Sdk, Seam};
pub(crate) use endpoint::Endpoint;
pub(crate) use measure::Meters;
pub(crate) use send::{answer, attempt, send, set_some, span};
pub(crate) use watch::Watch;
