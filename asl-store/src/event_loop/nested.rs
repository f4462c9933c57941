//! Executions that a task of another execution starts and waits for: `states:startExecution.sync` on this store.
//!
//! The waiting task is notified in the transaction of the end. If the task is aborted, because its execution was stopped or
//! another branch of it failed, the nested execution is stopped as well (developer guide, Service integration patterns, Run
//! a Job: a best-effort attempt that calls StopExecution).
use super::EventLoop;
use super::computing::DeferredWork;
use crate::database::row::RowId;
use asl_backend::{NestedEnd, NestedTask, abort_of_nested, nested_submission};
use asl_engine::model::IntegrationPattern;
use asl_engine::{Effect, Input, PendingEffect, ResourceKind, TaskProgress};
use std::sync::Arc;

impl EventLoop {
    /// Links a task to its nested execution; if the task no longer waits, stops the nested execution.
    pub(super) fn link_nested(&mut self, nested: &NestedTask, child: RowId) {
        let Some(task) = self.shared.tokens.verify(&nested.token) else {
            return;
        };
        let parent = self.find(&task.execution_arn);
        if let Some(row) = parent
            && self.defer_waiting(row, || {
                DeferredWork::Nested(Box::new(nested.clone()), child)
            })
        {
            return;
        }
        let is_awaited =
            parent
                .and_then(|row| self.take_resident(row))
                .is_some_and(|mut resident| {
                    let is_awaited = resident.execution.awaits(task.effect).is_some();
                    if is_awaited {
                        resident.nested.insert(task.effect, child);
                    }
                    self.put_resident(resident);
                    is_awaited
                });
        if !is_awaited {
            self.stop_nested(&task.execution_arn, child);
        }
    }

    /// Stops an execution whose task was aborted.
    pub(super) fn stop_nested(&mut self, parent_arn: &str, child: RowId) {
        let stop = Input::Stop(abort_of_nested(parent_arn));
        self.send_input(child, stop);
    }

    /// Reports the task of another execution that waits for this one.
    pub(super) fn answer_nested(&mut self, ended: &NestedEnd<'_>, nested: &NestedTask) {
        let Some(task) = self.shared.tokens.verify(&nested.token) else {
            return;
        };
        let Some(row) = self.find(&task.execution_arn) else {
            return;
        };
        if let Some(parent) = self.residents.by_row.get_mut(&row) {
            parent.nested.remove(&task.effect);
            if parent.execution.awaits(task.effect).is_none() {
                return;
            }
        }
        let id = task.effect;
        // It ends perhaps before whoever started it says so; only the first submission counts.
        let submitted = Input::TaskSubmitted {
            id,
            output: Arc::new(nested_submission(ended.start)),
        };
        let answer = match ended.answer(nested.form) {
            Ok(output) => Input::TaskSucceeded {
                id,
                output: Arc::new(output),
            },
            Err(error_output) => Input::TaskFailed { id, error_output },
        };
        self.send_input(row, submitted);
        self.send_input(row, answer);
    }
}

/// Returns the ARN of the execution that a task waits for, as its submission names it.
pub(super) fn nested_of(pending: &PendingEffect) -> Option<&str> {
    let Effect::Task(task) = &pending.effect else {
        return None;
    };
    let (ResourceKind::Integration(integration), TaskProgress::Submitted(output)) =
        (&task.resource.kind, &pending.progress)
    else {
        return None;
    };
    let is_nested =
        integration.service == "states" && integration.pattern == IntegrationPattern::Sync;
    output.get("ExecutionArn").filter(|_| is_nested)?.as_str()
}
