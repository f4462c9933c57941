//! The loop of the core: which flow runs next, and for how long.
use super::context::ContextObject;
use super::data::Data;
use super::error::StateError;
use super::flow::{Flow, FlowId, Flows, Phase};
use super::output::ChildItem;
use super::random::Random;
use super::timers::{TimerOwner, Timers};
use super::{EffectId, Input, Output, Start};
use crate::history::EventDetails;
use crate::program::{ScopeIndex, StateAction, StateProgram};
use crate::{Outcome, Program};
use asl_model::Timestamp;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Outputs that may wait before a flow lets its host take them.
const MAX_QUEUED_OUTPUTS: usize = 256;

/// All that an execution knows besides its program.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Machine {
    pub(super) start: Start,
    /// The item that a child execution of a distributed Map is about.
    pub(super) item: Option<ChildItem>,
    pub(super) now: Timestamp,
    pub(super) random: Random,
    pub(super) flows: Flows,
    /// Flows that can go on.
    pub(super) ready: VecDeque<FlowId>,
    pub(super) timers: Timers,
    /// Which flow waits for which effect.
    pub(super) effects: BTreeMap<EffectId, FlowId>,
    next_effect_id: u64,
    pub(super) outputs: VecDeque<Output>,
    /// Events so far, recorded or not.
    pub(super) event_count: u64,
    transitions: u64,
    /// Transitions left before the core yields to its host.
    budget: u32,
    outcome: Option<Outcome>,
    /// Built when a path first reads it.
    #[serde(skip)]
    pub(super) context: ContextObject,
}

/// What became of a flow after one step.
pub(super) enum Step {
    /// It can go on at once.
    Continue,
    /// It waits, or is no more.
    Stop,
}

impl Machine {
    pub(super) fn new(program: &Program, start: Start, item: Option<ChildItem>) -> Self {
        let scope = item.as_ref().map_or(ScopeIndex(0), |item| item.scope);
        let mut machine = Self {
            now: start.now,
            random: Random::new(start.seed, &start.identity.execution_arn),
            flows: Flows::default(),
            ready: VecDeque::new(),
            timers: Timers::default(),
            effects: BTreeMap::new(),
            next_effect_id: 0,
            outputs: VecDeque::new(),
            event_count: 0,
            transitions: 0,
            budget: start.limits.transition_budget.max(1),
            outcome: None,
            context: ContextObject::default(),
            item,
            start,
        };
        let input = Arc::clone(&machine.start.input);
        let identity = Arc::clone(&machine.start.identity);
        machine.record(0, || EventDetails::ExecutionStarted {
            input: Arc::clone(&input),
            role_arn: identity.role_arn.clone(),
        });
        if let Some(seconds) = program.timeout_seconds.filter(|_| scope == ScopeIndex(0)) {
            machine
                .timers
                .set(machine.now.plus_seconds(seconds), TimerOwner::Machine);
        }
        let data = Data::from_shared(input, &machine.start.limits);
        let id = machine
            .flows
            .insert(Flow::new(None, program.start_of(scope), data, 0));
        machine.ready.push_back(id);
        machine
    }

    pub(super) fn start(&self) -> &Start {
        &self.start
    }

    pub(super) fn transitions(&self) -> u64 {
        self.transitions
    }

    pub(super) fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    pub(super) fn handle_input(&mut self, program: &Program, now: Timestamp, input: Input) {
        // Time never runs backwards, whatever clock the host has.
        self.now = self.now.max(now);
        self.budget = self.start.limits.transition_budget.max(1);
        if self.outcome.is_some() {
            return;
        }
        self.fire_timers(program);
        match input {
            Input::TimePassed => {}
            Input::Fail { error, cause } => {
                let error = StateError::reported(error, cause, program.profile());
                self.fail_execution(self.event_count, error);
            }
            Input::Stop { error, cause } => self.stop(error, cause),
            Input::TaskStarted { id, worker_name } => self.task_started(program, id, worker_name),
            Input::TaskSubmitted { id, output } => self.task_submitted(program, id, output),
            Input::TaskSucceeded { id, output } => self.task_succeeded(program, id, output),
            Input::TaskFailed { id, error, cause } => {
                let error = StateError::reported(error, cause, program.profile());
                self.task_failed(program, id, error);
            }
            Input::TaskHeartbeat { id } => self.task_heartbeat(id),
            Input::StorageSucceeded { id, result } => self.storage_succeeded(program, id, result),
            Input::StorageFailed { id, cause } => self.storage_failed(id, cause),
            Input::ChildExecutionEnded { id, outcome } => {
                self.child_execution_ended(program, id, outcome)
            }
        }
    }

