//! Task States: invoked, awaited, timed out (2022 specification, Task State).
use super::data::{Data, Excess};
use super::error::{StateError, names};
use super::flow::{FlowId, Phase};
use super::machine::{Machine, Step};
use super::task_events::{RequestDetails, failed, started, succeeded, task_scheduled};
use super::task_request::{TaskRequest, request};
use super::timers::{Timer, TimerOwner};
use super::{EffectId, Output, TaskInvocation};
use crate::history::EventDetails;
use crate::program::{StateAction, StateProgram, TaskState};
use crate::{IntegrationPattern, Program, ResourceKind};
use asl_model::Timestamp;
use serde_json::Value;
use std::sync::Arc;

/// An invocation that has no answer yet.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct PendingTask {
    pub(crate) effect: EffectId,
    /// Of the whole task.
    pub(crate) deadline: Option<Timer>,
    pub(crate) heartbeat: Option<Box<Heartbeat>>,
    /// An activity's worker took it up.
    started: bool,
    /// The service took the request.
    submitted: bool,
}

/// When the next heartbeat is due.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Heartbeat {
    pub(crate) timer: Timer,
    seconds: u64,
    /// Later than the timer where heartbeats came since: it is set anew when it fires.
    due: Timestamp,
}

impl Machine {
    pub(super) fn invoke_task(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        task: &TaskState,
    ) -> Step {
        if task.resource.waits_for_task_token() || state.uses_context {
            let token: Arc<str> = self.random.task_token().into();
            if let Some(flow) = self.flows.get_mut(id) {
                flow.task_token = Some(token);
            }
        }
        let mut raw = self.take_input(id);
        let request = self.evaluate(program, id, state, |evaluation| {
            request(evaluation, state, task, &mut raw)
        });
        if let Some(flow) = self.flows.get_mut(id) {
            flow.input = raw;
        }
        match request {
            Ok(mut request) => match self.check_limits(&mut request.payload, &state.name) {
                Ok(()) => self.send_task(id, state, task, request),
                Err(error) => self.handle_error(program, id, state, error),
            },
            Err(fault) => self.fail_state_with(program, id, state, fault),
        }
    }

    fn send_task(
        &mut self,
        id: FlowId,
        state: &StateProgram,
        task: &TaskState,
        request: TaskRequest,
    ) -> Step {
        let effect = self.new_effect_id();
        let payload = request.payload.into_shared();
        let scheduled = || {
            task_scheduled(
                task,
                &payload,
                &self.start.identity.region,
                &RequestDetails {
                    timeout_seconds: request.timeout_seconds,
                    heartbeat_seconds: request.heartbeat_seconds,
                    credentials: &request.credentials,
                },
            )
        };
        let scheduled = self.start.record_history.then(scheduled);
        self.record_optional(id, scheduled);
        if let Some(started) = started(task) {
            self.record_in(id, || started);
        }
        let deadline = request.timeout_seconds.map(|seconds| {
            self.timers
                .set(self.now.plus_seconds(seconds), TimerOwner::Flow(id))
        });
        let heartbeat = request
            .heartbeat_seconds
            .map(|seconds| Box::new(self.set_heartbeat(id, seconds)));
        let Some(flow) = self.flows.get_mut(id) else {
            return Step::Stop;
        };
        let invocation = TaskInvocation {
            id: effect,
            state_name: Arc::clone(&state.name),
            resource: Arc::clone(&task.resource),
            payload,
            credentials: request.credentials,
            task_token: flow.task_token.clone(),
            timeout_seconds: request.timeout_seconds,
            heartbeat_seconds: request.heartbeat_seconds,
            deadline: deadline.map(|timer| timer.at),
            retry_count: flow.retry_count,
            identity: Arc::clone(&self.start.identity),
        };
        flow.phase = Phase::Task(PendingTask {
            effect,
            deadline,
            heartbeat,
            started: false,
            submitted: false,
        });
        self.effects.insert(effect, id);
        self.outputs
            .push_back(Output::InvokeTask(Box::new(invocation)));
        Step::Stop
    }

    fn record_optional(&mut self, id: FlowId, details: Option<EventDetails>) {
        match details {
            Some(details) => {
                self.record_in(id, || details);
            }
            None => {
                let event_id = self.count_event();
                if let Some(flow) = self.flows.get_mut(id) {
                    flow.last_event_id = event_id;
                }
            }
        }
    }

    fn set_heartbeat(&mut self, id: FlowId, seconds: u64) -> Heartbeat {
        let due = self.now.plus_seconds(seconds);
        Heartbeat {
            timer: self.timers.set(due, TimerOwner::Flow(id)),
            seconds,
            due,
        }
    }

