//! The result of the execution, on stdout and stderr.
use super::tasks::UnhandledTask;
use crate::arguments::{Format, RunArguments};
use crate::definition::Definition;
use crate::exit::{Exit, Failure, print_json, print_value};
use crate::explain::Text;
use crate::place::Place;
use crate::terminal::{self, ERROR};
use asl_engine::runtime::EndedExecution;
use asl_trace::{Account, Step, StrandKind};
use serde::Serialize;
use serde_json::{Value, json};

/// The object of `--report json`.
#[derive(Serialize)]
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
    /// Location of the error in the definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Value>,
    #[serde(skip)]
    place: Option<Place<'e>>,
    /// The message about a task without a handler that ended the run.
    #[serde(skip)]
    unhandled: Option<&'e str>,
}

/// The object with what each state did.
#[derive(Serialize)]
struct WithPath<'r> {
    #[serde(flatten)]
    report: &'r Report<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<&'r Account>,
}

impl<'e> Report<'e> {
    /// Creates the report of an execution of this definition.
    pub(crate) fn new(
        ended: &'e EndedExecution,
        name: &'e str,
        definition: &'e Definition,
    ) -> Self {
        let place = ended.failed_at.as_ref();
        let place = place.map(|place| Place::new(definition, place));
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
            location: place.as_ref().map(Place::to_json),
            place,
            unhandled: None,
        }
    }

    /// Says where a task without a handler ended it.
    pub(crate) fn with_unhandled(self, unhandled: &'e UnhandledTask) -> Self {
        Self {
            unhandled: unhandled.message(),
            ..self
        }
    }

    /// Reports it, and how the process is to end.
    pub(crate) fn print(
        &self,
        arguments: &RunArguments,
        account: Option<&Account>,
    ) -> Result<Exit, Failure> {
        if let (Format::Text, true, Some(account)) = (arguments.report, arguments.explain, account)
        {
            explain(account, arguments.full);
        }
        match (arguments.report, self.output) {
            (Format::Json, _) => {
                let report = WithPath {
                    report: self,
                    path: account.map(|account| path(&account.steps)),
                    account: account.filter(|_| arguments.explain),
                };
                let text = serde_json::to_string(&report)
                    .map_err(|error| Failure::new(format!("cannot write the report: {error}")))?;
                print_json(text)?;
            }
            (Format::Text, Some(output)) => print_value(output)?,
            (Format::Text, None) => self.print_failure(),
        }
        if let Some(message) = self.unhandled {
            terminal::error_line(&format!("{ERROR}error:{ERROR:#} {message}"));
        }
        Ok(match (self.output, self.unhandled) {
            (Some(_), _) => Exit::Success,
            (None, Some(_)) => Exit::Refused,
            (None, None) => Exit::Failed,
        })
    }

    fn print_failure(&self) {
        if self.unhandled.is_none() {
            self.print_error_and_cause();
        }
        if let Some(place) = &self.place {
            terminal::error_line(&place.to_string());
        }
    }

    fn print_error_and_cause(&self) {
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

fn explain(account: &Account, full: bool) {
    for line in Text::on_stderr(full).run(account) {
        terminal::error_line(&line);
    }
}

/// Returns the states in order; of one that holds others, their paths by branch, iteration or child.
fn path(steps: &[Step]) -> Vec<Value> {
    let step = |step: &Step| {
        let mut object = json!({ "state": step.state });
        for strand in &step.strands {
            let name = match strand.kind {
                StrandKind::Branch => "branches",
                StrandKind::Iteration => "iterations",
                StrandKind::Child => "children",
            };
            let within = Value::Array(path(&strand.steps));
            match object[name].as_array_mut() {
                Some(all) => all.push(within),
                None => object[name] = json!([within]),
            }
        }
        object
    };
    steps.iter().map(step).collect()
}
