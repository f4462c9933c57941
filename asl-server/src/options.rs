//! How a server is to be.
use crate::scope::{Scope, is_account, is_region};
use std::time::Duration;

/// How a server is to be.
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
    /// How long GetActivityTask waits for a task: the service's minute.
    pub activity_wait: Duration,
    /// Connections at a time.
    pub max_connections: usize,
    /// How long one more waits for another to end, before it is told to come again.
    pub connection_wait: Duration,
    /// Workers that wait for tasks of activities at a time; the others are refused.
    pub max_waiting_workers: usize,
    /// Bytes of one request.
    pub max_request_bytes: usize,
    /// Bytes of all requests that are read or answered at a time, but for workers that wait; what is beyond is told to come
    /// again.
    pub max_pending_bytes: usize,
    /// How long a connection may take to send the head of a request, and as long again for the rest.
    pub read_timeout: Duration,
    /// How long requests may go on after the server is told to stop.
    pub grace: Duration,
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

/// An account or a region that is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionError(String);

impl std::fmt::Display for OptionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OptionError {}

impl ServerOptions {
    /// With the account of requests whose access key is not one of twelve digits.
    ///
    /// # Errors
    /// Where it is not twelve digits.
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

    /// With the region of requests that name none.
    ///
    /// # Errors
    /// Where it has other than small letters, digits and dashes.
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
