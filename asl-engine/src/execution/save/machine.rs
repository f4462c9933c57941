//! All that an execution knows besides its program.
use super::damage::{Damage, DamageContext as _, Read, count, ensure};
use super::error::SavedOutcome;
use super::flow::SavedPlace;
use super::flow_id::SavedFlowId;
use super::flows::{self, SavedFlows};
use super::output::SavedOutput;
use super::restoring::{RestoreContext, SavedTimer};
use super::start::{SavedItem, SavedStart};
use super::values::{ValueTable, Values};
use crate::data::Memory;
use crate::execution::departure::Departures;
use crate::execution::machine::{
    Effects, FlowId, Machine, Queue, Random, TimerOwner, Timers, TurnBudget, deadline,
};
use crate::outcome::Outcome;
use crate::program::{Program, ScopeIndex};
use asl_model::Timestamp;
use serde::{Deserialize, Serialize};

/// The saved state of an execution, apart from its program. The documentation of the format describes its fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedMachine {
    values: Vec<String>,
    start: SavedStart,
    item: Option<SavedItem>,
    now: Timestamp,
    #[serde(with = "crate::saved::word")]
    random: u64,
    flows: Vec<SavedPlace>,
    free: Vec<u32>,
    ready: Vec<SavedFlowId>,
    timeout: Option<SavedTimer>,
    next_timer: u64,
    next_effect: u64,
    outputs: Vec<SavedOutput>,
    records_history: bool,
    events: u64,
    transitions: u64,
    #[serde(default)]
    memory: Option<SavedMemory>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moves: Option<u64>,
    budget: u32,
    continuations: u32,
    outcome: Option<SavedOutcome>,
    redrive_count: u64,
    redriven_at: Option<Timestamp>,
}

/// Weight at the last count, and the data created since.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct SavedMemory {
    held: u64,
    made: u64,
}

impl SavedMemory {
    fn new(memory: Memory) -> Self {
        let (held, made) = memory.counts();
        Self { held, made }
    }
}

impl SavedMachine {
    pub(super) fn new(machine: &Machine) -> Self {
        let Machine {
            start,
            item,
            now,
            random,
            flows,
            ready,
            timers,
            effects,
            outputs,
            records_history,
            event_count,
            transitions,
            memory,
            turn,
            outcome,
            redrive_count,
            redriven_at,
            // The host gives them again.
            tokens: _,
            failed_at: _,
            inspector: _,
            departures: _,
            // Made of the rest.
            is_of_one_state: _,
            context: _,
            deadline: _,
        } = machine;
        let mut table = ValueTable::default();
        let SavedFlows { places, free } = SavedFlows::new(flows, &mut table);
        Self {
            start: SavedStart::new(start, &mut table),
            item: item.as_deref().map(SavedItem::new),
            now: *now,
            random: random.state(),
            flows: places,
            free,
            ready: ready.iter().map(|id| (*id).into()).collect(),
            timeout: machine_timer(timers),
            next_timer: timers.next_number(),
            next_effect: effects.next(),
            outputs: outputs
                .iter()
                .filter_map(|output| SavedOutput::new(output, &mut table))
                .collect(),
            records_history: *records_history,
            events: *event_count,
            transitions: *transitions,
            memory: Some(SavedMemory::new(*memory)),
            moves: turn.moves(),
            budget: turn.remaining().min(start.limits.turn_cost.max(1)),
            continuations: turn.continuations(),
            outcome: outcome.as_ref().map(|it| SavedOutcome::new(it, &mut table)),
            redrive_count: *redrive_count,
            redriven_at: *redriven_at,
            values: table.into_texts(),
        }
    }

