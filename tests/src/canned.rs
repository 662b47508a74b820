use std::sync::{Arc, Mutex};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use monotable::testing::local_client;
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

/// An HTTP server that gives the answers in turn, and the last one for ever.
#[derive(Debug)]
pub struct Canned {
    pub client: Client,
    requests: Arc<Mutex<usize>>,
}

impl Canned {
    pub async fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(0));
        let counter = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, answers.clone(), Arc::clone(&counter)));
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

async fn serve(mut stream: TcpStream, answers: Vec<Answer>, counter: Arc<Mutex<usize>>) {
    let mut buffer = Vec::new();
    loop {
        let Some(end) = request_end(&buffer) else {
            let mut chunk = [0; 4096];
            match stream.read(&mut chunk).await {
                Ok(n) if n > 0 => buffer.extend_from_slice(&chunk[..n]),
                _ => return,
            }
            continue;
        };
        buffer.drain(..end);
        let number = {
            let mut counter = counter.lock().unwrap();
            *counter += 1;
            *counter - 1
        };
        match answers.get(number).or(answers.last()) {
            Some(Answer::Json(status, body)) => {
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                );
                if stream.write_all(format!("{head}{body}").as_bytes()).await.is_err() {
                    return;
                }
            }
            _ => return,
        }
    }
}

/// Where the first request ends, once all of it is there.
fn request_end(buffer: &[u8]) -> Option<usize> {
    let head = buffer.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&buffer[..head]).to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
    let end = head + length.and_then(|length| length.trim().parse().ok()).unwrap_or(0);
    (buffer.len() >= end).then_some(end)
}
