//! From a checked model to code. All of it names the runtime through `__m`, its hidden module.

mod assert;
mod collection;
mod document;
mod entity;
mod fallback;
mod fields;
mod group;
mod key_part;
mod keys;
mod known;
mod partition;
mod pattern;
mod projection;
mod slot;
mod table;

use proc_macro2::TokenStream;
use quote::quote;

pub(crate) use collection::collection;
pub(crate) use document::document;
pub(crate) use entity::entity;
pub(crate) use fallback::{
    collection as collection_fallback, document as document_fallback, entity as entity_fallback,
    key_part as key_part_fallback, table as table_fallback,
};
pub(crate) use key_part::key_part;
pub(crate) use projection::{fallback as projection_fallback, projection};
pub(crate) use table::table;

/// Wraps generated items, so that they neither collide with the user's names nor meet lints that
/// the user set for code of their own.
fn wrap(krate: &syn::Path, items: &TokenStream) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(
            clippy::all,
            clippy::pedantic,
            clippy::restriction,
            dead_code,
            missing_docs,
            missing_debug_implementations,
            non_camel_case_types,
            non_snake_case,
            non_upper_case_globals,
            private_bounds,
            private_interfaces,
            single_use_lifetimes,
            trivial_bounds,
            unnameable_types,
            unreachable_patterns,
            unreachable_pub,
            unused_qualifications,
            unused_results,
            unused_variables
        )]
        const _: () = {
            use #krate::private as __m;
            #items
        };
    }
}