    /// The flow that waits for an answer to `effect`, with its Task State.
    fn waiting_task<'p>(
        &self,
        program: &'p Program,
        effect: EffectId,
    ) -> Option<(FlowId, &'p StateProgram, &'p TaskState)> {
        let id = *self.effects.get(&effect)?;
        let flow = self.flows.get(id)?;
        let state = program.state(flow.state);
        match (&state.action, &flow.phase) {
            (StateAction::Task(task), Phase::Task(_)) => Some((id, state, task)),
            _ => None,
        }
    }

    /// As [`waiting_task`](Self::waiting_task); from now on the task counts as answered, and nothing cancels it.
    fn take_waiting_task<'p>(
        &mut self,
        program: &'p Program,
        effect: EffectId,
    ) -> Option<(FlowId, &'p StateProgram, &'p TaskState)> {
        let found = self.waiting_task(program, effect)?;
        self.effects.remove(&effect);
        Some(found)
    }

    fn pending_task(&mut self, id: FlowId) -> Option<&mut PendingTask> {
        match &mut self.flows.get_mut(id)?.phase {
            Phase::Task(pending) => Some(pending),
            _ => None,
        }
    }

    pub(super) fn task_started(
        &mut self,
        program: &Program,
        effect: EffectId,
        worker_name: Option<String>,
    ) {
        if let Some((id, _, task)) = self.waiting_task(program, effect) {
            self.start_task(id, task, worker_name);
        }
    }

    fn start_task(&mut self, id: FlowId, task: &TaskState, worker_name: Option<String>) {
        let Some(pending) = self.pending_task(id) else {
            return;
        };
        let first = !std::mem::replace(&mut pending.started, true);
        if first && task.resource.kind == ResourceKind::Activity {
            self.record_in(id, || EventDetails::ActivityStarted { worker_name });
        }
    }

    pub(super) fn task_submitted(&mut self, program: &Program, effect: EffectId, output: Value) {
        let Some((id, _, task)) = self.waiting_task(program, effect) else {
            return;
        };
        self.submit(id, task, Some(Arc::new(output)));
    }

    /// Only `.sync` and `.waitForTaskToken` have an answer of their own to the request.
    fn submit(&mut self, id: FlowId, task: &TaskState, output: Option<Arc<Value>>) {
        let ResourceKind::Integration(integration) = &task.resource.kind else {
            return;
        };
        if integration.pattern == IntegrationPattern::RequestResponse {
            return;
        }
        let Some(pending) = self.pending_task(id) else {
            return;
        };
        if std::mem::replace(&mut pending.submitted, true) {
            return;
        }
        if let Some(resource) = &task.event_resource {
            self.record_in(id, || EventDetails::TaskSubmitted {
                task: Arc::clone(resource),
                output,
            });
        }
    }

    pub(super) fn task_heartbeat(&mut self, effect: EffectId) {
        let now = self.now;
        let Some(id) = self.effects.get(&effect).copied() else {
            return;
        };
        if let Some(heartbeat) = self
            .pending_task(id)
            .and_then(|pending| pending.heartbeat.as_mut())
        {
            heartbeat.due = now.plus_seconds(heartbeat.seconds);
        }
    }

    pub(super) fn task_succeeded(&mut self, program: &Program, effect: EffectId, output: Value) {
        let Some((id, state, task)) = self.take_waiting_task(program, effect) else {
            return;
        };
        let mut result = Data::measured(output, &self.start.limits);
        match result.excess(&self.start.limits) {
            Some(Excess::Bytes) => {
                let name = task
                    .event_resource
                    .as_ref()
                    .map_or(task.resource.uri.as_str(), |resource| {
                        resource.resource_type.as_str()
                    });
                let cause = format!(
                    "The state/task '{name}' returned a result with a size exceeding the maximum number of bytes service limit."
                );
                let error = StateError::reported(
                    Some(names::DATA_LIMIT_EXCEEDED.to_owned()),
                    Some(cause),
                    program.profile(),
                );
                return self.fail_task(id, task, error);
            }
            Some(Excess::Depth) => {
                let error = self
                    .check_limits(&mut result, &state.name)
                    .err()
                    .unwrap_or_else(|| StateError::runtime("the result is nested too deep"));
                return self.fail_task(id, task, error);
            }
            None => {}
        }
        self.start_task(id, task, None);
        self.submit(id, task, None);
        let recorded = self
            .start
            .record_history
            .then(|| succeeded(task, result.share()));
        self.record_optional(id, recorded);
        self.settle_task(id, Ok(result));
    }

    pub(super) fn task_failed(&mut self, program: &Program, effect: EffectId, error: StateError) {
        if let Some((id, _, task)) = self.take_waiting_task(program, effect) {
            self.fail_task(id, task, error);
        }
    }

    fn fail_task(&mut self, id: FlowId, task: &TaskState, error: StateError) {
        self.start_task(id, task, None);
        let recorded = self.start.record_history.then(|| failed(task, &error));
        self.record_optional(id, recorded);
        self.settle_task(id, Err(error));
    }

    /// The answer is there: what waited for it is undone, and the flow goes on when it is polled.
    fn settle_task(&mut self, id: FlowId, result: Result<Data, StateError>) {
        let Some(flow) = self.flows.get_mut(id) else {
            return;
        };
        let phase = std::mem::replace(&mut flow.phase, Phase::Settled(Box::new(result)));
        if let Phase::Task(pending) = phase {
            for timer in pending
                .deadline
                .into_iter()
                .chain(pending.heartbeat.map(|heartbeat| heartbeat.timer))
            {
                self.timers.cancel(timer);
            }
        }
        self.ready.push_back(id);
    }

    /// A task's deadline, or its next heartbeat, is due.
    pub(super) fn task_timer_fired(&mut self, program: &Program, id: FlowId, timer: Timer) {
        let Some(pending) = self.pending_task(id) else {
            return;
        };
        let effect = pending.effect;
        let error = if pending.deadline == Some(timer) {
            pending.deadline = None;
            StateError::without_cause(names::TIMEOUT)
        } else {
            match pending.heartbeat.as_mut() {
                // Also where it is due by now: another timer may have been due before.
                Some(heartbeat) if heartbeat.due > timer.at => {
                    let due = heartbeat.due;
                    let next = self.timers.set(due, TimerOwner::Flow(id));
                    if let Some(heartbeat) = self
                        .pending_task(id)
                        .and_then(|pending| pending.heartbeat.as_mut())
                    {
                        heartbeat.timer = next;
                    }
                    return;
                }
                _ => StateError::heartbeat_timeout(),
            }
        };
        self.outputs.push_back(Output::CancelTask { id: effect });
        self.task_failed(program, effect, error);
    }
}
