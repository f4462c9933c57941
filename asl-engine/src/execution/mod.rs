//! The sans-IO core: one execution of a program.
//!
//! One way in, [`Execution::handle_input`]; one way out, [`Execution::poll_output`]; and both at once,
//! [`Execution::step`]. No clock, thread, socket or randomness of its own, so the same program, start and inputs give the
//! same outputs, always.

mod answers;
mod creation;
mod departure;
mod error;
mod evaluate;
mod input;
mod journal;
mod machine;
mod output;
mod pending;
mod redrive;
mod run;
mod save;
mod start;
mod states;
mod step;
mod token;
mod undo;
mod version;

pub use departure::{Departure, Departures};
pub use error::ErrorPlace;
pub use evaluate::{InspectedPlace, InspectionEvent, Inspector, ParentFlow};
pub use input::{Input, MapRunUpdate, ObjectPart, StorageResult, StoredObject};
pub use journal::{JournalRecord, ReplayError};
pub use machine::{MapRunCounts, TaskProgress, TurnLimits};
pub use output::{
    ChildExecution, EffectId, Output, PartStart, StorageOperation, StorageRequest, TaskInvocation,
};
pub use pending::{AwaitedAnswer, MapRunStatus, PendingEffect};
pub use save::{RestoreError, SavedExecution};
pub use start::{MockedChildren, MockedOutcome, Start, StartAt};
pub use step::{Effect, Step};
pub use token::{MacTokens, TaskTokens, TokenTask};
pub use version::CORE_VERSION;

use crate::outcome::Outcome;
use crate::program::Program;
use asl_intrinsics::random::RandomSource as _;
use asl_model::Timestamp;
use machine::{Machine, Phase, TimerOwner};
use std::sync::Arc;

/// An execution of a program: pure data and rules.
///
/// Report it what happened with [`handle_input`](Self::handle_input), then call [`poll_output`](Self::poll_output) and do
/// what it says until it returns [`Output::Wait`] or [`Output::Done`]; or do both at once with [`step`](Self::step).
/// Getters may be called at any time.
///
/// ```
/// use asl_engine::{Execution, Outcome, Output, Program, Start};
/// use asl_model::Timestamp;
/// use serde_json::json;
///
/// let definition = json!({"StartAt": "Hello", "States": {"Hello": {"Type": "Pass", "Result": "hello", "End": true}}});
/// let (machine, _warnings) = asl_model::parse_value(&definition, asl_model::Options::default())?;
/// let program = Program::compile(&machine)?;
/// let start = Start::new("first", json!({}), Timestamp::from_milliseconds(0));
/// let mut execution = Execution::start(program, start);
/// assert!(matches!(execution.poll_output(), Output::Done(Outcome::Succeeded(output)) if *output == json!("hello")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Execution {
    program: Program,
    machine: Machine,
}

impl Execution {
    /// Creates a new execution, not yet run: poll it. Its task tokens are as secret as its seed and its names.
    pub fn start(program: impl Into<Program>, start: Start) -> Self {
        Self::begin(program.into(), start, None, None)
    }

    /// Creates a new execution whose task tokens the host makes.
    pub fn start_with_tokens(
        program: impl Into<Program>,
        start: Start,
        tokens: Arc<dyn TaskTokens>,
    ) -> Self {
        Self::begin(program.into(), start, None, Some(tokens))
    }

    /// Creates a child execution of a distributed Map, as [`Output::StartChildExecution`] describes it.
    ///
    /// The program must be that of the parent.
    pub fn start_child(
        program: impl Into<Program>,
        child: ChildExecution,
        tokens: Option<Arc<dyn TaskTokens>>,
    ) -> Self {
        Self::begin(program.into(), child.start, Some(child.item), tokens)
    }

    fn begin(
        program: Program,
        start: Start,
        item: Option<output::ChildItem>,
        tokens: Option<Arc<dyn TaskTokens>>,
    ) -> Self {
        let machine = creation::begin(&program, start, item, tokens);
        Self { program, machine }
    }

    /// Applies an input at `now`. An unknown or stale effect id is ignored, and so is everything after the end except a
    /// redrive.
    pub fn handle_input(&mut self, now: Timestamp, input: Input) {
        answers::handle_input(&mut self.machine, &self.program, now, input);
    }

    /// Returns the next output for the host. Poll until [`Output::Wait`] or [`Output::Done`].
    #[must_use]
    pub fn poll_output(&mut self) -> Output {
        run::poll_output(&mut self.machine, &self.program)
    }

    /// Begins a turn without an input.
    pub(crate) fn continue_turn(&mut self) {
        let has_yielded = self.has_yielded();
        self.machine.turn.continue_turn(has_yielded);
    }

