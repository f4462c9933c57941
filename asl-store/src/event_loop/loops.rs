//! The event loops of a store, and their shared state.
use super::activities::Activities;
use super::directory::Directory;
use super::link::EffectMessage;
use super::mailbox::Mailbox;
use super::message::{Message, StartMessage};
use super::pool::Pool;
use super::slots::{Slot, Slots};
use crate::database::executions;
use crate::database::row::RowId;
use crate::pending::PendingCount;
use crate::shared::StoreContext;
use asl_backend::StartExecution;
use asl_engine::EffectId;
use rusqlite::Connection;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// The event loops of a store, and their shared state.
pub(crate) struct EventLoops {
    pub(crate) shared: Arc<StoreContext>,
    mailboxes: Box<[Mailbox]>,
    pub(super) slots: Slots,
    pub(super) directory: Directory,
    activities: Mutex<Activities>,
    pub(super) pool: Pool,
    next_record: AtomicI64,
    /// Executions being recovered outside the loops.
    pub(crate) loading: PendingCount,
}

impl EventLoops {
    /// Returns the loops of a store that reads with this connection; none of them runs yet.
    pub(crate) fn new(
        shared: Arc<StoreContext>,
        connection: &Connection,
        loops: usize,
    ) -> rusqlite::Result<Self> {
        let slots = Slots::new(loops, executions::last_number(connection)?);
        let last_record = crate::database::journal::last(connection)?;
        Ok(Self {
            shared,
            mailboxes: (0..slots.loops()).map(|_| Mailbox::default()).collect(),
            slots,
            directory: Directory::default(),
            activities: Mutex::default(),
            pool: Pool::default(),
            next_record: AtomicI64::new(last_record + 1),
            loading: PendingCount::default(),
        })
    }

    /// Returns how many loops there are.
    pub(crate) fn count(&self) -> usize {
        self.mailboxes.len()
    }

    pub(super) fn mailbox(&self, index: usize) -> &Mailbox {
        // No index comes from elsewhere than `slots`, which has as many loops.
        &self.mailboxes[index]
    }

    pub(super) fn activities(&self) -> MutexGuard<'_, Activities> {
        self.activities
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of the next record of the journal.
    pub(super) fn next_record(&self) -> i64 {
        self.next_record.load(Ordering::Relaxed)
    }

    /// Takes a number for a record.
    pub(super) fn new_record(&self) -> i64 {
        self.next_record.fetch_add(1, Ordering::Relaxed)
    }

    /// Sends a message to the loop of an execution; returns false if the loop is gone.
    pub(super) fn send_to_row(&self, row: RowId, message: Message) -> bool {
        self.mailbox(self.slots.loop_of_row(row)).send(message)
    }

    /// Sends the message of a performer about its effect.
    pub(super) fn send_of_effect(&self, row: RowId, id: EffectId, message: EffectMessage) {
        self.send_to_row(row, Message::Effect(row, id, message));
    }

    /// Wakes the loops besides this one: memory is short.
    pub(super) fn send_to_others(&self, index: usize) {
        for (other, mailbox) in self.mailboxes.iter().enumerate() {
            if other != index {
                mailbox.send(Message::MemoryIsShort);
            }
        }
    }

    /// Sends a message about an execution to its loop.
    pub(crate) fn send(&self, arn: &str, message: Message) {
        self.mailbox(self.loop_of_arn(arn)).send(message);
    }

    /// Sends a message about a row to its loop.
    pub(crate) fn send_of_row(&self, row: RowId, message: Message) {
        self.send_to_row(row, message);
    }

    /// Sends the start of an execution to the loop that runs it: one that a task waits for runs in the loop of that task.
    pub(crate) fn send_start(
        &self,
        start: StartExecution,
        told: oneshot::Sender<Result<asl_backend::StartedExecution, asl_backend::StartError>>,
    ) {
        let slot = self.slot_of_start(&start);
        let message = StartMessage { start, slot, told };
        let message = Message::Start(Box::new(message));
        self.mailbox(self.slots.loop_of(slot)).send(message);
    }

    fn slot_of_start(&self, start: &StartExecution) -> Slot {
        let nested = start.nested.as_ref();
        let task = nested.and_then(|nested| self.shared.tokens.verify(&nested.token));
        let parent = task.and_then(|task| self.row_of(&task.execution_arn));
        match parent {
            Some(parent) => self.slots.of_row(parent),
            None => self.slots.of_name(&start.identity().execution_arn()),
        }
    }

    /// Returns the row of an execution, in memory or not.
    fn row_of(&self, arn: &str) -> Option<RowId> {
        let known = self.directory.get(arn);
        known.or_else(|| {
            let found = self
                .shared
                .read(|connection| executions::row_of(connection, arn));
            found.ok().flatten()
        })
    }

    fn loop_of_arn(&self, arn: &str) -> usize {
        if self.mailboxes.len() == 1 {
            return 0;
        }
        // There is none: any loop says so.
        self.row_of(arn)
            .map_or(0, |row| self.slots.loop_of_row(row))
    }

    /// Sends a request for a task of an activity to a loop; whichever takes it, tasks of all loops are there.
    pub(crate) fn send_worker(&self, activity: &str, message: Message) {
        let slot = self.slots.of_name(activity);
        self.mailbox(self.slots.loop_of(slot)).send(message);
    }

    /// Has all loops end.
    pub(crate) fn shut_down(&self) {
        for mailbox in &self.mailboxes {
            mailbox.send(Message::ShutDown);
        }
    }

    /// Has the threads end that compute.
    pub(crate) fn close_pool(&self) {
        self.pool.close();
    }
}
