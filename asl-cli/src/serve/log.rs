//! Log lines: one for each request (time, operation, resource, account, outcome, duration, sizes), without payloads and
//! headers; one for each execution that does not succeed; and one for each problem of the store, even without a log.
use crate::arguments::ServeLog;
use crate::terminal::{self, FAINT, WARNING};
use asl_model::Timestamp;
use asl_server::AnsweredRequest;
use asl_store::{Notices, StoreNotice};
use serde_json::json;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Returns a function that logs requests to stderr.
pub(super) fn to_stderr(how: ServeLog) -> impl Fn(&AnsweredRequest) + Send + Sync + 'static {
    move |answered| {
        let now = Timestamp::try_from(SystemTime::now()).unwrap_or_default();
        let line = match how {
            ServeLog::Off => return,
            ServeLog::Text => return terminal::error_line(&text(now, answered)),
            ServeLog::Json => json(now, answered),
        };
        // A closed stderr cannot report its own failure.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// Writes a line of a function after the time, the function, and the execution and state that it works for.
pub(super) fn function_line(line: &asl_lambda::LogLine) {
    let label = line.invocation.as_ref();
    let execution = label.and_then(|it| it.execution.as_deref());
    let state = label.and_then(|it| it.state.as_deref());
    let of = match (execution, state) {
        (Some(execution), Some(state)) => format!(" {execution} {state}"),
        _ => String::new(),
    };
    let function = &line.function;
    text_line(&format!("{FAINT}{function}{of}:{FAINT:#} {}", line.text));
}

/// Writes a line for people, after the time.
pub(super) fn text_line(text: &str) {
    let now = Timestamp::try_from(SystemTime::now()).unwrap_or_default();
    terminal::error_line(&format!("{now} {text}"));
}

/// Writes an object as a line, with the time in its field "time".
pub(super) fn json_line(mut line: serde_json::Value) {
    let now = Timestamp::try_from(SystemTime::now()).unwrap_or_default();
    line["time"] = now.to_string().into();
    // A closed stderr cannot report its own failure.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Reports what the store notices on stderr: executions that do not succeed only if a log is kept.
pub(super) fn notices(how: ServeLog) -> Notices {
    let damage = Mutex::new(None);
    Notices::new(move |notice| {
        let now = Timestamp::try_from(SystemTime::now()).unwrap_or_default();
        let is_repeated = |why: &String| {
            let mut known = damage.lock().unwrap_or_else(PoisonError::into_inner);
            known.replace(why.clone()).as_ref() == Some(why)
        };
        match (how, notice) {
            (ServeLog::Off, StoreNotice::ExecutionEnded { .. }) => {}
            (_, StoreNotice::Damage { why }) if is_repeated(why) => {}
            (ServeLog::Json, notice) => {
                let line = json_of_notice(now, notice);
                // A closed stderr cannot report its own failure.
                let _ = writeln!(std::io::stderr(), "{line}");
            }
            (_, notice) => terminal::error_line(&format!("{now} {}", text_of_notice(notice))),
        }
    })
}

fn text_of_notice(notice: &StoreNotice) -> String {
    match notice {
        StoreNotice::WritingFails { why } => format!("{WARNING}warning:{WARNING:#} {why}"),
        StoreNotice::WritingGoesOn => "the database can be written again".to_owned(),
        StoreNotice::Damage { why } => format!(
            "{WARNING}warning:{WARNING:#} the database is damaged: {why}; `asl store check` reports where"
        ),
        StoreNotice::LogDamaged { lost, copy } => format!(
            "{WARNING}warning:{WARNING:#} the log of the database was damaged: up to {lost} batches of acknowledged changes are lost; a copy of it \
             is {}",
            copy.display()
        ),
        StoreNotice::ExecutionEnded {
            arn,
            status,
            error,
            cause,
            ..
        } => {
            let error = error.as_deref().map(|error| format!(" {error}"));
            let cause = cause.as_deref().map(|cause| format!(": {}", first(cause)));
            format!(
                "{arn} {}{}{}",
                status.word(),
                error.unwrap_or_default(),
                cause.unwrap_or_default()
            )
        }
        _ => String::new(),
    }
}

/// Returns the beginning of a cause, in one line.
fn first(cause: &str) -> String {
    const MOST: usize = 300;
    let mut characters = cause.chars();
    let mut first: String = characters.by_ref().take(MOST).collect();
    if characters.next().is_some() {
        first.push('…');
    }
    first.replace(['\n', '\r'], " ")
}

fn json_of_notice(now: Timestamp, notice: &StoreNotice) -> String {
    let time = now.to_string();
    let line = match notice {
        StoreNotice::WritingFails { why } => {
            json!({"time": time, "event": "writingFails", "why": why})
        }
        StoreNotice::WritingGoesOn => json!({"time": time, "event": "writingGoesOn"}),
        StoreNotice::Damage { why } => json!({"time": time, "event": "damage", "why": why}),
        StoreNotice::LogDamaged { lost, copy } => {
            json!({"time": time, "event": "logDamaged", "lost": lost, "copy": copy})
        }
        StoreNotice::ExecutionEnded {
            arn,
            state_machine_arn,
            status,
            error,
            cause,
        } => {
            json!({"time": time, "event": "executionEnded", "executionArn": arn, "stateMachineArn": state_machine_arn,
            "status": status.word(), "error": error, "cause": cause.as_deref().map(first)})
        }
        _ => json!({"time": time, "event": "notice"}),
    };
    line.to_string()
}

/// Placeholder for a missing operation.
const NO_OPERATION: &str = "-";
/// Printed for a request that names no resource.
const NO_RESOURCE: &str = "-";

fn text(now: Timestamp, answered: &AnsweredRequest) -> String {
    let operation = answered.operation.as_deref().unwrap_or(NO_OPERATION);
    let error = answered.error.map(|error| format!(" {error}"));
    let request_bytes = answered.request_bytes.map(|bytes| bytes.to_string());
    format!(
        "{now} {} {operation} {}{} {} {} {:.1} ms, {} bytes in, {} out",
        answered.request_id,
        answered.status,
        error.unwrap_or_default(),
        answered.account,
        answered.resource.as_deref().unwrap_or(NO_RESOURCE),
        answered.duration.as_secs_f64() * 1_000.0,
        request_bytes.as_deref().unwrap_or("?"),
        answered.answer_bytes,
    )
}

fn json(now: Timestamp, answered: &AnsweredRequest) -> String {
    let milliseconds = (answered.duration.as_secs_f64() * 1e6).round() / 1e3;
    json!({
        "time": now.to_string(),
        "requestId": answered.request_id,
        "operation": answered.operation,
        "resource": answered.resource,
        "account": answered.account,
        "region": answered.region,
        "status": answered.status,
        "error": answered.error,
        "durationMs": milliseconds,
        "requestBytes": answered.request_bytes,
        "answerBytes": answered.answer_bytes,
    })
    .to_string()
}
