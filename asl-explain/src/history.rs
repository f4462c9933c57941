//! An account out of a history, as GetExecutionHistory returns it.
use crate::account::{Account, Finding, Step, Strand, StrandKind};
use crate::builder::{Builder, DataRetention, Onward};
use crate::definition::Definition;
use crate::event::Event;
use asl_model::{StateMachine, Timestamp};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Reasons why a text is not a history.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// The JSON has no array of events.
    #[error("expected an execution history, an object with an array \"events\"")]
    NoEvents,
    /// An event lacks what every event has.
    #[error("event {0} of the history has no \"id\", \"type\" or \"timestamp\"")]
    Event(usize),
}

/// A history, with the known histories of the child executions of its distributed Maps.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// `{"events": […]}`.
    pub events: Value,
    /// Children by the name of the Map State, in the order of its Map Runs and their items.
    pub children: Vec<ChildHistory>,
}

/// The history of a child execution.
#[derive(Debug, Clone, PartialEq)]
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
    /// What a history does not hold, as the rule of a Choice State that decided, [`replay`](crate::replay) finds out.
    ///
    /// ```
    /// use asl_explain::History;
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
    /// # Ok::<(), asl_explain::HistoryError>(())
    /// ```
    ///
    /// # Errors
    /// The JSON is not a history.
    pub fn account(&self, definition: Option<&StateMachine>) -> Result<Account, HistoryError> {
        let definition = definition.map(Definition::new).unwrap_or_default();
        self.account_with(&Arc::new(definition))
    }

    fn account_with(&self, definition: &Arc<Definition>) -> Result<Account, HistoryError> {
        let events = self.events.get("events").and_then(Value::as_array);
        let events = events.ok_or(HistoryError::NoEvents)?.iter().enumerate();
        let read = events.map(|(at, event)| Event::read(event).ok_or(HistoryError::Event(at)));
        let mut events = read.collect::<Result<Vec<_>, _>>()?;
        events.sort_by_key(|event| event.id);
        let mut reader = Reader::new(Arc::clone(definition));
        for child in &self.children {
            let account = child.history.account_with(definition)?;
            let key = (child.state.clone(), child.map_run);
            reader.children.entry(key).or_default().push(Strand {
                kind: StrandKind::Child,
                index: child.index,
                retry_count: 0,
                status: account.status,
                steps: account.steps,
            });
        }
        for event in &events {
            reader.read(event);
        }
        Ok(reader.finish())
    }
}

/// The origin of a flow: the parent flow, and the index of the iteration.
#[derive(Debug, Clone, Copy)]
struct FlowOrigin {
    parent: u64,
    iteration: Option<u64>,
}

struct Reader {
    builder: Builder,
    account: Account,
    /// The flow of each event.
    flows: HashMap<u64, u64>,
    openings: HashMap<u64, FlowOrigin>,
    /// The events that enter Parallel and Map States.
    entries: HashSet<u64>,
    /// Branches started so far, by parent flow.
    branches: HashMap<u64, u64>,
    next_flow: u64,
    children: HashMap<(String, usize), Vec<Strand>>,
    map_runs: HashMap<String, usize>,
    /// Time of each flow's last error.
    failed_at: HashMap<u64, Timestamp>,
}

impl Reader {
    fn new(definition: Arc<Definition>) -> Self {
        Self {
            builder: Builder::new(definition, DataRetention::Everything, Vec::new()),
            account: Account::default(),
            flows: HashMap::new(),
            openings: HashMap::new(),
            entries: HashSet::new(),
            branches: HashMap::new(),
            next_flow: 1,
            children: HashMap::new(),
            map_runs: HashMap::new(),
            failed_at: HashMap::new(),
        }
    }

    fn read(&mut self, event: &Event<'_>) {
        let before = self.flows.get(&event.previous).copied().unwrap_or(0);
        let flow = match event.kind {
            kind if kind.ends_with("StateEntered") => self.enter(event, before),
            kind if kind.ends_with("StateExited") => self.exit(event, before),
            "MapIterationStarted" => self.open_iteration(event, before),
            "ParallelStateStarted" | "MapStateStarted" => self.start_holder(event, before),
            kind if kind.starts_with("ParallelState") || kind.starts_with("MapState") => self
                .holder(before, |step| {
                    matches!(step.state_type.as_str(), "Parallel" | "Map")
                }),
            kind if kind.starts_with("MapRun") => self.map_run(event, before),
            kind if kind.starts_with("MapIteration") => before,
            kind if kind.starts_with("Execution") => self.execution(event, before),
            kind if kind.ends_with("Scheduled") => self.schedule(event, before),
            kind if kind.ends_with("Submitted") => self.submit(event, before),
            kind if kind.ends_with("Succeeded") => self.succeed(event, before),
            kind if kind.ends_with("Failed") || kind.ends_with("TimedOut") => {
                self.fail(event, before);
                before
            }
            _ => before,
        };
        self.flows.insert(event.id, flow);
    }

