//! Executions that compute for long: threads next to the event loops give them their turns, and what arrives for them
//! meanwhile waits for the end of a turn. A virtual clock has none: nothing moves on by it while anything runs.
use super::EventLoop;
use super::arrival::Arrival;
use super::command::Command;
use super::effects::{FinishedTask, Ready};
use super::hosted::Hosted;
use crate::error_output::ErrorOutput;
use crate::execution::TurnLimits;
use crate::runtime::ExecutionId;
use crate::tree::ExecutionTree;
use crate::turn_queue::TurnQueue;
use crate::{EffectId, Input, Outcome, Output, error_names};
use asl_model::Timestamp;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Limits of a turn in an event loop: about a millisecond, to bound the delay of others.
const TURN: TurnLimits = TurnLimits {
    cost: 4_000,
    evaluation_steps: Some(40_000),
};
/// A turn next to it: some milliseconds, so that handing over costs little.
const LONG_TURN: TurnLimits = TurnLimits {
    cost: 30_000,
    evaluation_steps: None,
};
/// Cost of a turn below which an execution is not considered computing.
const LIGHT: u64 = TURN.cost / 2;

/// The threads, which begin when there is something to compute and end when there is nothing more.
#[derive(Default)]
pub(super) struct ComputingThreads {
    waiting: Mutex<WaitingTurns>,
}

#[derive(Default)]
struct WaitingTurns {
    queue: TurnQueue<ExecutionId, Box<Hosted>>,
    threads: usize,
}

/// An execution after a turn next to its event loop.
#[derive(Debug)]
pub(in crate::runtime) struct ComputedTurn {
    hosted: Box<Hosted>,
    /// Outputs of the turn.
    outputs: Vec<Output>,
    end: TurnEnd,
}

#[derive(Debug)]
enum TurnEnd {
    Wait(Option<Timestamp>),
    Done(Outcome),
}

/// An execution in the middle of such a turn.
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

impl ComputingThreads {
    /// Gives an execution its turn once those have had theirs that waited before.
    fn push(this: &Arc<Self>, hosted: Box<Hosted>) {
        let mut waiting = this.waiting();
        waiting.queue.push(hosted.member.root, hosted);
        let most = std::thread::available_parallelism().map_or(1, |count| count.get());
        if waiting.threads >= most {
            return;
        }
        waiting.threads += 1;
        drop(waiting);
        let threads = Arc::clone(this);
        let thread = std::thread::Builder::new().name("asl-computing".to_owned());
        if thread.spawn(move || threads.run()).is_err() {
            // Better here than not at all.
            this.run();
        }
    }

    /// One turn after the other, until none waits.
    fn run(&self) {
        while let Some(hosted) = self.next() {
            let member = Arc::clone(&hosted.member);
            let has_loop = !member.shared().commands(member.id).is_closed();
            if has_loop {
                let computed = Arrival::Computed(Box::new(ComputedTurn::by_turn(hosted)));
                // A loop that is gone needs it no more.
                member.shared().send(member.id, computed);
            }
        }
    }

    fn next(&self) -> Option<Box<Hosted>> {
        let mut waiting = self.waiting();
        let next = waiting.queue.pop();
        if next.is_none() {
            waiting.threads -= 1;
        }
        next
    }

    fn waiting(&self) -> MutexGuard<'_, WaitingTurns> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ComputedTurn {
    /// Gives an execution a turn.
    fn by_turn(mut hosted: Box<Hosted>) -> Self {
        let now = hosted.member.shared().clock.now();
        let mut outputs = Vec::new();
        let turn = AssertUnwindSafe(|| hosted.run_turn(now, &mut outputs));
        let end = catch_unwind(turn).unwrap_or_else(|_| {
            // The panic hook has told it. The execution cannot continue.
            let cause = "the execution panicked".to_owned();
            let failure = ErrorOutput::new(error_names::RUNTIME, cause);
            TurnEnd::Done(Outcome::Failed(failure))
        });
        Self {
            hosted,
            outputs,
            end,
        }
    }
}

impl Hosted {
    /// Limits a turn in the event loop: one that computes only has its input taken in.
    pub(super) fn limit_turn(&mut self) {
        let cost = if self.computes { 0 } else { TURN.cost };
        self.execution.limit_turns(TurnLimits { cost, ..TURN });
    }

    /// Notes whether it computes, after a turn.
    pub(super) fn note_turn(&mut self) {
        let cost = self.execution.turn_cost();
        let was_light = cost <= LIGHT && (cost > 0 || !self.computes);
        self.computes = self.execution.has_yielded() || !was_light;
    }

    fn run_turn(&mut self, now: Timestamp, outputs: &mut Vec<Output>) -> TurnEnd {
        let execution = &mut self.execution;
        execution.limit_turns(LONG_TURN);
        // What was abandoned is done again before time moves.
        if execution.has_abandoned() {
            execution.continue_turn();
        } else {
            execution.handle_input(now, Input::TimePassed);
        }
        let end = loop {
            match execution.poll_output() {
                Output::Wait { until } => break TurnEnd::Wait(until),
                Output::Done(outcome) => break TurnEnd::Done(outcome),
                output => outputs.push(output),
            }
        };
        self.note_turn();
        end
    }
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