    pub(super) fn machine(self, program: &Program) -> Read<Machine> {
        let mut values = Values::new(&self.values)?;
        let start = self.start.start(program, &mut values).within("start")?;
        let item = self.item.map(|item| item.item(program)).transpose();
        let item = item.within("item")?;
        let cost = start.limits.turn_cost.max(1);
        let expected = format_args!("at most {cost}, what a turn may cost");
        ensure(self.budget <= cost, expected, self.budget).within("budget")?;
        let turn = match self.moves {
            None => TurnBudget::from_transitions(cost, self.budget, self.continuations),
            Some(moves) => TurnBudget::from_kept(cost, self.budget, count("moves", moves)?),
        };
        let memory = Memory::from_kept(
            start.limits.max_execution_bytes,
            self.memory.map(|memory| (memory.held, memory.made)),
        );
        let outcome = self.outcome.map(|it| it.outcome(&mut values)).transpose();
        let outcome = outcome.within("outcome")?;
        let redriven = (self.redrive_count > 0) == self.redriven_at.is_some();
        let expected = "the moment of the last redrive where there was one";
        ensure(redriven, expected, "the opposite").within("redriven_at")?;
        let begun = self.redriven_at.unwrap_or(start.now);
        let numbers = (
            count("next_timer", self.next_timer)?,
            count("next_effect", self.next_effect)?,
            count("events", self.events)?,
        );
        let mut save = RestoreContext::new(program, &start, values, numbers);
        let outputs = outputs(self.outputs, &mut save)?;
        let scope = item.as_ref().map_or(ScopeIndex(0), |item| item.scope);
        timeout(self.timeout, &mut save, outcome.as_ref(), scope).within("timeout")?;
        let ready: Queue<FlowId> = self.ready.into_iter().map(Into::into).collect();
        let shape = flows::Shape {
            outcome: outcome.as_ref(),
            scope,
            ready: &ready,
            max_child_executions: start.limits.max_child_executions,
        };
        let saved = SavedFlows {
            places: self.flows,
            free: self.free,
        };
        let flows = saved.flows(&shape, &mut save)?;
        let (timers, effects) = save.finish()?;
        Ok(Machine {
            now: self.now,
            random: Random::from_state(self.random),
            flows,
            ready,
            timers: Timers::from_kept(timers, numbers.0),
            effects: Effects::from_kept(effects, numbers.1),
            outputs,
            records_history: self.records_history,
            event_count: numbers.2,
            transitions: count("transitions", self.transitions)?,
            turn,
            memory,
            outcome,
            redrive_count: count("redrive_count", self.redrive_count)?,
            redriven_at: self.redriven_at,
            deadline: deadline(program, start.state_machine_type, begun),
            tokens: None,
            failed_at: None,
            inspector: None,
            departures: Departures::default(),
            context: None,
            is_of_one_state: start.at.as_ref().is_some_and(|at| at.only),
            item: item.map(Box::new),
            start: Box::new(start),
        })
    }
}

/// Returns the timer of the machine's own TimeoutSeconds.
fn machine_timer(timers: &Timers) -> Option<SavedTimer> {
    let mut all = timers.all().into_iter();
    all.find_map(|(timer, owner)| (owner == TimerOwner::Machine).then(|| timer.into()))
}

/// A machine with TimeoutSeconds has its timer while it runs.
fn timeout(
    saved: Option<SavedTimer>,
    save: &mut RestoreContext<'_>,
    outcome: Option<&Outcome>,
    scope: ScopeIndex,
) -> Read<()> {
    let limited = save.program.timeout_seconds.is_some() && scope == ScopeIndex(0);
    match (saved, limited && outcome.is_none()) {
        (Some(timer), true) => save.claim_timer(timer, TimerOwner::Machine).map(drop),
        (None, false) => Ok(()),
        (None, true) => Err(Damage::unexpected("the timer of TimeoutSeconds", "none")),
        (Some(_), false) => Err(Damage::unexpected("none", "a timer")),
    }
}

fn outputs(saved: Vec<SavedOutput>, save: &mut RestoreContext<'_>) -> Read<Queue<crate::Output>> {
    let outputs = saved
        .into_iter()
        .enumerate()
        .map(|(index, output)| output.output(save).within(format_args!("outputs[{index}]")));
    outputs.collect()
}
