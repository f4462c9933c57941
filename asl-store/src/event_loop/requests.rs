//! Other requests to executions: stop, redrive, limits, records.
use super::effects::InFlight;
use super::job::{RecoveredExecution, Redrive};
use super::resident::Resident;
use super::{EventLoop, EvictingExecution, Message, PostCommit};
use crate::clock::milliseconds;
use crate::database::executions;
use crate::database::operation::Operation;
use crate::database::row::RowId;
use crate::database::stored_execution;
use crate::statistics::count;
use asl_backend::{
    BackendError, ExecutionEnd, RedriveError, SAME_REDRIVE, StopError, why_not_redrivable,
};
use asl_engine::{Effect, ErrorOutput, Execution, Input, MapRunUpdate, Timestamp};
use std::sync::Arc;
use tokio::sync::oneshot;

impl EventLoop {
    /// Stops an execution.
    pub(super) fn stop(
        &mut self,
        arn: &str,
        error_output: ErrorOutput,
        told: oneshot::Sender<Result<Timestamp, StopError>>,
        now: Timestamp,
    ) {
        let result = match self.find(arn) {
            Some(row) => self.stop_row(row, error_output, now),
            None => Err(StopError::NoExecution),
        };
        self.reply_after_commit(told, result);
    }

    /// Stops an execution, and returns the time of its end.
    fn stop_row(
        &mut self,
        row: RowId,
        error_output: ErrorOutput,
        now: Timestamp,
    ) -> Result<Timestamp, StopError> {
        // One that ended a moment ago is not in the database as such.
        if self.stop_one(row, error_output, now) || self.residents.leaving.contains_key(&row) {
            return Ok(now);
        }
        let stopped = executions::stop_date(&self.connection, row);
        let stopped = stopped.map_err(|error| StopError::Backend(crate::error::broken(&error)))?;
        stopped.ok_or_else(|| {
            let why = "the execution cannot be read at the moment: try again";
            StopError::Backend(BackendError::Unavailable(why.to_owned()))
        })
    }

    /// Continues an execution that failed, timed out or was stopped.
    pub(super) fn redrive(
        &mut self,
        arn: Arc<str>,
        client_token: Option<Arc<str>>,
        told: oneshot::Sender<Result<Timestamp, RedriveError>>,
        now: Timestamp,
    ) {
        if self.is_ending(&arn) {
            // Other threads see the end as soon as it is written, before this loop gets the commit.
            let (loops, of) = (Arc::clone(&self.loops), Arc::clone(&arn));
            let redrive = Message::Redrive {
                arn,
                client_token,
                told,
            };
            return self.outbox.notify(move || loops.send(&of, redrive));
        }
        let is_recent = |at: &Timestamp| now.duration_since(*at) < SAME_REDRIVE;
        self.redrives.retain(|_, at| is_recent(at));
        let key = client_token.map(|token| (Arc::clone(&arn), token));
        let before = key.as_ref().and_then(|key| self.redrives.get(key)).copied();
        let redrive = Redrive { key, told };
        if let Some(at) = before {
            return self.answer_redrive(redrive, Ok(at));
        }
        let row = match self.redrivable(&arn) {
            Ok(row) => row,
            Err(error) => return self.answer_redrive(redrive, Err(error)),
        };
        if let Some(redrive) = self.start_redrive(row, redrive) {
            let stored = stored_execution::read(&self.connection, row);
            let revived = match stored {
                Ok(Some(stored)) => self.revive(stored),
                Ok(None) => Err("it no longer exists".to_owned()),
                Err(error) => Err(format!("its stored state cannot be read: {error}")),
            };
            self.finish_redrive(redrive, revived, now);
        }
    }

    /// Returns true if an execution has ended, and that is being written.
    fn is_ending(&mut self, arn: &str) -> bool {
        let row = self.find(arn);
        let leaving = row.and_then(|row| self.residents.leaving.get(&row));
        matches!(leaving, Some((_, EvictingExecution::Ended(_))))
    }

    /// The row of an execution that has ended.
    fn redrivable(&mut self, arn: &str) -> Result<RowId, RedriveError> {
        let broken = |error: rusqlite::Error| RedriveError::Backend(crate::error::broken(&error));
        let row = self.find(arn).ok_or(RedriveError::NoExecution)?;
        let is_there = self.loops.directory.get(arn).is_some();
        if is_there || executions::is_running(&self.connection, row).map_err(broken)? {
            let why = "Execution is RUNNING and cannot be redriven";
            return Err(RedriveError::NotRedrivable(why.to_owned()));
        }
        Ok(row)
    }

