use aws_sdk_dynamodb::Client;

use super::Endpoint;

/// A client, and the endpoint that its requests went to.
#[derive(Debug, Clone)]
pub(crate) struct Connection {
    client: Client,
    endpoint: Endpoint,
}

impl Connection {
    pub(crate) fn new(client: Client) -> Self {
        Connection { client, endpoint: Endpoint::default() }
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// What is there, with region and endpoint, for errors.
    pub(crate) fn describe(&self, what: &str) -> String {
        let region = self.client.config().region().map(|region| region.to_string());
        let region = region.unwrap_or_else(|| "no region".to_owned());
        match self.endpoint.get() {
            Some(endpoint) => format!("{what} ({region}, {endpoint})"),
            None => format!("{what} ({region})"),
        }
    }
}