    pub(super) fn poll_output(&mut self, program: &Program) -> Output {
        loop {
            if let Some(output) = self.outputs.pop_front() {
                return output;
            }
            if let Some(outcome) = &self.outcome {
                return Output::Done(outcome.clone());
            }
            if self.budget == 0 && !self.ready.is_empty() {
                return Output::Wait {
                    until: Some(self.now),
                };
            }
            match self.ready.pop_front() {
                Some(id) => self.run(program, id),
                None => {
                    return Output::Wait {
                        until: self.timers.next_due(),
                    };
                }
            }
        }
    }

    /// Runs a flow until it waits, ends, or the budget of this call is used up.
    fn run(&mut self, program: &Program, id: FlowId) {
        while self.outcome.is_none() {
            if self.budget == 0 || self.outputs.len() >= MAX_QUEUED_OUTPUTS {
                self.ready.push_front(id);
                return;
            }
            // A flow that was cancelled while it was ready is gone.
            let Some(flow) = self.flows.get_mut(id) else {
                return;
            };
            let state = program.state(flow.state);
            let phase = std::mem::replace(&mut flow.phase, Phase::Entering);
            let step = match phase {
                Phase::Entering => self.enter(program, id, state),
                Phase::Reattempting => self.attempt(program, id, state),
                Phase::Settled(result) => self.settle(program, id, state, *result),
                Phase::Map(iterations) => self.start_iteration(program, id, state, iterations),
                Phase::DistributedMap(map) => {
                    self.continue_distributed_map(program, id, state, map)
                }
                waiting => {
                    flow.phase = waiting;
                    Step::Stop
                }
            };
            if matches!(step, Step::Stop) {
                return;
            }
        }
    }

    /// Enters a state: its event, its transition, its first attempt.
    fn enter(&mut self, program: &Program, id: FlowId, state: &StateProgram) -> Step {
        let now = self.now;
        let Some(flow) = self.flows.get_mut(id) else {
            return Step::Stop;
        };
        flow.entered_at = now;
        let previous = flow.last_event_id;
        let event_id = if self.start.record_history {
            let input = flow.input.share();
            self.record(previous, || EventDetails::StateEntered {
                state_type: state.state_type,
                name: Arc::clone(&state.name),
                input,
            })
        } else {
            self.count_event()
        };
        let Some(flow) = self.flows.get_mut(id) else {
            return Step::Stop;
        };
        flow.left_event_id = previous;
        flow.entered_event_id = event_id;
        flow.last_event_id = event_id;
        self.attempt(program, id, state)
    }

    /// Does a state's work, for the first time or again.
    fn attempt(&mut self, program: &Program, id: FlowId, state: &StateProgram) -> Step {
        self.count_down_budget();
        self.transitions += 1;
        if self
            .start
            .limits
            .max_transitions
            .is_some_and(|max| self.transitions > max)
        {
            return self.exceed_transitions(id);
        }
        if self.outcome.is_some() {
            return Step::Stop;
        }
        match &state.action {
            StateAction::Pass(result) => self.pass(program, id, state, result.as_ref()),
            StateAction::Choice { rules, default } => {
                self.choice(program, id, state, rules, *default)
            }
            StateAction::Task(task) => self.invoke_task(program, id, state, task),
            StateAction::Wait(duration) => self.wait(program, id, state, duration),
            StateAction::Succeed => self.pass_through(program, id, state),
            StateAction::Fail { error, cause } => {
                self.fail_state(program, id, state, error.as_ref(), cause.as_ref())
            }
            StateAction::Parallel { branches, .. } => {
                self.start_branches(program, id, state, branches)
            }
            StateAction::Map(map) => self.start_map(program, id, state, map),
        }
    }

    fn exceed_transitions(&mut self, id: FlowId) -> Step {
        let max = self.start.limits.max_transitions.unwrap_or_default();
        let cause = format!(
            "the execution made more than {max} transitions, the limit that it was started with"
        );
        let last = self.flows.get(id).map_or(0, |flow| flow.last_event_id);
        self.fail_execution(last, StateError::runtime(cause));
        Step::Stop
    }

    fn fire_timers(&mut self, program: &Program) {
        while self.outcome.is_none()
            && let Some((timer, owner)) = self.timers.take_due(self.now)
        {
            match owner {
                TimerOwner::Machine => self.time_out(),
                TimerOwner::Flow(id) => self.timer_fired(program, id, timer),
            }
        }
    }

    pub(super) fn count_down_budget(&mut self) {
        self.budget = self.budget.saturating_sub(1);
    }

    pub(super) fn new_effect_id(&mut self) -> EffectId {
        let id = EffectId(self.next_effect_id);
        self.next_effect_id += 1;
        id
    }

    /// Ends the execution: nothing that was under way goes on.
    pub(super) fn end(&mut self, outcome: Outcome) {
        if self.outcome.is_some() {
            return;
        }
        self.cancel_everything();
        self.outcome = Some(outcome);
    }

    pub(super) fn has_ended(&self) -> bool {
        self.outcome.is_some()
    }
}
