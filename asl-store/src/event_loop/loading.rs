//! Executions that are not in memory, and their way there.
use super::computing::TURN_AFTER_REPLAY;
use super::hot::Hot;
use super::{EventLoop, Leaving};
use crate::database::executions;
use crate::database::operation::Operation;
use crate::database::row::RowId;
use crate::database::stored_execution::StoredExecution;
use asl_engine::{Effect, EffectId, Pending};
use asl_host::engine::FollowedMapRuns;
use rusqlite::params;
use std::panic::{AssertUnwindSafe, catch_unwind};

impl EventLoop {
    /// Takes an execution out of its place, from the database where it is not in memory. None where there is none that
    /// could be told something.
    pub(super) fn take_hot(&mut self, row: RowId) -> Option<Box<Hot>> {
        if let Some(mut hot) = self.hot.remove(&row) {
            self.leave_idle(&mut hot);
            return Some(hot);
        }
        if self.computing.contains_key(&row) {
            return None;
        }
        if let Some(waiting) = self.waiting_children.remove(&row) {
            let now = self.shared.clock.now();
            return Some(self.begin_child(row, waiting, now));
        }
        match self.leaving.remove(&row) {
            Some((_, Leaving::Parked(hot))) => {
                self.operations.push(Operation::Unpark(row));
                Some(hot)
            }
            Some(ended) => {
                self.leaving.insert(row, ended);
                None
            }
            None => self.load(row),
        }
    }

    /// Puts an execution back; one that ended goes.
    pub(super) fn put_hot(&mut self, mut hot: Box<Hot>) {
        if hot.execution.outcome().is_some() {
            self.arns.remove(&hot.arn);
            self.leaving.insert(hot.id, (self.batch, Leaving::Ended));
            return;
        }
        self.save_where_long(&mut hot);
        if hot.execution.has_yielded() && !std::mem::replace(&mut hot.is_ready, true) {
            self.ready.push(hot.id);
        }
        if hot.only_waits() {
            self.idle_count += 1;
            hot.idle = Some(self.idle_count);
            self.idle.insert(self.idle_count, hot.id);
        }
        if !std::mem::replace(&mut hot.is_listed, true) {
            self.arns.insert(hot.arn.clone(), hot.id);
        }
        self.hot.insert(hot.id, hot);
    }

    pub(super) fn leave_idle(&mut self, hot: &mut Hot) {
        if let Some(place) = hot.idle.take() {
            self.idle.remove(&place);
        }
    }

    /// Loads an execution that was parked, or held for want of who does its tasks: it can be stopped. One that cannot go on
    /// is set aside.
    fn load(&mut self, row: RowId) -> Option<Box<Hot>> {
        if self.set_aside.contains_key(&row) {
            return None;
        }
        let stored = match self.readable(row).ok()? {
            Ok(stored) => stored.filter(|stored| stored.is_running)?,
            Err(why) => {
                if self.runs(row) {
                    self.set_aside(row, why, &[]);
                }
                return None;
            }
        };
        let (due, was_held) = (stored.due, stored.is_held);
        match self.revive(stored) {
            Ok(mut hot) => {
                self.trees.count(&hot);
                self.operations.push(Operation::Unpark(row));
                if let Some(why) = was_held.then(|| self.unwired(&hot)).flatten() {
                    // It is told this one thing, and stays among those that are named.
                    self.operations.push(Operation::Name(row, why));
                }
                if let Some(due) = due {
                    self.timers.remove(&(due, row));
                }
                let wake = hot.execution.wake();
                self.arm(&mut hot, wake);
                Some(hot)
            }
            Err(why) => {
                self.set_aside(row, why, &[]);
                None
            }
        }
    }

    /// Makes an execution of what is kept of it.
    pub(super) fn revive(&mut self, stored: StoredExecution) -> Result<Box<Hot>, String> {
        let program = self.programs.get(&self.connection, stored.definition);
        let program = program.map_err(|error| format!("its definition cannot be read: {error}"))?;
        let tokens = std::sync::Arc::clone(&self.shared.tokens);
        let (id, definition, about) = (stored.id, stored.definition, stored.about.clone());
        let (parent, records) = (stored.parent, stored.records.clone());
        let journaled = stored.journaled();
        let connection = &self.connection;
        let limits = TURN_AFTER_REPLAY;
        let revived = AssertUnwindSafe(|| stored.revive(connection, program, tokens, limits));
        let execution =
            catch_unwind(revived).unwrap_or_else(|_| Err("its replay panicked".to_owned()))?;
        let mut hot = Hot::new(id, definition, execution, about);
        hot.parent = parent;
        hot.records = records;
        hot.is_dirty = false;
        hot.was_kept = true;
        hot.journaled = journaled;
        hot.children = self
            .children_of(id)
            .map_err(|error| error.to_string())?
            .into_iter()
            .collect();
        hot.map_runs = FollowedMapRuns::of(&hot.execution);
        let pending: Vec<Pending> = hot.execution.pending().collect();
        for pending in pending {
            if !matches!(pending.effect, Effect::Child(_)) {
                if let Some(child) = self.nested_of(&pending) {
                    hot.nested.insert(pending.effect.id(), child);
                }
                let attempt = self.known_attempt(&hot, &pending);
                hot.effects.insert(pending, attempt);
            }
        }
        Ok(hot)
    }

    /// The children of an execution that run.
    pub(super) fn children_of(&self, row: RowId) -> rusqlite::Result<Vec<(EffectId, RowId)>> {
        let sql = "SELECT parent_effect, id FROM executions WHERE parent = ?1 AND status = 0";
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement.query_map(params![row], |child| {
            let effect: i64 = child.get(0)?;
            Ok((EffectId(effect as u64), child.get(1)?))
        })?;
        found.collect()
    }

    /// Whether the database says so.
    fn runs(&self, row: RowId) -> bool {
        let sql = "SELECT 1 FROM executions WHERE id = ?1 AND status = 0";
        let statement = self.connection.prepare_cached(sql);
        statement.is_ok_and(|mut it| it.exists(params![row]).unwrap_or(false))
    }

    /// The row of an execution.
    pub(super) fn find(&self, arn: &str) -> Option<RowId> {
        if let Some(row) = self.arns.get(arn) {
            return Some(*row);
        }
        executions::row_of(&self.connection, arn).ok().flatten()
    }
}
