use std::fmt;
use std::net::Ipv4Addr;

use aws_sdk_dynamodb::Client;
use dynoxide::Database;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

#[cfg(feature = "streams")]
use super::endpoint::streams_client;
use super::endpoint::{Access, client};
use crate::error::Error;
use crate::schema::Schema;
use crate::table::Table;

/// DynamoDB's API over an in-memory database, served on a free port of 127.0.0.1.
///
/// The server runs as a task of the runtime that started it, `current_thread` included, and stops
/// when this value is dropped; the data goes with it. Many may run at once. Tables are ACTIVE as
/// soon as they are created.
///
/// The SDK's HTTP client obeys `HTTP_PROXY`: where that is set, set `NO_PROXY=127.0.0.1` too.
///
/// # Examples
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let engine = monotable::testing::Embedded::start().await?;
/// let tables = engine.client().list_tables().send().await?;
/// assert!(tables.table_names().is_empty());
/// # Ok(()) }
/// ```
pub struct Embedded {
    endpoint: String,
    client: Client,
    server: JoinHandle<()>,
    /// Dropping it tells the server and its connections to stop.
    _stop: oneshot::Sender<()>,
}

impl Embedded {
    /// Starts an engine without tables. Must be called within a tokio runtime with IO and time.
    ///
    /// # Errors
    ///
    /// No port is free, or SQLite gives no database.
    pub async fn start() -> Result<Self, Error> {
        let failed = |error: &dyn fmt::Display| {
            Error::usage(format!("the embedded engine cannot start: {error}"))
        };
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(|error| failed(&error))?;
        let address = listener.local_addr().map_err(|error| failed(&error))?;
        let database = Database::memory().map_err(|error| failed(&error))?;

        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async {
            // The sender sends nothing: it is dropped.
            let _ = stopped.await;
        };
        let server = tokio::spawn(async move {
            // An error has nobody to go to; requests see that nothing listens.
            let _ = dynoxide::server::serve_with_shutdown(listener, database, stopped).await;
        });

        let endpoint = format!("http://{address}");
        let client = client(&endpoint, Access::dummy());
        Ok(Embedded { endpoint, client, server, _stop: stop })
    }

    /// A client of this engine; clones share one connection pool.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// A client of the streams of this engine's tables.
    #[cfg(feature = "streams")]
    pub fn streams_client(&self) -> aws_sdk_dynamodbstreams::Client {
        streams_client(&self.endpoint, Access::dummy())
    }

    /// `http://127.0.0.1:<port>`.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Creates a table with its indexes and TTL.
    ///
    /// # Errors
    ///
    /// A table of that name exists, or the name is not 3 to 255 characters of `a-z`, `A-Z`, `0-9`,
    /// `_`, `-` and `.`.
    pub async fn table<T: Schema>(&self, name: &str) -> Result<Table<T>, Error> {
        let table = Table::new(self.client(), name);
        table.create_table().send().await?;
        Ok(table)
    }
}

impl fmt::Debug for Embedded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Embedded").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        // Frees the port even while a connection is busy.
        self.server.abort();
    }
}
