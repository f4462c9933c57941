//! The limits of `asl serve`.
use super::shared::whole_number;
use asl_server::ServerOptions;
use clap::Args;

/// How much is taken in and run at a time; what is beyond is told to come again, or waits.
#[derive(Debug, Args)]
pub(crate) struct ServeLimits {
    /// Connections at a time; one more waits a second, and is told to come again
    #[arg(
        long,
        value_name = "N",
        default_value_t = ServerOptions::default().max_connections as u64,
        value_parser = one_or_more,
        help_heading = "Limits"
    )]
    pub(crate) max_connections: u64,

    /// Workers that wait for tasks of activities at a time; the others are refused
    #[arg(
        long,
        value_name = "N",
        default_value_t = ServerOptions::default().max_waiting_workers as u64,
        value_parser = one_or_more,
        help_heading = "Limits"
    )]
    pub(crate) max_waiting_workers: u64,

    /// Bytes of one request; a larger one is refused
    #[arg(
        long,
        value_name = "N",
        default_value_t = ServerOptions::default().max_request_bytes as u64,
        value_parser = one_or_more,
        help_heading = "Limits"
    )]
    pub(crate) max_request_bytes: u64,

    /// Bytes of all requests that are read or answered at a time; what is beyond is told to come again
    #[arg(
        long,
        value_name = "N",
        default_value_t = ServerOptions::default().max_pending_bytes as u64,
        value_parser = one_or_more,
        help_heading = "Limits"
    )]
    pub(crate) max_pending_bytes: u64,

    /// Executions that run at a time, children of Map Runs not counted; one more is refused
    #[arg(
        long,
        value_name = "N",
        default_value_t = asl_store::Options::default().max_running,
        value_parser = one_or_more,
        help_heading = "Limits"
    )]
    pub(crate) max_running_executions: u64,

    /// Executions in memory; with more, those that only wait leave it first
    #[arg(
        long,
        value_name = "N",
        default_value_t = asl_store::Options::default().max_in_memory as u64,
        value_parser = one_or_more,
        help_heading = "Limits"
    )]
    pub(crate) max_executions_in_memory: u64,

    /// Bytes of memory for executions, requests and histories together; with more, executions leave memory and starts are told to
    /// come again [default: half of what the process may have]
    #[arg(long, value_name = "N", value_parser = one_or_more, help_heading = "Limits")]
    pub(crate) max_memory: Option<u64>,

    /// Bytes of data that an execution and its children hold in memory before it fails [default: 268435456]
    #[arg(long, value_name = "N", value_parser = one_or_more, help_heading = "Limits")]
    pub(crate) max_execution_bytes: Option<u64>,

    /// Bytes of the database, without its log; beyond them nothing new is taken on [default: as many as the disk has]
    #[arg(long, value_name = "N", value_parser = one_or_more, help_heading = "Limits")]
    pub(crate) max_database_bytes: Option<u64>,
}

fn one_or_more(text: &str) -> Result<u64, String> {
    whole_number(text, 1)
}
