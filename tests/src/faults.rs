use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::http::{HttpRequest, HttpResponse};
use aws_sdk_dynamodb::config::retry::{RetryConfig, RetryPartition};
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{HttpClient, RuntimeComponents, SharedHttpClient};
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::byte_stream::ByteStream;
use bytes::Bytes;
use serde_json::{Map, Value, json};

/// How often a client with faults sends a request at most.
pub const ATTEMPTS: u32 = 3;

/// How long such a client waits for an answer, where one of its faults is [`Fault::Slow`].
const PATIENCE: Duration = Duration::from_secs(2);

/// What happens to one HTTP request between the SDK and the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Refused because of the rate; the engine does not see it.
    Throttle,
    /// The last so many requests of a batch, or all, do not reach the engine and come back as
    /// unprocessed. What is no batch passes.
    LeftOver(usize),
    /// A server error without effect.
    ServerError,
    /// A server error after the effect.
    ServerErrorAfter,
    /// The connection breaks after the effect, before the answer.
    LostAfter,
    /// There is no connection.
    Refused,
    /// The connection breaks in the middle of the answer.
    Cut,
    /// The answer comes when nobody waits for it any more.
    Slow,
    /// The effect takes place and the answer is something else.
    WrongJson,
}

impl Fault {
    /// Each kind once.
    pub const ALL: &[Fault] = &[
        Fault::Throttle,
        Fault::LeftOver(1),
        Fault::ServerError,
        Fault::ServerErrorAfter,
        Fault::LostAfter,
        Fault::Refused,
        Fault::Cut,
        Fault::Slow,
        Fault::WrongJson,
    ];
}

/// The HTTP client of an SDK client, or one like that which the SDK would make.
pub(crate) fn http_of(client: &Client) -> SharedHttpClient {
    client.config().http_client().unwrap_or_else(|| {
        let tls = Provider::Rustls(CryptoMode::AwsLc);
        aws_smithy_http_client::Builder::new().tls_provider(tls).build_https()
    })
}

/// The HTTP client of an SDK client, which spoils the first requests as planned, one fault a
/// request, and lets all further ones pass.
#[derive(Debug, Clone)]
pub struct Faults(Arc<State>);

#[derive(Debug)]
struct State {
    http: SharedHttpClient,
    plan: Mutex<VecDeque<Fault>>,
    requests: AtomicUsize,
    forwarded: AtomicUsize,
    /// Held while the engine has a request: a second attempt does not overtake the first.
    turn: tokio::sync::Mutex<()>,
}

impl Faults {
    /// A client of the same engine with faults, and with the SDK's standard retries.
    pub fn attach(client: &Client, plan: &[Fault]) -> (Client, Faults) {
        let faults = Faults(Arc::new(State {
            http: http_of(client),
            plan: Mutex::new(plan.iter().copied().collect()),
            requests: AtomicUsize::new(0),
            forwarded: AtomicUsize::new(0),
            turn: tokio::sync::Mutex::default(),
        }));
        let retries = RetryConfig::standard()
            .with_max_attempts(ATTEMPTS)
            .with_initial_backoff(Duration::from_millis(1));
        let mut config = client
            .config()
            .to_builder()
            .http_client(faults.clone())
            .retry_config(retries)
            // Clients of one region share a quota of retries, which many tests use up.
            .retry_partition(RetryPartition::custom("faults").build());
        if plan.contains(&Fault::Slow) {
            let timeouts = TimeoutConfig::builder().operation_attempt_timeout(PATIENCE);
            config = config.timeout_config(timeouts.build());
        }
        (Client::from_conf(config.build()), faults)
    }

    /// HTTP requests of the client, all attempts counted.
    pub fn requests(&self) -> usize {
        self.0.requests.load(Ordering::Relaxed)
    }

    /// Those that reached the engine, be it in part.
    pub fn forwarded(&self) -> usize {
        self.0.forwarded.load(Ordering::Relaxed)
    }

    /// Waits until the engine is done with requests that their sender gave up.
    pub async fn settle(&self) {
        drop(self.0.turn.lock().await);
    }
}

impl HttpClient for Faults {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        let engine = self.0.http.http_connector(settings, components);
        SharedHttpConnector::new(Faulty { engine, state: Arc::clone(&self.0) })
    }
}

#[derive(Debug, Clone)]
struct Faulty {
    engine: SharedHttpConnector,
    state: Arc<State>,
}

impl HttpConnector for Faulty {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        self.state.requests.fetch_add(1, Ordering::Relaxed);
        let fault = self.state.plan.lock().unwrap().pop_front();
        HttpConnectorFuture::new(self.clone().answer(fault, request))
    }
}

