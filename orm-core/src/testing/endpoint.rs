use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_dynamodb::{Client, Config};
use futures_util::future::BoxFuture;

use super::Embedded;
use crate::error::Error;
use crate::schema::Schema;
use crate::table::Table;

/// The environment variable that [`Backend::start`] looks at.
const VARIABLE: &str = "MONOTABLE_ENDPOINT";

/// What a test suite runs against: the embedded engine, or the endpoint that the environment
/// variable `MONOTABLE_ENDPOINT` names.
///
/// Tables get unique names, so that runs do not meet, and [`close`](Self::close) deletes them.
/// Dropping it without `close` leaves them at the endpoint.
///
/// # Examples
///
/// ```
/// use monotable::{Table, testing::Backend};
///
/// #[derive(Table)]
/// #[table(pk = "PK")]
/// struct Tokens;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let backend = Backend::start().await?;
/// let tokens = backend.table::<Tokens>("tokens").await?;
/// assert!(tokens.name().starts_with("monotable-tokens-"));
/// tokens.verify().send().await?;
/// backend.close().await?;
/// # Ok(()) }
/// ```
pub struct Backend {
    engine: Engine,
    /// The deletion of each table, not begun.
    deletions: Mutex<Vec<BoxFuture<'static, Result<(), Error>>>>,
}

enum Engine {
    Embedded(Embedded),
    Endpoint { url: String, client: Client },
}

impl Backend {
    /// The embedded engine, or a client of `MONOTABLE_ENDPOINT` if that is set and not empty.
    ///
    /// Credentials and region of the endpoint come from `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, and `AWS_REGION` or `AWS_DEFAULT_REGION`;
    /// what is not set is as in [`local_client`].
    ///
    /// # Errors
    ///
    /// An endpoint without `http://` or `https://`, or what [`Embedded::start`] reports.
    pub async fn start() -> Result<Self, Error> {
        let engine = match variable(VARIABLE) {
            Some(url) => {
                check_scheme(&url)?;
                let client = client(&url, Access::from_environment());
                Engine::Endpoint { url, client }
            }
            None => Engine::Embedded(Embedded::start().await?),
        };
        Ok(Backend { engine, deletions: Mutex::default() })
    }

    /// A client; clones share one connection pool.
    pub fn client(&self) -> Client {
        match &self.engine {
            Engine::Embedded(embedded) => embedded.client(),
            Engine::Endpoint { client, .. } => client.clone(),
        }
    }

    /// A client of the streams of its tables.
    #[cfg(feature = "streams")]
    pub fn streams_client(&self) -> aws_sdk_dynamodbstreams::Client {
        match &self.engine {
            Engine::Embedded(embedded) => embedded.streams_client(),
            Engine::Endpoint { url, .. } => streams_client(url, Access::from_environment()),
        }
    }

    /// Whether this is the embedded engine.
    pub fn is_embedded(&self) -> bool {
        matches!(self.engine, Engine::Embedded(_))
    }

    /// `embedded`, or the endpoint.
    pub fn name(&self) -> &str {
        match &self.engine {
            Engine::Embedded(_) => "embedded",
            Engine::Endpoint { url, .. } => url,
        }
    }

    /// Creates a table named `monotable-<prefix>-…`, where characters of the prefix that no table
    /// name has become `-`, and waits until it is ACTIVE.
    ///
    /// # Errors
    ///
    /// As [`CreateTable::send`](crate::CreateTable::send).
    pub async fn table<T: Schema>(&self, prefix: &str) -> Result<Table<T>, Error> {
        let table = Table::new(self.client(), unique_name(prefix));
        // Before the request: a table whose creation is not waited out is deleted too.
        let deletion = Box::pin(table.delete_table().send());
        self.deletions.lock().unwrap_or_else(PoisonError::into_inner).push(deletion);
        table.create_table().send().await?;
        Ok(table)
    }

    /// Deletes every table that [`table`](Self::table) created; the embedded engine just stops.
    ///
    /// # Errors
    ///
    /// The first deletion that failed, after all were tried.
    pub async fn close(self) -> Result<(), Error> {
        if self.is_embedded() {
            return Ok(());
        }
        let deletions = self.deletions.into_inner().unwrap_or_else(PoisonError::into_inner);
        futures_util::future::join_all(deletions).await.into_iter().collect()
    }
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Backend").field("name", &self.name()).finish_non_exhaustive()
    }
}

