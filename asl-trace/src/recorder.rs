//! Listens to the executions of a runtime.
use crate::account::{Account, Step, Strand, StrandKind};
use crate::builder::{Builder, DataRetention, Listener};
use crate::definition::Definition;
use crate::inspection::apply_event;
use crate::visit::Holder;
use asl_engine::runtime::{ChildOf, EndedExecution, ExecutionId, Observer, RunningExecution};
use asl_engine::{InspectedPlace, InspectionEvent, Inspector, Outcome};
use asl_model::StateMachine;
use asl_model::Timestamp;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Records an explanation of each execution of a runtime that it observes, including children.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use asl_engine::runtime::Runtime;
/// use asl_engine::Program;
/// use asl_trace::{Finding, DataRetention, Recorder};
/// use asl_model::{Options, parse};
/// use serde_json::json;
///
/// let (machine, _) = parse(r#"{"StartAt": "Big", "States": {
///     "Big": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericGreaterThan": 5, "Next": "Yes"}], "Default": "No"},
///     "Yes": {"Type": "Succeed"}, "No": {"Type": "Succeed"}}}"#, Options::default()).unwrap();
/// let recorder = Recorder::new(&machine, DataRetention::Everything);
/// let runtime = Runtime::builder().observer(recorder.clone()).build();
/// let start = runtime.unnamed(json!({"n": 3}));
/// let mut execution = runtime.start_execution(Program::compile(&machine).unwrap(), start).await;
/// let ended = execution.ended().await;
/// let account = recorder.take(execution.id(), &ended);
/// let Finding::Rule { matched, rule, because, .. } = &account.steps[0].findings[0].finding else { panic!() };
/// assert!(!matched);
/// assert_eq!(rule.as_deref(), Some("$.n > 5"));
/// assert_eq!(because[0].value.as_deref(), Some(&json!(3)));
/// assert_eq!(account.steps[1].state, "No");
/// # });
/// ```
#[derive(Clone)]
pub struct Recorder(Arc<RecorderState>);

struct RecorderState {
    definition: Arc<Definition>,
    kept: DataRetention,
    records: Mutex<Records>,
}

/// A state whose work is about to start.
#[derive(Debug)]
#[non_exhaustive]
pub struct Entry<'e> {
    /// The execution that it is of.
    pub execution: &'e RunningExecution,
    /// Holders of the state, outermost first.
    pub holders: &'e [Holder],
    /// Name of the state.
    pub state: &'e str,
    /// `Task`, `Choice`, …
    pub state_type: &'e str,
    /// Raw input of the state.
    pub input: &'e Value,
    /// Variables visible to the state.
    pub variables: &'e Map<String, Value>,
    /// 0 for the first attempt, 1 for the first retry, …
    pub retry_count: u64,
    /// Time of the event.
    pub at: Timestamp,
}

