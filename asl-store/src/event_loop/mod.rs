//! The threads that run executions: each receives inputs, journals them, applies them, and performs the effects once they
//! are durable.
mod activities;
mod activity_tasks;
mod answers;
mod computing;
mod directory;
mod effects;
mod end;
mod evicted;
mod job;
mod link;
mod loading;
mod loops;
mod mailbox;
mod map_runs;
mod message;
mod mocks;
mod nested;
mod outbox;
mod parking;
mod performing;
mod pool;
mod recovery;
mod requests;
mod resident;
mod residents;
mod retiring;
mod slots;
mod starting;
mod stepping;
mod suspension;
mod trees;

pub(crate) use loops::EventLoops;
pub(crate) use message::Message;
pub(crate) use pool::Pool;
pub(crate) use recovery::look;

use crate::database::definitions::Programs;
use crate::database::operation::Operation;
use crate::database::row::RowId;
use crate::database::writer::Batch;
use crate::shared::StoreContext;
use asl_engine::{Input, Timestamp};
use link::EffectMessage;
use mocks::Mocks;
use outbox::{Outbox, PostCommit};
use residents::{EvictingExecution, Residents};
use retiring::RetentionProgress;
use rusqlite::Connection;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use trees::Trees;

/// Children that begin, and timers that are looked at, between two looks at what arrived.
const ROUND: usize = 256;
/// Starts that are taken in a round.
const STARTS: usize = 64;
/// The longest sleep: the system's time may be set meanwhile.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);

/// Runs some of the executions of a store.
pub(crate) struct EventLoop {
    shared: Arc<StoreContext>,
    loops: Arc<EventLoops>,
    /// Index of the loop.
    index: usize,
    connection: Connection,
    programs: Programs,
    residents: Residents,
    /// Due times of executions, in memory or not.
    timers: BTreeSet<(Timestamp, RowId)>,
    /// Inputs for executions from others, in this round.
    told: VecDeque<(RowId, Input)>,
    outbox: Outbox,
    mocks: Mocks,
    trees: Trees,
    /// Redrives of late, by execution and client token.
    redrives: HashMap<(Arc<str>, Arc<str>), Timestamp>,
    /// Of the first loop.
    retiring: Option<RetentionProgress>,
    /// True if memory was short in the last round.
    was_short: bool,
    /// True if the pool held an execution back in this round.
    was_held_back: bool,
    /// Number of executions in memory, as in the counters.
    counted_in_memory: u64,
    is_over: bool,
}

impl EventLoop {
    /// Creates the loop of this index, which reads with this connection.
    pub(crate) fn new(loops: &Arc<EventLoops>, index: usize, connection: Connection) -> Self {
        Self {
            shared: Arc::clone(&loops.shared),
            loops: Arc::clone(loops),
            index,
            connection,
            programs: Programs::default(),
            residents: Residents::default(),
            timers: BTreeSet::new(),
            told: VecDeque::new(),
            outbox: Outbox::default(),
            mocks: Mocks::default(),
            trees: Trees::default(),
            redrives: HashMap::new(),
            retiring: (index == 0).then(RetentionProgress::default),
            was_short: false,
            was_held_back: false,
            counted_in_memory: 0,
            is_over: false,
        }
    }

    /// Runs until it is shut down.
    pub(crate) fn run(mut self) {
        while !self.is_over {
            self.round();
        }
        self.shut_down();
    }

    fn round(&mut self) {
        let patience = self.patience();
        let room = self.room_for_starts();
        let messages = self.loops.mailbox(self.index).take(patience, room);
        let now = self.shared.clock.now();
        for message in messages {
            self.take(message, now);
        }
        self.take_due(now);
        self.start_children(now);
        self.apply_inputs(now);
        self.park_those_that_wait();
        self.relieve();
        self.retire(now);
        self.flush();
        self.dispatch();
        self.was_held_back = false;
        self.count_in_memory();
    }

