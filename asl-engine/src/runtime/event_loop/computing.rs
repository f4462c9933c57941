//! Executions that compute for long: their turns run in threads next to the event loops, and their inputs wait for the end of
//! a turn. With a virtual clock there are no such threads, as time does not pass while anything runs.
use super::EventLoop;
use super::arrival::Arrival;
use super::command::Command;
use super::computing_threads::{ComputedTurn, ComputingThreads, TurnEnd};
use super::effects::{FinishedTask, Ready};
use crate::runtime::ExecutionId;
use crate::tree::ExecutionTree;
use crate::{EffectId, Input};
use std::sync::Arc;

/// An execution in the middle of a turn next to its event loop.
pub(super) struct ComputingExecution {
    tree: Option<Arc<ExecutionTree>>,
    waiting: Vec<DeferredWork>,
}

/// Work deferred to the end of a turn.
pub(super) enum DeferredWork {
    Ready(Ready),
    Finished(FinishedTask),
    Arrival(Arrival),
    Command(Command),
    SleepEnded(EffectId),
}

impl EventLoop {
    /// Continues an execution that yielded at the end of its turn.
    pub(super) fn continue_after_yield(&mut self, id: ExecutionId) {
        let Some(hosted) = self.executions.get_mut(&id) else {
            return;
        };
        hosted.continues = false;
        if hosted.is_cut_off() {
            return;
        }
        self.effects.postpone_tasks(hosted);
        let computes = hosted.execution.has_yielded() && !self.effects.shared.clock.is_virtual();
        if !computes {
            hosted
                .execution
                .handle_input(self.effects.now, Input::TimePassed);
            return self.drain(id, None);
        }
        if let Some(mut hosted) = self.executions.remove(&id) {
            self.effects.disarm(&mut hosted);
            let computing = ComputingExecution {
                tree: hosted.tree.clone(),
                waiting: Vec::new(),
            };
            self.computing.insert(id, computing);
            ComputingThreads::push(&self.effects.shared.computing_threads, hosted);
        }
    }

    /// Takes an execution back after its turn, and performs its outputs.
    pub(super) fn take_computed(&mut self, computed: ComputedTurn) {
        let ComputedTurn {
            mut hosted,
            outputs,
            end,
        } = computed;
        let id = hosted.member.id;
        let computing = self.computing.remove(&id);
        if !hosted.is_cut_off() {
            for output in outputs {
                self.effects.perform(&mut hosted, output);
            }
        }
        self.executions.insert(id, hosted);
        self.end_turn(
            id,
            match end {
                TurnEnd::Wait(until) => Err(until),
                TurnEnd::Done(outcome) => Ok(outcome),
            },
        );
        for deferred in computing.into_iter().flat_map(|it| it.waiting) {
            self.take_deferred(id, deferred);
        }
    }

    fn take_deferred(&mut self, id: ExecutionId, deferred: DeferredWork) {
        match deferred {
            DeferredWork::Ready(ready) => self.effects.ready.push_back(ready),
            DeferredWork::Finished(finished) => self.settle(finished),
            DeferredWork::Arrival(arrival) => self.take_arrival(arrival),
            DeferredWork::Command(command) => self.take_command(command),
            DeferredWork::SleepEnded(effect) => self.end_sleep(id, effect),
        }
    }

    /// Ends a performer's sleep.
    pub(super) fn end_sleep(&mut self, execution: ExecutionId, id: EffectId) {
        let Some(id) = self.defer(Some(execution), id, DeferredWork::SleepEnded) else {
            return;
        };
        if let Some(hosted) = self.executions.get_mut(&execution) {
            self.effects.end_sleep(hosted, id);
        }
    }

    /// Defers work for an execution in the middle of its turn; returns it if there is no such execution.
    pub(super) fn defer<T>(
        &mut self,
        id: Option<ExecutionId>,
        it: T,
        deferred: fn(T) -> DeferredWork,
    ) -> Option<T> {
        if self.computing.is_empty() {
            return Some(it);
        }
        match id.and_then(|id| self.computing.get_mut(&id)) {
            Some(computing) => {
                computing.waiting.push(deferred(it));
                None
            }
            None => Some(it),
        }
    }

    /// Returns an execution of this tree that is in the middle of its turn: its data can be counted afterwards.
    pub(super) fn computing_of(&self, tree: &Arc<ExecutionTree>) -> Option<ExecutionId> {
        let is_of = |computing: &ComputingExecution| {
            let of = computing.tree.as_ref();
            of.is_some_and(|it| Arc::ptr_eq(it, tree))
        };
        let mut computing = self.computing.iter();
        computing.find_map(|(id, computing)| is_of(computing).then_some(*id))
    }
}
