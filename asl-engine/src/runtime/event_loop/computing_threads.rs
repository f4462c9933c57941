//! Threads next to the event loops, for the turns of executions that compute for long.
use super::arrival::Arrival;
use super::hosted::HostedExecution;
use crate::error_output::ErrorOutput;
use crate::execution::TurnLimits;
use crate::runtime::ExecutionId;
use crate::turn_queue::TurnQueue;
use crate::{Input, Outcome, Output, error_names};
use asl_model::Timestamp;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The threads. They start when there is work, and end when there is none.
#[derive(Default)]
pub(super) struct ComputingThreads {
    waiting: Mutex<WaitingTurns>,
}

#[derive(Default)]
struct WaitingTurns {
    queue: TurnQueue<ExecutionId, Box<HostedExecution>>,
    threads: usize,
}

/// An execution after a turn next to its event loop.
#[derive(Debug)]
pub(in crate::runtime) struct ComputedTurn {
    pub(super) hosted: Box<HostedExecution>,
    /// Outputs of the turn.
    pub(super) outputs: Vec<Output>,
    pub(super) end: TurnEnd,
}

/// End of a turn.
#[derive(Debug)]
pub(super) enum TurnEnd {
    Wait(Option<Timestamp>),
    Done(Outcome),
}

impl ComputingThreads {
    /// Adds an execution to those that wait for a turn.
    pub(super) fn push(this: &Arc<Self>, hosted: Box<HostedExecution>) {
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

    /// Runs one turn after the other, until none waits.
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

    fn next(&self) -> Option<Box<HostedExecution>> {
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
    fn by_turn(mut hosted: Box<HostedExecution>) -> Self {
        let now = hosted.member.shared().clock.now();
        let mut outputs = Vec::new();
        let turn = AssertUnwindSafe(|| hosted.run_turn(now, &mut outputs));
        let end = catch_unwind(turn).unwrap_or_else(|_| {
            // The panic hook has printed the message. The execution cannot continue.
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

impl HostedExecution {
    /// Limits a turn in the event loop: an execution that computes only takes its input in.
    pub(super) fn limit_turn(&mut self) {
        let mut limits = TurnLimits::IN_EVENT_LOOP;
        if self.computes {
            limits.cost = 0;
        }
        self.execution.limit_turns(limits);
    }

    /// Notes whether it computes, after a turn.
    pub(super) fn note_turn(&mut self) {
        let cost = self.execution.turn_cost();
        let has_yielded = self.execution.has_yielded();
        self.computes = TurnLimits::is_computing(self.computes, cost, has_yielded);
    }

    fn run_turn(&mut self, now: Timestamp, outputs: &mut Vec<Output>) -> TurnEnd {
        let execution = &mut self.execution;
        execution.limit_turns(TurnLimits::IN_THREAD);
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
