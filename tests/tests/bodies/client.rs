//! A client whose HTTP client answers from memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::http::{HttpRequest, HttpResponse};
use aws_sdk_dynamodb::config::retry::{RetryConfig, RetryPartition};
use aws_sdk_dynamodb::config::{HttpClient, RuntimeComponents};
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_types::body::SdkBody;
use monotable::testing::local_client;

/// The answers to come: status and body. Behind the last one there is an empty object for ever.
#[derive(Debug, Clone)]
pub(crate) struct Answers(Arc<Mutex<VecDeque<Answer>>>);

pub(crate) type Answer = (u16, Vec<u8>);

impl Answers {
    /// A client that gets these answers, one an attempt, and makes so many attempts.
    pub(crate) fn client(
        answers: impl IntoIterator<Item = Answer>,
        attempts: u32,
    ) -> (Client, Answers) {
        let answers = Answers(Arc::new(Mutex::new(answers.into_iter().collect())));
        let retries = RetryConfig::standard()
            .with_max_attempts(attempts)
            .with_initial_backoff(Duration::from_millis(1));
        let client = local_client("http://localhost:1").unwrap();
        let config = client
            .config()
            .to_builder()
            .http_client(answers.clone())
            .retry_config(retries)
            .retry_partition(RetryPartition::custom("bodies").build());
        (Client::from_conf(config.build()), answers)
    }

    /// How many were not asked for.
    pub(crate) fn left(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

impl HttpConnector for Answers {
    fn call(&self, _: HttpRequest) -> HttpConnectorFuture {
        let answer = self.0.lock().unwrap().pop_front();
        let (status, body) = answer.unwrap_or((200, b"{}".to_vec()));
        let response = HttpResponse::new(status.try_into().unwrap(), SdkBody::from(body));
        HttpConnectorFuture::ready(Ok(response))
    }
}

impl HttpClient for Answers {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}
