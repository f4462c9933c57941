//! Threads outside the event loops: one per core, at a lower priority if the system allows it, so that the loops and the
//! writer always get a core. They run long computations, and pack, load and drop large executions.
use super::EventLoops;
use super::job::{ComputedTurn, Job};
use super::message::Message;
use super::resident::Resident;
use crate::database::row::{RowId, encoded, packed};
use crate::database::writer::no_thread;
use crate::error::OpenFault;
use crate::priority::lower_priority;
use asl_engine::{Input, TurnLimits, TurnQueue};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The way to the threads.
#[derive(Default)]
pub(crate) struct Pool {
    waiting: Mutex<WaitingJobs>,
    arrived: Condvar,
    /// Turns under way.
    turns: AtomicUsize,
}

/// Jobs that wait for a thread.
#[derive(Default)]
struct WaitingJobs {
    queue: TurnQueue<RowId, Job>,
    is_closed: bool,
}

impl Pool {
    /// Starts the threads.
    pub(crate) fn start(loops: &Arc<EventLoops>) -> Result<(), OpenFault> {
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
    pub(super) fn push(&self, job: Job) {
        self.waiting().queue.push(job.root(), job);
        self.arrived.notify_one();
    }

    /// Takes an execution back that still waits.
    pub(super) fn take_back(&self, root: RowId, row: RowId) -> Option<Box<Resident>> {
        let is_wanted = |job: &Job| job.row() == row && matches!(job, Job::Turn(_) | Job::Pack(_));
        match self.waiting().queue.take(&root, is_wanted)? {
            Job::Turn(resident) | Job::Pack(resident) | Job::Drop(resident) => Some(resident),
            Job::Load(_) => None,
        }
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
    fn next(&self) -> Option<Job> {
        let mut waiting = self.waiting();
        loop {
            if waiting.is_closed {
                return None;
            }
            if let Some(job) = waiting.queue.pop() {
                return Some(job);
            }
            let woken = self.arrived.wait(waiting);
            waiting = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, WaitingJobs> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One job after the other.
fn run(loops: &Arc<EventLoops>) {
    lower_priority();
    while let Some(job) = loops.pool.next() {
        let row = job.row();
        let records = match &job {
            Job::Turn(resident) | Job::Pack(resident) => resident.records.clone(),
            Job::Load(_) | Job::Drop(_) => Vec::new(),
        };
        let done = AssertUnwindSafe(|| perform(loops, job));
        let message = match catch_unwind(done) {
            Ok(None) => continue,
            Ok(Some(message)) => message,
            // It has said so. What is kept of the execution is as it was before.
            Err(_) => Message::Lost(row, records),
        };
        loops.send_to_row(row, message);
    }
}

fn perform(loops: &Arc<EventLoops>, job: Job) -> Option<Message> {
    match job {
        Job::Turn(resident) => {
            let under_way = TurnUnderWay::count_turn(&loops.pool.turns);
            let may_wait = under_way.has_others && !resident.has_turn;
            Some(match may_wait && loops.shared.memory.is_short() {
                true => Message::HeldBack(resident),
                false => Message::Computed(Box::new(turn(resident, loops))),
            })
        }
        Job::Pack(resident) => {
            let save = packed(&encoded(&resident.execution.save()));
            Some(Message::Packed(resident, save))
        }
        Job::Load(load) => Some(Message::Loaded(Box::new(load.load(loops)))),
        Job::Drop(resident) => {
            drop(resident);
            None
        }
    }
}

/// A turn that is under way, be it one that panics.
struct TurnUnderWay<'a> {
    turns: &'a AtomicUsize,
    has_others: bool,
}

impl<'a> TurnUnderWay<'a> {
    fn count_turn(turns: &'a AtomicUsize) -> Self {
        let others = turns.fetch_add(1, Ordering::SeqCst);
        Self {
            turns,
            has_others: others > 0,
        }
    }
}

impl Drop for TurnUnderWay<'_> {
    fn drop(&mut self) {
        self.turns.fetch_sub(1, Ordering::SeqCst);
    }
}

fn turn(mut resident: Box<Resident>, loops: &EventLoops) -> ComputedTurn {
    resident.has_turn = false;
    let execution = &mut resident.execution;
    // What was abandoned is done again before time moves, unless a snapshot came between. Otherwise it always does: no more
    // than a turn follows a record, and nothing a snapshot.
    let is_repeated = resident.is_abandoned && resident.is_dirty;
    let input = (!is_repeated).then_some(Input::TimePassed);
    let now = loops.shared.clock.now().max(execution.now());
    let record = input.clone().map(|input| execution.journal(now, input));
    // Where memory is short, it is looked at again before much more is made.
    let cost = match loops.shared.memory.is_short() {
        true => TurnLimits::IN_THREAD.cost / 16,
        false => TurnLimits::IN_THREAD.cost,
    };
    execution.limit_turns(TurnLimits {
        cost,
        ..TurnLimits::IN_THREAD
    });
    let map_runs = &mut resident.map_runs;
    let step = execution.step_with(now, input, |event| map_runs.note(&event));
    resident.note_turn(&step);
    let record = record
        .filter(|_| resident.is_journaled())
        .map(|record| encoded(&record));
    let more = record.as_ref().map_or(0, Vec::len);
    let save = resident
        .is_save_due(more)
        .then(|| packed(&encoded(&resident.execution.save())));
    ComputedTurn {
        record,
        resident,
        now,
        step,
        save,
    }
}
