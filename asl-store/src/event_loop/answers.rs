//! Messages of performers and workers.
use super::EventLoop;
use super::resident::Resident;
use crate::database::row::RowId;
use asl_backend::{TaskReply, TokenRefused};
use asl_engine::runtime::PerformResult;
use asl_engine::{EffectId, ErrorOutput, Input, TaskAnswer, TaskError, Timestamp};
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::oneshot;

impl EventLoop {
    /// A performer has answered.
    pub(super) fn answered(
        &mut self,
        row: RowId,
        id: EffectId,
        answer: PerformResult,
        now: Timestamp,
    ) {
        let Some(mut resident) = self.take_resident(row) else {
            return;
        };
        if resident.effects.answered(id) {
            self.take_answer(&mut resident, id, answer, now);
        }
        self.put_resident(resident);
    }

    /// Applies the result of an effect to an execution. A final result completes the effect.
    fn take_answer(
        &mut self,
        resident: &mut Resident,
        id: EffectId,
        answer: PerformResult,
        now: Timestamp,
    ) {
        let error = answer.as_ref().err();
        if let Some(failing) = error.and_then(TaskError::failing_input) {
            // The outermost execution fails, and its children with it.
            self.send_input(resident.root(), failing);
        }
        let Some(effect) = resident.effects.get_mut(id) else {
            return;
        };
        let inputs: Vec<Input> = effect.pending.record_answer(answer).collect();
        for input in inputs {
            if resident.execution.awaits(id).is_some() {
                self.apply_input(resident, input, now);
            }
        }
        if resident.execution.awaits(id).is_none() {
            self.forget_effect(resident, id);
        }
    }

    /// A performer has handed a task on.
    pub(super) fn submitted(&mut self, row: RowId, id: EffectId, output: Value, now: Timestamp) {
        let Some(mut resident) = self.take_resident(row) else {
            return;
        };
        let input = resident
            .effects
            .get_mut(id)
            .and_then(|effect| effect.pending.record_submission(output));
        if let Some(input) = input
            && resident.execution.awaits(id).is_some()
        {
            self.apply_input(&mut resident, input, now);
        }
        self.put_resident(resident);
    }

    /// A performer is alive.
    pub(super) fn heartbeat(&mut self, row: RowId, id: EffectId, now: Timestamp) {
        let Some(mut resident) = self.take_resident(row) else {
            return;
        };
        let counts = resident
            .effects
            .get_mut(id)
            .is_some_and(|effect| effect.hears_heartbeat(now));
        if counts && resident.execution.awaits(id).is_some() {
            self.apply_input(&mut resident, Input::TaskHeartbeat { id }, now);
        }
        self.put_resident(resident);
    }

    /// A worker says something of a task, by its token.
    pub(super) fn reply(
        &mut self,
        execution_arn: &str,
        id: EffectId,
        reply: TaskReply,
        told: oneshot::Sender<Result<(), TokenRefused>>,
        now: Timestamp,
    ) {
        let result = self.try_reply(execution_arn, id, reply, now);
        let tell = move || {
            // Whoever gave up waiting need not know.
            let _ = told.send(result);
        };
        self.outbox.notify(tell);
    }

    fn try_reply(
        &mut self,
        execution_arn: &str,
        id: EffectId,
        reply: TaskReply,
        now: Timestamp,
    ) -> Result<(), TokenRefused> {
        let row = self.find(execution_arn).ok_or(TokenRefused::NoTask)?;
        let mut resident = self.take_resident(row).ok_or(TokenRefused::TimedOut)?;
        let is_awaited =
            resident.effects.get(id).is_some() && resident.execution.awaits(id).is_some();
        if is_awaited {
            self.take_reply(&mut resident, id, reply, now);
        }
        self.put_resident(resident);
        if is_awaited {
            Ok(())
        } else {
            Err(TokenRefused::TimedOut)
        }
    }

    fn take_reply(
        &mut self,
        resident: &mut Resident,
        id: EffectId,
        reply: TaskReply,
        now: Timestamp,
    ) {
        let Some(effect) = resident.effects.get_mut(id) else {
            return;
        };
        let answer = match reply {
            TaskReply::Heartbeat if effect.hears_heartbeat(now) => {
                return self.apply_input(resident, Input::TaskHeartbeat { id }, now);
            }
            TaskReply::Heartbeat => return,
            TaskReply::Success(output) => {
                Ok(TaskAnswer::Completed(Arc::unwrap_or_clone(output.into_value())).into())
            }
            TaskReply::Failure(error_output) => Err(worker_error(error_output)),
        };
        self.take_answer(resident, id, answer, now);
    }
}

/// Returns a worker's error with its missing parts omitted.
fn worker_error(error_output: ErrorOutput) -> TaskError {
    let mut error = TaskError::failed("");
    error.error_output = error_output;
    error
}
