use std::sync::{Arc, OnceLock};

use aws_smithy_runtime_api::client::orchestrator::HttpRequest;

/// The endpoint that the SDK resolved, seen on the first request; for error texts alone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Endpoint(Arc<OnceLock<String>>);

impl Endpoint {
    pub(crate) fn see(&self, request: &HttpRequest) {
        self.0.get_or_init(|| request.uri().trim_end_matches('/').to_owned());
    }

    pub(crate) fn get(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
}
