//! The thread that runs executions: takes what happened, journals it, tells the executions, and once that is durable has
//! done what they ask for.
mod activities;
mod answers;
mod begin;
mod computing;
mod effects;
mod end;
mod held;
mod hot;
mod link;
mod loading;
mod mailbox;
mod map_runs;
mod message;
mod mocks;
mod nested;
mod parking;
mod performing;
mod pool;
mod recovery;
mod requests;
mod stepping;
mod trees;

pub(crate) use mailbox::Mailbox;
pub(crate) use message::{Message, StartMessage, WorkerReply};
pub(crate) use pool::Pool;

use crate::database::definitions::Programs;
use crate::database::operation::Operation;
use crate::database::retention::Retirement;
use crate::database::row::{ByNumber, RowId};
use crate::database::writer::Batch;
use crate::shared::Shared;
use activities::Activities;
use asl_engine::runtime::Request;
use asl_engine::{EffectId, Input, Timestamp};
use computing::Computing;
use hot::Hot;
use link::Link;
use mocks::Mocks;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use trees::Trees;

/// Children that begin, and timers that are looked at, between two looks at what arrived.
const ROUND: usize = 256;
/// Starts that are taken in a round.
const STARTS: usize = 64;
/// The longest sleep: the system's time may be set meanwhile.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);
/// Between two looks at what ended long ago, of which each lets go of some.
const RETIRING: Duration = Duration::from_secs(1);
/// The same while there was more: than can end in that time, and answers come between.
const RETIRING_ON: Duration = Duration::from_millis(100);
/// Batches on their way to the disk, before which the loop waits for one of them.
const MOST_COMMITTING: usize = 8;

/// Runs the executions of a store.
pub(crate) struct EventLoop {
    shared: Arc<Shared>,
    connection: Connection,
    programs: Programs,
    hot: HashMap<RowId, Box<Hot>, ByNumber>,
    /// Those in memory by their ARNs: some are not in the database yet.
    arns: HashMap<Arc<str>, RowId>,
    /// Those that left memory, until that is durable: the database does not say so yet.
    leaving: HashMap<RowId, (u64, Leaving), ByNumber>,
    /// When which execution has something to go on with, whether it is in memory or not.
    timers: BTreeSet<(Timestamp, RowId)>,
    /// Executions that go on in the pool once the round is over.
    ready: Vec<RowId>,
    /// Those that are there.
    computing: HashMap<RowId, Computing, ByNumber>,
    /// What executions are told in this round by others.
    told: VecDeque<(RowId, Input)>,
    /// Children that have not begun, by their rows.
    waiting_children: BTreeMap<RowId, begin::WaitingChild>,
    /// Those that only wait, in the order in which they began to.
    idle: BTreeMap<u64, RowId>,
    idle_count: u64,
    activities: Activities,
    mocks: Mocks,
    trees: Trees,
    /// Executions that cannot be taken up, with their records after their last snapshots.
    set_aside: HashMap<RowId, Box<[i64]>>,
    /// Redrives of late, by execution and client token.
    redrives: HashMap<(Arc<str>, Arc<str>), Timestamp>,
    running: u64,
    /// When what ended long ago was let go of last.
    retired: Option<Timestamp>,
    /// Whether there was more of it.
    has_old: Arc<AtomicBool>,
    next_row: RowId,
    next_record: i64,
    /// Room for a record while it is encoded.
    encoding: Vec<u8>,
    /// What is to be written.
    operations: Vec<Operation>,
    /// What is done once that is durable.
    afterwards: Vec<Afterwards>,
    /// What is done once what is on its way to the disk is durable.
    committing: VecDeque<(u64, Vec<Afterwards>)>,
    batch: u64,
    is_over: bool,
}

/// An execution that leaves memory.
enum Leaving {
    /// It ended.
    Ended,
    /// It waits.
    Parked(Box<Hot>),
}

