//! A case out of a history: what the tasks of an execution were answered become mocks, and its end becomes expectations.
mod mask;

use crate::Definition;
use crate::yaml::{quoted, write_field};
use asl_engine::ErrorOutput;
use asl_engine::history::{EventDetails, HistoryEvent};
use asl_trace::{Spans, StateTree, StrandKind, Visit};
use mask::Mask;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// Settings of a recorded case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordSettings {
    /// The name of the case.
    pub name: String,
    /// Patterns of the names of fields whose values are masked; `*` stands for any text.
    pub masked: Vec<String>,
}

asl_path::with_methods! {
    impl RecordSettings {
        with_name(name: String),
        with_masked(masked: Vec<String>),
    }
}

/// A history that no case can be made of.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It has no beginning.
    #[error("expected a history that begins with ExecutionStarted")]
    NoStart,
    /// The execution has not ended.
    #[error(
        "expected the history of an execution that has ended, found one of {0} events without an end"
    )]
    NoEnd(usize),
}

/// An answer to a task.
struct RecordedAnswer {
    /// Index of the iteration that it is of, if it is of one.
    item: Option<u64>,
    action: Map<String, Value>,
}

/// Returns the text of a case under `cases` of a test file: with the input of a recorded execution, a mock for each task
/// that it performed, and its outcome.
///
/// Tasks of the children of distributed Maps are not in a history, and have no mocks.
///
/// ```
/// use asl_test::{Definition, RecordSettings, recorded_case};
/// use asl_trace::read_events;
/// use serde_json::json;
///
/// let history = read_events(&json!({"events": [
///     {"id": 1, "previousEventId": 0, "timestamp": 0, "type": "ExecutionStarted", "executionStartedEventDetails": {"input": "{\"total\": 1}"}},
///     {"id": 2, "previousEventId": 0, "timestamp": 0, "type": "SucceedStateEntered", "stateEnteredEventDetails": {"name": "S", "input": "{\"total\": 1}"}},
///     {"id": 3, "previousEventId": 2, "timestamp": 0, "type": "SucceedStateExited", "stateExitedEventDetails": {"name": "S", "output": "{\"total\": 1}"}},
///     {"id": 4, "previousEventId": 3, "timestamp": 0, "type": "ExecutionSucceeded", "executionSucceededEventDetails": {"output": "{\"total\": 1}"}}]}))?;
/// let settings = RecordSettings::default().with_name("recorded".to_owned());
/// let definition = Definition::parse(r#"{"StartAt": "S", "States": {"S": {"Type": "Succeed"}}}"#)?;
/// let case = recorded_case(&definition, &history, &settings)?;
/// assert_eq!(case, "  recorded:\n    input:\n      total: 1\n    expect:\n      status: SUCCEEDED\n      output:\n        total: 1\n      path:\n        - \"S\"\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The history is not that of an execution that has ended.
pub fn recorded_case(
    definition: &Definition,
    history: &[HistoryEvent],
    settings: &RecordSettings,
) -> Result<String, RecordError> {
    let mask = Mask::new(&settings.masked);
    let Some(EventDetails::ExecutionStarted { input, .. }) = history.first().map(|it| &it.details)
    else {
        return Err(RecordError::NoStart);
    };
    let expected = outcome(history, &mask).ok_or(RecordError::NoEnd(history.len()))?;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  {}:", quoted(&settings.name));
    write_field(&mut text, "input", &mask.applied(input), 4);
    let answers = answers(history, definition.tree(), &mask);
    if !answers.is_empty() {
        text.push_str("    mocks:\n");
    }
    for (state, answers) in &answers {
        write_field(&mut text, state, &mock(answers), 6);
    }
    write_field(&mut text, "expect", &expected, 4);
    Ok(text)
}

/// Returns the expectations; None if the execution has not ended.
fn outcome(history: &[HistoryEvent], mask: &Mask<'_>) -> Option<Value> {
    let mut expected = Map::new();
    let last = history.last()?;
    let (status, error_output) = match &last.details {
        EventDetails::ExecutionSucceeded { output } => {
            expected.insert("status".to_owned(), json!("SUCCEEDED"));
            expected.insert("output".to_owned(), mask.applied(output));
            ("SUCCEEDED", None)
        }
        EventDetails::ExecutionFailed(error_output) => ("FAILED", Some(error_output)),
        EventDetails::ExecutionTimedOut(error_output) => ("TIMED_OUT", Some(error_output)),
        EventDetails::ExecutionAborted(error_output) => ("ABORTED", Some(error_output)),
        _ => return None,
    };
    expected.insert("status".to_owned(), status.into());
    if let Some(error) = error_output.and_then(|it| it.error.clone()) {
        expected.insert("error".to_owned(), error.into());
    }
    if let Some(path) = path(history) {
        expected.insert("path".to_owned(), path);
    }
    Some(expected.into())
}

