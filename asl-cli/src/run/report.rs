//! What the execution came to, on stdout and stderr.
use crate::arguments::Format;
use crate::exit::{Exit, Failure, print_json, print_value};
use crate::terminal::{self, ERROR};
use asl_engine::runtime::EndedExecution;
use serde::Serialize;
use serde_json::Value;

/// The object of `--report json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Report<'e> {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<&'e Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
    name: &'e str,
    start_date: String,
    stop_date: String,
    transitions: u64,
}

impl<'e> Report<'e> {
    /// What to tell of an execution.
    pub(crate) fn new(ended: &'e EndedExecution, name: &'e str) -> Self {
        let failure = ended.outcome.failure();
        let (error, cause) = failure.map_or((None, None), |failure| (failure.error, failure.cause));
        Self {
            status: ended.outcome.status(),
            output: ended.outcome.output().map(|output| &**output),
            error,
            cause,
            name,
            start_date: ended.start_date.to_string(),
            stop_date: ended.stop_date.to_string(),
            transitions: ended.transitions,
        }
    }

    /// Tells it, and how the process is to end.
    pub(crate) fn print(&self, format: Format) -> Result<Exit, Failure> {
        match (format, self.output) {
            (Format::Json, _) => {
                let text = serde_json::to_string(self)
                    .map_err(|error| Failure::new(format!("cannot write the report: {error}")))?;
                print_json(text)?;
            }
            (Format::Text, Some(output)) => print_value(output)?,
            (Format::Text, None) => self.print_failure(),
        }
        Ok(match self.output {
            Some(_) => Exit::Success,
            None => Exit::Failed,
        })
    }

    fn print_failure(&self) {
        let status = self.status;
        let told = match (&self.error, &self.cause) {
            (Some(error), Some(cause)) => format!("{error}: {cause}"),
            (Some(text), None) | (None, Some(text)) => text.to_owned(),
            (None, None) => String::new(),
        };
        let separator = if told.is_empty() { "" } else { " " };
        terminal::error_line(&format!("{ERROR}{status}{ERROR:#}{separator}{told}"));
    }
}