/// A client of DynamoDB Local, or of another engine that checks no credentials.
///
/// Sets what such an engine needs and what is easy to forget: the endpoint with its scheme, the
/// region `us-east-1`, and the access key `local`. DynamoDB Local keeps one database per access
/// key and region unless it runs with `-sharedDb`: a table that another tool made under other ones
/// is not found there.
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DynamoDBLocal.UsageNotes.html>
///
/// # Errors
///
/// An endpoint that does not begin with `http://` or `https://`.
///
/// # Examples
///
/// ```
/// let client = monotable::testing::local_client("http://localhost:8000")?;
/// assert_eq!(client.config().region().map(AsRef::as_ref), Some("us-east-1"));
///
/// let error = monotable::testing::local_client("localhost:8000").unwrap_err();
/// assert!(error.to_string().ends_with("write `http://localhost:8000`"));
/// # Ok::<(), monotable::Error>(())
/// ```
pub fn local_client(endpoint: &str) -> Result<Client, Error> {
    check_scheme(endpoint)?;
    Ok(client(endpoint, Access::dummy()))
}

/// Who asks, and where.
pub(super) struct Access {
    credentials: Credentials,
    region: Region,
}

impl Access {
    /// For engines that check none. DynamoDB Local takes letters and digits in an access key.
    pub(super) fn dummy() -> Self {
        Access {
            credentials: Credentials::new("local", "local", None, None, "monotable"),
            region: Region::from_static("us-east-1"),
        }
    }

    fn from_environment() -> Self {
        let mut access = Access::dummy();
        let keys = variable("AWS_ACCESS_KEY_ID").zip(variable("AWS_SECRET_ACCESS_KEY"));
        if let Some((id, secret)) = keys {
            let token = variable("AWS_SESSION_TOKEN");
            access.credentials = Credentials::new(id, secret, token, None, "environment");
        }
        if let Some(region) = variable("AWS_REGION").or_else(|| variable("AWS_DEFAULT_REGION")) {
            access.region = Region::new(region);
        }
        access
    }
}

pub(super) fn client(endpoint: &str, access: Access) -> Client {
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(access.region)
        .credentials_provider(access.credentials)
        .endpoint_url(endpoint)
        .build();
    Client::from_conf(config)
}

#[cfg(feature = "streams")]
pub(super) fn streams_client(endpoint: &str, access: Access) -> aws_sdk_dynamodbstreams::Client {
    let config = aws_sdk_dynamodbstreams::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(access.region)
        .credentials_provider(access.credentials)
        .endpoint_url(endpoint)
        .build();
    aws_sdk_dynamodbstreams::Client::from_conf(config)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The SDK takes an endpoint without a scheme as https, and the connection fails in TLS.
fn check_scheme(endpoint: &str) -> Result<(), Error> {
    let has_host = |scheme| endpoint.strip_prefix(scheme).is_some_and(|host| !host.is_empty());
    if has_host("http://") || has_host("https://") {
        return Ok(());
    }
    let host = endpoint.split_once("://").map_or(endpoint, |(_, host)| host);
    let host = if host.is_empty() { "localhost:8000" } else { host };
    Err(Error::usage(format!(
        "the endpoint `{endpoint}` does not begin with `http://` or `https://`; write `http://{host}`"
    )))
}

/// At most 255 characters, as DynamoDB demands.
fn unique_name(prefix: &str) -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let allowed = |c: char| if c.is_ascii_alphanumeric() || "_.-".contains(c) { c } else { '-' };
    let prefix: String = prefix.chars().take(100).map(allowed).collect();
    let counter = COUNTER.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("monotable-{prefix}-{}-{counter}-{}", std::process::id(), now.as_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_has_a_scheme() {
        assert!(local_client("http://localhost:8000").is_ok());
        assert!(local_client("https://dynamodb.eu-west-1.amazonaws.com").is_ok());
        for (endpoint, write) in [
            ("localhost:8000", "http://localhost:8000"),
            ("", "http://localhost:8000"),
            ("http://", "http://localhost:8000"),
            ("tcp://db:8000", "http://db:8000"),
        ] {
            let error = local_client(endpoint).unwrap_err().to_string();
            assert!(error.ends_with(&format!("write `{write}`")), "{endpoint}: {error}");
        }
    }

    #[test]
    fn names_are_unique_and_of_a_table() {
        let name = unique_name(&"order page/".repeat(50));
        assert!((3..=255).contains(&name.len()), "{name}");
        assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b)), "{name}");
        assert_ne!(unique_name("a"), unique_name("a"));
    }
}
