//! Histories: of files, and of a running server.
use crate::arguments::ServerArguments;
use crate::exit::Failure;
use crate::source::Source;
use asl_engine::history::HistoryEvent;
use asl_trace::read_events;
use serde_json::Value;

/// Reads the events of a file, of stdin (`-`), or of an execution of a server (its ARN).
pub(crate) fn read(history: &str, server: &ServerArguments) -> Result<Vec<HistoryEvent>, Failure> {
    let value = match history.starts_with("arn:") {
        true => of_server(history, server)?,
        false => Source::read(history)?.json()?,
    };
    read_events(&value).map_err(|error| Failure::new(format!("{history}: {error}")))
}

#[cfg(feature = "serve")]
fn of_server(arn: &str, server: &ServerArguments) -> Result<Value, Failure> {
    crate::server_client::ServerClient::new(server)?.history(arn)
}

#[cfg(not(feature = "serve"))]
fn of_server(_: &str, _: &ServerArguments) -> Result<Value, Failure> {
    Err(Failure::new(
        "this asl was built without servers: give the history as a file",
    ))
}
