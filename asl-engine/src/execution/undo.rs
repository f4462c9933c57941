//! Undoing moves whose evaluations take too many steps for the turn ([`TurnLimits`](crate::TurnLimits)).
//!
//! Nothing outside has seen such a move: its counts, random numbers and outputs are restored, and the flow is in its
//! previous phase. The move is charged once, and has the same result when it is repeated.
use super::departure::Departures;
use super::machine::{Machine, Next, Phase, Random, StepResult, Turn};
use crate::data::Memory;
use std::sync::Arc;

/// Makes a move, or as much of it as evaluates something; undoes it where that takes too many steps.
#[inline]
pub(super) fn undoable(
    turn: &mut Turn<'_>,
    make: impl FnOnce(&mut Turn<'_>) -> StepResult,
) -> StepResult {
    match turn.machine.turn.abandons() {
        false => make(turn),
        true => make_or_undo(turn, make),
    }
}

#[inline(never)]
fn make_or_undo(turn: &mut Turn<'_>, make: impl FnOnce(&mut Turn<'_>) -> StepResult) -> StepResult {
    let before = UndoPoint::new(turn);
    turn.undone_phase = None;
    // The end of an execution is not undone: its last event is out.
    turn.machine
        .turn
        .allow_abandoning(!turn.machine.has_ended());
    let stepped = make(turn);
    turn.machine.turn.allow_abandoning(false);
    if !turn.is_abandoned() {
        return stepped;
    }
    before.restore(turn);
    let phase = turn.undone_phase.take().unwrap_or(Phase::Attempting);
    Ok(Next::Again(phase))
}

/// The state of an execution before a move, as far as evaluations can change it.
struct UndoPoint {
    random: Random,
    memory: Memory,
    departures: Departures,
    transitions: u64,
    event_count: u64,
    last_event_id: u64,
    next_effect: u64,
    task_token: Option<Arc<str>>,
    outputs: usize,
}

impl UndoPoint {
    fn new(turn: &Turn<'_>) -> Self {
        let machine = &*turn.machine;
        Self {
            random: machine.random.clone(),
            memory: machine.memory,
            departures: machine.departures,
            transitions: machine.transitions,
            event_count: machine.event_count,
            last_event_id: turn.flow.last_event_id,
            next_effect: machine.effects.next(),
            task_token: turn.flow.task_token.clone(),
            outputs: machine.outputs.len(),
        }
    }

    #[cold]
    fn restore(self, turn: &mut Turn<'_>) {
        turn.flow.last_event_id = self.last_event_id;
        turn.flow.task_token = self.task_token;
        let machine: &mut Machine = turn.machine;
        machine.random = self.random;
        machine.memory = self.memory;
        machine.departures = self.departures;
        machine.transitions = self.transitions;
        machine.event_count = self.event_count;
        machine.effects.take_back(self.next_effect);
        machine.outputs.truncate(self.outputs);
        machine.turn.undo_move();
    }
}
