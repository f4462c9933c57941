//! Errors when a backend connects.
use std::net::SocketAddr;

/// The reason why a backend does not connect to its cluster.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestateError {
    /// The text is not the URL of a server.
    #[error("expected http://HOST:PORT, found '{0}'")]
    Url(String),
    /// The text is not a valid name of a deployment.
    #[error("expected a deployment's name of letters, digits, '-', '_' and '.', found '{0}'")]
    Deployment(String),
    /// The text is not a public key of Restate.
    #[error("expected a key as Restate prints it ('publickeyv1_...'), found '{key}': {why}")]
    IdentityKey {
        /// The given key.
        key: String,
        /// The error in the key.
        why: String,
    },
    /// Restate could not be given an address to call.
    #[error("cannot listen on {address} for Restate: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason.
        source: std::io::Error,
    },
    /// Restate does not know the services of this build.
    #[error("the services at {url} cannot be registered: {why}")]
    Register {
        /// URL of the services.
        url: String,
        /// Error message of Restate.
        why: String,
    },
    /// The shared settings cannot be agreed on.
    #[error("cannot agree on the key of the task tokens: {0}")]
    Settings(String),
}
