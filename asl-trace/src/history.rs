//! An account out of a history, as GetExecutionHistory returns it.
use crate::account::{Account, Finding, Strand, StrandKind};
use crate::builder::{Builder, DataRetention, Onward};
use crate::definition::Definition;
use crate::spans::Spans;
use crate::state_tree::StateTree;
use crate::visit::Visit;
use asl_engine::ErrorOutput;
use asl_engine::history::{EventDetails, HistoryEvent, HistoryEventError};
use asl_model::{StateMachine, Timestamp};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// Reasons why a text is not a history.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// The JSON has no array of events.
    #[error("expected an execution history, an object with an array \"events\"")]
    NoEvents,
    /// The value at this index is not an event.
    #[error("event {0} of the history is invalid: {1}")]
    Event(usize, HistoryEventError),
}

/// A history, with the known histories of the child executions of its distributed Maps.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct History {
    /// `{"events": […]}`.
    pub events: Value,
    /// Children by the name of the Map State, in the order of its Map Runs and their items.
    pub children: Vec<ChildHistory>,
}

/// The history of a child execution.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct ChildHistory {
    /// The Map State.
    pub state: String,
    /// Number of the entry of the Map state, from 0.
    pub map_run: usize,
    /// Index of the child, from 0.
    pub index: u64,
    /// The history of the child.
    pub history: History,
}

impl History {
    /// Reads the account; with a definition, the types of states and the texts of rules that it has.
    ///
    /// [`replay`](crate::replay) adds what a history does not contain, such as the rule of a Choice State that decided.
    ///
    /// ```
    /// use asl_trace::History;
    /// use serde_json::json;
    ///
    /// let events = json!({"events": [
    ///     {"id": 1, "previousEventId": 0, "timestamp": 1706702400.5, "type": "ExecutionStarted", "executionStartedEventDetails": {"input": "{}"}},
    ///     {"id": 2, "previousEventId": 0, "timestamp": 1706702400.5, "type": "SucceedStateEntered", "stateEnteredEventDetails": {"name": "Done", "input": "{}"}},
    ///     {"id": 3, "previousEventId": 2, "timestamp": 1706702401, "type": "SucceedStateExited", "stateExitedEventDetails": {"name": "Done", "output": "{}"}},
    ///     {"id": 4, "previousEventId": 3, "timestamp": 1706702401, "type": "ExecutionSucceeded", "executionSucceededEventDetails": {"output": "{}"}}]});
    /// let account = History { events, ..History::default() }.account(None)?;
    /// assert_eq!(account.status.as_deref(), Some("SUCCEEDED"));
    /// assert_eq!(account.steps[0].state, "Done");
    /// # Ok::<(), asl_trace::HistoryError>(())
    /// ```
    ///
    /// # Errors
    /// The JSON is not a history.
    pub fn account(&self, definition: Option<&StateMachine>) -> Result<Account, HistoryError> {
        let tree = definition.map(StateTree::new).unwrap_or_default();
        let definition = definition.map(Definition::new).unwrap_or_default();
        self.account_with(&Arc::new(definition), &tree)
    }

    fn account_with(
        &self,
        definition: &Arc<Definition>,
        tree: &StateTree,
    ) -> Result<Account, HistoryError> {
        let events = read_events(&self.events)?;
        let mut children = HashMap::<_, Vec<Strand>>::new();
        for child in &self.children {
            let account = child.history.account_with(definition, tree)?;
            let key = (child.state.clone(), child.map_run);
            children.entry(key).or_default().push(Strand {
                kind: StrandKind::Child,
                index: child.index,
                retry_count: 0,
                status: account.status,
                steps: account.steps,
            });
        }
        let mut reader = Reader {
            spans: Spans::new(tree.clone()),
            builder: Builder::new(
                Arc::clone(definition),
                DataRetention::Everything,
                Vec::new(),
            ),
            account: Account::default(),
            children,
            map_runs: HashMap::new(),
        };
        for event in &events {
            reader.read(event);
        }
        Ok(reader.finish())
    }
}

/// Reads the events of `{"events": […]}`, as GetExecutionHistory returns it, in the order of their ids.
///
/// # Errors
/// The JSON is not a history.
pub fn read_events(history: &Value) -> Result<Vec<HistoryEvent>, HistoryError> {
    let events = history.get("events").and_then(Value::as_array);
    let events = events.ok_or(HistoryError::NoEvents)?.iter().enumerate();
    let read = events.map(|(at, event)| {
        HistoryEvent::from_json(event).map_err(|error| HistoryError::Event(at, error))
    });
    let mut events = read.collect::<Result<Vec<_>, _>>()?;
    events.sort_by_key(|event| event.id);
    Ok(events)
}

struct Reader {
    spans: Spans,
    builder: Builder,
    account: Account,
    children: HashMap<(String, usize), Vec<Strand>>,
    map_runs: HashMap<Arc<str>, usize>,
}