    /// Publishes the number of resident executions.
    fn count_in_memory(&mut self) {
        let count = self.residents.count() as u64;
        let counter = &self.shared.counters.in_memory;
        counter.fetch_add(
            count.wrapping_sub(self.counted_in_memory),
            Ordering::Relaxed,
        );
        self.counted_in_memory = count;
    }

    /// Returns true if an execution is one of this loop.
    pub(super) fn runs(&self, row: RowId) -> bool {
        self.loops.slots.loop_of_row(row) == self.index
    }

    /// Returns how long to wait for a message.
    fn patience(&self) -> Option<Duration> {
        let has_work = !self.told.is_empty() || self.may_begin_child();
        // What was done at once, after all before was durable, may have left something to write.
        if !self.outbox.is_empty() || (has_work && !self.outbox.is_full()) {
            return Some(Duration::ZERO);
        }
        let now = self.shared.clock.now();
        let due = self.timers.first().map(|(due, _)| *due);
        let retiring = self.retiring.as_ref().and_then(|it| it.wake(now));
        let until = due.into_iter().chain(retiring).min();
        let until = until.map(|until| until.duration_since(now));
        let waits_for_memory = !self.residents.resumable.is_empty() || self.was_short;
        let longest = if waits_for_memory {
            evicted::PAUSE
        } else {
            LONGEST_SLEEP
        };
        Some(until.unwrap_or(longest).min(longest))
    }

    fn room_for_starts(&self) -> usize {
        match self.outbox.is_full() {
            true => 0,
            false => self.room_in_memory().min(STARTS),
        }
    }

    /// Returns the number of further executions that can be resident, not counting those that only wait.
    pub(super) fn room_in_memory(&self) -> usize {
        self.most_in_memory()
            .saturating_sub(self.residents.active())
    }

    /// Executions that this loop may have in memory.
    pub(super) fn most_in_memory(&self) -> usize {
        (self.shared.options.max_in_memory / self.loops.count()).max(1)
    }

    fn take(&mut self, message: Message, now: Timestamp) {
        let Some(message) = self.defer(message, now) else {
            return;
        };
        match message {
            Message::Start(start) => self.start(*start, now),
            Message::Effect(row, id, message) => match message {
                EffectMessage::Answered(answer) => self.answered(row, id, answer, now),
                EffectMessage::Heartbeat => self.heartbeat(row, id, now),
                EffectMessage::Submitted(output) => self.submitted(row, id, output, now),
            },
            Message::Reply {
                execution_arn,
                effect,
                reply,
                told,
            } => {
                self.reply(&execution_arn, effect, reply, told, now);
            }
            Message::Stop {
                arn,
                error_output,
                told,
            } => self.stop(&arn, error_output, told, now),
            Message::Redrive {
                arn,
                client_token,
                told,
            } => self.redrive(arn, client_token, told, now),
            Message::UpdateMapRun {
                execution,
                update,
                told,
            } => {
                self.update_map_run(execution, update, told, now);
            }
            Message::TakeActivityTask {
                activity,
                worker_name,
                told,
            } => {
                let worker = Arc::clone(&activity);
                self.loops.activities().wait(worker, worker_name, told);
                self.assign_tasks(&activity, now);
            }
            Message::TakenTask(taken) => self.take_task(*taken, now),
            Message::Input(row, input) => self.told.push_back((row, input)),
            Message::Records(row, told) => self.send_records(row, told),
            Message::Computed(computed) => self.computed(*computed, now),
            Message::MemoryIsShort => {}
            Message::HeldBack(resident) => self.postpone(resident, now),
            Message::Packed(resident, save) => self.packed(resident, save, now),
            Message::Loaded(loaded) => self.loaded(*loaded, now),
            Message::Lost(row, records) => self.handle_panic(row, &records, now),
            Message::Committed(batch) => self.committed(batch),
            // Whoever waits for it is told by that it is dropped: the health of the store says why.
            Message::Refused => self.outbox.committing.clear(),
            Message::ShutDown => self.is_over = true,
        }
    }

