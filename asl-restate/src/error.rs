//! Why an engine does not connect.
use std::net::SocketAddr;

/// Why an engine does not connect to its cluster.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestateError {
    /// It is no address of a server.
    #[error("expected http://HOST:PORT, found '{0}'")]
    Url(String),
    /// It is no name of a deployment.
    #[error("expected a deployment's name of letters, digits, '-', '_' and '.', found '{0}'")]
    Deployment(String),
    /// It is no public key that Restate signs by.
    #[error("expected a key as Restate prints it ('publickeyv1_...'), found '{key}': {why}")]
    IdentityKey {
        /// What was given.
        key: String,
        /// What is wrong with it.
        why: String,
    },
    /// Restate could not be given an address to call.
    #[error("cannot listen on {address} for Restate: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
    /// Restate does not know the services of this build.
    #[error("the services at {url} cannot be registered: {why}")]
    Register {
        /// Where they are.
        url: String,
        /// What Restate says.
        why: String,
    },
    /// What all nodes share cannot be settled.
    #[error("cannot agree on the key of the task tokens: {0}")]
    Settings(String),
}
