//! Which engine `asl serve` has, where a build has several.
use clap::{Args, ValueEnum};
use std::net::SocketAddr;

/// The engine, and where its cluster is.
#[derive(Debug, Args)]
pub(crate) struct ServeEngineArguments {
    /// sqlite: this process alone, in --data; restate: a Restate cluster, which keeps all there is
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "WHICH",
        help_heading = "Engine"
    )]
    pub(crate) engine: ServeEngine,

    /// Restate's ingress, of one node or of several
    #[arg(
        long,
        value_name = "URL,...",
        value_delimiter = ',',
        default_value = "http://127.0.0.1:8080",
        help_heading = "Engine"
    )]
    pub(crate) restate_ingress: Vec<String>,

    /// Restate's admin API, likewise
    #[arg(
        long,
        value_name = "URL,...",
        value_delimiter = ',',
        default_value = "http://127.0.0.1:9070",
        help_heading = "Engine"
    )]
    pub(crate) restate_admin: Vec<String>,

    /// Where Restate calls this process; the same as before when it starts again, for executions end where they began
    #[arg(
        long,
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:9080",
        help_heading = "Engine"
    )]
    pub(crate) restate_listen: SocketAddr,

    /// Let other such processes of this machine listen there too: one answers where another ended, with no balancer between
    #[arg(long, help_heading = "Engine")]
    pub(crate) restate_share_listen: bool,

    /// Where Restate finds that, if elsewhere: a name, or a balancer in front of several such processes
    #[arg(long, value_name = "URL", help_heading = "Engine")]
    pub(crate) restate_services_url: Option<String>,

    /// A name that tells this build from another one beside it: executions end under the name that began them
    #[arg(long, value_name = "NAME", help_heading = "Engine")]
    pub(crate) restate_deployment: Option<String>,

    /// Refuse requests that Restate has not signed by the private key of this public one ('publickeyv1_...'); repeatable
    #[arg(long, value_name = "KEY", help_heading = "Engine")]
    pub(crate) restate_identity_key: Vec<String>,
}

/// Which engine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ServeEngine {
    /// One SQLite file.
    #[default]
    Sqlite,
    /// A cluster.
    Restate,
}
