//! A test reads like a protocol trace: a definition, its input, what its tasks answer when, and what came of it.
//!
//! Every case runs twice, the second time saved and restored between any two calls: both must do the same.
use asl_engine::{
    EffectId, ErrorOutput, Execution, HistoryEvent, Input, Limits, Outcome, Output, Program,
    SavedExecution, Start, StorageRequest, StorageResult, TaskInvocation,
};
use asl_model::{Options, Profile, ResourceNames, StateMachineType, Timestamp};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Calls after which a case is not saved and restored any more: long loops would take too long.
const RESTORED_CALLS: usize = 300;

/// Returns the start time of every case.
pub(crate) fn start_time() -> Timestamp {
    Timestamp::parse("2024-01-01T00:00:00Z").expect("a timestamp")
}

/// Inputs that follow an invocation of a task, each after a number of seconds.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answer {
    replies: Vec<(u64, Reply)>,
}

#[derive(Debug, Clone)]
enum Reply {
    Started(String),
    Submitted(Value),
    Heartbeat,
    Succeeded(Value),
    Failed(Option<String>, Option<String>),
}

/// Returns the task succeeds at once.
pub(crate) fn ok(output: Value) -> Answer {
    Answer {
        replies: vec![(0, Reply::Succeeded(output))],
    }
}

/// The task fails at once.
pub(crate) fn fail(error: &str, cause: &str) -> Answer {
    let failed = Reply::Failed(Some(error.to_owned()), Some(cause.to_owned()));
    Answer {
        replies: vec![(0, failed)],
    }
}

/// The task fails at once with neither error nor cause.
pub(crate) fn fail_without_name() -> Answer {
    Answer {
        replies: vec![(0, Reply::Failed(None, None))],
    }
}

/// Returns the answer of a task that never answers.
pub(crate) fn never() -> Answer {
    Answer::default()
}

impl Answer {
    /// All of it so many seconds later.
    pub(crate) fn after(mut self, seconds: u64) -> Self {
        for reply in &mut self.replies {
            reply.0 += seconds;
        }
        self
    }

    /// The task is alive at these seconds after its invocation.
    pub(crate) fn with_heartbeats(mut self, seconds: &[u64]) -> Self {
        let heartbeats = seconds.iter().map(|at| (*at, Reply::Heartbeat));
        self.replies.splice(0..0, heartbeats);
        self
    }

    /// A worker takes the task up at once.
    pub(crate) fn started_by(mut self, worker: &str) -> Self {
        self.replies
            .insert(0, (0, Reply::Started(worker.to_owned())));
        self
    }

    /// The service takes the request at once.
    pub(crate) fn submitted(mut self, output: Value) -> Self {
        self.replies.insert(0, (0, Reply::Submitted(output)));
        self
    }

    /// Another answer to the same invocation, so many seconds after it.
    pub(crate) fn and_again(mut self, seconds: u64, again: Self) -> Self {
        self.replies.extend(again.after(seconds).replies);
        self
    }
}

impl Reply {
    fn input(self, id: EffectId) -> Input {
        match self {
            Self::Started(worker) => Input::TaskStarted {
                id,
                worker_name: Some(worker),
            },
            Self::Submitted(output) => Input::TaskSubmitted {
                id,
                output: output.into(),
            },
            Self::Heartbeat => Input::TaskHeartbeat { id },
            Self::Succeeded(output) => Input::TaskSucceeded {
                id,
                output: output.into(),
            },
            Self::Failed(error, cause) => Input::TaskFailed {
                id,
                error_output: ErrorOutput { error, cause },
            },
        }
    }
}

/// A definition with all that happens around it.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    definition: Value,
    profile: Profile,
    start: Start,
    answers: BTreeMap<String, VecDeque<Answer>>,
    storage: VecDeque<Result<StorageResult, String>>,
    inputs: Vec<(u64, Input)>,
}