    /// Returns true if it continues once its host gives it a turn.
    pub fn has_yielded(&self) -> bool {
        self.machine.has_yielded()
    }

    /// Returns true if it yielded since the evaluations of a state take more steps than a turn may.
    pub(crate) fn has_abandoned(&self) -> bool {
        self.has_yielded() && self.machine.turn.is_abandoned()
    }

    /// Returns the cost of the last turn.
    pub(crate) fn turn_cost(&self) -> u64 {
        self.machine.turn.cost()
    }

    /// Sets the limits of each following call; they are not saved. The default is
    /// [`Limits::turn_cost`](crate::Limits::turn_cost), and no evaluation is abandoned.
    pub fn limit_turns(&mut self, limits: TurnLimits) {
        self.machine.turn.limit(limits);
    }

    /// Returns the program that it runs.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Returns the start of the execution.
    pub fn start_parameters(&self) -> &Start {
        &self.machine.start
    }

    /// Returns its present moment: the latest that it was reported.
    pub fn now(&self) -> Timestamp {
        self.machine.now
    }

    /// Returns the next moment at which a timer or the deadline of the execution is due.
    #[cfg(feature = "runtime")]
    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.machine.next_due()
    }

    /// Transitions made so far: states entered, and retries.
    pub fn transitions(&self) -> u64 {
        self.machine.transitions
    }

    /// Counts and returns the weight of all data, as in [`Limits::max_execution_bytes`](crate::Limits).
    pub fn held_bytes(&self) -> u64 {
        self.machine.count_weight()
    }

    /// Returns the weight of all created data: its growth bounds the data held since the last count.
    pub fn created_bytes(&self) -> u64 {
        self.machine.memory.total_created()
    }

    /// Events so far, whether they were put out or not.
    pub fn event_count(&self) -> u64 {
        self.machine.event_count
    }

    /// Returns the outcome, if the execution has ended.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.machine.outcome.as_ref()
    }

    /// Returns the number of redrives.
    pub fn redrive_count(&self) -> u64 {
        self.machine.redrive_count
    }

    /// Returns true if [`Input::Redrive`] would be taken: of a Standard execution that failed, timed out or was stopped.
    pub fn can_be_redriven(&self) -> bool {
        redrive::can_be_redriven(&self.machine)
    }

    /// Sets whether the execution outputs events from now on. This changes nothing else.
    pub fn record_history(&mut self, records: bool) {
        self.machine.records_history = records;
    }

    /// Returns the state that waits for an effect, and the number of its flow, as reported to [inspectors](Inspector).
    pub fn waiting_for(&self, effect: EffectId) -> Option<(&Arc<str>, u64)> {
        let id = self.machine.effects.get(effect)?;
        let flow = self.machine.flows.get(id)?;
        Some((&self.program.state(flow.state).name, id.number()))
    }

    /// Returns the state that lets time pass, and until when: a Wait State, or one between two attempts. None if tasks or
    /// children are awaited, too.
    pub fn passing_time(&self) -> Option<(&Arc<str>, Timestamp)> {
        if self.machine.effects.waiting().next().is_some() {
            return None;
        }
        let (timer, owner) = self.machine.timers.first()?;
        let TimerOwner::Flow(id) = owner else {
            return None;
        };
        let passes = matches!(
            self.machine.flows.phase(id)?,
            Phase::Waiting(_) | Phase::Retrying(_)
        );
        let flow = self.machine.flows.get(id).filter(|_| passes)?;
        Some((&self.program.state(flow.state).name, timer.at))
    }

    /// Returns the points at which the execution followed the service instead of the specification.
    pub fn departures(&self) -> Departures {
        self.machine.departures
    }

    /// Returns the location of the error that failed the execution; None if it did not fail, or if the error occurred before
    /// a save.
    pub fn failed_at(&self) -> Option<&ErrorPlace> {
        self.machine.failed_at.as_deref()
    }

    /// Sets the inspector for the following events; it is not saved.
    pub fn inspect(&mut self, inspector: Option<Box<dyn Inspector>>) {
        self.machine.inspector = inspector;
    }

    /// Returns a number for the state of the execution: two executions of the same program and start have the same number if
    /// they took the same path, and very probably different numbers otherwise. It is computed from the transitions and
    /// events so far, the next effect, and the state of the random numbers.
    pub fn fingerprint(&self) -> u64 {
        let machine = &self.machine;
        let parts = [
            machine.transitions,
            machine.event_count,
            machine.effects.next(),
            machine.random.clone().next_u64(),
            u64::from(machine.outcome.is_some()),
        ];
        parts.into_iter().fold(0x9e37_79b9_7f4a_7c15, |hash, part| {
            let mixed = (hash ^ part).wrapping_mul(0xff51_afd7_ed55_8ccd);
            mixed ^ (mixed >> 32)
        })
    }
}
