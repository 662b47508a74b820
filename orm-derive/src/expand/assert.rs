use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// A rule over constants: `problem` is a `Text` of the runtime, and a text that is not empty is a compile error
/// at `span`.
pub(super) fn rule(span: Span, problem: &TokenStream) -> TokenStream {
    quote_spanned! {span=>
        const _: () = {
            const __PROBLEM: __m::Text = #problem;
            if !__PROBLEM.is_empty() {
                ::core::panic!("{}", __PROBLEM.as_str());
            }
        };
    }
}
