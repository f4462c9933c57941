//! Lines of events.
use super::columns::{Columns, Row};
use super::data::{Change, Part};
use crate::durations::elapsed;
use crate::terminal::{ERROR, WARNING};
use asl_engine::{ErrorOutput, EventDetails, HistoryEvent};
use asl_model::{StateType, Timestamp};
use asl_trace::{Spans, StrandKind, Visit};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// The state of an execution that is traced.
pub(super) struct TracedExecution {
    pub(super) spans: Spans,
    /// Choice States that were left, by the event of the exit: the next event names the next state.
    pub(super) choices: HashMap<u64, ChoiceExit>,
    /// The failure that the last event reports, with its visit.
    pub(super) last_failure: Option<(u64, ErrorOutput)>,
}

/// A Choice State that was left.
pub(super) struct ChoiceExit {
    visit: Visit,
    brings_input: bool,
    assigned: Vec<(Arc<str>, Arc<Value>)>,
}

/// Makes lines of events.
pub(super) struct Lines<'t> {
    pub(super) columns: &'t Columns,
    pub(super) clock_is_virtual: bool,
    pub(super) is_child: bool,
}

impl Lines<'_> {
    pub(super) fn event(&self, traced: &mut TracedExecution, event: &HistoryEvent) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(chosen) = traced.choices.remove(&event.previous_event_id) {
            let next = match &event.details {
                EventDetails::StateEntered { name, .. } => Some(&**name),
                _ => None,
            };
            lines.push(self.choice(&chosen, next));
        }
        if let EventDetails::ExecutionFailed(error_output) = &event.details {
            let open = traced.spans.finish();
            let text = describe_error(error_output);
            lines.extend(self.end_of_execution(&open, &text, event.timestamp));
            return lines;
        }
        let spans = &mut traced.spans;
        let followed = spans.push(event);
        let interrupted = followed.interrupted.iter();
        lines.extend(interrupted.filter_map(|visit| self.interrupted(visit, event.timestamp)));
        let Some(visit) = followed.visit.cloned() else {
            return lines;
        };
        let brings_input = brings_input(spans, &visit);
        match &event.details {
            EventDetails::StateExited {
                assigned_variables, ..
            } if visit.state_type == StateType::Choice => {
                let chosen = ChoiceExit {
                    visit,
                    brings_input,
                    assigned: assigned_variables.clone(),
                };
                traced.choices.insert(event.id, chosen);
            }
            details => {
                let failure = details.error_output().map(|error| (visit.event_id, error));
                // The service reports some failures twice.
                if failure.is_none() || failure != traced.last_failure {
                    lines.extend(self.describe_event(event, &visit, brings_input));
                }
                traced.last_failure = failure;
            }
        }
        lines
    }

    fn describe_event(
        &self,
        event: &HistoryEvent,
        visit: &Visit,
        brings_input: bool,
    ) -> Option<String> {
        match &event.details {
            EventDetails::StateEntered { .. } => visit
                .holds_states()
                .then(|| self.opening(visit, brings_input)),
            EventDetails::StateExited {
                output,
                assigned_variables,
                ..
            } => Some(self.exit(visit, brings_input, output, assigned_variables)),
            EventDetails::LambdaFunctionScheduled { .. }
            | EventDetails::TaskScheduled { .. }
            | EventDetails::ActivityScheduled { .. }
            | EventDetails::ParallelStateStarted
            | EventDetails::MapStateStarted { .. } => self.attempt(visit),
            details => {
                let error_output = details.error_output()?;
                let text = format!("✗ {}", describe_error(&error_output));
                Some(self.columns.remark(visit, ERROR, &text))
            }
        }
    }

    fn opening(&self, visit: &Visit, brings_input: bool) -> String {
        self.columns.row(&Row {
            visit,
            sign: ' ',
            kind: visit.state_type.as_str(),
            data: &new_input(visit, brings_input),
            note: "",
            took: None,
        })
    }

    fn choice(&self, chosen: &ChoiceExit, next: Option<&str>) -> String {
        let visit = &chosen.visit;
        let mut data = new_input(visit, chosen.brings_input);
        data.extend(next.map(Part::Next));
        data.extend(assignments(&chosen.assigned));
        self.columns.row(&Row {
            visit,
            sign: ' ',
            kind: visit.state_type.as_str(),
            data: &data,
            note: "",
            took: elapsed(visit.entered, visit.left.unwrap_or(visit.entered)),
        })
    }

    fn exit(
        &self,
        visit: &Visit,
        brings_input: bool,
        output: &Value,
        assigned: &[(Arc<str>, Arc<Value>)],
    ) -> String {
        let holds = visit.holds_states();
        let change = Change::compare(&visit.input, output);
        let note = match (visit.state_type, &change) {
            _ if visit.was_caught() => "caught",
            (StateType::Succeed | StateType::Wait, _) => "",
            (_, Change::Unchanged) if assigned.is_empty() => "unchanged",
            _ => "",
        };
        let mut data = match change {
            Change::Replaced if holds => vec![Part::Output(output)],
            Change::Replaced => vec![Part::Replaced(&visit.input, output)],
            Change::Unchanged if holds => Vec::new(),
            Change::Unchanged => new_input(visit, brings_input),
            Change::Fields(fields) if holds => fields,
            Change::Fields(fields) => [new_input(visit, brings_input), fields].concat(),
        };
        data.extend(assignments(assigned));
        let took =
            elapsed(visit.entered, visit.left.unwrap_or(visit.entered)).map(|took| {
                match self.clock_is_virtual && visit.state_type == StateType::Wait {
                    true => format!("{took} skipped"),
                    false => took,
                }
            });
        self.columns.row(&Row {
            visit,
            sign: if holds { '└' } else { ' ' },
            kind: if holds { "" } else { visit.state_type.as_str() },
            data: &data,
            note,
            took,
        })
    }

    /// Returns a further attempt, after a failure.
    fn attempt(&self, visit: &Visit) -> Option<String> {
        let attempt = visit.attempt.as_ref()?;
        let failed_at = attempt.failed_before?;
        let retry = attempt.number - 1;
        let waited = match (elapsed(failed_at, attempt.started), self.clock_is_virtual) {
            (Some(waited), true) => format!(", {waited} skipped"),
            (Some(waited), false) => format!(" after {waited}"),
            (None, _) => String::new(),
        };
        let text = format!("↻ retry {retry}{waited}");
        Some(self.columns.remark(visit, WARNING, &text))
    }

    /// Returns a state that was not left, because the branches or iterations around it ended.
    fn interrupted(&self, visit: &Visit, now: Timestamp) -> Option<String> {
        if visit.holds_states() {
            return None;
        }
        let has_failed = visit.failure.is_some() || visit.state_type == StateType::Fail;
        Some(self.unfinished(visit, if has_failed { "failed" } else { "aborted" }, now))
    }

    fn unfinished(&self, visit: &Visit, note: &str, now: Timestamp) -> String {
        self.columns.row(&Row {
            visit,
            sign: ' ',
            kind: visit.state_type.as_str(),
            data: &[Part::Value(&visit.input)],
            note,
            took: elapsed(visit.entered, now),
        })
    }

    /// Returns the states that have not ended, innermost last; the error of a task is already printed.
    fn end_of_execution(&self, open: &[Visit], text: &str, now: Timestamp) -> Vec<String> {
        let mut lines = Vec::new();
        for visit in open.iter().filter(|visit| !visit.holds_states()) {
            let note = visit.failure.as_ref().map_or("", |_| "failed");
            lines.push(self.unfinished(visit, note, now));
            if visit.failure.is_none() {
                lines.push(self.columns.remark(visit, ERROR, &format!("✗ {text}")));
            }
        }
        if lines.is_empty() && self.is_child {
            lines.push(format!("{ERROR}✗ {text}{ERROR:#}"));
        }
        lines
    }
}

/// Returns true if no line before has shown the input of a visit: of the first state of an iteration or a child, and of a
/// branch that starts with other data than its Parallel State.
fn brings_input(spans: &Spans, visit: &Visit) -> bool {
    match visit.holders.last() {
        Some(holder) if visit.previous.is_none() => {
            let enclosing = spans.enclosing(visit);
            holder.kind != StrandKind::Branch || enclosing.is_some_and(|it| it.input != visit.input)
        }
        _ => false,
    }
}

fn new_input(visit: &Visit, brings_input: bool) -> Vec<Part<'_>> {
    let input = brings_input.then(|| Part::Value(&visit.input));
    input.into_iter().collect()
}

fn assignments(assigned: &[(Arc<str>, Arc<Value>)]) -> impl Iterator<Item = Part<'_>> {
    assigned
        .iter()
        .map(|(name, value)| Part::Assigned(name, value))
}

fn describe_error(output: &ErrorOutput) -> String {
    match (&output.error, &output.cause) {
        (Some(error), Some(cause)) => format!("{error}: {cause}"),
        (Some(text), None) | (None, Some(text)) => text.clone(),
        (None, None) => "failed".to_owned(),
    }
}
