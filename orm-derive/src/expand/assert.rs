use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// A rule over constants: `problem` is a `k::Text`, and a text that is not empty is a compile error
/// at `span`.
pub(super) fn rule(span: Span, problem: &TokenStream) -> TokenStream {
    quote_spanned! {span=>
        const _: () = {
            const PROBLEM: k::Text = #problem;
            if !PROBLEM.is_empty() {
                ::core::panic!("{}", PROBLEM.as_str());
            }
        };
    }
}
