//! The state of an execution, apart from its program.
use super::effects::Effects;
use super::flow::Flows;
use super::ids::FlowId;
use super::queue::Queue;
use super::random::Random;
use super::timers::Timers;
use super::turn_budget::TurnBudget;
use crate::Outcome;
use crate::data::Memory;
use crate::execution::departure::Departures;
use crate::execution::error::ErrorPlace;
use crate::execution::evaluate::Inspector;
use crate::execution::output::{ChildItem, EffectId, Output};
use crate::execution::start::Start;
use crate::execution::token::{MacTokens, TaskTokens};
use asl_model::Timestamp;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// All that an execution knows besides its program.
pub(crate) struct Machine {
    pub(crate) start: Box<Start>,
    /// The item that a child execution of a distributed Map is about.
    pub(crate) item: Option<Box<ChildItem>>,
    pub(crate) now: Timestamp,
    pub(crate) random: Random,
    pub(crate) flows: Flows,
    /// Flows that can continue.
    pub(crate) ready: Queue<FlowId>,
    pub(crate) timers: Timers,
    pub(crate) effects: Effects,
    pub(crate) outputs: Queue<Output>,
    /// True if events are put out.
    pub(crate) records_history: bool,
    /// Events so far, recorded or not.
    pub(crate) event_count: u64,
    pub(crate) transitions: u64,
    pub(crate) memory: Memory,
    pub(crate) turn: TurnBudget,
    pub(crate) outcome: Option<Outcome>,
    /// True if it ends with the state that it began at.
    pub(crate) is_of_one_state: bool,
    pub(crate) redrive_count: u64,
    pub(crate) redriven_at: Option<Timestamp>,
    /// The deadline of the execution.
    pub(crate) deadline: Option<Timestamp>,
    /// None if the host gave none.
    pub(crate) tokens: Option<Arc<dyn TaskTokens>>,
    /// Location of the error that failed the execution.
    pub(crate) failed_at: Option<Box<ErrorPlace>>,
    pub(crate) departures: Departures,
    pub(crate) inspector: Option<Box<dyn Inspector>>,
    /// The Context Object, built when a path first reads it and kept from state to state: what concerns the execution
    /// stays, the rest is put in anew.
    pub(crate) context: Option<Value>,
}

impl Machine {
    /// Returns true if the host has its turn, and there is something to continue with after it.
    pub(crate) fn has_yielded(&self) -> bool {
        self.turn.is_over() && !self.ready.is_empty()
    }

    /// Steps that the evaluations of one state may take now.
    #[inline]
    pub(crate) fn max_evaluation_steps(&self) -> u64 {
        let limits = &self.start.limits;
        let most = match self.turn.bounds_states() {
            true => limits.max_state_steps.max(limits.max_expression_steps),
            false => u64::MAX,
        };
        most.min(self.turn.evaluation_room())
    }

    /// Starts one step of a flow. Returns the data created so far; None after the end, when nothing is counted.
    #[inline]
    pub(crate) fn start_move(&self) -> Option<u64> {
        (!self.has_ended()).then(|| self.memory.total_created())
    }

    /// And was made.
    #[inline]
    pub(crate) fn count_move(&mut self, begun: Option<u64>) {
        if let Some(made_before) = begun {
            let made = self.memory.total_created().wrapping_sub(made_before);
            self.turn.count_move(made);
        }
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.outcome.is_some()
    }

    /// Returns the token of a task.
    pub(crate) fn task_token(&self, effect: EffectId) -> String {
        let identity = &self.start.identity;
        match &self.tokens {
            Some(tokens) => tokens.token(identity, effect),
            None => MacTokens::from_identity(self.start.seed, identity).token(identity, effect),
        }
    }

    /// Asks the host for something; nothing is asked after the end.
    pub(crate) fn emit(&mut self, output: Output) {
        if !self.has_ended() {
            self.outputs.push_back(output);
        }
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Machine")
            .field("now", &self.now)
            .field("flows", &self.flows)
            .field("outputs", &self.outputs)
            .field("transitions", &self.transitions)
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}
