//! Executions that are not in memory, and their way there.
use super::job::{Job, RecoveredExecution};
use super::mocks::known_attempt;
use super::nested::nested_of;
use super::resident::Resident;
use super::{EventLoop, EventLoops, EvictingExecution};
use crate::database::executions;
use crate::database::operation::Operation;
use crate::database::row::RowId;
use crate::database::stored_execution::{self, StoredExecution};
use asl_backend::FollowedMapRuns;
use asl_engine::{Effect, PendingEffect, Program, TurnLimits};
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Limits of the turn of a recovered execution after its last record. It must reach the same point as before if it continued
/// at the same time: after a turn in the event loop, and one in the pool if something was abandoned in the first.
const TURN_AFTER_REPLAY: TurnLimits = TurnLimits {
    cost: 2 * (TurnLimits::IN_EVENT_LOOP.cost + TurnLimits::IN_THREAD.cost),
    ..TurnLimits::IN_EVENT_LOOP
};

impl EventLoop {
    /// Takes an execution out of its place, from the database if it is not in memory. None if no such execution can receive
    /// inputs.
    pub(super) fn take_resident(&mut self, row: RowId) -> Option<Box<Resident>> {
        if let Some(mut resident) = self.residents.by_row.remove(&row) {
            self.residents.leave_idle(&mut resident);
            return Some(resident);
        }
        if self.residents.computing.contains_key(&row) {
            return None;
        }
        if let Some(waiting) = self.residents.waiting_children.remove(&row) {
            let now = self.shared.clock.now();
            return Some(self.start_child(row, waiting, now));
        }
        match self.residents.leaving.remove(&row) {
            Some((_, EvictingExecution::Parked(resident))) => {
                self.outbox.operations.push(Operation::Unpark(row));
                Some(resident)
            }
            Some((_, EvictingExecution::Evicted(mut resident))) => {
                resident.memory.set_leaving(false);
                Some(resident)
            }
            Some(ended) => {
                self.residents.leaving.insert(row, ended);
                None
            }
            None => self.load(row),
        }
    }

    /// Puts an execution back; one that ended goes.
    pub(super) fn put_resident(&mut self, mut resident: Box<Resident>) {
        if resident.execution.outcome().is_some() {
            let ended = EvictingExecution::Ended(Some(Arc::clone(&resident.arn)));
            self.residents
                .leaving
                .insert(resident.id, (self.outbox.batch, ended));
            self.residents.large.remove(&resident.id);
            if resident.memory.is_large() {
                self.loops.pool.push(Job::Drop(resident));
            }
            return;
        }
        match resident.memory.is_large() {
            true => self.residents.large.insert(resident.id),
            false => self.residents.large.remove(&resident.id),
        };
        self.save_where_long(&mut resident);
        if resident.execution.has_yielded() && !std::mem::replace(&mut resident.is_ready, true) {
            self.residents.ready.push(resident.id);
        }
        if resident.only_waits() {
            self.residents.enter_idle(&mut resident);
        }
        if !std::mem::replace(&mut resident.is_listed, true) {
            self.loops.directory.insert(&resident.arn, resident.id);
        }
        self.residents.by_row.insert(resident.id, resident);
    }

    /// Loads an execution that was parked, or held for want of who does its tasks: it can be stopped. One that cannot
    /// continue is set aside.
    fn load(&mut self, row: RowId) -> Option<Box<Resident>> {
        if self.residents.set_aside.contains_key(&row) {
            return None;
        }
        let stored = match readable(&self.connection, row).ok()? {
            Ok(stored) => stored.filter(|stored| stored.is_running)?,
            Err(why) => {
                if executions::is_running(&self.connection, row).unwrap_or(false) {
                    self.suspend_unrecoverable(row, why, &[]);
                }
                return None;
            }
        };
        match self.revive(stored) {
            Ok(revived) => Some(self.admit(*revived)),
            Err(why) => {
                self.suspend_unrecoverable(row, why, &[]);
                None
            }
        }
    }

