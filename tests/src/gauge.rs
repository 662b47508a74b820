use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::{
    BeforeTransmitInterceptorContextRef, FinalizerInterceptorContextRef,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;

/// How many requests of a client are under way.
#[derive(Debug, Clone, Default)]
pub struct Gauge {
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
    total: Arc<AtomicUsize>,
}

impl Gauge {
    /// A client that shares the connections of `client`, and its gauge.
    pub fn attach(client: &Client) -> (Gauge, Client) {
        let gauge = Gauge::default();
        let config = client.config().to_builder().interceptor(gauge.clone()).build();
        (gauge, Client::from_conf(config))
    }

    /// The most at one moment.
    pub fn most(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }

    /// All of them.
    pub fn total(&self) -> usize {
        self.total.load(Ordering::SeqCst)
    }
}

#[aws_smithy_runtime_api::client::interceptors::dyn_dispatch_hint]
impl Intercept for Gauge {
    fn name(&self) -> &'static str {
        "Gauge"
    }

    fn read_before_transmit(
        &self,
        _: &BeforeTransmitInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        self.total.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    fn read_after_attempt(
        &self,
        _: &FinalizerInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.now.fetch_sub(1, Ordering::SeqCst);
        Ok(())
    }
}
