use aws_sdk_dynamodb::config::interceptors::{
    BeforeDeserializationInterceptorContextRef, BeforeTransmitInterceptorContextRef,
    FinalizerInterceptorContextRef,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;

use super::{Attempts, Endpoint, Seam};

/// What is seen and done on the way of an operation, as one interceptor: each one costs a little.
#[derive(Debug)]
pub(crate) struct Watch<S> {
    pub(crate) endpoint: Endpoint,
    pub(crate) attempts: Attempts,
    pub(crate) seam: S,
}

#[aws_smithy_runtime_api::client::interceptors::dyn_dispatch_hint]
impl<S: Seam> Intercept for Watch<S> {
    fn name(&self) -> &'static str {
        "monotable::Watch"
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