    /// Takes an execution in that was not in memory.
    pub(super) fn admit(&mut self, revived: RecoveredExecution) -> Box<Resident> {
        let RecoveredExecution {
            mut resident,
            due,
            was_held,
            ..
        } = revived;
        let row = resident.id;
        self.trees.count(&resident);
        self.outbox.operations.push(Operation::Unpark(row));
        if let Some(why) = was_held.then(|| self.unwired(&resident)).flatten() {
            // It is told this one thing, and stays among those that are named.
            self.outbox.operations.push(Operation::Name(row, why));
        }
        if let Some(due) = due {
            self.timers.remove(&(due, row));
        }
        let wake = resident.execution.wake();
        self.arm(&mut resident, wake);
        resident
    }

    /// Restores an execution from its stored data.
    pub(super) fn revive(
        &mut self,
        stored: StoredExecution,
    ) -> Result<Box<RecoveredExecution>, String> {
        let program = self.programs.get(&self.connection, stored.definition);
        revive(&self.loops, &self.connection, program, stored)
    }

    /// Returns the row of an execution.
    pub(super) fn find(&self, arn: &str) -> Option<RowId> {
        find(&self.loops, &self.connection, arn)
    }
}

/// Returns the row of an execution.
fn find(loops: &EventLoops, connection: &Connection, arn: &str) -> Option<RowId> {
    let known = loops.directory.get(arn);
    known.or_else(|| executions::row_of(connection, arn).ok().flatten())
}

/// Returns the stored data of an execution, or the reason why it is unreadable, which affects no other execution.
pub(super) fn readable(
    connection: &Connection,
    row: RowId,
) -> rusqlite::Result<Result<Option<StoredExecution>, String>> {
    match stored_execution::read(connection, row) {
        Err(error @ rusqlite::Error::FromSqlConversionFailure(..)) => {
            Ok(Err(format!("its stored state cannot be read: {error}")))
        }
        read => read.map(Ok),
    }
}

/// Restores an execution from its stored data.
pub(super) fn revive(
    loops: &EventLoops,
    connection: &Connection,
    program: rusqlite::Result<Program>,
    stored: StoredExecution,
) -> Result<Box<RecoveredExecution>, String> {
    let program = program.map_err(|error| format!("its definition cannot be read: {error}"))?;
    let tokens = Arc::clone(&loops.shared.tokens);
    let (id, definition, about) = (stored.id, stored.definition, stored.about.clone());
    let (parent, records) = (stored.parent, stored.records.clone());
    let (due, was_held) = (stored.due, stored.is_held);
    let (journaled, has_new_records) = (stored.journaled(), stored.has_new_records());
    let limits = TURN_AFTER_REPLAY;
    let revived = AssertUnwindSafe(|| stored.revive(connection, program, tokens, limits));
    let execution =
        catch_unwind(revived).unwrap_or_else(|_| Err("its replay panicked".to_owned()))?;
    let mut resident = Resident::new(id, definition, execution, about, &loops.shared.memory);
    resident.parent = parent;
    resident.records = records;
    resident.is_dirty = false;
    resident.was_kept = true;
    resident.journaled = journaled;
    let children = executions::running_children(connection, id);
    let children = children.map_err(|error| error.to_string())?;
    resident.children = children.into_iter().collect();
    resident.map_runs = FollowedMapRuns::of(&resident.execution);
    let pending: Vec<PendingEffect> = resident.execution.pending().collect();
    for pending in pending {
        if !matches!(pending.effect, Effect::Child(_)) {
            let nested = nested_of(&pending).and_then(|arn| find(loops, connection, arn));
            if let Some(child) = nested {
                resident.nested.insert(pending.effect.id(), child);
            }
            let attempt = known_attempt(connection, &resident, &pending);
            resident.effects.insert(pending, attempt);
        }
    }
    Ok(Box::new(RecoveredExecution {
        resident,
        due,
        was_held,
        has_new_records,
    }))
}
