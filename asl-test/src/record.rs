//! Record of a case: states in order, task calls, variables.
use crate::Definition;
use crate::coverage::{Collector, ReachedPoints};
use asl_engine::history::EventDetails;
use asl_engine::runtime::{ExecutionId, Observer, RunningExecution, Task};
use asl_engine::{EffectId, HistoryEvent, Inspector, Timestamp};
use asl_trace::{Holder, Spans, StrandKind};
use serde_json::{Map, Value};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The iterations that something is within, from the outermost: of each Map State its item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Place {
    /// The Map State, and the item's index, from 0.
    pub iterations: Vec<(Arc<str>, u64)>,
}

impl Place {
    /// Returns the item of the innermost Map.
    pub fn item(&self) -> Option<u64> {
        self.iterations.last().map(|(_, index)| *index)
    }
}

/// `, item 2 of `Each``, or nothing.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (map, index) in &self.iterations {
            write!(f, ", item {index} of `{map}`")?;
        }
        Ok(())
    }
}

/// A state that was entered.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Visit {
    /// Name of the state.
    pub state: Arc<str>,
    /// The iterations that it was within.
    pub place: Arc<Place>,
    /// Number of enclosing states.
    pub depth: usize,
    /// Time of the entry.
    pub entered: Timestamp,
    /// Raw input of the state.
    pub input: Arc<Value>,
    /// Time of the exit, with the output.
    pub left: Option<(Timestamp, Arc<Value>)>,
}

/// A task that was called.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// The Task State.
    pub state: Arc<str>,
    /// The iterations that it was within.
    pub place: Arc<Place>,
    /// Value of "Resource".
    pub resource: String,
    /// The payload.
    pub payload: Arc<Value>,
    /// 0 for the first invocation, 1 for the first retry, …
    pub retry_count: u64,
    /// Time of the call.
    pub at: Timestamp,
}

/// All that is recorded.
#[derive(Debug, Default)]
pub(crate) struct ExecutionRecord {
    pub(crate) visits: Vec<Visit>,
    pub(crate) calls: Vec<Call>,
    pub(crate) variables: Map<String, Value>,
    /// Missing mocks.
    pub(crate) gaps: Vec<String>,
    /// The state in which the execution failed.
    pub(crate) failed_in: Option<usize>,
    /// Coverage of the definitions that ran, if counted: the recorder's own first.
    pub(crate) covered: Vec<ReachedPoints>,
    executions: HashMap<ExecutionId, Execution>,
    /// Indexes of calls by effect.
    effects: HashMap<(ExecutionId, EffectId), usize>,
}

/// State of one execution.
#[derive(Debug, Default)]
struct Execution {
    spans: Spans,
    /// Indexes of visits, by the events that entered the states.
    visits: HashMap<u64, usize>,
    /// Places of requested tasks that have not started yet.
    scheduled: VecDeque<Arc<Place>>,
}

/// Records a case as it runs.
#[derive(Debug)]
pub(crate) struct Recorder {
    definition: Definition,
    /// Enclosing iterations of the whole execution, if it is nested.
    around: Arc<Place>,
    collector: Option<Arc<Collector>>,
    recorded: Mutex<ExecutionRecord>,
}

impl Recorder {
    pub(crate) fn new(definition: &Definition, covers: bool) -> Self {
        Self {
            definition: definition.clone(),
            around: Arc::default(),
            collector: covers.then(|| Arc::new(Collector::new(definition))),
            recorded: Mutex::default(),
        }
    }

    /// Variables that have values from the start.
    pub(crate) fn with_variables(self, variables: Map<String, Value>) -> Self {
        self.recorded().variables = variables;
        self
    }

    /// Of a state machine that runs in the place of a task there.
    pub(crate) fn nested(&self, definition: &Definition, around: &Arc<Place>) -> Self {
        Self {
            around: Arc::clone(around),
            ..Self::new(definition, self.collector.is_some())
        }
    }

    /// Returns all that was recorded so far; it is kept no longer.
    pub(crate) fn take(&self) -> ExecutionRecord {
        let mut recorded = std::mem::take(&mut *self.recorded());
        if let Some(collector) = &self.collector {
            let others = std::mem::take(&mut recorded.covered);
            recorded.covered.push(collector.covered());
            for covered in others {
                covered.merge_into(&mut recorded.covered);
            }
        }
        recorded
    }

    /// Something that the mocks lack.
    pub(crate) fn gap(&self, message: &str) {
        self.recorded().gaps.push(message.to_owned());
    }

