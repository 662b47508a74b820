//! Collects the mistakes of one derive, so that all of them are reported at once.

use std::cell::RefCell;
use std::fmt::Display;
use std::thread;

use proc_macro2::Span;
use quote::ToTokens;
use syn::Error;

/// The mistakes found so far. Parsers push into it and go on with a default.
///
/// It must be consumed by [`Ctxt::check`]: dropping it unchecked panics, since the mistakes would
/// be lost.
#[derive(Debug)]
pub(crate) struct Ctxt {
    /// `None` once checked.
    errors: RefCell<Option<Vec<Error>>>,
}

impl Ctxt {
    pub(crate) fn new() -> Self {
        Self { errors: RefCell::new(Some(Vec::new())) }
    }

    /// Adds a mistake that covers `tokens`.
    pub(crate) fn error(&self, tokens: &impl ToTokens, message: impl Display) {
        self.push(Error::new_spanned(tokens, message));
    }

    /// Adds a mistake at `span`.
    pub(crate) fn error_at(&self, span: Span, message: impl Display) {
        self.push(Error::new(span, message));
    }

    /// Adds a mistake that syn or a helper has already made.
    pub(crate) fn push(&self, error: Error) {
        if let Some(errors) = self.errors.borrow_mut().as_mut() {
            errors.push(error);
        }
    }

    /// The number of mistakes so far.
    pub(crate) fn len(&self) -> usize {
        self.errors.borrow().as_ref().map_or(0, Vec::len)
    }

    /// All mistakes as one error.
    pub(crate) fn check(self) -> syn::Result<()> {
        let errors = self.errors.take().unwrap_or_default();
        let combined = errors.into_iter().reduce(|mut all, next| {
            all.combine(next);
            all
        });
        combined.map_or(Ok(()), Err)
    }
}

impl Drop for Ctxt {
    fn drop(&mut self) {
        if !thread::panicking() && self.errors.borrow().is_some() {
            panic!("the mistakes of a derive were not checked");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_mistakes_are_kept() {
        let ctxt = Ctxt::new();
        ctxt.error_at(Span::call_site(), "one");
        ctxt.error_at(Span::call_site(), "two");
        assert_eq!(ctxt.len(), 2);
        let error = ctxt.check().expect_err("two mistakes");
        let messages: Vec<_> = error.into_iter().map(|e| e.to_string()).collect();
        assert_eq!(messages, ["one", "two"]);
    }

    #[test]
    fn no_mistake_is_ok() {
        assert!(Ctxt::new().check().is_ok());
    }

    #[test]
    #[should_panic(expected = "not checked")]
    fn an_unchecked_context_panics() {
        drop(Ctxt::new());
    }
}
