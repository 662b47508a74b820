use std::sync::Arc;

use aws_sdk_dynamodb::config::interceptors::{
    BeforeDeserializationInterceptorContextRef, BeforeTransmitInterceptorContextMut,
    BeforeTransmitInterceptorContextRef, FinalizerInterceptorContextRef,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;

use super::encode::Bodies;
use super::{Attempts, Endpoint, Repeat, Seam};

/// What is seen and done on the way of an operation, as one interceptor: each one costs a little.
#[derive(Debug)]
pub(crate) struct Watch<S> {
    endpoint: Endpoint,
    attempts: Attempts,
    seam: S,
    bodies: Bodies,
}

impl<S: Seam> Watch<S> {
    /// `seam` reads the items of the answer. Unless said otherwise the SDK sends the request again
    /// as it likes.
    pub(crate) fn new(endpoint: &Endpoint, seam: &S) -> Self {
        Watch {
            endpoint: endpoint.clone(),
            attempts: Attempts::new(Repeat::Any),
            seam: seam.clone(),
            bodies: Bodies::default(),
        }
    }

    pub(crate) fn repeating(mut self, repeat: Repeat) -> Self {
        self.attempts = self.attempts.repeating(repeat);
        self
    }

    /// Puts these items into the places of empty ones, in order.
    pub(crate) fn with_items(mut self, items: Vec<Arc<str>>) -> Self {
        self.bodies = Bodies(items);
        self
    }

    /// What tells afterwards what was seen.
    pub(crate) fn seen(&self) -> (Attempts, S) {
        (self.attempts.clone(), self.seam.clone())
    }
}

#[aws_smithy_runtime_api::client::interceptors::dyn_dispatch_hint]
impl<S: Seam> Intercept for Watch<S> {
    fn name(&self) -> &'static str {
        "monotable::Watch"
    }

    /// Before the first attempt, and before any is signed.
    fn modify_before_retry_loop(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.bodies.fill(context.request_mut())
    }

    fn read_before_transmit(
        &self,
        context: &BeforeTransmitInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.endpoint.see(context.request());
        Ok(())
    }

    fn read_before_deserialization(
        &self,
        _: &BeforeDeserializationInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.seam.prepare(config);
        Ok(())
    }

    fn read_after_attempt(
        &self,
        context: &FinalizerInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.attempts.see(context, config);
        Ok(())
    }
}