    /// Lets an execution continue that ended, and was brought into memory.
    pub(super) fn finish_redrive(
        &mut self,
        redrive: Redrive,
        revived: Result<Box<RecoveredExecution>, String>,
        now: Timestamp,
    ) {
        let result = revived.and_then(|revived| self.redrive_revived(*revived, now));
        let result = result.map(|()| now);
        self.answer_redrive(redrive, result.map_err(RedriveError::NotRedrivable));
    }

    fn answer_redrive(&mut self, redrive: Redrive, result: Result<Timestamp, RedriveError>) {
        if let (Some(key), Ok(at)) = (redrive.key, &result) {
            self.redrives.insert(key, *at);
        }
        self.reply_after_commit(redrive.told, result);
    }

    fn redrive_revived(
        &mut self,
        revived: RecoveredExecution,
        now: Timestamp,
    ) -> Result<(), String> {
        let mut resident = revived.resident;
        if resident.execution.outcome().is_none() {
            return Err("Execution was stopped because it could not be recovered".to_owned());
        }
        if let Some(why) = why_not(&resident.execution, now) {
            return Err(why);
        }
        self.trees.count(&resident);
        self.outbox.operations.push(Operation::Redrive {
            execution: resident.id,
            at: milliseconds(now, false),
            redrives: resident.execution.redrive_count() + 1,
        });
        if resident.parent.is_none() {
            count(&self.shared.counters.running, 1);
        }
        self.apply_input(&mut resident, Input::Redrive, now);
        self.put_resident(resident);
        Ok(())
    }

    /// Changes the limits of a Map Run that runs.
    pub(super) fn update_map_run(
        &mut self,
        execution: RowId,
        update: MapRunUpdate,
        told: oneshot::Sender<bool>,
        now: Timestamp,
    ) {
        let is_there = self.take_resident(execution).is_some_and(|mut resident| {
            let is_there = resident.map_runs.contains(&update.map_run_arn);
            if is_there {
                self.apply_input(&mut resident, Input::UpdateMapRun(update), now);
            }
            self.put_resident(resident);
            is_there
        });
        self.reply_after_commit(told, is_there);
    }

    /// The records of an execution that is in memory, once they are durable.
    pub(super) fn send_records(
        &mut self,
        row: RowId,
        told: oneshot::Sender<Option<(Vec<i64>, u64)>>,
    ) {
        let residents = &self.residents;
        let resident = residents.by_row.get(&row);
        let resident = resident.or_else(|| match residents.leaving.get(&row) {
            Some((
                _,
                EvictingExecution::Parked(resident) | EvictingExecution::Evicted(resident),
            )) => Some(resident),
            _ => None,
        });
        let records =
            resident.map(|resident| (resident.records.clone(), resident.execution.event_count()));
        let evicted = residents.evicted.get(&row);
        let records =
            records.or_else(|| evicted.map(|evicted| (evicted.records.clone(), evicted.events)));
        self.reply_after_commit(told, records);
    }

    /// Sends a reply once all earlier operations are durable.
    fn reply_after_commit<T: Send + 'static>(&mut self, told: oneshot::Sender<T>, what: T) {
        let tell = move || {
            // Whoever gave up waiting need not know.
            let _ = told.send(what);
        };
        self.outbox.notify(tell);
    }

    /// Requests the pending effects of an execution again. Submitted and started ones are only awaited, unless they are jobs
    /// that the performer follows.
    pub(super) fn request_again(&mut self, resident: &mut Resident) {
        let asked = |effect: &InFlight| self.is_to_be_performed(&effect.pending);
        for id in resident.effects.ids(asked) {
            self.outbox
                .post_commit
                .push(PostCommit::Perform(resident.id, id));
        }
        let children: Vec<_> = resident.execution.pending().collect();
        let now = resident.execution.now();
        for pending in children {
            if let Effect::Child(child) = pending.effect {
                self.add_child(resident, *child, now);
            }
        }
    }
}

/// Returns the reason why an ended execution cannot be redriven.
fn why_not(execution: &Execution, now: Timestamp) -> Option<String> {
    let (ended, events) = (execution.now(), execution.event_count());
    let status = ExecutionEnd::from(execution.outcome()?).status;
    let why = why_not_redrivable(status, Some(ended), events, now);
    // Of the others, Express ones are left.
    let express = || "Execution is EXPRESS and cannot be redriven".to_owned();
    why.or_else(|| (!execution.can_be_redriven()).then(express))
}