impl Faulty {
    async fn answer(
        self,
        fault: Option<Fault>,
        mut request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        match fault {
            None => self.forward(request).await,
            Some(Fault::Throttle) => Ok(error(400, "ProvisionedThroughputExceededException")),
            Some(Fault::LeftOver(count)) => self.forward_part(request, count).await,
            Some(Fault::ServerError) => Ok(error(500, "InternalServerError")),
            Some(Fault::ServerErrorAfter) => {
                self.forward(request).await?;
                Ok(error(500, "InternalServerError"))
            }
            Some(Fault::LostAfter) => {
                self.forward(request).await?;
                Err(ConnectorError::io(io::Error::from(io::ErrorKind::ConnectionReset).into()))
            }
            Some(Fault::Refused) => {
                // The error is the HTTP client's own.
                request.set_uri("http://127.0.0.1:1/").unwrap();
                self.engine.call(request).await
            }
            Some(Fault::Cut) => {
                let answer = self.forward(request).await?;
                Ok(answer.map(|body| {
                    let body = body.bytes().unwrap();
                    let half = Bytes::copy_from_slice(&body[..body.len() / 2]);
                    SdkBody::from_body_1_x(Half(Some(half)))
                }))
            }
            Some(Fault::Slow) => {
                let answer = self.forward(request).await;
                tokio::time::sleep(PATIENCE * 2).await;
                answer
            }
            Some(Fault::WrongJson) => {
                let answer = self.forward(request).await?;
                Ok(with_body(answer, "<html>"))
            }
        }
    }

    /// The engine's answer, read to its end. The request goes its way when this future is dropped.
    async fn forward(self, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
        let sent = tokio::spawn(async move {
            let _turn = self.state.turn.lock().await;
            self.state.forwarded.fetch_add(1, Ordering::Relaxed);
            let mut answer = self.engine.call(request).await?;
            let body = ByteStream::new(answer.take_body()).collect().await;
            let body = body.map_err(|error| ConnectorError::io(error.into()))?;
            *answer.body_mut() = SdkBody::from(body.into_bytes());
            Ok(answer)
        });
        sent.await.unwrap()
    }

    async fn forward_part(
        self,
        mut request: HttpRequest,
        count: usize,
    ) -> Result<HttpResponse, ConnectorError> {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let unprocessed = match target.rsplit('.').next() {
            Some("BatchWriteItem") => "UnprocessedItems",
            Some("BatchGetItem") => "UnprocessedKeys",
            _ => return self.forward(request).await,
        };
        let mut part: Value = serde_json::from_slice(request.body().bytes().unwrap()).unwrap();
        let tables = part["RequestItems"].as_object_mut().unwrap();
        let left = leave_over(tables, count);
        if tables.is_empty() {
            return Ok(json_answer(200, &json!({ "Responses": {}, unprocessed: left })));
        }
        let part = part.to_string();
        request.headers_mut().insert("content-length", part.len().to_string());
        *request.body_mut() = SdkBody::from(part);

        let answer = self.forward(request).await?;
        let mut body: Value = serde_json::from_slice(answer.body().bytes().unwrap()).unwrap();
        if !answer.status().is_success() {
            return Ok(answer);
        }
        let by_engine = body[unprocessed].as_object().is_some_and(|left| !left.is_empty());
        assert!(!by_engine, "the engine leaves requests over itself: {body}");
        body[unprocessed] = Value::Object(left);
        Ok(with_body(answer, &body.to_string()))
    }
}

/// Takes the last requests out of a batch.
fn leave_over(tables: &mut Map<String, Value>, mut count: usize) -> Map<String, Value> {
    let mut left = Map::new();
    for (name, part) in tables.iter_mut().rev() {
        let mut rest = part.clone();
        let requests = requests_of(part);
        let kept = requests.len().saturating_sub(count);
        let taken = requests.split_off(kept);
        count -= taken.len();
        if !taken.is_empty() {
            *requests_of(&mut rest) = taken;
            left.insert(name.clone(), rest);
        }
    }
    tables.retain(|_, part| !requests_of(part).is_empty());
    left
}

/// Requests of one table: writes, or the keys beside a projection.
fn requests_of(part: &mut Value) -> &mut Vec<Value> {
    if part.is_array() {
        part.as_array_mut().unwrap()
    } else {
        part["Keys"].as_array_mut().unwrap()
    }
}

fn error(status: u16, code: &str) -> HttpResponse {
    let ty = format!("com.amazonaws.dynamodb.v20120810#{code}");
    json_answer(status, &json!({ "__type": ty, "message": "a fault" }))
}

fn json_answer(status: u16, body: &Value) -> HttpResponse {
    let answer = HttpResponse::new(status.try_into().unwrap(), SdkBody::empty());
    with_body(answer, &body.to_string())
}

fn with_body(mut answer: HttpResponse, body: &str) -> HttpResponse {
    answer.headers_mut().insert("content-length", body.len().to_string());
    // It is that of the body that was.
    answer.headers_mut().remove("x-amz-crc32");
    *answer.body_mut() = SdkBody::from(body);
    answer
}

/// The first half of a body, behind which the connection breaks.
struct Half(Option<Bytes>);

impl http_body::Body for Half {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, io::Error>>> {
        Poll::Ready(Some(match self.0.take() {
            Some(half) => Ok(http_body::Frame::data(half)),
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        }))
    }
}
