//! The core as the code of a workflow: a loop that applies inputs and performs effects.
//!
//! All inputs come from durable events, with the times of these events, so a replay applies the same inputs.
mod computing;
mod history;
mod host;
mod in_flight;
#[cfg(test)]
mod journal_shape;
mod lifecycle;
mod map_runs;
#[cfg(test)]
mod tests;

pub(crate) use computing::{TURN, block_thread};
pub(crate) use host::{DurableHost, HostEvent, HostInterruption};

use crate::messages::{
    ExecutionOutcome, ExternalEvent, ExternalMessage, PerformRequest, Performable, PerformedRequest,
};
use asl_backend::{ExecutionStatus, map_run_of};
use asl_engine::{
    Effect, EffectId, Execution, Input, Outcome, PendingEffect, Step, TaskError, TaskProgress,
    Timestamp,
};
use history::UnsealedEvents;
use in_flight::InFlight;
use lifecycle::Lifecycle;
use map_runs::MapRuns;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Every execution may take a year at most, and few do: a timer that outlives its execution by so long would be kept for nothing.
const LONGEST_SLEEP: Duration = Duration::from_secs(24 * 60 * 60);

/// Runs an execution to its end.
pub(crate) struct Driver<H> {
    execution: Execution,
    host: H,
    in_flight: BTreeMap<EffectId, InFlight>,
    map_runs: MapRuns,
    /// End times of pending sleeps.
    asleep: BTreeSet<Timestamp>,
    /// End of the last sleep.
    awoke: Timestamp,
    /// Inputs so far.
    records: u64,
    life: Lifecycle,
    history: UnsealedEvents,
}

impl<H: DurableHost> Driver<H> {
    /// An execution that has not run yet, and how long after its end it may be redriven, if ever.
    /// It puts out its events.
    pub(crate) fn new(mut execution: Execution, host: H, redrivable: Option<Duration>) -> Self {
        execution.limit_turns(TURN);
        Self {
            execution,
            host,
            in_flight: BTreeMap::new(),
            map_runs: MapRuns::default(),
            asleep: BTreeSet::new(),
            awoke: Timestamp::default(),
            records: 0,
            life: Lifecycle::new(redrivable),
            history: UnsealedEvents::default(),
        }
    }

    /// Runs the execution until its final end, and returns its outcome, and the execution and its host at that time.
    ///
    /// # Errors
    ///
    /// The host cannot continue at the moment: durable events are replayed later.
    pub(crate) async fn run(
        mut self,
    ) -> Result<(ExecutionOutcome, Execution, H), HostInterruption> {
        let now = self.execution.now();
        let first = self.step(now, None);
        self.take(first);
        loop {
            self.store_map_runs();
            if self.note_end() {
                self.seal().await;
            }
            if let Some(ending) = self.closed() {
                return Ok((ending, self.execution, self.host));
            }
            self.sleep();
            let happening = self.host.next().await?;
            let _thread = self.wait_for_thread().await?;
            self.happened(happening);
        }
    }

    fn happened(&mut self, happening: HostEvent) {
        match happening {
            HostEvent::Performed(id, performed) => self.performed(id, performed),
            HostEvent::Told(id, outside) => self.apply_message(id, outside),
            HostEvent::ChildrenEnded(children) => {
                for (id, at, outcome) in children {
                    self.child_ended(id, at, outcome);
                }
            }
            HostEvent::Slept { .. } if self.life.has_ended() => self.life.time_is_over(),
            HostEvent::Slept { due, now } => {
                self.asleep.remove(&due);
                self.awoke = self.awoke.max(now);
                if self.next_moment().is_some_and(|moment| moment <= now) {
                    self.apply_input(now, Input::TimePassed);
                }
            }
            HostEvent::Commanded(command) => self.commanded(command),
            HostEvent::Cancelled => self.cancelled(),
        }
    }

    fn child_ended(&mut self, id: EffectId, at: Timestamp, outcome: Outcome) {
        let status = match &outcome {
            Outcome::Succeeded(_) => ExecutionStatus::Succeeded,
            Outcome::Failed(_) => ExecutionStatus::Failed,
            Outcome::TimedOut => ExecutionStatus::TimedOut,
            Outcome::Aborted(_) => ExecutionStatus::Aborted,
        };
        self.map_runs.child_ended(id, status, at);
        self.apply_result(id, at, Input::ChildExecutionEnded { id, outcome });
    }

    /// Stores changes of Map Runs after all simultaneous events are applied.
    fn store_map_runs(&mut self) {
        if !self.execution.program().has_map_runs() {
            return;
        }
        let (changed, new) = self.map_runs.changed(&self.execution);
        if !changed.is_empty() {
            self.host.store_map_runs(changed, new);
        }
    }

    /// A performer has answered.
    fn performed(&mut self, id: EffectId, performed: PerformedRequest) {
        let at = performed.at;
        let answer = performed.answered();
        let failing = answer.as_ref().err().and_then(TaskError::failing_input);
        if let Some(failing) = failing {
            self.apply_input(at, failing);
        }
        let Some(effect) = self.in_flight.get_mut(&id) else {
            return;
        };
        effect.is_performing = false;
        let inputs: Vec<Input> = effect.pending.record_answer(answer).collect();
        for input in inputs {
            self.apply_result(id, at, input);
        }
    }

