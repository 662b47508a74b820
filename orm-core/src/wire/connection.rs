use aws_sdk_dynamodb::Client;

use super::{Endpoint, Meters};
use crate::meter::Meter;

/// A client, the endpoint that its requests went to, and who wants to know what they cost.
#[derive(Debug, Clone)]
pub(crate) struct Connection {
    client: Client,
    endpoint: Endpoint,
    meters: Meters,
}

impl Connection {
    pub(crate) fn new(client: Client) -> Self {
        Connection { client, endpoint: Endpoint::default(), meters: Meters::default() }
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