/// What is done once a batch is durable.
pub(super) enum Afterwards {
    /// An effect is performed, unless nobody waits for it any more.
    Spawn(Request, Arc<Link>),
    /// An effect is offered to the workers of its activity, answered by a test case, or asked for again.
    Perform(RowId, EffectId),
    /// Somebody is told.
    Tell(Box<dyn FnOnce() + Send>),
}

impl EventLoop {
    /// The executions of a store that reads with this connection.
    pub(crate) fn new(shared: Arc<Shared>, connection: Connection) -> Self {
        Self {
            shared,
            connection,
            programs: Programs::default(),
            hot: HashMap::default(),
            arns: HashMap::new(),
            leaving: HashMap::default(),
            timers: BTreeSet::new(),
            ready: Vec::new(),
            computing: HashMap::default(),
            told: VecDeque::new(),
            waiting_children: BTreeMap::new(),
            idle: BTreeMap::new(),
            idle_count: 0,
            activities: Activities::default(),
            mocks: Mocks::default(),
            trees: Trees::default(),
            set_aside: HashMap::new(),
            redrives: HashMap::new(),
            running: 0,
            retired: None,
            has_old: Arc::default(),
            next_row: 1,
            next_record: 1,
            encoding: Vec::new(),
            operations: Vec::new(),
            afterwards: Vec::new(),
            committing: VecDeque::new(),
            batch: 0,
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
        let messages = self.shared.mailbox.take(patience, self.room_for_starts());
        let now = self.shared.clock.now();
        for message in messages {
            self.take(message, now);
        }
        self.take_due(now);
        self.begin_children(now);
        self.tell_all(now);
        self.park_those_that_wait();
        self.retire(now);
        self.flush();
        self.dispatch();
        self.tell_counts();
    }

    /// Tells how many run and are in memory.
    fn tell_counts(&self) {
        let counters = &self.shared.counters;
        counters.running.store(self.running, Ordering::Relaxed);
        let in_memory = (self.hot.len() + self.computing.len()) as u64;
        counters.in_memory.store(in_memory, Ordering::Relaxed);
    }

    /// From time to time, lets go of what ended long ago.
    fn retire(&mut self, now: Timestamp) {
        if self.next_retiring().is_some_and(|next| next > now) {
            return;
        }
        self.retired = Some(now);
        // It is said anew once this is written.
        self.has_old.store(false, Ordering::Relaxed);
        let options = &self.shared.options;
        let retention = options.retention.as_millis();
        let retention = i64::try_from(retention).unwrap_or(i64::MAX);
        let before = crate::clock::milliseconds(now, false).saturating_sub(retention);
        let retirement = Retirement {
            before,
            bytes: options.retention_bytes,
            has_more: Arc::clone(&self.has_old),
        };
        self.operations.push(Operation::Retire(retirement));
    }

    /// When to look next at what ended long ago; None for at once.
    fn next_retiring(&self) -> Option<Timestamp> {
        let pause = match self.has_old.load(Ordering::Relaxed) {
            true => RETIRING_ON,
            false => RETIRING,
        };
        self.retired?.checked_add(pause)
    }

    /// How long to wait for a message.
    fn patience(&self) -> Option<Duration> {
        let has_work = !self.told.is_empty() || self.may_begin_child();
        // What was done at once, after all before was durable, may have left something to write.
        if !self.operations.is_empty() || !self.afterwards.is_empty() {
            return Some(Duration::ZERO);
        }
        if has_work && self.committing.len() < MOST_COMMITTING {
            return Some(Duration::ZERO);
        }
        let now = self.shared.clock.now();
        let due = self.timers.first().map(|(due, _)| *due);
        let has_old = self.has_old.load(Ordering::Relaxed) || self.retired.is_none();
        let retiring = has_old.then(|| self.next_retiring().unwrap_or(now));
        let until = due.into_iter().chain(retiring).min();
        let until = until.map(|until| until.duration_since(now));
        Some(until.unwrap_or(LONGEST_SLEEP).min(LONGEST_SLEEP))
    }

    fn room_for_starts(&self) -> usize {
        let is_pressed = self.committing.len() >= MOST_COMMITTING;
        let room = self
            .shared
            .options
            .max_in_memory
            .saturating_sub(self.active());
        if is_pressed { 0 } else { room.min(STARTS) }
    }

    /// Executions in memory that do not only wait.
    pub(super) fn active(&self) -> usize {
        let in_memory = self.hot.len() + self.computing.len();
        in_memory.saturating_sub(self.idle.len())
    }

    fn take(&mut self, message: Message, now: Timestamp) {
        let Some(message) = self.defer(message, now) else {
            return;
        };
        match message {
            Message::Start(start) => self.start(*start, now),
            Message::Answered(row, id, answer) => self.answered(row, id, answer, now),
            Message::Heartbeat(row, id) => self.heartbeat(row, id, now),
            Message::Submitted(row, id, output) => self.submitted(row, id, output, now),
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
                self.activities.wait(activity.clone(), worker_name, told);
                self.hand_out(&activity, now);
            }
            Message::Records(row, told) => self.tell_records(row, told),
            Message::Computed(computed) => self.computed(*computed, now),
            Message::Lost(row, records) => self.lost(row, &records, now),
            Message::Committed(batch) => self.committed(batch),
            // Whoever waits for it is told by that it is dropped: the health of the store says why.
            Message::Refused => self.committing.clear(),
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
            if let Some(hot) = self.hot.get_mut(&row) {
                hot.armed = None;
            }
            self.tell(row, Input::TimePassed, now);
        }
    }