/// Returns the states in their order, where no branches or iterations run.
fn path(history: &[HistoryEvent]) -> Option<Value> {
    let is_nested = |event: &HistoryEvent| {
        matches!(
            event.details,
            EventDetails::MapStateStarted { .. } | EventDetails::ParallelStateStarted
        )
    };
    let names = history.iter().filter_map(|event| match &event.details {
        EventDetails::StateEntered { name, .. } => Some(Value::from(&**name)),
        _ => None,
    });
    (!history.iter().any(is_nested)).then(|| names.collect())
}

/// Returns the answers of the tasks of each state, in the order of their requests.
fn answers(
    history: &[HistoryEvent],
    tree: &StateTree,
    mask: &Mask<'_>,
) -> BTreeMap<Arc<str>, Vec<RecordedAnswer>> {
    let mut spans = Spans::new(tree.clone());
    let mut answers = BTreeMap::<Arc<str>, Vec<RecordedAnswer>>::new();
    // The last task of each visit, with the event that scheduled it.
    let mut tasks = BTreeMap::new();
    for event in history {
        let Some(visit) = spans.push(event).visit else {
            continue;
        };
        let of_state = answers.get_mut(&visit.state);
        if event.details.schedules_task() {
            let of_state = answers.entry(Arc::clone(&visit.state)).or_default();
            tasks.insert(visit.event_id, (of_state.len(), event));
            of_state.push(RecordedAnswer {
                item: item(visit),
                action: never(),
            });
        } else if let Some(answer) = event.details.task_answer()
            && let Some((index, request)) = tasks.remove(&visit.event_id)
            && let Some(recorded) = of_state.and_then(|it| it.get_mut(index))
        {
            let times_out = event.details.is_task_timeout() && has_time_limit(&request.details);
            if !times_out {
                recorded.action = action(answer, mask);
            }
        }
    }
    answers
}

/// Returns the iteration that a visit is of. An item of an item would be ambiguous.
fn item(visit: &Visit) -> Option<u64> {
    let mut items = visit
        .holders
        .iter()
        .filter(|holder| holder.kind == StrandKind::Iteration);
    match (items.next(), items.next()) {
        (Some(only), None) => Some(only.index),
        _ => None,
    }
}

/// Returns the action of a mock that gives no answer.
fn never() -> Map<String, Value> {
    Map::from_iter([("never".to_owned(), true.into())])
}

/// Returns the action of a mock that gives an answer.
fn action(answer: Result<&Arc<Value>, ErrorOutput>, mask: &Mask<'_>) -> Map<String, Value> {
    let (name, value) = match answer {
        Ok(output) => ("return", mask.applied(output)),
        Err(error_output) => ("throw", thrown(&error_output)),
    };
    Map::from_iter([(name.to_owned(), value)])
}

fn thrown(error_output: &ErrorOutput) -> Value {
    let ErrorOutput { error, cause } = error_output;
    let mut thrown = Map::new();
    for (name, text) in [("error", error), ("cause", cause)] {
        if let Some(text) = text {
            thrown.insert(name.to_owned(), text.as_str().into());
        }
    }
    match (error, cause) {
        (Some(error), None) => error.as_str().into(),
        _ => thrown.into(),
    }
}

/// Returns the mock of a state: one answer where all are equal, else each for its call.
fn mock(answers: &[RecordedAnswer]) -> Value {
    let first = answers.first().map(|answer| &answer.action);
    if let Some(first) = first
        && answers.iter().all(|answer| answer.action == *first)
    {
        return first.clone().into();
    }
    let mut calls = BTreeMap::<u64, u64>::new();
    let answers = answers.iter().map(|answer| {
        let mut shown = Map::new();
        if let Some(item) = answer.item {
            let calls = calls.entry(item).or_default();
            shown.insert("item".to_owned(), item.into());
            shown.insert("attempt".to_owned(), (*calls).into());
            *calls += 1;
        }
        shown.extend(answer.action.clone());
        Value::Object(shown)
    });
    answers.collect()
}

/// Returns true if a task that is never answered times out.
fn has_time_limit(details: &EventDetails) -> bool {
    match details {
        EventDetails::LambdaFunctionScheduled {
            timeout_in_seconds, ..
        } => timeout_in_seconds.is_some(),
        EventDetails::TaskScheduled {
            timeout_in_seconds,
            heartbeat_in_seconds,
            ..
        }
        | EventDetails::ActivityScheduled {
            timeout_in_seconds,
            heartbeat_in_seconds,
            ..
        } => timeout_in_seconds.is_some() || heartbeat_in_seconds.is_some(),
        _ => false,
    }
}
