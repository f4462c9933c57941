//! Executions that do not go on: those whose tasks nothing does any more, and those that cannot be taken up. Each start tries
//! them again, and either can be stopped.
use super::hot::Hot;
use super::parking::snapshot;
use super::stepping::{activity_of, is_asked};
use super::{EventLoop, Leaving};
use crate::clock::milliseconds;
use crate::database::abandoned::Abandoned;
use crate::database::operation::Operation;
use crate::database::row::{About, CoreStart, RowId, decoded};
use asl_engine::{Effect, EffectId, ErrorOutput, Input, Outcome, TaskInvocation, Timestamp};
use asl_host::engine::NestedEnd;
use rusqlite::params;

impl EventLoop {
    /// Why an execution cannot go on with what this store was opened with: nothing does what nobody has taken yet.
    pub(super) fn unwired(&mut self, hot: &Hot) -> Option<String> {
        let mocks = self.mock_handler(hot);
        let is_mocked = |state: &str| mocks.as_ref().is_some_and(|mocks| mocks.mocks(state));
        let performer = &self.shared.options.performer;
        let asked = hot.effects.iter();
        let asked = asked.filter(|effect| is_asked(&effect.pending));
        for effect in asked.filter(|effect| activity_of(&effect.pending).is_none()) {
            match &effect.pending.effect {
                Effect::Task(task) if !is_mocked(&task.state_name) && !self.performs(hot, task) => {
                    return Some(format!(
                        "nothing does the task of state '{}' any more, {}: open the store with what does it",
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

    fn performs(&self, hot: &Hot, task: &TaskInvocation) -> bool {
        let mut tasks = hot.execution.program().tasks();
        let program_task = tasks.find(|it| it.state_name() == &*task.state_name);
        let performer = &self.shared.options.performer;
        program_task.is_none_or(|it| performer.can_perform(&it))
    }

    /// Holds an execution that could go on otherwise. What it did after its last snapshot is known here alone.
    pub(super) fn hold(&mut self, hot: &Hot, why: String, has_new_records: bool) {
        if has_new_records && hot.is_journaled() {
            let snapshot = Box::new(snapshot(hot, None));
            self.operations.push(Operation::Snapshot(snapshot));
        }
        self.operations.push(Operation::Hold(hot.id, why));
    }

    /// Holds an execution that cannot be taken up at all, which has these records after its last snapshot.
    pub(super) fn set_aside(&mut self, row: RowId, why: String, records: &[i64]) {
        self.operations.push(Operation::Hold(row, why));
        self.set_aside.insert(row, records.into());
    }

    /// Stops an execution, be it one that cannot be taken up; false where it does not run.
    pub(super) fn stop_one(
        &mut self,
        row: RowId,
        error_output: ErrorOutput,
        now: Timestamp,
    ) -> bool {
        if self.tell(row, Input::Stop(error_output.clone()), now) {
            return true;
        }
        let Some(records) = self.set_aside.remove(&row) else {
            return false;
        };
        self.abandon(row, records, error_output, now);
        true
    }

    /// Ends an execution that can be told nothing, and tells whoever waits for it in the same transaction.
    fn abandon(
        &mut self,
        row: RowId,
        records: Box<[i64]>,
        error_output: ErrorOutput,
        now: Timestamp,
    ) {
        self.leaving.insert(row, (self.batch, Leaving::Ended));
        for (_, child) in self.children_of(row).unwrap_or_default() {
            let stop = Input::Stop(ErrorOutput::default());
            self.told.push_back((child, stop));
        }
        let outcome = Outcome::Aborted(error_output.clone());
        self.operations.push(Operation::Abandon(Box::new(Abandoned {
            execution: row,
            at: milliseconds(now, false),
            error_output,
            records,
        })));
        let Ok(remains) = self.remains(row) else {
            return;
        };
        let root = remains.about.root.unwrap_or(row);
        self.trees.leave(root, row);
        match remains.parent {
            Some((parent, id)) => {
                let outcome = outcome.clone();
                let told = Input::ChildExecutionEnded { id, outcome };
                self.told.push_back((parent, told));
            }
            None => {
                self.running = self.running.saturating_sub(1);
                self.forget_counts(row);
            }
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

    /// What can be read of an execution that cannot be taken up.
    fn remains(&self, row: RowId) -> rusqlite::Result<Remains> {
        let sql = "SELECT parent, parent_effect, about, start FROM executions WHERE id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        statement.query_row(params![row], |row| {
            let parent: Option<RowId> = row.get(0)?;
            let effect: Option<i64> = row.get(1)?;
            Ok(Remains {
                parent: parent.zip(effect.map(|id| EffectId(id as u64))),
                about: decoded(row.get_ref(2)?.as_blob()?).unwrap_or_default(),
                start: decoded(row.get_ref(3)?.as_blob()?).ok(),
            })
        })
    }
}

struct Remains {
    parent: Option<(RowId, EffectId)>,
    about: About,
    start: Option<CoreStart>,
}
