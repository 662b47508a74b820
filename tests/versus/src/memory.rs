//! DynamoDB's side: an HTTP client of the SDK that answers from memory.

use std::sync::{Arc, Mutex};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, SharedHttpConnector, http_client_fn,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use http_body_util::Full;

/// Bodies by a text in the request that asks for them.
#[derive(Debug, Clone)]
pub struct Memory {
    answers: Arc<[Answer]>,
    recorded: Arc<Mutex<Option<Vec<Bytes>>>>,
}

#[derive(Debug)]
struct Answer {
    asked_by: String,
    body: Bytes,
    crc32: String,
}

impl Memory {
    /// One answer to every request.
    pub fn of(body: Vec<u8>) -> Self {
        Memory::by_text([(String::new(), body)])
    }

    /// The body of the first text that the request contains.
    pub fn by_text(answers: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let answer = |(asked_by, body): (String, Vec<u8>)| {
            let crc32 = crc32fast::hash(&body).to_string();
            Answer { asked_by, body: body.into(), crc32 }
        };
        Memory { answers: answers.into_iter().map(answer).collect(), recorded: Arc::default() }
    }

    /// A client with the defaults of the SDK.
    pub fn client(&self) -> Client {
        let connector = SharedHttpConnector::new(self.clone());
        let config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::from_static("eu-central-1"))
            .credentials_provider(Credentials::new("AKIAVERSUS", "secret", None, None, "versus"))
            .http_client(http_client_fn(move |_, _| connector.clone()))
            .build();
        Client::from_conf(config)
    }

    /// The bodies of the requests that `run` sends.
    pub fn record(&self, run: impl FnOnce()) -> Vec<Bytes> {
        *self.recorded.lock().unwrap() = Some(Vec::new());
        run();
        self.recorded.lock().unwrap().take().unwrap_or_default()
    }

    fn answer(&self, request: &[u8]) -> &Answer {
        let found = |answer: &&Answer| {
            let text = answer.asked_by.as_bytes();
            text.is_empty() || request.windows(text.len()).any(|window| window == text)
        };
        let answer = self.answers.iter().find(found);
        answer.unwrap_or_else(|| panic!("no answer to {}", String::from_utf8_lossy(request)))
    }
}

impl HttpConnector for Memory {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let asked = request.body().bytes().expect("requests of DynamoDB are in memory");
        if let Some(recorded) = self.recorded.lock().unwrap().as_mut() {
            recorded.push(Bytes::copy_from_slice(asked));
        }
        let answer = self.answer(asked);
        // A body that is read frame by frame, as one from a socket is, and not `SdkBody::from`,
        // whose bytes are there without reading.
        let body = SdkBody::from_body_1_x(Full::new(answer.body.clone()));
        let mut response = HttpResponse::new(200.try_into().unwrap(), body);
        let headers = response.headers_mut();
        headers.insert("content-type", "application/x-amz-json-1.0");
        headers.insert("x-amzn-requestid", "4KBNVRGD25RG1KEO9UT4V3FQDJVV4KQNSO5AEMVJF66Q9ASUAAJG");
        headers.insert("x-amz-crc32", answer.crc32.clone());
        HttpConnectorFuture::ready(Ok(response))
    }
}
