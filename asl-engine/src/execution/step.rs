//! One input in, everything it means out.
use super::input::Input;
use super::output::{ChildExecution, EffectId, Output, StorageRequest, TaskInvocation};
use super::{Execution, StorageOperation};
use crate::history::HistoryEvent;
use crate::outcome::Outcome;
use asl_model::Timestamp;
use std::sync::Arc;

/// A request of an execution that it waits for.
#[derive(Debug, Clone)]
#[expect(clippy::exhaustive_enums, reason = "hosts handle each")]
pub enum Effect {
    /// A task, to be performed at least once; answer with `TaskSucceeded` or `TaskFailed`.
    Task(Arc<TaskInvocation>),
    /// An object storage request; report its result with `StorageSucceeded` or `StorageFailed`.
    Storage(Box<StorageRequest>),
    /// A child execution; answer with `ChildExecutionEnded`.
    Child(Box<ChildExecution>),
}

impl Effect {
    /// Name of the effect within its execution.
    pub fn id(&self) -> EffectId {
        match self {
            Self::Task(invocation) => invocation.id,
            Self::Storage(request) => request.id,
            Self::Child(child) => child.id,
        }
    }

    /// Returns true if it writes into an object store.
    pub fn writes(&self) -> bool {
        matches!(self, Self::Storage(request)
            if matches!(request.operation, StorageOperation::PutObject { .. }))
    }
}

/// The result of one step of an execution.
#[derive(Debug, Default)]
#[must_use = "effects that are not performed are never answered"]
#[non_exhaustive]
pub struct Step {
    /// Effects to perform.
    pub effects: Vec<Effect>,
    /// Tasks and children whose results are no longer needed.
    pub cancelled: Vec<EffectId>,
    /// The next moment at which something is due, where nothing else happens before.
    pub wake: Option<Timestamp>,
    /// Events of the history, if they are recorded.
    pub events: Vec<HistoryEvent>,
    /// True if the call has used up its [turn](crate::TurnLimits): after other executions or inputs had theirs, continue
    /// with [`Input::TimePassed`], which is journaled, or where no time has passed with `step(execution.now(), None)`, which
    /// is not.
    pub yielded: bool,
    /// True if the execution yielded because a state's evaluations take more steps than a turn allows: they were undone, and
    /// run again at the same time with `step(execution.now(), None)` and [limits](Execution::limit_turns) that allow more
    /// steps.
    pub abandoned: bool,
    /// Cost of the call, as counted by [`TurnLimits::cost`](crate::TurnLimits::cost), and at most that value.
    pub cost: u64,
    /// Outcome of the execution, if it ended.
    pub outcome: Option<Outcome>,
}

impl Execution {
    /// Applies an input at `now`, if there is one, and returns all effects and events that follow; takes at most one
    /// [turn](crate::TurnLimits).
    ///
    /// A host with a journal commits the [record](Self::journal) of the input before it acts on the result; a replay of
    /// the journal gives the same result. Without an input, the call starts the execution, or continues after a step that
    /// [yielded](Step::yielded): then `now` is [`now()`](Self::now), and nothing is journaled. Only inputs move time: send
    /// [`Input::TimePassed`] when a later moment is due, and between the turns of a long computation, so that its timeouts
    /// apply and its events have correct times.
    ///
    /// ```
    /// use asl_engine::{Effect, Execution, Input, Outcome, Program, Start};
    /// use asl_model::Timestamp;
    /// use serde_json::json;
    ///
    /// let definition = json!({"StartAt": "Ask", "States": {"Ask": {
    ///     "Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:Ask", "End": true}}});
    /// let (machine, _warnings) = asl_model::parse_value(&definition, asl_model::Options::default())?;
    /// let program = Program::compile(&machine)?;
    /// let now = Timestamp::from_milliseconds(0);
    /// let mut execution = Execution::start(program, Start::new("first", json!({}), now));
    /// let step = execution.step(now, None);
    /// let [Effect::Task(task)] = step.effects.as_slice() else { return Err("one task".into()) };
    /// let answer = Input::TaskSucceeded { id: task.id, output: json!(42).into() };
    /// assert_eq!(execution.step(now, Some(answer)).outcome, Some(Outcome::Succeeded(json!(42).into())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(&mut self, now: Timestamp, input: Option<Input>) -> Step {
        let mut events = Vec::new();
        let mut step = self.step_with(now, input, |event| events.push(event));
        step.events = events;
        step
    }

    /// As [`step`](Self::step), with each event given to `recorder` before the next write to the data that it shares: a
    /// recorder that lets an event go, or turns it into text, saves the execution a copy.
    pub fn step_with(
        &mut self,
        now: Timestamp,
        input: Option<Input>,
        mut recorder: impl FnMut(HistoryEvent),
    ) -> Step {
        match input {
            Some(input) => self.handle_input(now, input),
            None => self.continue_turn(),
        }
        self.poll_all(&mut recorder)
    }

    /// Returns all that is to be polled now.
    pub(super) fn poll_all(&mut self, recorder: &mut impl FnMut(HistoryEvent)) -> Step {
        let mut step = self.poll_outputs(recorder);
        step.cost = self.turn_cost();
        step
    }

    fn poll_outputs(&mut self, recorder: &mut impl FnMut(HistoryEvent)) -> Step {
        let mut step = Step::default();
        loop {
            match self.poll_output() {
                Output::InvokeTask(invocation) => step.effects.push(Effect::Task(invocation)),
                Output::Storage(request) => step.effects.push(Effect::Storage(request)),
                Output::StartChildExecution(child) => step.effects.push(Effect::Child(child)),
                Output::CancelTask { id } | Output::StopChildExecution { id } => {
                    step.cancel(id);
                }
                Output::Event(event) => recorder(*event),
                Output::Wait { until } => {
                    step.yielded = self.has_yielded();
                    step.abandoned = self.has_abandoned();
                    step.wake = until.filter(|_| !step.yielded);
                    return step;
                }
                Output::Done(outcome) => {
                    step.outcome = Some(outcome);
                    return step;
                }
            }
        }
    }
}

impl Step {
    /// Cancels an effect: one requested in the same step is dropped, and an earlier one is reported as cancelled.
    fn cancel(&mut self, id: EffectId) {
        let asked = self.effects.iter().position(|effect| effect.id() == id);
        match asked {
            Some(place) => {
                self.effects.remove(place);
            }
            None => self.cancelled.push(id),
        }
    }
}
