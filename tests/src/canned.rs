use std::sync::{Arc, Mutex};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use monotable::testing::local_client;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the server does with one request.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A status and a JSON body.
    Json(u16, String),
    /// Closes the connection without an answer.
    HangUp,
}

/// An HTTP server with answers of the test's own; its client does not retry.
#[derive(Debug)]
pub struct Canned {
    pub client: Client,
    requests: Arc<Mutex<usize>>,
}

type Respond = Arc<dyn Fn(usize, &Request) -> Answer + Send + Sync>;

/// What the server was asked: the operation, and its JSON.
#[derive(Debug)]
pub struct Request {
    pub operation: String,
    pub body: Value,
}

impl Canned {
    /// Gives the answers in turn, and the last one for ever.
    pub async fn start(answers: Vec<Answer>) -> Self {
        let answer = move |number, _: &Request| {
            let answer = answers.get(number).or(answers.last());
            answer.cloned().unwrap_or(Answer::HangUp)
        };
        Canned::answering(answer).await
    }

    /// Gives the answer to a request by its number, from 0, and what it asks.
    pub async fn answering(
        respond: impl Fn(usize, &Request) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let respond: Respond = Arc::new(respond);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(0));
        let counter = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&respond), Arc::clone(&counter)));
            }
        });
        let client = local_client(&format!("http://{address}")).unwrap();
        let config = client.config().to_builder().retry_config(RetryConfig::disabled()).build();
        Canned { client: Client::from_conf(config), requests }
    }

    /// `__type` and `message`, as DynamoDB reports an error.
    pub fn error(status: u16, code: &str) -> Answer {
        let ty = format!("com.amazonaws.dynamodb.v20120810#{code}");
        let body = serde_json::json!({ "__type": ty, "message": "canned" });
        Answer::Json(status, body.to_string())
    }

    pub fn requests(&self) -> usize {
        *self.requests.lock().unwrap()
    }
}

async fn serve(mut stream: TcpStream, respond: Respond, counter: Arc<Mutex<usize>>) {
    let mut buffer = Vec::new();
    loop {
        let Some((head, end)) = request_ends(&buffer) else {
            let mut chunk = [0; 4096];
            match stream.read(&mut chunk).await {
                Ok(n) if n > 0 => buffer.extend_from_slice(&chunk[..n]),
                _ => return,
            }
            continue;
        };
        let request = request(&buffer[..head], &buffer[head..end]);
        buffer.drain(..end);
        let number = {
            let mut counter = counter.lock().unwrap();
            *counter += 1;
            *counter - 1
        };
        match respond(number, &request) {
            Answer::Json(status, body) => {
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                );
                if stream.write_all(format!("{head}{body}").as_bytes()).await.is_err() {
                    return;
                }
            }
            Answer::HangUp => return,
        }
    }
}

fn request(head: &[u8], body: &[u8]) -> Request {
    let head = String::from_utf8_lossy(head);
    let target = head.lines().find(|line| line.to_ascii_lowercase().starts_with("x-amz-target"));
    let operation = target.and_then(|line| line.rsplit('.').next()).unwrap_or_default();
    Request {
        operation: operation.trim().to_owned(),
        body: serde_json::from_slice(body).unwrap_or_default(),
    }
}

/// Where head and body of the first request end, once all of it is there.
fn request_ends(buffer: &[u8]) -> Option<(usize, usize)> {
    let head = buffer.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&buffer[..head]).to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
    let end = head + length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
    (buffer.len() >= end).then_some((head, end))
}