    fn enter(&mut self, event: &Event<'_>, before: u64) -> u64 {
        let opening = self.openings.get(&event.previous).copied();
        let (flow, parent) = match opening {
            Some(FlowOrigin { parent, iteration }) => {
                let flow = self.next_flow;
                self.next_flow += 1;
                let branch = self.branches.entry(parent).or_default();
                let index = iteration.unwrap_or(*branch);
                *branch += 1;
                (flow, Some((parent, index)))
            }
            None => (before, self.builder.parent(before)),
        };
        let state = event.text("name").unwrap_or_default();
        let input = event.data("input");
        self.builder
            .attempt((flow, parent), (state, event.at), input, 0);
        let state_type = event.kind.strip_suffix("StateEntered").unwrap_or_default();
        self.builder.name_type(flow, state_type);
        if matches!(state_type, "Parallel" | "Map") {
            self.entries.insert(event.id);
        }
        flow
    }

    /// Returns the nearest enclosing flow whose state matches.
    fn holder(&self, from: u64, is_it: impl Fn(&Step) -> bool) -> u64 {
        let mut at = Some(from);
        while let Some(flow) = at {
            if self.builder.open(flow).is_some_and(&is_it) {
                return flow;
            }
            at = self.builder.parent(flow).map(|(parent, _)| parent);
        }
        from
    }

    fn exit(&mut self, event: &Event<'_>, before: u64) -> u64 {
        let name = event.text("name").unwrap_or_default();
        let flow = self.holder(before, |step| step.state == name);
        for (name, value) in event.variables() {
            let finding = Finding::Variable { name, value };
            self.builder.add_finding(flow, event.at, finding);
        }
        if self.builder.has_failed(flow) {
            let caught = Finding::Catch {
                index: None,
                error_equals: Vec::new(),
            };
            self.builder.record_handler(flow, event.at, caught);
        }
        let left = (event.data("output"), Onward::Unknown);
        self.builder.record_exit(flow, event.at, left, &mut None);
        flow
    }

    fn open_iteration(&mut self, event: &Event<'_>, before: u64) -> u64 {
        let name = event.text("name").unwrap_or_default();
        let flow = self.holder(before, |step| step.state == name);
        let opening = FlowOrigin {
            parent: flow,
            iteration: event.number("index"),
        };
        self.openings.insert(event.id, opening);
        flow
    }

    fn start_holder(&mut self, event: &Event<'_>, before: u64) -> u64 {
        let flow = self.started_holder(event, before);
        if let Some(failed_at) = self.failed_at.get(&before).copied() {
            self.failed_at.insert(flow, failed_at);
        }
        self.record_retry(event, flow);
        if let Some(count) = event.number("length") {
            self.builder
                .add_finding(flow, event.at, Finding::Iterations { count });
        }
        if event.kind == "ParallelStateStarted" {
            self.branches.insert(flow, 0);
            let opening = FlowOrigin {
                parent: flow,
                iteration: None,
            };
            self.openings.insert(event.id, opening);
        }
        flow
    }

    /// Returns the flow of a state that starts. A first start follows the state's own entry. A retry follows a failure
    /// inside the state: the nearest state of its type that can be retried.
    fn started_holder(&self, event: &Event<'_>, before: u64) -> u64 {
        let state_type = event.kind.strip_suffix("StateStarted").unwrap_or_default();
        let is_type = |step: &Step| step.state_type == state_type;
        if self.entries.contains(&event.previous) {
            return before;
        }
        let definition = self.builder.definition();
        let found = self.holder(before, |step| {
            is_type(step) && definition.may_be_retried(&step.state)
        });
        match self.builder.open(found).is_some_and(is_type) {
            true => found,
            false => self.holder(before, is_type),
        }
    }

