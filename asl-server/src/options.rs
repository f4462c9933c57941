//! Options of a server.
use crate::scope::{Scope, is_account, is_region};
use std::time::Duration;

/// Options of a server.
///
/// ```
/// use asl_server::ServerOptions;
///
/// let options = ServerOptions::default().with_account("123456789012").unwrap();
/// assert!(options.with_account("mine").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerOptions {
    account: String,
    region: String,
    /// Duration for which GetActivityTask waits for a task: the service's minute.
    pub activity_wait: Duration,
    /// Connections at a time.
    pub max_connections: usize,
    /// Time that a connection above the limit waits for another to close, before it gets 503.
    pub connection_wait: Duration,
    /// Workers that wait for tasks of activities at a time; the others are refused.
    pub max_waiting_workers: usize,
    /// Bytes of one request.
    pub max_request_bytes: usize,
    /// Maximum bytes of all requests being read or answered, except waiting workers; further ones get 503.
    pub max_pending_bytes: usize,
    /// Time for a connection to send the head of a request, and again for the rest.
    pub read_timeout: Duration,
    /// Time for requests to end after the server starts to stop.
    pub grace: Duration,
}

asl_path::with_methods! {
    impl ServerOptions {
        with_activity_wait(activity_wait: Duration),
        with_max_connections(max_connections: usize),
        with_connection_wait(connection_wait: Duration),
        with_max_waiting_workers(max_waiting_workers: usize),
        with_max_request_bytes(max_request_bytes: usize),
        with_max_pending_bytes(max_pending_bytes: usize),
        with_read_timeout(read_timeout: Duration),
        with_grace(grace: Duration),
    }
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            account: "000000000000".to_owned(),
            region: "us-east-1".to_owned(),
            activity_wait: Duration::from_secs(60),
            max_connections: 2_000,
            connection_wait: Duration::from_secs(1),
            max_waiting_workers: 1_000,
            max_request_bytes: 8 << 20,
            max_pending_bytes: 256 << 20,
            read_timeout: Duration::from_secs(30),
            grace: Duration::from_secs(10),
        }
    }
}

/// An invalid account or region.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OptionError(String);

impl ServerOptions {
    /// Sets the account of requests whose access key is not an account ID.
    ///
    /// # Errors
    ///
    /// The account does not have twelve digits.
    pub fn with_account(self, account: &str) -> Result<Self, OptionError> {
        match is_account(account) {
            true => Ok(Self {
                account: account.to_owned(),
                ..self
            }),
            false => Err(OptionError(format!(
                "expected an account of twelve digits, found '{account}'"
            ))),
        }
    }

    /// Sets the region of requests without a region.
    ///
    /// # Errors
    ///
    /// The region has characters other than lowercase letters, digits and dashes.
    pub fn with_region(self, region: &str) -> Result<Self, OptionError> {
        match is_region(region) {
            true => Ok(Self {
                region: region.to_owned(),
                ..self
            }),
            false => Err(OptionError(format!(
                "expected a region as us-east-1, found '{region}'"
            ))),
        }
    }

    pub(crate) fn scope(&self) -> Scope {
        Scope::new(&self.region, &self.account)
    }
}