impl Case {
    /// Creates a machine with `{}` as input, whose history is recorded.
    pub(crate) fn new(definition: Value) -> Self {
        let mut start = Start::new("execution", serde_json::json!({}), start_time());
        start.record_history = true;
        Self {
            definition,
            profile: Profile::Aws,
            start,
            answers: BTreeMap::new(),
            storage: VecDeque::new(),
            inputs: Vec::new(),
        }
    }

    /// Creates a machine of one state, "State", that is the last.
    pub(crate) fn of_state(mut state: Value) -> Self {
        if let Some(fields) = state.as_object_mut()
            && !matches!(
                fields.get("Type").and_then(Value::as_str),
                Some("Choice" | "Succeed" | "Fail")
            )
            && !fields.contains_key("Next")
        {
            fields.insert("End".to_owned(), Value::Bool(true));
        }
        Self::new(serde_json::json!({"StartAt": "State", "States": {"State": state}}))
    }

    /// Returns one more state of the machine.
    pub(crate) fn state(mut self, name: &str, state: Value) -> Self {
        self.definition["States"][name] = state;
        self
    }

    /// Returns a state that passes on what a catcher gives it.
    pub(crate) fn caught_by(self, name: &str) -> Self {
        self.state(name, serde_json::json!({"Type": "Succeed"}))
    }

    pub(crate) fn input(mut self, input: Value) -> Self {
        self.start.input = Arc::new(input);
        self
    }

    /// Adds the answer to the next invocation of a state's task.
    pub(crate) fn task(mut self, state: &str, answer: Answer) -> Self {
        self.answers
            .entry(state.to_owned())
            .or_default()
            .push_back(answer);
        self
    }

    /// Adds the next result of the object store.
    pub(crate) fn stored(mut self, result: StorageResult) -> Self {
        self.storage.push_back(Ok(result));
        self
    }

    /// The object store fails next.
    pub(crate) fn storage_fails(mut self, cause: &str) -> Self {
        self.storage.push_back(Err(cause.to_owned()));
        self
    }

    /// Something that happens so many seconds after the start.
    pub(crate) fn at(mut self, seconds: u64, input: Input) -> Self {
        self.inputs.push((seconds, input));
        self
    }

    pub(crate) fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Changes how the execution starts.
    pub(crate) fn starting(mut self, change: impl FnOnce(&mut Start)) -> Self {
        change(&mut self.start);
        self
    }

    pub(crate) fn limits(self, change: impl FnOnce(&mut Limits)) -> Self {
        self.starting(|start| change(&mut start.limits))
    }

    pub(crate) fn express(self) -> Self {
        self.starting(|start| start.state_machine_type = StateMachineType::Express)
    }

    /// Runs to the end.
    pub(crate) fn run(self) -> Run {
        let run = self.run_until_idle();
        assert!(
            run.outcome.is_some(),
            "it waits for ever after {:#?}",
            run.trace
        );
        run
    }

    /// Runs until it ends or has nothing to wait for; no answer may be left over.
    pub(crate) fn run_until_idle(self) -> Run {
        let program = self.program();
        let run = Driver::new(self.clone(), Arc::clone(&program), 0).run();
        let restored = Driver::new(self, program, RESTORED_CALLS).run();
        assert_eq!(run.outputs, restored.outputs, "saving changes what it does");
        run
    }

    pub(crate) fn program(&self) -> Arc<Program> {
        let options = Options::default()
            .with_profile(self.profile)
            .with_resources(ResourceNames::Any);
        let machine = match asl_model::parse_value(&self.definition, options) {
            Ok((machine, _warnings)) => machine,
            Err(faults) => panic!("the definition is wrong: {faults:#?}"),
        };
        Arc::new(Program::compile(&machine).expect("it compiles"))
    }

    pub(crate) fn start(&self) -> Start {
        self.start.clone()
    }
}