/// Callback before each attempt.
type EntryListener = Box<dyn FnMut(&Entry<'_>) + Send>;

#[derive(Default)]
struct Records {
    running: BTreeMap<ExecutionId, Record>,
    ended: HashMap<ExecutionId, Vec<Step>>,
    listener: Option<Listener>,
    entry_listener: Option<EntryListener>,
}

/// An execution that runs.
struct Record {
    builder: Builder,
    child: Option<Arc<ChildOf>>,
}

impl Records {
    /// Ends the children of an execution that has ended.
    fn end_children(&mut self, parent: ExecutionId) {
        let is_child =
            |record: &Record| record.child.as_ref().is_some_and(|it| it.parent == parent);
        let ids = self.running.iter().filter(|(_, record)| is_child(record));
        let ids: Vec<ExecutionId> = ids.map(|(id, _)| *id).collect();
        for id in ids {
            self.end(id, "ABORTED");
        }
    }

    fn end(&mut self, id: ExecutionId, status: &str) {
        // Recursion is bounded by the nesting of the definition.
        self.end_children(id);
        let Some(mut record) = self.running.remove(&id) else {
            return;
        };
        let steps = record.builder.finish(&mut self.listener);
        let Some(child) = record.child else {
            self.ended.insert(id, steps);
            return;
        };
        if let Some(parent) = self.running.get_mut(&child.parent) {
            let strand = Strand {
                kind: StrandKind::Child,
                index: child.index,
                retry_count: 0,
                status: Some(status.to_owned()),
                steps,
            };
            parent.builder.child(child.flow, &child.state, strand);
        }
    }
}

impl Recorder {
    /// Creates a recorder for executions of a definition.
    pub fn new(machine: &StateMachine, kept: DataRetention) -> Self {
        Self(Arc::new(RecorderState {
            definition: Arc::new(Definition::new(machine)),
            kept,
            records: Mutex::default(),
        }))
    }

    /// Calls the listener for each state that exited or in which an execution ended, with its holders, outermost first.
    #[must_use]
    pub fn on_step(self, listener: impl FnMut(&[Holder], &Step) + Send + 'static) -> Self {
        self.records().listener = Some(Box::new(listener));
        self
    }

    /// Calls the listener before each attempt of a state. The execution continues when the listener returns. A listener may
    /// block, and the runtime does nothing else in the meantime.
    #[must_use]
    pub fn on_entry(self, listener: impl FnMut(&Entry<'_>) + Send + 'static) -> Self {
        self.records().entry_listener = Some(Box::new(listener));
        self
    }

    /// Returns the explanation of an ended execution, and removes it from the recorder.
    pub fn take(&self, execution: ExecutionId, ended: &EndedExecution) -> Account {
        let steps = self.records().ended.remove(&execution);
        let failure = ended.outcome.failure();
        let (error, cause) = failure.map_or((None, None), |failure| (failure.error, failure.cause));
        let steps = steps.unwrap_or_default();
        Account {
            status: Some(ended.outcome.status().to_owned()),
            started: Some(ended.start_date),
            stopped: Some(ended.stop_date),
            input: steps.first().map(|step| Arc::clone(&step.input)),
            output: ended.outcome.output().cloned(),
            error,
            cause,
            steps,
        }
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.0
            .records
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Recorder {
    fn started(&self, execution: &RunningExecution) {
        let mut records = self.records();
        let holders = match &execution.child {
            Some(child) => {
                let parent = records.running.get(&child.parent);
                let mut holders = parent
                    .map(|parent| parent.builder.holders_of(child.flow))
                    .unwrap_or_default();
                holders.push(Holder {
                    state: Arc::clone(&child.state),
                    kind: StrandKind::Child,
                    index: child.index,
                });
                holders
            }
            None => Vec::new(),
        };
        let builder = Builder::new(Arc::clone(&self.0.definition), self.0.kept, holders);
        let child = execution.child.clone();
        let record = Record { builder, child };
        records.running.insert(execution.id, record);
    }

    fn inspector(&self, execution: &RunningExecution) -> Option<Box<dyn Inspector>> {
        Some(Box::new(Ear {
            recorder: self.clone(),
            execution: execution.clone(),
        }))
    }

    fn ended(&self, execution: &RunningExecution, outcome: &Outcome) {
        self.records().end(execution.id, outcome.status());
    }
}

/// Receives the events of one execution.
struct Ear {
    recorder: Recorder,
    execution: RunningExecution,
}

impl Inspector for Ear {
    fn inspected(&mut self, place: InspectedPlace<'_>, inspected: InspectionEvent<'_>) {
        let keeps_data = self.recorder.0.kept == DataRetention::Everything;
        let records = &mut *self.recorder.records();
        let keeps_data =
            keeps_data || records.listener.is_some() || records.entry_listener.is_some();
        if let Some(record) = records.running.get_mut(&self.execution.id) {
            let builder = &mut record.builder;
            let definition = &self.recorder.0.definition;
            apply_event(
                builder,
                definition,
                &mut records.listener,
                keeps_data,
                place,
                inspected,
            );
            if let (Some(listener), InspectionEvent::Attempt { input, retry_count }) =
                (&mut records.entry_listener, inspected)
            {
                listener(&Entry {
                    execution: &self.execution,
                    holders: &builder.holders_of(place.flow),
                    state: place.state,
                    state_type: definition.state_type(place.state),
                    input,
                    variables: &builder.variables(place.flow),
                    retry_count,
                    at: place.now,
                });
            }
        }
    }
}
