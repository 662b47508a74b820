use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use aws_sdk_dynamodb::config::ConfigBag;
use aws_sdk_dynamodb::config::interceptors::FinalizerInterceptorContextRef;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_smithy_runtime_api::client::result::ConnectorError;

/// When the SDK may send a request again whose first attempt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// Whenever it holds the error to be transient: twice is as good as once.
    Any,
    /// Only while no attempt may have taken effect: throttled, not connected.
    OnlyIfUnsent,
}

/// How many attempts of an operation may have taken effect although their answer did not arrive.
/// The SDK reports the last attempt only, and a throttled retry says nothing about the one before.
#[derive(Debug, Clone)]
pub(crate) struct Attempts {
    lost: Arc<AtomicU64>,
    repeat: Repeat,
}

impl Attempts {
    pub(crate) fn new(repeat: Repeat) -> Self {
        Attempts { lost: Arc::default(), repeat }
    }

    pub(crate) fn repeating(self, repeat: Repeat) -> Self {
        Attempts { repeat, ..self }
    }

    pub(crate) fn any_lost(&self) -> bool {
        self.lost() > 0
    }

    pub(crate) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Takes note of an attempt that is over.
    pub(crate) fn see(&self, context: &FinalizerInterceptorContextRef<'_>, config: &mut ConfigBag) {
        let Some(Err(error)) = context.output_or_error() else { return };
        // DynamoDB refuses with 4xx. Another status with an error is a server that failed, or the
        // answer to a success that cannot be read.
        let refused = || context.response().is_some_and(|answer| answer.status().is_client_error());
        let lost = error.is_timeout_error()
            || error.is_response_error()
            || error.as_connector_error().is_some_and(may_have_been_sent)
            || (error.is_operation_error() && !refused());
        if !lost {
            return;
        }
        self.lost.fetch_add(1, Ordering::Relaxed);
        if self.repeat == Repeat::OnlyIfUnsent {
            // The SDK asks how many attempts are allowed after each of them.
            let retries = config.load::<RetryConfig>().cloned();
            let retries = retries.unwrap_or_else(RetryConfig::disabled).with_max_attempts(1);
            config.interceptor_state().store_put(retries);
        }
    }
}

/// Whether there was a connection to send the request on. An error of an HTTP client that this does
/// not know counts as sent.
fn may_have_been_sent(error: &ConnectorError) -> bool {
    use std::io::ErrorKind::{ConnectionRefused, HostUnreachable, NetworkUnreachable};
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = next {
        // The SDK's own client: the name is not resolved, the handshake fails, the time is over.
        if error
            .downcast_ref::<hyper_util::client::legacy::Error>()
            .is_some_and(|it| it.is_connect())
        {
            return false;
        }
        if let Some(error) = error.downcast_ref::<std::io::Error>()
            && matches!(error.kind(), ConnectionRefused | HostUnreachable | NetworkUnreachable)
        {
            return false;
        }
        next = error.source();
    }
    !error.is_user()
}
