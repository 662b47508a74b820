use std::sync::{Arc, Mutex};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::BeforeTransmitInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use serde_json::Value;

use crate::placeholders;

/// Every request that leaves a client, as it is on the wire.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    sent: Arc<Mutex<Vec<Sent>>>,
    problems: Arc<Mutex<Vec<String>>>,
}

/// One request.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    pub operation: String,
    pub body: Value,
}

impl Recorder {
    /// A client that shares the connections of `client` and records what it sends.
    pub fn attach(client: &Client) -> (Client, Recorder) {
        let recorder = Recorder::default();
        let config = client.config().to_builder().interceptor(recorder.clone()).build();
        (Client::from_conf(config), recorder)
    }

    /// What was sent since the last call.
    pub fn take(&self) -> Vec<Sent> {
        std::mem::take(&mut *self.sent.lock().unwrap())
    }

    /// What is wrong with the placeholders of any request so far.
    pub fn problems(&self) -> Vec<String> {
        self.problems.lock().unwrap().clone()
    }

    /// The operations sent since the last call.
    pub fn operations(&self) -> Vec<String> {
        self.take().into_iter().map(|sent| sent.operation).collect()
    }
}

#[aws_smithy_runtime_api::client::interceptors::dyn_dispatch_hint]
impl Intercept for Recorder {
    fn name(&self) -> &'static str {
        "Recorder"
    }

    fn read_before_transmit(
        &self,
        context: &BeforeTransmitInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let request = context.request();
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let body = request.body().bytes().unwrap_or_default();
        let sent = Sent {
            operation: target.rsplit('.').next().unwrap_or_default().to_owned(),
            body: serde_json::from_slice(body)?,
        };
        self.problems.lock().unwrap().extend(placeholders::problems(&sent.body));
        self.sent.lock().unwrap().push(sent);
        Ok(())
    }
}
