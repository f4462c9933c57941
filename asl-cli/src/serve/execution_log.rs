//! `asl dev`: a line for each execution that starts, and for each that ends.
use super::log;
use crate::terminal::{ERROR, FAINT, STRONG, SUCCESS};
use asl_backend::ExecutionStatus;
use asl_engine::ErrorOutput;
use asl_store::{ObservedExecution, StoreObserver};

/// Characters of a cause that are shown.
const CAUSE: usize = 300;

/// Writes the lines to stderr.
pub(super) struct ExecutionLog;

impl StoreObserver for ExecutionLog {
    fn execution_started(&self, execution: &ObservedExecution<'_>) {
        // A Map may start thousands.
        if !execution.is_child {
            log::text_line(&format!("{} started", named(execution)));
        }
    }

    fn execution_ended(
        &self,
        execution: &ObservedExecution<'_>,
        status: ExecutionStatus,
        error: Option<&ErrorOutput>,
    ) {
        let succeeded = status == ExecutionStatus::Succeeded;
        if execution.is_child && succeeded {
            return;
        }
        let word = status.word();
        let (name, style) = (named(execution), if succeeded { SUCCESS } else { ERROR });
        let reason = error.map(reason).unwrap_or_default();
        log::text_line(&format!("{name} {style}{word}{style:#}{reason}"));
    }
}

fn named(execution: &ObservedExecution<'_>) -> String {
    let identity = execution.identity;
    let name = identity.execution_name();
    let arn = identity.execution_arn();
    let machine = arn.rsplit(':').nth(1).unwrap_or_default();
    format!("{STRONG}{machine}{STRONG:#} {FAINT}{name}{FAINT:#}")
}

fn reason(error: &ErrorOutput) -> String {
    let cause = error.cause.as_deref().unwrap_or_default();
    let mut shown: String = cause.chars().take(CAUSE).collect();
    if shown.len() < cause.len() {
        shown.push('…');
    }
    let error = error.error.as_deref().unwrap_or_default();
    match shown.is_empty() {
        true => format!(" {error}"),
        false => format!(" {error}: {shown}"),
    }
}