/// Returns a Parallel State with more fields.
pub(crate) fn parallel(branches: Value, fields: Value) -> Case {
    let state = json!({"Type": "Parallel", "Branches": branches});
    Case::of_state(with_fields(state, &fields))
}

/// Returns an object with more fields.
pub(crate) fn with_fields(mut object: Value, fields: &Value) -> Value {
    for (name, value) in fields.as_object().expect("fields") {
        object[name] = value.clone();
    }
    object
}

/// Runs what reads a thousand levels of saved data: serde reads them by recursion, and a test thread's stack is
/// small for that without optimisation.
pub(crate) fn on_large_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let large = std::thread::Builder::new().stack_size(64 << 20);
        let thread = large.spawn_scoped(scope, run).expect("a thread");
        match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Returns an execution through its text.
pub(crate) fn restored(execution: &Execution, program: &Arc<Program>) -> Execution {
    let text = serde_json::to_string(&execution.save()).expect("an execution can be saved");
    let saved: SavedExecution = serde_json::from_str(&text).expect("a save can be read");
    saved
        .restore(Arc::clone(program))
        .expect("it is a save of this program")
}

/// Result of a case.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) outcome: Option<Outcome>,
    /// Of the execution itself, not of its children.
    pub(crate) events: Vec<HistoryEvent>,
    /// With the seconds since the start.
    pub(crate) invocations: Vec<(f64, Arc<TaskInvocation>)>,
    pub(crate) storage_requests: Vec<StorageRequest>,
    /// Starts of the children.
    pub(crate) children: Vec<Start>,
    pub(crate) transitions: u64,
    /// From the start to the end.
    pub(crate) seconds: f64,
    /// Number of calls that spent their turn budget.
    pub(crate) yields: usize,
    /// Outputs other than events, in order: "5 cancel Task".
    pub(crate) trace: Vec<String>,
    /// All outputs as texts.
    outputs: Vec<String>,
}

impl Run {
    #[track_caller]
    pub(crate) fn succeeds(self, output: Value) -> Self {
        let expected = Outcome::Succeeded(Arc::new(output));
        assert_eq!(self.outcome, Some(expected));
        self
    }

    /// Returns the output of an execution that succeeded.
    #[track_caller]
    pub(crate) fn output(self) -> Arc<Value> {
        let outcome = self.outcome.expect("it should end");
        outcome.into_result().expect("it should succeed")
    }

    #[track_caller]
    pub(crate) fn fails(self, error: &str, cause: &str) -> Self {
        let expected = Outcome::Failed(ErrorOutput {
            error: Some(error.to_owned()),
            cause: Some(cause.to_owned()),
        });
        assert_eq!(self.outcome, Some(expected));
        self
    }

    /// It failed with this error, whatever the cause.
    #[track_caller]
    pub(crate) fn fails_with(self, name: &str) -> Self {
        match &self.outcome {
            Some(Outcome::Failed(ErrorOutput { error, .. })) => {
                assert_eq!(error.as_deref(), Some(name))
            }
            other => panic!("it should fail with {name}: {other:?}"),
        }
        self
    }

    /// The seconds at which a state's task was invoked.
    pub(crate) fn invoked_at(&self, state: &str) -> Vec<f64> {
        self.of_state(state).map(|(at, _)| *at).collect()
    }

    /// Returns the payloads of a state's task.
    pub(crate) fn payloads(&self, state: &str) -> Vec<Value> {
        self.of_state(state)
            .map(|(_, invocation)| (*invocation.payload).clone())
            .collect()
    }

    fn of_state(&self, state: &str) -> impl Iterator<Item = &(f64, Arc<TaskInvocation>)> {
        self.invocations
            .iter()
            .filter(move |(_, invocation)| &*invocation.state_name == state)
    }

    /// Returns the events as "3 <- 2 PassStateExited".
    pub(crate) fn history(&self) -> Vec<String> {
        self.events
            .iter()
            .map(|event| {
                let (id, previous) = (event.id, event.previous_event_id);
                format!("{id} <- {previous} {}", event.event_type())
            })
            .collect()
    }
}

