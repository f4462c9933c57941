//! The threads that run what computes for long, beside the event loop: one for each core, at a lower priority where the system
//! allows that, so that the loop and the writer are never without a core.
use super::EventLoops;
use super::message::Message;
use super::resident::Resident;
use crate::OpenError;
use crate::database::row::{RowId, encoded};
use crate::database::writer::no_thread;
use crate::priority::lower_priority;
use asl_engine::{Input, Step, Timestamp, TurnLimits, TurnQueue};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A turn in the pool: some milliseconds, so that handing over costs little beside it.
pub(super) const TURN: TurnLimits = TurnLimits {
    cost: 30_000,
    evaluation_steps: None,
};

/// The way to the threads.
#[derive(Default)]
pub(crate) struct Pool {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
}

/// Executions that wait for a thread.
#[derive(Default)]
struct Waiting {
    queue: TurnQueue<RowId, Box<Resident>>,
    is_closed: bool,
}

/// An execution after a turn in the pool.
pub(crate) struct Computed {
    pub(crate) resident: Box<Resident>,
    /// When the turn began.
    pub(crate) now: Timestamp,
    /// What is to be journaled of it.
    pub(crate) record: Option<Vec<u8>>,
    pub(crate) step: Step,
}

impl Pool {
    /// Starts the threads.
    pub(crate) fn start(loops: &Arc<EventLoops>) -> Result<(), OpenError> {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
        for number in 0..threads {
            let loops = Arc::clone(loops);
            let thread = std::thread::Builder::new().name(format!("asl-store-computing-{number}"));
            // They end by themselves: nobody waits for what computes.
            thread.spawn(move || run(&loops)).map_err(no_thread)?;
        }
        Ok(())
    }

    /// Gives an execution its turn once those have had theirs that waited before.
    pub(crate) fn push(&self, resident: Box<Resident>) {
        self.waiting().queue.push(resident.root(), resident);
        self.arrived.notify_one();
    }

    /// Takes an execution back that still waits.
    pub(crate) fn take_back(&self, root: RowId, row: RowId) -> Option<Box<Resident>> {
        self.waiting()
            .queue
            .take(&root, |resident| resident.id == row)
    }

    /// Lets the threads end, each after its turn.
    pub(crate) fn close(&self) {
        let mut waiting = self.waiting();
        waiting.is_closed = true;
        waiting.queue.clear();
        drop(waiting);
        self.arrived.notify_all();
    }

    /// The next that has a turn; None once it is closed.
    fn next(&self) -> Option<Box<Resident>> {
        let mut waiting = self.waiting();
        loop {
            if waiting.is_closed {
                return None;
            }
            if let Some(resident) = waiting.queue.pop() {
                return Some(resident);
            }
            let woken = self.arrived.wait(waiting);
            waiting = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One turn after the other.
fn run(loops: &EventLoops) {
    lower_priority();
    while let Some(resident) = loops.pool.next() {
        let (row, records) = (resident.id, resident.records.clone());
        let turn = AssertUnwindSafe(|| turn(resident, loops.shared.clock.now()));
        let message = match catch_unwind(turn) {
            Ok(computed) => Message::Computed(Box::new(computed)),
            // It has said so. What is kept of the execution is as it was before.
            Err(_) => Message::Lost(row, records),
        };
        loops.send_to_row(row, message);
    }
}

fn turn(mut resident: Box<Resident>, now: Timestamp) -> Computed {
    let execution = &mut resident.execution;
    // What was abandoned is done again before time moves. Otherwise it always does: no more than a turn follows a record.
    let input = (!resident.is_abandoned).then_some(Input::TimePassed);
    let now = now.max(execution.now());
    let record = input.clone().map(|input| execution.journal(now, input));
    execution.limit_turns(TURN);
    let map_runs = &mut resident.map_runs;
    let step = execution.step_with(now, input, |event| map_runs.note(&event));
    resident.note_turn(&step);
    Computed {
        record: record
            .filter(|_| resident.is_journaled())
            .map(|record| encoded(&record)),
        resident,
        now,
        step,
    }
}
