//! Suspended executions: those whose tasks have no handler any more, and those that cannot be recovered. Each start tries to
//! continue them, and both can be stopped.
use super::effects::{activity_of, is_asked};
use super::parking::snapshot;
use super::resident::Resident;
use super::{EventLoop, EvictingExecution};
use crate::clock::milliseconds;
use crate::database::abandoned::AbandonedExecution;
use crate::database::executions;
use crate::database::operation::Operation;
use crate::database::row::RowId;
use asl_backend::NestedEnd;
use asl_engine::{Effect, ErrorOutput, Input, Outcome, TaskInvocation, Timestamp};

impl EventLoop {
    /// Returns the reason why an execution cannot continue with the options of this store: a requested effect has no
    /// handler.
    pub(super) fn unwired(&mut self, resident: &Resident) -> Option<String> {
        let mocks = self.mock_handler(resident);
        let is_mocked = |state: &str| mocks.as_ref().is_some_and(|mocks| mocks.mocks(state));
        let performer = &self.shared.options.performer;
        let asked = resident.effects.iter();
        let asked = asked.filter(|effect| is_asked(&effect.pending));
        for effect in asked.filter(|effect| activity_of(&effect.pending).is_none()) {
            match &effect.pending.effect {
                Effect::Task(task)
                    if !is_mocked(&task.state_name) && !self.performs(resident, task) =>
                {
                    return Some(format!(
                        "no handler for the task of state '{}' is configured any more, {}: open the store with a handler for it",
                        task.state_name, task.resource.uri
                    ));
                }
                Effect::Storage(request) if !performer.can_perform_storage(request) => {
                    return Some(format!(
                        "nothing serves the bucket '{}' any more, which a distributed Map reads or writes: open the store with \
                         what serves it",
                        request.bucket
                    ));
                }
                _ => {}
            }
        }
        None
    }

    fn performs(&self, resident: &Resident, task: &TaskInvocation) -> bool {
        let mut tasks = resident.execution.program().tasks();
        let program_task = tasks.find(|it| it.state_name() == &*task.state_name);
        let performer = &self.shared.options.performer;
        program_task.is_none_or(|it| performer.can_perform(&it))
    }

    /// Suspends an execution that could continue with other options. Its inputs after the last snapshot are known only here.
    pub(super) fn suspend(&mut self, resident: &Resident, why: String, has_new_records: bool) {
        if has_new_records && resident.is_journaled() {
            let snapshot = Box::new(snapshot(resident, None));
            self.outbox.operations.push(Operation::Snapshot(snapshot));
        }
        self.outbox
            .operations
            .push(Operation::Hold(resident.id, why));
    }

    /// Suspends an execution that cannot be recovered, with its records after the last snapshot.
    pub(super) fn suspend_unrecoverable(&mut self, row: RowId, why: String, records: &[i64]) {
        self.outbox.operations.push(Operation::Hold(row, why));
        self.residents.set_aside.insert(row, records.into());
    }

    /// Stops an execution, even one that cannot be recovered; returns false if it does not run.
    pub(super) fn stop_one(
        &mut self,
        row: RowId,
        error_output: ErrorOutput,
        now: Timestamp,
    ) -> bool {
        if self.deliver_input(row, Input::Stop(error_output.clone()), now) {
            return true;
        }
        let Some(records) = self.residents.set_aside.remove(&row) else {
            return false;
        };
        self.abandon(row, records, error_output, now);
        true
    }

    /// Ends an execution that cannot receive inputs, and notifies its waiter in the same transaction.
    fn abandon(
        &mut self,
        row: RowId,
        records: Box<[i64]>,
        error_output: ErrorOutput,
        now: Timestamp,
    ) {
        self.residents
            .leaving
            .insert(row, (self.outbox.batch, EvictingExecution::Ended(None)));
        for (_, child) in executions::running_children(&self.connection, row).unwrap_or_default() {
            let stop = Input::Stop(ErrorOutput::default());
            self.send_input(child, stop);
        }
        let outcome = Outcome::Aborted(error_output.clone());
        self.outbox
            .operations
            .push(Operation::Abandon(Box::new(AbandonedExecution {
                execution: row,
                at: milliseconds(now, false),
                error_output,
                records,
            })));
        let Ok(remains) = executions::remains(&self.connection, row) else {
            return;
        };
        let root = remains.about.root.unwrap_or(row);
        self.trees.leave(root, row);
        match remains.parent {
            Some((parent, id)) => {
                let outcome = outcome.clone();
                let told = Input::ChildExecutionEnded { id, outcome };
                self.send_input(parent, told);
            }
            None => {
                self.shared.counters.end_running(&outcome);
                self.forget_counts(row);
            }
        }
        if let Some(start) = &remains.start {
            let identity = &start.start().identity;
            self.report_end(identity, remains.parent.is_some(), &outcome);
        }
        // Without its start there is nothing to answer with.
        if let (Some(nested), Some(start)) = (&remains.about.nested, &remains.start) {
            let ended = NestedEnd {
                outcome: &outcome,
                stop_date: now,
                start: start.start(),
                redrive_count: 0,
                version_arn: remains.about.version_arn.as_deref(),
                alias_arn: remains.about.alias_arn.as_deref(),
            };
            self.answer_nested(&ended, nested);
        }
    }
}
