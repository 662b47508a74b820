use std::sync::{Arc, OnceLock};

use aws_sdk_dynamodb::config::interceptors::BeforeTransmitInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;

/// The endpoint that the SDK resolved, seen on the first request; for error texts alone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Endpoint(Arc<OnceLock<String>>);

impl Endpoint {
    pub(crate) fn get(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
}

#[aws_smithy_runtime_api::client::interceptors::dyn_dispatch_hint]
impl Intercept for Endpoint {
    fn name(&self) -> &'static str {
        "monotable::Endpoint"
    }

    fn read_before_transmit(
        &self,
        context: &BeforeTransmitInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.0.get_or_init(|| context.request().uri().trim_end_matches('/').to_owned());
        Ok(())
    }
}