    /// Something was said to a task from outside.
    fn apply_message(&mut self, id: EffectId, outside: ExternalMessage) {
        let Some(effect) = self.in_flight.get_mut(&id) else {
            if let ExternalEvent::Nested(arn) = outside.what {
                self.host.stop_nested(arn, outside.at);
            }
            return;
        };
        effect.heard += 1;
        for input in effect.inputs(outside.what) {
            self.apply_result(id, outside.at, input);
        }
        if let Some(effect) = self.in_flight.get(&id) {
            self.host.open(id, effect.heard);
        }
    }

    /// Applies the result of an effect, if it is still pending.
    fn apply_result(&mut self, id: EffectId, at: Timestamp, input: Input) {
        if self.execution.awaits(id).is_some() {
            self.apply_input(at, input);
        }
    }

    /// Applies an input, and performs the effects.
    fn apply_input(&mut self, at: Timestamp, input: Input) {
        let record = self.execution.journal(at, input.clone());
        self.host.store_record(self.records, &record);
        self.records += 1;
        let step = self.step(at, Some(input));
        self.take(step);
    }

    /// Does what a step requests.
    fn take(&mut self, step: Step) {
        for event in step.events {
            self.history.note(&event);
            self.map_runs.note(&event);
        }
        for id in step.cancelled {
            if !self.in_flight.contains_key(&id) {
                let now = self.execution.now();
                self.map_runs.child_ended(id, ExecutionStatus::Aborted, now);
                self.host.stop_child(id, now);
            }
        }
        for effect in step.effects {
            self.request_effect(effect);
        }
        self.forget_answered();
    }

    /// Drops effects that are no longer needed.
    fn forget_answered(&mut self) {
        let (execution, host) = (&self.execution, &mut self.host);
        self.in_flight.retain(|id, effect| {
            let is_awaited = execution.awaits(*id).is_some();
            if !is_awaited {
                host.close(*id, effect.is_open());
                if effect.is_performing {
                    host.abandon(*id);
                }
                if let Some(arn) = effect.nested.take() {
                    host.stop_nested(arn, execution.now());
                }
            }
            is_awaited
        });
    }

    fn request_effect(&mut self, effect: Effect) {
        let id = effect.id();
        let mut effect = match effect {
            Effect::Child(child) => {
                let arn = child.start.identity.execution_arn();
                let map_run = map_run_of(&self.execution, &arn);
                let (runs, execution) = (&mut self.map_runs, &self.execution);
                let again = map_run.as_ref();
                let again = again.and_then(|run| runs.child_starts(&child, run, execution));
                return self.host.start_child(*child, map_run, again);
            }
            effect => InFlight::new(PendingEffect::new(effect)),
        };
        if effect.is_open() {
            self.host.open(id, effect.heard);
        }
        let activity = asl_backend::activity_task(&effect.pending);
        if let Some(task) = activity.filter(|task| !self.host.is_mocked(&task.state_name)) {
            self.host.offer(task);
        } else if let Some(request) = self.request(&effect) {
            self.host.perform(id, request);
            effect.is_performing = true;
        }
        self.in_flight.insert(id, effect);
    }

    fn request(&self, effect: &InFlight) -> Option<PerformRequest> {
        let start = self.execution.start_parameters();
        Some(PerformRequest {
            effect: match &effect.pending.effect {
                Effect::Task(task) => Performable::Task(task.clone()),
                Effect::Storage(request) => Performable::Storage(request.clone()),
                Effect::Child(_) => return None,
            },
            identity: start.identity.clone(),
            is_open: effect.is_open(),
            fingerprint: format!("{:016x}", self.execution.fingerprint()),
            workflow: None,
        })
    }

    /// Begins a sleep until something is due, unless one ends before: then it is looked at again.
    fn sleep(&mut self) {
        let wake = self.next_moment();
        let Some(wake) = wake.filter(|_| !self.life.has_ended()) else {
            return;
        };
        let now = self.execution.now().max(self.awoke);
        let longest = now.checked_add(LONGEST_SLEEP).unwrap_or(wake);
        let wake = wake.min(longest);
        if self.asleep.first().is_none_or(|first| *first > wake) {
            self.asleep.insert(wake);
            self.host.sleep_until(wake);
        }
    }
}

impl InFlight {
    /// Returns the inputs for an external event.
    fn inputs(&mut self, what: ExternalEvent) -> Vec<Input> {
        let id = self.pending.effect.id();
        match what {
            ExternalEvent::Success(output) => {
                self.nested = None;
                let answer = asl_engine::TaskAnswer::Completed(output.value());
                self.pending.record_answer(Ok(answer.into())).collect()
            }
            ExternalEvent::Failure(error_output) => {
                self.nested = None;
                let mut error = TaskError::failed("");
                error.error_output = error_output;
                self.pending.record_answer(Err(error)).collect()
            }
            ExternalEvent::Heartbeat => match self.has_heartbeats() {
                true => vec![Input::TaskHeartbeat { id }],
                false => Vec::new(),
            },
            ExternalEvent::Submitted(output) => self
                .pending
                .record_submission(output.value())
                .into_iter()
                .collect(),
            ExternalEvent::Nested(arn) => {
                self.nested = Some(arn);
                Vec::new()
            }
            ExternalEvent::Started(worker_name) => {
                self.pending.progress = TaskProgress::Started;
                vec![Input::TaskStarted {
                    id,
                    worker_name: worker_name.as_deref().map(str::to_owned),
                }]
            }
        }
    }
}
