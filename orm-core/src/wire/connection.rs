use aws_sdk_dynamodb::Client;

use super::{Endpoint, Meters};
use crate::meter::Meter;

/// A client, the endpoint that its requests went to, and who wants to know what they cost.
#[derive(Debug, Clone)]
pub(crate) struct Connection {
    client: Client,
    endpoint: Endpoint,
    meters: Meters,
    /// Whether nobody but the SDK sees what an operation is given.
    takes_json: bool,
}

impl Connection {
    pub(crate) fn new(client: Client) -> Self {
        let takes_json = client.config().interceptors().next().is_none();
        Connection { client, endpoint: Endpoint::default(), meters: Meters::default(), takes_json }
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    pub(crate) fn meters(&self) -> &Meters {
        &self.meters
    }

    /// Whether items may be put into the body of a request, and be missing in its input. An
    /// interceptor of the user's, or a mock, may look at that.
    pub(crate) fn takes_json(&self) -> bool {
        self.takes_json
    }

    /// The same, reporting to one meter more.
    pub(crate) fn with_meter(&self, meter: &Meter) -> Self {
        Connection { meters: self.meters.and(meter), ..self.clone() }
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