    /// Adds the record of a state machine that ran for a task of `target`.
    pub(crate) fn absorb(&self, target: &str, nested: ExecutionRecord) {
        let named = |state: &str| Arc::<str>::from(format!("{target}/{state}"));
        let mut recorded = self.recorded();
        recorded
            .visits
            .extend(nested.visits.into_iter().map(|visit| Visit {
                state: named(&visit.state),
                depth: visit.depth + 1,
                ..visit
            }));
        recorded
            .calls
            .extend(nested.calls.into_iter().map(|call| Call {
                state: named(&call.state),
                ..call
            }));
        recorded.gaps.extend(nested.gaps);
        for covered in nested.covered {
            covered.merge_into(&mut recorded.covered);
        }
    }

    /// Records a call of a task, and returns its place.
    pub(crate) fn record_call(&self, task: &Task) -> Arc<Place> {
        let mut recorded = self.recorded();
        let (execution, invocation) = (task.execution().id, task.invocation());
        let known = recorded.executions.entry(execution).or_default();
        let place = known.scheduled.pop_front().unwrap_or_default();
        let index = recorded.calls.len();
        recorded.effects.insert((execution, invocation.id), index);
        recorded.calls.push(Call {
            state: Arc::clone(&invocation.state_name),
            place: Arc::clone(&place),
            resource: invocation.resource.uri.clone(),
            payload: Arc::clone(&invocation.payload),
            retry_count: invocation.retry_count,
            at: task.now(),
        });
        place
    }

    /// Returns the place of a task that was called before.
    pub(crate) fn place_of(&self, task: &Task) -> Arc<Place> {
        let recorded = self.recorded();
        let key = (task.execution().id, task.invocation().id);
        let call = recorded.effects.get(&key);
        let call = call.and_then(|index| recorded.calls.get(*index));
        call.map(|call| Arc::clone(&call.place)).unwrap_or_default()
    }

    fn recorded(&self) -> MutexGuard<'_, ExecutionRecord> {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the iterations that contain a state.
    fn place_within(&self, holders: &[Holder]) -> Arc<Place> {
        let is_iteration = |holder: &&Holder| holder.kind != StrandKind::Branch;
        let mut within = holders.iter().filter(is_iteration).peekable();
        if within.peek().is_none() {
            return Arc::clone(&self.around);
        }
        let within = within.map(|holder| (Arc::clone(&holder.state), holder.index));
        Arc::new(Place {
            iterations: self
                .around
                .iterations
                .iter()
                .cloned()
                .chain(within)
                .collect(),
        })
    }
}

impl Observer for Recorder {
    fn records_history(&self) -> bool {
        true
    }

    fn started(&self, execution: &RunningExecution) {
        let mut recorded = self.recorded();
        let parent = execution.child.as_ref().and_then(|child| {
            let parent = recorded.executions.get(&child.parent)?;
            Some(parent.spans.holders_of_child(&child.state, child.index))
        });
        let tree = self.definition.tree().clone();
        let started = Execution {
            spans: Spans::within(tree, parent.unwrap_or_default()),
            ..Execution::default()
        };
        recorded.executions.insert(execution.id, started);
    }

    fn inspector(&self, _: &RunningExecution) -> Option<Box<dyn Inspector>> {
        self.collector.as_ref().map(Collector::inspector)
    }

    fn event(&self, execution: &RunningExecution, event: HistoryEvent) {
        let recorded = &mut *self.recorded();
        let Some(running) = recorded.executions.get_mut(&execution.id) else {
            return;
        };
        let Some(span) = running.spans.push(&event).visit else {
            return;
        };
        match &event.details {
            EventDetails::StateEntered { .. } => {
                running.visits.insert(span.event_id, recorded.visits.len());
                recorded.visits.push(Visit {
                    state: Arc::clone(&span.state),
                    place: self.place_within(&span.holders),
                    depth: span.holders.len(),
                    entered: span.entered,
                    input: Arc::clone(&span.input),
                    left: None,
                });
            }
            EventDetails::StateExited {
                output,
                assigned_variables,
                ..
            } => {
                let visit = running.visits.remove(&span.event_id);
                if let Some(visit) = visit.and_then(|at| recorded.visits.get_mut(at)) {
                    visit.left = Some((event.timestamp, Arc::clone(output)));
                }
                if span.holders.is_empty() {
                    let assigned = assigned_variables.iter();
                    let assigned =
                        assigned.map(|(name, value)| (name.to_string(), Value::clone(value)));
                    recorded.variables.extend(assigned);
                }
            }
            EventDetails::LambdaFunctionScheduled { .. }
            | EventDetails::ActivityScheduled { .. }
            | EventDetails::TaskScheduled { .. } => {
                let place = self.place_within(&span.holders);
                running.scheduled.push_back(place);
            }
            EventDetails::ExecutionFailed(_)
            | EventDetails::ExecutionTimedOut(_)
            | EventDetails::ExecutionAborted(_)
                if !execution.is_child() =>
            {
                let failure = span.failure.as_ref();
                let origin = failure.map_or(span.event_id, |failure| failure.origin);
                recorded.failed_in = running.visits.get(&origin).copied();
            }
            _ => {}
        }
    }
}