    fn take_due(&mut self, now: Timestamp) {
        for _ in 0..ROUND {
            let Some((due, row)) = self.timers.first().copied().filter(|(due, _)| *due <= now)
            else {
                return;
            };
            self.timers.remove(&(due, row));
            if let Some(resident) = self.residents.by_row.get_mut(&row) {
                resident.armed = None;
            }
            self.deliver_input(row, Input::TimePassed, now);
        }
    }

    /// Applies inputs between executions until none is left.
    fn apply_inputs(&mut self, now: Timestamp) {
        while let Some((row, input)) = self.told.pop_front() {
            match input {
                Input::Stop(error_output) => self.stop_one(row, error_output, now),
                input => self.deliver_input(row, input, now),
            };
        }
    }

    /// Sends an input to another execution, in the transaction of its cause if both are in one loop.
    pub(super) fn send_input(&mut self, row: RowId, input: Input) {
        if self.runs(row) {
            return self.told.push_back((row, input));
        }
        let loops = Arc::clone(&self.loops);
        self.outbox.notify(move || {
            loops.send_of_row(row, Message::Input(row, input));
        });
    }

    /// Passes the pending operations to the writer.
    pub(super) fn flush(&mut self) {
        if self.outbox.is_empty() {
            return;
        }
        let operations = std::mem::take(&mut self.outbox.operations);
        let post_commit = std::mem::take(&mut self.outbox.post_commit);
        if operations.is_empty() && self.outbox.committing.is_empty() {
            // It stands on what is durable already.
            return self.run_post_commit(post_commit);
        }
        let batch = self.outbox.batch;
        self.outbox.batch += 1;
        if self.shared.options.acknowledges_early {
            self.run_post_commit(post_commit);
            self.outbox.committing.push_back((batch, Vec::new()));
        } else {
            self.outbox.committing.push_back((batch, post_commit));
        }
        let (loops, index) = (Arc::clone(&self.loops), self.index);
        let told = move |is_durable: bool| {
            loops.mailbox(index).send(match is_durable {
                true => Message::Committed(batch),
                false => Message::Refused,
            });
        };
        self.shared.writer.write(Batch {
            operations,
            told: Box::new(told),
        });
    }

    fn committed(&mut self, batch: u64) {
        while let Some((_, post_commit)) = self
            .outbox
            .committing
            .pop_front_if(|(first, _)| *first <= batch)
        {
            self.run_post_commit(post_commit);
        }
        let is_durable = |_: &RowId, (left, _): &mut (u64, EvictingExecution)| *left <= batch;
        let left: Vec<_> = self.residents.leaving.extract_if(is_durable).collect();
        for (row, (_, leaving)) in left {
            match leaving {
                EvictingExecution::Ended(Some(arn)) => self.loops.directory.remove(&arn, row),
                EvictingExecution::Evicted(resident) => self.evict(resident),
                EvictingExecution::Ended(None) | EvictingExecution::Parked(_) => {}
            }
        }
    }

    fn run_post_commit(&mut self, post_commit: Vec<PostCommit>) {
        for action in post_commit {
            match action {
                PostCommit::Spawn(request, link) => self.spawn(request, link),
                PostCommit::Perform(row, id) => self.perform(row, id),
                PostCommit::Tell(tell) => tell(),
            }
        }
    }

    /// Saves all that is in memory, so that the next start need not replay.
    fn shut_down(&mut self) {
        self.flush();
        self.take_back_all();
        let rows: Vec<RowId> = self.residents.by_row.keys().copied().collect();
        for row in rows {
            self.save(row);
        }
        self.outbox
            .operations
            .push(Operation::Clock(crate::clock::milliseconds(
                self.shared.clock.now(),
                true,
            )));
        self.flush();
        self.leave_jobs();
        self.loops.mailbox(self.index).close();
    }
}
