//! Commands, ends and redrives. One that did not succeed continues hearing commands after its end, until it is redriven or
//! may not be redriven any more; then it has ended for good.
use super::{Driver, DurableHost};
use crate::messages::{Command, CommandAnswer, CommandReply, ExecutionOutcome, Redrives};
use asl_engine::{ErrorOutput, Input, MapRunStatus, Timestamp};
use std::time::Duration;

/// The lifecycle of an execution.
#[derive(Default)]
pub(super) struct Lifecycle {
    /// Commands so far.
    commands: u64,
    /// The command by which it is stopped.
    stopped_by: Option<u64>,
    redrives: Redrives,
    /// The outcome, until a redrive.
    ending: Option<ExecutionOutcome>,
    /// Period after the end in which it can be redriven, if at all.
    redrivable: Option<Duration>,
    has_ended_for_good: bool,
    /// True if all events are sealed.
    is_sealed: bool,
}

impl Lifecycle {
    pub(super) fn new(redrivable: Option<Duration>) -> Self {
        Self {
            redrivable,
            ..Self::default()
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ending.is_some()
    }

    /// Ends the period for redrives.
    pub(super) fn time_is_over(&mut self) {
        self.has_ended_for_good = true;
    }

    /// The turn that comes now, of which the answer is to be given; the next one begins.
    fn next_turn(&mut self) -> u64 {
        let turn = self.commands;
        self.commands += 1;
        turn
    }
}

impl<H: DurableHost> Driver<H> {
    /// Handles a command to the execution.
    pub(super) fn commanded(&mut self, command: Command) {
        let life = &mut self.life;
        let turn = life.next_turn();
        self.host.listen(life.commands);
        let foreseen = command.foreseen(&life.redrives, life.ending.as_ref());
        let Command { at, what } = command;
        let answer = match (foreseen, what) {
            (Some(answer), _) => answer,
            (None, CommandReply::Stop(error_output)) => {
                // It is answered once all that its end brings with it is noted.
                life.stopped_by = Some(turn);
                return self.apply_input(at, Input::Stop(error_output));
            }
            (None, CommandReply::UpdateMapRun(update)) => {
                let is_it = |run: MapRunStatus| *run.arn == *update.map_run_arn;
                let is_there = self.execution.map_runs().any(is_it);
                if is_there {
                    self.apply_input(at, Input::UpdateMapRun(update));
                }
                CommandAnswer::Updated(is_there)
            }
            (None, CommandReply::Redrive { client_token }) => {
                let at = at.max(self.execution.now());
                life.redrives.add(client_token, at);
                life.ending = None;
                life.is_sealed = false;
                self.host.redrive(&life.redrives);
                self.apply_input(at, Input::Redrive);
                CommandAnswer::Redriven(at)
            }
        };
        self.host.answer(turn, answer);
    }

    /// Handles the cancellation of the workflow, which must end.
    pub(super) fn cancelled(&mut self) {
        self.life.redrivable = None;
        if self.life.has_ended() {
            return self.life.time_is_over();
        }
        let now = self.execution.now();
        let cause = "its invocation was cancelled in Restate";
        self.apply_input(now, Input::Stop(ErrorOutput::new("Cancelled", cause)));
    }

    /// If it has ended now, notifies the waiter and the current command; returns true in that case.
    pub(super) fn note_end(&mut self) -> bool {
        let Some(outcome) = self.execution.outcome() else {
            return false;
        };
        if self.life.has_ended() {
            return false;
        }
        let ending = ExecutionOutcome::new(&self.execution, outcome);
        self.host.stop_children(ending.stop_date);
        self.host.end(&self.life.redrives, &ending);
        let answer = CommandAnswer::Ended(ending.stop_date);
        if let Some(turn) = self.life.stopped_by.take() {
            self.host.answer(turn, answer.clone());
        }
        match self.redrivable_until(&ending) {
            None => self.life.time_is_over(),
            Some(until) => {
                self.host.answer(self.life.next_turn(), answer);
                self.host.rest();
                self.asleep.clear();
                self.host.listen(self.life.commands);
                self.host.sleep_until(until);
            }
        }
        self.life.ending = Some(ending);
        true
    }

    /// Seals the history of one that has ended.
    pub(super) async fn seal(&mut self) {
        let (pieces, events) = self.history.take();
        match self.host.seal(pieces, events).await {
            Ok(()) => self.life.is_sealed = true,
            // Its history stays to be replayed.
            Err(_) => self.cancelled(),
        }
    }

    fn redrivable_until(&self, ending: &ExecutionOutcome) -> Option<Timestamp> {
        let ended = ending.stop_date;
        let may_be = self.execution.can_be_redriven()
            && ExecutionOutcome::why_not_redrivable(Some(ending), ended).is_none();
        ended.checked_add(self.life.redrivable.filter(|_| may_be)?)
    }

    /// Returns the outcome if it is final: no commands are received then.
    pub(super) fn closed(&mut self) -> Option<ExecutionOutcome> {
        let life = &self.life;
        let ending = life.ending.clone().filter(|_| life.has_ended_for_good)?;
        self.host.close_inbox();
        let answer = CommandAnswer::Ended(ending.stop_date);
        self.host.answer(life.commands, answer);
        if life.is_sealed {
            self.host.forget_records(self.records);
        }
        Some(ending)
    }
}
