//! Record of a case: states in order, task calls, variables.
use crate::Definition;
use crate::coverage::{Collector, ReachedPoints};
use asl_engine::history::EventDetails;
use asl_engine::runtime::{ExecutionId, Observer, RunningExecution, Task};
use asl_engine::{EffectId, HistoryEvent, Inspector, Timestamp};
use serde_json::{Map, Value};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The iterations that something is within, from the outermost: of each Map State its item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
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
    /// The latest Map Run of each distributed Map, by its name in ARNs.
    map_runs: HashMap<String, MapRun>,
    /// Indexes of calls by effect.
    effects: HashMap<(ExecutionId, EffectId), usize>,
}

/// State of one execution.
#[derive(Debug, Default)]
struct Execution {
    /// Of a child of a distributed Map, its item.
    place: Place,
    /// By the events' ids.
    contexts: Vec<Context>,
    /// States that were entered and not left.
    open: HashMap<(Arc<str>, Arc<Place>), usize>,
    /// Places of requested tasks that have not started yet.
    scheduled: VecDeque<Arc<Place>>,
}

/// A distributed Map whose children begin, in the order of their items.
#[derive(Debug)]
struct MapRun {
    state: Arc<str>,
    place: Arc<Place>,
    next_item: u64,
}

/// The enclosing state and iterations of an event, derived from the previous event.
#[derive(Debug, Clone, Default)]
struct Context {
    place: Arc<Place>,
    visit: Option<usize>,
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

    /// Of the iterations around an event, those that a state is within.
    fn place_of_state(&self, state: &str, place: &Arc<Place>) -> Arc<Place> {
        let around = self.definition.enclosing_states(state).unwrap_or_default();
        let is_around = |map: &str| around.iter().any(|state| state == map);
        let outside = self.around.iterations.len().min(place.iterations.len());
        let (outside, within) = place.iterations.split_at(outside);
        if within.iter().all(|(map, _)| is_around(map)) {
            return Arc::clone(place);
        }
        let within = within.iter().filter(|(map, _)| is_around(map));
        Arc::new(Place {
            iterations: outside.iter().chain(within).cloned().collect(),
        })
    }
}

impl Observer for Recorder {
    fn records_history(&self) -> bool {
        true
    }

    fn started(&self, execution: &RunningExecution) {
        let mut recorded = self.recorded();
        let place = match execution.is_child() {
            true => recorded.place_of_child(execution),
            false => Place::clone(&self.around),
        };
        let known = Execution {
            place,
            ..Execution::default()
        };
        recorded.executions.insert(execution.id, known);
    }

    fn inspector(&self, _: &RunningExecution) -> Option<Box<dyn Inspector>> {
        self.collector.as_ref().map(Collector::inspector)
    }

    fn event(&self, execution: &RunningExecution, event: HistoryEvent) {
        let mut recorded = self.recorded();
        let mut known = recorded
            .executions
            .remove(&execution.id)
            .unwrap_or_default();
        let context = self.next_context(&mut recorded, &mut known, execution, &event);
        let index = usize::try_from(event.id).unwrap_or_default();
        if known.contexts.len() <= index {
            known.contexts.resize(index + 1, Context::default());
        }
        if let Some(place) = known.contexts.get_mut(index) {
            *place = context;
        }
        recorded.executions.insert(execution.id, known);
    }
}

impl Recorder {
    /// Records an event, and what the events after it are within.
    fn next_context(
        &self,
        recorded: &mut ExecutionRecord,
        known: &mut Execution,
        execution: &RunningExecution,
        event: &HistoryEvent,
    ) -> Context {
        let previous = usize::try_from(event.previous_event_id).unwrap_or_default();
        let beginning = || Context {
            place: Arc::new(known.place.clone()),
            visit: None,
        };
        let before = known.contexts.get(previous).filter(|_| previous > 0);
        let mut context = before.cloned().unwrap_or_else(beginning);
        match &event.details {
            EventDetails::StateEntered { name, input, .. } => {
                context.place = self.place_of_state(name, &context.place);
                let visit = Visit {
                    state: Arc::clone(name),
                    place: Arc::clone(&context.place),
                    depth: self
                        .definition
                        .enclosing_states(name)
                        .unwrap_or_default()
                        .len(),
                    entered: event.timestamp,
                    input: Arc::clone(input),
                    left: None,
                };
                context.visit = Some(recorded.enter(known, visit));
            }
            EventDetails::StateExited {
                name,
                output,
                assigned_variables,
                ..
            } => {
                context.place = self.place_of_state(name, &context.place);
                let key = (Arc::clone(name), Arc::clone(&context.place));
                context.visit = known.open.remove(&key);
                let visit = context.visit.and_then(|at| recorded.visits.get_mut(at));
                let is_outermost = visit.as_ref().is_some_and(|visit| visit.depth == 0);
                if let Some(visit) = visit {
                    visit.left = Some((event.timestamp, Arc::clone(output)));
                }
                if is_outermost && !execution.is_child() {
                    for (name, value) in assigned_variables {
                        let value = Value::clone(value);
                        recorded.variables.insert(name.to_string(), value);
                    }
                }
            }
            EventDetails::LambdaFunctionScheduled { .. }
            | EventDetails::ActivityScheduled { .. }
            | EventDetails::TaskScheduled { .. } => {
                known.scheduled.push_back(Arc::clone(&context.place));
            }
            EventDetails::MapIterationStarted { name, index } => {
                let place = self.place_of_state(name, &context.place);
                let mut place = Place::clone(&place);
                place.iterations.push((Arc::clone(name), *index));
                context.place = Arc::new(place);
            }
            EventDetails::MapRunStarted { map_run_arn } => {
                recorded.start_map_run(map_run_arn, context.visit);
            }
            EventDetails::ExecutionFailed(_)
            | EventDetails::ExecutionTimedOut(_)
            | EventDetails::ExecutionAborted(_)
                if !execution.is_child() =>
            {
                recorded.failed_in = context.visit;
            }
            _ => {}
        }
        context
    }
}

impl ExecutionRecord {
    fn enter(&mut self, known: &mut Execution, visit: Visit) -> usize {
        let index = self.visits.len();
        let key = (Arc::clone(&visit.state), Arc::clone(&visit.place));
        known.open.insert(key, index);
        self.visits.push(visit);
        index
    }

    fn start_map_run(&mut self, arn: &str, visit: Option<usize>) {
        let name = arn.split_once(":mapRun:").map(|(_, name)| name);
        let name = name.and_then(|name| name.split(':').next());
        let visit = visit.and_then(|at| self.visits.get(at));
        if let (Some(name), Some(visit)) = (name, visit) {
            let run = MapRun {
                state: Arc::clone(&visit.state),
                place: Arc::clone(&visit.place),
                next_item: 0,
            };
            self.map_runs.insert(name.to_owned(), run);
        }
    }

    fn place_of_child(&mut self, child: &RunningExecution) -> Place {
        let arn = child.identity.execution_arn();
        let name = arn.split_once(":execution:").map(|(_, name)| name);
        let name = name.and_then(|name| name.split(':').next());
        let Some(run) = name.and_then(|name| self.map_runs.get_mut(name)) else {
            return Place::default();
        };
        let mut place = Place::clone(&run.place);
        place
            .iterations
            .push((Arc::clone(&run.state), run.next_item));
        run.next_item += 1;
        place
    }
}