/// One execution and who waits for it.
struct CaseExecution {
    execution: Execution,
    parent: Option<(usize, EffectId)>,
    waits_until: Option<Timestamp>,
    ended: bool,
}

/// A host with a virtual clock: performs effects by the script, and steps to whatever is due next.
struct Driver {
    case: Case,
    program: Arc<Program>,
    now: Timestamp,
    hosted: Vec<CaseExecution>,
    /// Pending inputs, by time and order, with the number of their execution.
    pending: BTreeMap<(Timestamp, usize), (usize, Input)>,
    next_number: usize,
    restores_left: usize,
    run: Run,
}

impl Driver {
    fn new(case: Case, program: Arc<Program>, restores_left: usize) -> Self {
        let execution = Execution::start(Arc::clone(&program), case.start.clone());
        let mut driver = Self {
            program,
            now: start_time(),
            hosted: Vec::new(),
            pending: BTreeMap::new(),
            next_number: 0,
            restores_left,
            run: Run::default(),
            case,
        };
        driver.host(execution, None);
        for (seconds, input) in std::mem::take(&mut driver.case.inputs) {
            driver.schedule(seconds, 0, input);
        }
        driver
    }

    fn host(&mut self, execution: Execution, parent: Option<(usize, EffectId)>) {
        self.hosted.push(CaseExecution {
            execution,
            parent,
            waits_until: None,
            ended: false,
        });
    }

    fn schedule(&mut self, seconds: u64, which: usize, input: Input) {
        let key = (self.now.plus_seconds(seconds), self.next_number);
        self.next_number += 1;
        self.pending.insert(key, (which, input));
    }

    fn run(mut self) -> Run {
        loop {
            self.poll_all();
            if self.run.outcome.is_some() || !self.step() {
                break;
            }
        }
        let left: Vec<_> = self
            .case
            .answers
            .iter()
            .filter(|(_, left)| !left.is_empty())
            .collect();
        assert!(left.is_empty(), "answers nobody asked for: {left:?}");
        assert!(
            self.case.storage.is_empty(),
            "storage results nobody asked for"
        );
        self.run.transitions = self.hosted[0].execution.transitions();
        self.run.seconds = self.seconds();
        self.run
    }

    fn seconds(&self) -> f64 {
        self.now.duration_since(start_time()).as_secs_f64()
    }

    /// Polls every execution, new ones too, until all wait.
    fn poll_all(&mut self) {
        let mut which = 0;
        while which < self.hosted.len() {
            self.poll(which);
            which += 1;
        }
    }

    fn poll(&mut self, which: usize) {
        if self.hosted[which].ended {
            return;
        }
        loop {
            self.save_and_restore(which);
            let output = self.hosted[which].execution.poll_output();
            let text = serde_json::to_string(&output).expect("outputs can be written");
            self.run.outputs.push(format!("{which} {text}"));
            if let Output::Event(event) = &output {
                // As the API shows it, which may distinguish what the text does not.
                self.run.outputs.push(event.to_json().to_string());
            }
            match output {
                Output::Wait { until: Some(until) } if until <= self.now => {
                    self.run.yields += 1;
                    let now = self.now;
                    self.tell(which, now, Input::TimePassed);
                }
                Output::Wait { until } => {
                    self.hosted[which].waits_until = until;
                    return;
                }
                Output::Done(outcome) => return self.ended(which, outcome),
                effect => self.perform(which, effect),
            }
        }
    }

    fn save_and_restore(&mut self, which: usize) {
        if self.restores_left > 0 {
            self.restores_left -= 1;
            let execution = &mut self.hosted[which].execution;
            *execution = restored(execution, &self.program);
        }
    }

