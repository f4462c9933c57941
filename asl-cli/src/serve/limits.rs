//! The limits that the arguments name, as server and store have them.
use super::open_files;
use crate::arguments::ServeArguments;
use crate::exit::Failure;
use crate::terminal::{self, WARNING};
use asl_server::ServerOptions;
use asl_store::Options;

/// Returns the server's, with as many connections as there may be open files for.
pub(super) fn server_options(
    arguments: &ServeArguments,
    options: ServerOptions,
) -> Result<ServerOptions, Failure> {
    let limits = &arguments.limits;
    if limits.max_request_bytes > limits.max_pending_bytes {
        return Err(Failure::new(format!(
            "--max-request-bytes {} is more than --max-pending-bytes {}: a request of that size would always be rejected",
            limits.max_request_bytes, limits.max_pending_bytes
        )));
    }
    if let (Some(kept), Some(most)) = (arguments.retention_bytes, limits.max_database_bytes)
        && kept >= most
    {
        return Err(Failure::new(format!(
            "--retention-bytes {kept} is not less than --max-database-bytes {most}: the database would be full before old executions are deleted"
        )));
    }
    let mut options = options;
    options.max_connections = connections(arguments)?;
    options.max_waiting_workers = number(limits.max_waiting_workers);
    options.max_request_bytes = number(limits.max_request_bytes);
    options.max_pending_bytes = number(limits.max_pending_bytes);
    Ok(options)
}

/// Returns the store's.
pub(super) fn store_options(arguments: &ServeArguments, options: Options) -> Options {
    let limits = &arguments.limits;
    // Commands and connections are counted by whoever performs them; what else there is to do does not wait for them.
    let tasks = arguments.tasks.max_concurrent_tasks.into();
    let max_performing = options.max_performing.max(tasks);
    options
        .with_max_in_memory(number(limits.max_executions_in_memory))
        .with_max_performing(max_performing)
        .with_max_memory(limits.max_memory)
        .with_max_running(limits.max_running_executions)
        .with_max_bytes(limits.max_database_bytes)
        .with_max_execution_bytes(limits.max_execution_bytes)
}

/// Returns the number of connections: as requested, or as the open files allow, which is reported.
fn connections(arguments: &ServeArguments) -> Result<usize, Failure> {
    /// Below this a server cannot answer while idle connections are open.
    const LEAST_FILES: u64 = 32;
    let asked = number(arguments.limits.max_connections);
    let needs = open_files::Needs {
        connections: asked as u64,
        tasks: arguments.tasks.max_concurrent_tasks.into(),
    };
    let Err(may_be) = open_files::allow(needs) else {
        return Ok(asked);
    };
    if may_be < LEAST_FILES {
        return Err(Failure::new(format!(
            "{may_be} open files are allowed, and asl serve needs at least {LEAST_FILES}: raise the limit (ulimit -Hn)"
        )));
    }
    let granted = needs.connections_within(may_be);
    terminal::error_line(&format!(
        "{WARNING}warning:{WARNING:#} {may_be} files may be open, {} are needed: {granted} connections are let in at a time, not \
         {asked}; have the limit raised (ulimit -Hn), or give --max-connections {granted}",
        needs.files()
    ));
    Ok(number(granted))
}

fn number(given: u64) -> usize {
    usize::try_from(given).unwrap_or(usize::MAX)
}
