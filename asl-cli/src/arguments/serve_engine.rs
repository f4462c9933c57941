//! The backend of `asl serve`, in builds that have several.
use clap::{Args, ValueEnum};
use std::net::SocketAddr;

/// The backend and the addresses of its cluster.
#[derive(Debug, Args)]
pub(crate) struct ServeEngineArguments {
    /// sqlite: a database file in --data, used by this process only; restate: a Restate cluster, which stores all data
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "WHICH",
        help_heading = "Engine"
    )]
    pub(crate) engine: ServeEngine,

    /// Ingress URLs of the Restate cluster, one for each node
    #[arg(
        long,
        value_name = "URL,...",
        value_delimiter = ',',
        default_value = "http://127.0.0.1:8080",
        help_heading = "Engine"
    )]
    pub(crate) restate_ingress: Vec<String>,

    /// Admin API URLs of the Restate cluster, one for each node
    #[arg(
        long,
        value_name = "URL,...",
        value_delimiter = ',',
        default_value = "http://127.0.0.1:9070",
        help_heading = "Engine"
    )]
    pub(crate) restate_admin: Vec<String>,

    /// Address on which Restate calls this process; keep it the same across restarts, because executions end on the
    /// deployment that started them
    #[arg(
        long,
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:9080",
        help_heading = "Engine"
    )]
    pub(crate) restate_listen: SocketAddr,

    /// Share the listen address with other processes on this machine, so that another process answers when one ends, without
    /// a load balancer
    #[arg(long, help_heading = "Engine")]
    pub(crate) restate_share_listen: bool,

    /// URL at which Restate reaches this process, if it differs: a host name, or a load balancer in front of several
    /// processes
    #[arg(long, value_name = "URL", help_heading = "Engine")]
    pub(crate) restate_services_url: Option<String>,

    /// Name of this deployment, to distinguish it from other builds; executions end under the name that started them
    #[arg(long, value_name = "NAME", help_heading = "Engine")]
    pub(crate) restate_deployment: Option<String>,

    /// Reject requests that Restate has not signed with the private key of this public key ('publickeyv1_...'); repeatable
    #[arg(long, value_name = "KEY", help_heading = "Engine")]
    pub(crate) restate_identity_key: Vec<String>,
}

/// Backends of `asl serve`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ServeEngine {
    /// One SQLite file.
    #[default]
    Sqlite,
    /// A Restate cluster.
    Restate,
}
