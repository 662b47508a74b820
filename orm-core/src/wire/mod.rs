//! The seam into the SDK: how a filled builder is sent, and what is seen of it on the way.

mod attempts;
mod connection;
mod customize;
mod endpoint;
mod send;

pub(crate) use attempts::Attempts;
pub(crate) use connection::Connection;
pub(crate) use customize::{
    CustomDelete, CustomGet, CustomPut, CustomQuery, CustomScan, CustomTransactGet,
    CustomTransactWrite, CustomUpdate, Customize, customize_method,
};
pub(crate) use endpoint::Endpoint;
pub(crate) use send::{send, span};