impl Reader {
    fn read(&mut self, event: &HistoryEvent) {
        let Self { spans, builder, .. } = self;
        let followed = spans.push(event);
        let at = event.timestamp;
        let Some(visit) = followed.visit else {
            return self.read_execution(event);
        };
        let flow = visit.flow;
        match &event.details {
            EventDetails::StateEntered { .. } => {
                let input = Arc::clone(&visit.input);
                builder.attempt(flow, visit.flow_parent, &visit.state, at, input, 0);
                builder.name_type(flow, visit.state_type.as_str());
            }
            EventDetails::StateExited {
                output,
                assigned_variables,
                ..
            } => {
                if visit.was_caught() && !builder.has_failed(flow) {
                    fail(builder, visit, event);
                }
                exit(builder, visit, output, assigned_variables);
            }
            EventDetails::ParallelStateStarted => record_retry(builder, visit, at),
            EventDetails::MapStateStarted { length } => {
                record_retry(builder, visit, at);
                builder.add_finding(flow, at, Finding::Iterations { count: *length });
            }
            EventDetails::LambdaFunctionScheduled { input, .. }
            | EventDetails::ActivityScheduled { input, .. }
            | EventDetails::TaskScheduled {
                parameters: input, ..
            } => {
                record_retry(builder, visit, at);
                add_field(builder, visit, at, ("Request", Arc::clone(input)));
            }
            EventDetails::TaskSubmitted { output, .. } => {
                let output = output.clone().unwrap_or_default();
                add_field(builder, visit, at, ("Submitted", output));
            }
            EventDetails::LambdaFunctionSucceeded { output }
            | EventDetails::ActivitySucceeded { output }
            | EventDetails::TaskSucceeded { output, .. } => {
                add_field(builder, visit, at, ("Result", Arc::clone(output)));
            }
            EventDetails::MapRunStarted { .. } => {
                builder.forget_iterations(flow);
                let run = self.map_runs.entry(Arc::clone(&visit.state)).or_default();
                let children = self.children.remove(&(visit.state.to_string(), *run));
                *run += 1;
                for child in children.unwrap_or_default() {
                    builder.child(flow, &visit.state, child);
                }
            }
            EventDetails::ParallelStateFailed | EventDetails::MapStateFailed
                if !builder.has_failed(flow) && error_output(visit) != ErrorOutput::default() =>
            {
                fail(builder, visit, event);
            }
            EventDetails::ExecutionFailed(_)
            | EventDetails::ExecutionTimedOut(_)
            | EventDetails::ExecutionAborted(_) => {
                let failed = matches!(event.details, EventDetails::ExecutionFailed(_));
                if failed && !builder.has_failed(flow) {
                    fail(builder, visit, event);
                }
                self.read_execution(event);
            }
            details if details.error_output().is_some() => fail(builder, visit, event),
            _ => {}
        }
    }

    fn read_execution(&mut self, event: &HistoryEvent) {
        let account = &mut self.account;
        let status = match &event.details {
            EventDetails::ExecutionStarted { input, .. } => {
                account.started = Some(event.timestamp);
                account.input = Some(Arc::clone(input));
                return;
            }
            EventDetails::ExecutionSucceeded { output } => {
                account.output = Some(Arc::clone(output));
                "SUCCEEDED"
            }
            EventDetails::ExecutionFailed(error) => account.fail(error, "FAILED"),
            EventDetails::ExecutionTimedOut(error) => account.fail(error, "TIMED_OUT"),
            EventDetails::ExecutionAborted(error) => account.fail(error, "ABORTED"),
            _ => return,
        };
        account.stopped = Some(event.timestamp);
        account.status = Some(status.to_owned());
    }

    fn finish(mut self) -> Account {
        self.account.steps = self.builder.finish(&mut None);
        self.account
    }
}

/// Records the exit of a state.
fn exit(
    builder: &mut Builder,
    visit: &Visit,
    output: &Arc<Value>,
    assigned: &[(Arc<str>, Arc<Value>)],
) {
    let (flow, at) = (visit.flow, visit.left.unwrap_or(visit.entered));
    for (name, value) in assigned {
        let finding = Finding::Variable {
            name: name.to_string(),
            value: Arc::clone(value),
        };
        builder.add_finding(flow, at, finding);
    }
    if builder.has_failed(flow) {
        let caught = Finding::Catch {
            index: None,
            error_equals: Vec::new(),
        };
        builder.record_handler(flow, at, caught);
    }
    builder.record_exit(flow, at, Arc::clone(output), Onward::Unknown, &mut None);
}

/// Records a retry if work starts again.
fn record_retry(builder: &mut Builder, visit: &Visit, at: Timestamp) {
    let Some(attempt) = visit.attempt.as_ref().filter(|it| it.number > 1) else {
        return;
    };
    builder.gather(visit.flow);
    let failed_at = attempt.failed_before.unwrap_or(at);
    let retry = Finding::Retry {
        index: None,
        error_equals: Vec::new(),
        max_attempts: None,
        delay_seconds: at.duration_since(failed_at).as_secs_f64(),
    };
    builder.record_handler(visit.flow, at, retry);
    let retry_count = attempt.number - 1;
    builder.add_finding(visit.flow, at, Finding::Attempt { retry_count });
}

fn add_field(builder: &mut Builder, visit: &Visit, at: Timestamp, field: (&str, Arc<Value>)) {
    let finding = Finding::Field {
        field: field.0.to_owned(),
        value: field.1,
    };
    builder.add_finding(visit.flow, at, finding);
}

/// Records a failure of a task, an expression or a Map Run.
fn fail(builder: &mut Builder, visit: &Visit, event: &HistoryEvent) {
    let location = match &event.details {
        EventDetails::EvaluationFailed { location, .. } => location.as_deref(),
        _ => None,
    };
    let ErrorOutput { error, cause } = error_output(visit);
    let error = Finding::Error {
        error,
        cause,
        field: location.map(pointer),
    };
    builder.failed(visit.flow, event.timestamp, error);
}

fn error_output(visit: &Visit) -> ErrorOutput {
    let failure = visit.failure.as_ref();
    failure.map_or_else(ErrorOutput::default, |failure| {
        (*failure.error_output).clone()
    })
}

/// Converts `Output/to[0]` to a JSON Pointer.
fn pointer(location: &str) -> String {
    let steps = location
        .split(['/', '[', ']'])
        .filter(|step| !step.is_empty());
    steps.map(|step| format!("/{step}")).collect()
}