    /// Tells executions what others meant for them, until nobody has anything left to say.
    fn tell_all(&mut self, now: Timestamp) {
        while let Some((row, input)) = self.told.pop_front() {
            match input {
                Input::Stop(error_output) => self.stop_one(row, error_output, now),
                input => self.tell(row, input, now),
            };
        }
    }

    /// Hands what is to be written to the writer.
    pub(super) fn flush(&mut self) {
        if self.operations.is_empty() && self.afterwards.is_empty() {
            return;
        }
        let operations = std::mem::take(&mut self.operations);
        let afterwards = std::mem::take(&mut self.afterwards);
        if operations.is_empty() && self.committing.is_empty() {
            // It stands on what is durable already.
            return self.do_afterwards(afterwards);
        }
        let batch = self.batch;
        self.batch += 1;
        if self.shared.options.acknowledges_early {
            self.do_afterwards(afterwards);
            self.committing.push_back((batch, Vec::new()));
        } else {
            self.committing.push_back((batch, afterwards));
        }
        let shared = Arc::clone(&self.shared);
        let told = move |is_durable: bool| {
            shared.mailbox.send(match is_durable {
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
        while let Some((_, afterwards)) = self.committing.pop_front_if(|(first, _)| *first <= batch)
        {
            self.do_afterwards(afterwards);
        }
        self.leaving.retain(|_, (left, _)| *left > batch);
    }

    fn do_afterwards(&mut self, afterwards: Vec<Afterwards>) {
        for action in afterwards {
            match action {
                Afterwards::Spawn(request, link) => self.spawn(request, link),
                Afterwards::Perform(row, id) => self.perform(row, id),
                Afterwards::Tell(tell) => tell(),
            }
        }
    }

    /// Whether what an execution did last is durable.
    pub(super) fn is_durable(&self, batch: u64) -> bool {
        self.committing
            .front()
            .is_none_or(|(first, _)| batch < *first)
            && batch < self.batch
    }

    /// Saves all that is in memory, so that the next start need not replay.
    fn shut_down(&mut self) {
        self.flush();
        self.take_back_all();
        let rows: Vec<RowId> = self.hot.keys().copied().collect();
        for row in rows {
            self.save(row);
        }
        self.operations
            .push(Operation::Clock(crate::clock::milliseconds(
                self.shared.clock.now(),
                true,
            )));
        self.flush();
        self.shared.mailbox.close();
    }
}
