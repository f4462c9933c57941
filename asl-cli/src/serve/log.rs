//! A line for each request: when, which operation, for whom, how it went, how long it took, how much it was. Nothing of what
//! requests and answers hold, nor of their headers.
use crate::arguments::ServeLog;
use crate::terminal;
use asl_model::Timestamp;
use asl_server::AnsweredRequest;
use serde_json::json;
use std::io::Write as _;
use std::time::SystemTime;

/// What tells of requests on stderr.
pub(super) fn to_stderr(how: ServeLog) -> impl Fn(&AnsweredRequest) + Send + Sync + 'static {
    move |answered| {
        let now = Timestamp::try_from(SystemTime::now()).unwrap_or_default();
        let line = match how {
            ServeLog::Off => return,
            ServeLog::Text => return terminal::error_line(&text(now, answered)),
            ServeLog::Json => json(now, answered),
        };
        // Nobody is left to tell where stderr is closed.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// What stands for the operation of a request that names none.
const NO_OPERATION: &str = "-";

fn text(now: Timestamp, answered: &AnsweredRequest) -> String {
    let operation = answered.operation.as_deref().unwrap_or(NO_OPERATION);
    let error = answered.error.map(|error| format!(" {error}"));
    let request_bytes = answered.request_bytes.map(|bytes| bytes.to_string());
    format!(
        "{} {} {operation} {}{} {} {:.1} ms, {} bytes in, {} out",
        now.to_rfc3339(),
        answered.request_id,
        answered.status,
        error.unwrap_or_default(),
        answered.account,
        answered.duration.as_secs_f64() * 1_000.0,
        request_bytes.as_deref().unwrap_or("?"),
        answered.answer_bytes,
    )
}

fn json(now: Timestamp, answered: &AnsweredRequest) -> String {
    let milliseconds = (answered.duration.as_secs_f64() * 1e6).round() / 1e3;
    json!({
        "time": now.to_rfc3339(),
        "requestId": answered.request_id,
        "operation": answered.operation,
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
