//! An execution that runs again from its history: by its definition, with the recorded results.
mod comparison;
mod difference;
mod driver;
mod recorded;

pub use difference::Difference;

use asl_engine::history::{EventDetails, HistoryEvent};
use asl_engine::{Program, Start};
use asl_model::StateMachine;
use driver::Driver;
use recorded::RecordedEvents;
use serde_json::Value;
use std::sync::Arc;

/// The result of a rerun.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Rerun {
    /// Number of recorded events.
    pub events: usize,
    /// Number of recorded events that the rerun has, too.
    pub equal: usize,
    /// Values that differ in each run, such as times, UUIDs and names, where both have one.
    pub varying: usize,
    /// The differences, in the order of the history.
    pub differences: Vec<Difference>,
    /// The reason of an early end: something that the history does not contain. Events after it are not compared.
    pub unknown: Option<String>,
}

impl Rerun {
    /// Returns true if the whole history was compared, and is equal.
    pub fn is_equal(&self) -> bool {
        self.differences.is_empty() && self.unknown.is_none()
    }
}

/// Runs an execution again from its history, with the recorded results of its tasks, and compares the events.
///
/// `start` names the execution; its input and time are those of the history. The order of events in different branches and
/// iterations, and values that differ in each run, are not differences. The history does not contain the children of
/// distributed Maps, nor objects: the rerun ends there.
///
/// ```
/// use asl_engine::{Program, Start};
/// use asl_trace::{read_events, rerun};
/// use serde_json::json;
///
/// let definition = json!({"StartAt": "Done", "States": {"Done": {"Type": "Pass", "Result": 1, "End": true}}});
/// let (machine, _) = asl_model::parse_value(&definition, asl_model::Options::default())?;
/// let program = Program::compile(&machine)?;
/// let history = read_events(&json!({"events": [
///     {"id": 1, "previousEventId": 0, "timestamp": 0, "type": "ExecutionStarted", "executionStartedEventDetails": {"input": "{}"}},
///     {"id": 2, "previousEventId": 0, "timestamp": 0, "type": "PassStateEntered", "stateEnteredEventDetails": {"name": "Done", "input": "{}"}},
///     {"id": 3, "previousEventId": 2, "timestamp": 0, "type": "PassStateExited", "stateExitedEventDetails": {"name": "Done", "output": "2"}},
///     {"id": 4, "previousEventId": 3, "timestamp": 0, "type": "ExecutionSucceeded", "executionSucceededEventDetails": {"output": "2"}}]}))?;
/// let rerun = rerun(&history, &machine, &program, Start::new("e", json!({}), Default::default()));
/// assert_eq!(rerun.differences[0].to_string(), "event 3, PassStateExited of state 'Done': output is 2 in the history, and 1 in the rerun");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rerun(
    history: &[HistoryEvent],
    machine: &StateMachine,
    program: &Program,
    mut start: Start,
) -> Rerun {
    start.record_history = true;
    match history
        .first()
        .map(|event| (&event.details, event.timestamp))
    {
        Some((
            EventDetails::ExecutionStarted {
                input, input_text, ..
            },
            started,
        )) => {
            start.input = Arc::clone(input);
            start.input_text.clone_from(input_text);
            start.now = started;
        }
        _ => {
            let unknown = "expected a history that begins with ExecutionStarted".to_owned();
            return Rerun {
                events: history.len(),
                unknown: Some(unknown),
                ..Rerun::default()
            };
        }
    }
    let recorded = RecordedEvents::new(history, machine);
    Driver::new(program, start, recorded).run()
}

/// Returns details of an event, as the API shows them.
fn shown(event: &HistoryEvent) -> Value {
    let Value::Object(members) = event.to_json() else {
        return Value::Null;
    };
    let details = members
        .into_iter()
        .find(|(name, _)| name.ends_with("EventDetails"));
    details.map(|(_, details)| details).unwrap_or_default()
}