    fn map_run(&mut self, event: &Event<'_>, before: u64) -> u64 {
        let flow = self.holder(before, |step| step.state_type == "Map");
        let Some(state) = self.builder.open(flow).map(|step| step.state.clone()) else {
            return flow;
        };
        match event.kind {
            "MapRunStarted" => {
                self.builder.forget_iterations(flow);
                let run = self.map_runs.entry(state.clone()).or_default();
                let children = self.children.remove(&(state.clone(), *run));
                *run += 1;
                for child in children.unwrap_or_default() {
                    self.builder.child(flow, child);
                }
            }
            "MapRunFailed" => self.fail(event, flow),
            _ => {}
        }
        flow
    }

    fn execution(&mut self, event: &Event<'_>, before: u64) -> u64 {
        let account = &mut self.account;
        match event.kind {
            "ExecutionStarted" => {
                account.started = Some(event.at);
                account.input = Some(event.data("input"));
                return before;
            }
            "ExecutionRedriven" => return before,
            "ExecutionSucceeded" => account.output = Some(event.data("output")),
            _ => {
                account.error = event.text("error").map(str::to_owned);
                account.cause = event.text("cause").map(str::to_owned);
            }
        }
        account.stopped = Some(event.at);
        let status = match event.kind {
            "ExecutionSucceeded" => "SUCCEEDED",
            "ExecutionFailed" => "FAILED",
            "ExecutionTimedOut" => "TIMED_OUT",
            _ => "ABORTED",
        };
        account.status = Some(status.to_owned());
        if event.kind == "ExecutionFailed" && !self.builder.has_failed(before) {
            self.fail(event, before);
        }
        before
    }

    /// Records a retry if work starts after a failure.
    fn record_retry(&mut self, event: &Event<'_>, flow: u64) {
        if !self.builder.has_failed(flow) && !self.has_failed_within(flow) {
            return;
        }
        self.builder.gather(flow);
        let failed_at = self.failed_at.get(&flow).copied().unwrap_or(event.at);
        let delay = event.at.duration_since(failed_at);
        let retry = Finding::Retry {
            index: None,
            error_equals: Vec::new(),
            max_attempts: None,
            delay_seconds: delay.as_secs_f64(),
        };
        self.builder.record_handler(flow, event.at, retry);
        let retry_count = self.builder.open(flow).map_or(0, Step::retries) + 1;
        self.builder
            .add_finding(flow, event.at, Finding::Attempt { retry_count });
    }

    /// Returns true if a Parallel or Map state starts again after a failure inside it.
    fn has_failed_within(&self, flow: u64) -> bool {
        let step = self.builder.open(flow);
        step.is_some_and(|step| !step.strands.is_empty() || self.branches.contains_key(&flow))
            && step.is_some_and(|step| matches!(step.state_type.as_str(), "Parallel" | "Map"))
            && self.builder.holds_flows(flow)
    }

    fn schedule(&mut self, event: &Event<'_>, flow: u64) -> u64 {
        self.record_retry(event, flow);
        let field = if event.has("parameters") {
            "parameters"
        } else {
            "input"
        };
        let request = Finding::Field {
            field: "Request".to_owned(),
            value: event.data(field),
        };
        self.builder.add_finding(flow, event.at, request);
        flow
    }

    fn submit(&mut self, event: &Event<'_>, flow: u64) -> u64 {
        self.record_field(event, flow, "Submitted")
    }

    fn succeed(&mut self, event: &Event<'_>, flow: u64) -> u64 {
        self.record_field(event, flow, "Result")
    }

    fn record_field(&mut self, event: &Event<'_>, flow: u64, field: &str) -> u64 {
        let finding = Finding::Field {
            field: field.to_owned(),
            value: event.data("output"),
        };
        self.builder.add_finding(flow, event.at, finding);
        flow
    }

    fn fail(&mut self, event: &Event<'_>, flow: u64) {
        let text = |member| event.text(member).map(str::to_owned);
        let timed_out = event.kind.ends_with("TimedOut");
        let error = Finding::Error {
            error: text("error").or_else(|| timed_out.then(|| "States.Timeout".to_owned())),
            cause: text("cause"),
            field: event.text("location").map(pointer),
        };
        self.builder.failed(flow, event.at, error);
        self.failed_at.insert(flow, event.at);
    }

    fn finish(mut self) -> Account {
        self.account.steps = self.builder.finish(&mut None);
        self.account
    }
}

/// Converts `Output/to[0]` to a JSON Pointer.
fn pointer(location: &str) -> String {
    let steps = location
        .split(['/', '[', ']'])
        .filter(|step| !step.is_empty());
    steps.map(|step| format!("/{step}")).collect()
}
