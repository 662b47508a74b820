//! For tests: an engine in the test's process, and the laws of key parts as checks. Needs the
//! feature `testing`; switch it on under `[dev-dependencies]` alone.
//!
//! - [`Embedded`] is DynamoDB's API over an in-memory database, on a port of the loopback
//!   interface: no account, no container, no network. Requests are real requests of the SDK.
//! - [`Backend`] is an [`Embedded`], or what the environment variable `MONOTABLE_ENDPOINT` names:
//!   one test suite for the engine, DynamoDB Local and AWS.
//! - [`local_client`] is a client for DynamoDB Local with everything set that it needs.
//! - [`check_key_part`] and [`check_key_part_order`] run the contract of
//!   [`KeyPart`](crate::key::KeyPart) on an implementation.
//!
//! Starting an engine takes milliseconds, so every test may have its own and none needs to clean
//! up. The engine is `dynoxide`; where it and DynamoDB differ, DynamoDB is right.
//!
//! # Examples
//!
//! ```
//! use monotable::{Entity, Table, testing};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Table)]
//! #[table(pk = "PK")]
//! struct Tokens;
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
//! #[entity(table = Tokens, pk = "TOKEN#<token>")]
//! struct Token { token: String }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let engine = testing::Embedded::start().await?;
//! let tokens = engine.table::<Tokens>("tokens").await?;
//!
//! let token = Token { token: "t1".into() };
//! tokens.create(&token).send().await?;
//! assert_eq!(tokens.get(Token::key("t1")).send().await?, Some(token));
//!
//! testing::check_key_part::<String>();
//! # Ok(()) }
//! ```

mod check;
mod embedded;
mod endpoint;
#[doc(hidden)]
pub mod parts;
mod sample;

pub use check::{check_key_part, check_key_part_order, check_key_part_with};
pub use embedded::Embedded;
pub use endpoint::{Backend, local_client};
