//! The text of keys: what a value looks like in a key, how it is read back, and which sort-key
//! condition finds it. Nothing here sends a request.
//!
//! Every row of the table of stored forms is fixed within a major version: rendered keys are data
//! on disk.

mod ascii;
mod calendar;
#[cfg(feature = "chrono")]
mod chrono;
mod component;
pub(crate) mod condition;
mod error;
mod escape;
mod field;
mod fixed;
#[cfg(feature = "jiff")]
mod jiff;
mod part;
pub(crate) mod range;
mod spec;
mod template;
#[cfg(feature = "uuid")]
mod uuid;
mod value;

pub use error::KeyError;
pub use field::{Arg, Held, KeyArg, KeyField};
pub use part::{KeyPart, PartError, PartKind, PartValue};
pub(crate) use value::KeyRef;
pub use value::KeyValue;

#[cfg(feature = "derive")]
pub use monotable_derive::KeyPart;

// Generated code builds these; they are no part of the public interface.
#[doc(hidden)]
pub use {
    component::{Follow, Part},
    field::{Bare, Plain, With},
    spec::{NoneOrder, Spec, TextForm, Unit, Width},
    template::{Component, Segment, Slot, Template},
};
