//! The limits of `asl serve`.
use super::shared::whole_number;
use asl_server::ServerOptions;
use clap::Args;

/// Limits of what the server accepts and runs at a time.
#[derive(Debug, Args)]
pub(crate) struct ServeLimits {
    /// Maximum concurrent connections; further ones wait 1 s, then get 503
    #[arg(
        long,
        value_name = "N",
        default_value_t = ServerOptions::default().max_connections as u64,
        value_parser = one_or_more,
        help_heading = "Limits"
    )]
    pub(crate) max_connections: u64,

    /// Maximum concurrent workers that wait for activity tasks; further ones are rejected
    #[arg(
        long,
        value_name = "N",
        default_value_t = ServerOptions::default().max_waiting_workers as u64,
        value_parser = one_or_more,
        help_heading = "Limits"
    )]
    pub(crate) max_waiting_workers: u64,

    /// Maximum bytes of one request
    #[arg(
        long,
        value_name = "N",
        default_value_t = ServerOptions::default().max_request_bytes as u64,
        value_parser = one_or_more,
        help_heading = "Limits"
    )]
    pub(crate) max_request_bytes: u64,

    /// Maximum bytes of all requests being read or answered; further ones get 503
    #[arg(
        long,
        value_name = "N",
        default_value_t = ServerOptions::default().max_pending_bytes as u64,
        value_parser = one_or_more,
        help_heading = "Limits"
    )]
    pub(crate) max_pending_bytes: u64,

    /// Maximum running executions, without children of Map Runs; further starts are rejected
    #[arg(
        long,
        value_name = "N",
        default_value_t = asl_store::Options::default().max_running,
        value_parser = one_or_more,
        help_heading = "Limits"
    )]
    pub(crate) max_running_executions: u64,

    /// Maximum executions in memory; above it, waiting executions are evicted first
    #[arg(
        long,
        value_name = "N",
        default_value_t = asl_store::Options::default().max_in_memory as u64,
        value_parser = one_or_more,
        help_heading = "Limits"
    )]
    pub(crate) max_executions_in_memory: u64,

    /// Maximum bytes of memory for executions, requests and histories together; above it, executions are evicted and starts
    /// get 503 [default: half of the memory available to the process]
    #[arg(long, value_name = "N", value_parser = one_or_more, help_heading = "Limits")]
    pub(crate) max_memory: Option<u64>,

    /// Maximum bytes of data that an execution and its children hold in memory; above it, the execution fails [default:
    /// 268435456]
    #[arg(long, value_name = "N", value_parser = one_or_more, help_heading = "Limits")]
    pub(crate) max_execution_bytes: Option<u64>,

    /// Maximum bytes of the database, without its log; above it, new executions are rejected [default: no limit]
    #[arg(long, value_name = "N", value_parser = one_or_more, help_heading = "Limits")]
    pub(crate) max_database_bytes: Option<u64>,
}

fn one_or_more(text: &str) -> Result<u64, String> {
    whole_number(text, 1)
}
