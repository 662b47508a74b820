use std::sync::{Arc, Mutex};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::http::HttpRequest;
use aws_sdk_dynamodb::config::interceptors::BeforeTransmitInterceptorContextRef;
use aws_sdk_dynamodb::config::{
    ConfigBag, HttpClient, Intercept, RuntimeComponents, SharedHttpClient,
};
use aws_sdk_dynamodb::error::BoxError;
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::result::ConnectorError;
use serde_json::Value;

use crate::faults::http_of;
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
    /// A client that shares the connections of `client` and records what it sends. It has no
    /// interceptor more than `client` has: those are shown whole items, which are not made else.
    pub fn attach(client: &Client) -> (Client, Recorder) {
        let recorder = Recorder::default();
        let http = Recording { engine: http_of(client), recorder: recorder.clone() };
        let config = client.config().to_builder().http_client(http).build();
        (Client::from_conf(config), recorder)
    }

    fn see(&self, request: &HttpRequest) -> Result<(), BoxError> {
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

#[derive(Debug)]
struct Recording<H> {
    engine: H,
    recorder: Recorder,
}

impl HttpClient for Recording<SharedHttpClient> {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        let engine = self.engine.http_connector(settings, components);
        SharedHttpConnector::new(Recording { engine, recorder: self.recorder.clone() })
    }
}

impl HttpConnector for Recording<SharedHttpConnector> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        match self.recorder.see(&request) {
            Ok(()) => self.engine.call(request),
            Err(error) => HttpConnectorFuture::ready(Err(ConnectorError::user(error))),
        }
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
        self.see(context.request())
    }
}