    fn ended(&mut self, which: usize, outcome: Outcome) {
        self.hosted[which].ended = true;
        match self.hosted[which].parent {
            None => {
                self.note(format!("done {}", outcome.status()));
                self.run.outcome = Some(outcome);
            }
            Some((parent, id)) => {
                self.schedule(0, parent, Input::ChildExecutionEnded { id, outcome });
            }
        }
    }

    fn note(&mut self, what: String) {
        let seconds = self.seconds();
        self.run.trace.push(format!("{seconds} {what}"));
    }

    fn perform(&mut self, which: usize, effect: Output) {
        match effect {
            Output::InvokeTask(invocation) => self.invoke(which, invocation),
            Output::CancelTask { id } => {
                let cancelled = self
                    .run
                    .invocations
                    .iter()
                    .rev()
                    .find(|(_, invocation)| invocation.id == id);
                let name = cancelled.map(|(_, invocation)| Arc::clone(&invocation.state_name));
                let name = name.expect("what is cancelled was invoked");
                self.note(format!("cancel {name}"));
            }
            Output::Storage(request) => self.store(which, *request),
            Output::StartChildExecution(child) => {
                let index = self.run.children.len();
                self.note(format!("start child {index}"));
                self.run.children.push(child.start.clone());
                let id = child.id;
                let execution = Execution::start_child(Arc::clone(&self.program), *child, None);
                self.host(execution, Some((which, id)));
            }
            Output::StopChildExecution { id } => self.stop_child(which, id),
            Output::Event(event) if which == 0 => self.run.events.push(*event),
            _ => {}
        }
    }

    fn invoke(&mut self, which: usize, invocation: Arc<TaskInvocation>) {
        let name = Arc::clone(&invocation.state_name);
        self.note(format!("invoke {name}"));
        let answers = self.case.answers.get_mut(&*name);
        let answer = answers.and_then(VecDeque::pop_front);
        let answer = answer.unwrap_or_else(|| panic!("{name} has no answer left"));
        for (seconds, reply) in answer.replies {
            self.schedule(seconds, which, reply.input(invocation.id));
        }
        let seconds = self.seconds();
        self.run.invocations.push((seconds, invocation));
    }

    fn store(&mut self, which: usize, request: StorageRequest) {
        let id = request.id;
        self.note("storage".to_owned());
        self.run.storage_requests.push(request);
        let result = self.case.storage.pop_front();
        let input = match result.expect("the object store has an answer left") {
            Ok(result) => Input::StorageSucceeded { id, result },
            Err(cause) => Input::StorageFailed { id, cause },
        };
        self.schedule(0, which, input);
    }

    fn stop_child(&mut self, parent: usize, id: EffectId) {
        let child = self
            .hosted
            .iter()
            .position(|hosted| hosted.parent == Some((parent, id)));
        let child = child.expect("what is stopped was started");
        self.note(format!("stop child {}", child - 1));
        let stop = Input::Stop(ErrorOutput::default());
        let now = self.now;
        self.tell(child, now, stop);
        self.poll(child);
    }

    fn tell(&mut self, which: usize, now: Timestamp, input: Input) {
        self.save_and_restore(which);
        self.hosted[which].execution.handle_input(now, input);
    }

    /// Goes to what happens next; false if nothing does.
    fn step(&mut self) -> bool {
        let due = self.hosted.iter().enumerate().filter(|(_, h)| !h.ended);
        let timer = due
            .filter_map(|(which, hosted)| Some((hosted.waits_until?, which)))
            .min();
        let input = self.pending.first_key_value().map(|((at, _), _)| *at);
        match (timer, input) {
            (Some((at, which)), input) if input.is_none_or(|input| at < input) => {
                self.now = self.now.max(at);
                self.tell(which, self.now, Input::TimePassed);
                true
            }
            (_, Some(_)) => {
                if let Some(((at, _), (which, input))) = self.pending.pop_first() {
                    self.now = self.now.max(at);
                    self.tell(which, self.now, input);
                }
                true
            }
            _ => false,
        }
    }
}
