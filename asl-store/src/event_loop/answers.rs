//! What performers and workers say.
use super::hot::Hot;
use super::message::WorkerReply;
use super::{Afterwards, EventLoop};
use crate::database::row::RowId;
use asl_engine::runtime::Answered;
use asl_engine::{EffectId, ErrorOutput, Input, TaskAnswer, TaskError, Timestamp};
use asl_host::engine::TokenRefused;
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::oneshot;

impl EventLoop {
    /// A performer has answered.
    pub(super) fn answered(&mut self, row: RowId, id: EffectId, answer: Answered, now: Timestamp) {
        let Some(mut hot) = self.take_hot(row) else {
            return;
        };
        if hot.effects.answered(id) {
            self.take_answer(&mut hot, id, answer, now);
        }
        self.put_hot(hot);
    }

    /// Tells an execution what came of an effect; where that is its final answer, nobody waits for it any more.
    fn take_answer(&mut self, hot: &mut Hot, id: EffectId, answer: Answered, now: Timestamp) {
        let error = answer.as_ref().err();
        if let Some(failing) = error.and_then(TaskError::failing_input) {
            // The outermost execution fails, and its children with it.
            self.told.push_back((hot.root(), failing));
        }
        let Some(effect) = hot.effects.get_mut(id) else {
            return;
        };
        let inputs: Vec<Input> = effect.pending.answered(answer).collect();
        for input in inputs {
            if hot.execution.awaits(id).is_some() {
                self.tell_hot(hot, input, now);
            }
        }
        if hot.execution.awaits(id).is_none() {
            self.forget_effect(hot, id);
        }
    }

    /// A performer has handed a task on.
    pub(super) fn submitted(&mut self, row: RowId, id: EffectId, output: Value, now: Timestamp) {
        let Some(mut hot) = self.take_hot(row) else {
            return;
        };
        let input = hot
            .effects
            .get_mut(id)
            .and_then(|effect| effect.pending.submitted(output));
        if let Some(input) = input
            && hot.execution.awaits(id).is_some()
        {
            self.tell_hot(&mut hot, input, now);
        }
        self.put_hot(hot);
    }

    /// A performer is alive.
    pub(super) fn heartbeat(&mut self, row: RowId, id: EffectId, now: Timestamp) {
        let Some(mut hot) = self.take_hot(row) else {
            return;
        };
        let counts = hot
            .effects
            .get_mut(id)
            .is_some_and(|effect| effect.hears_heartbeat(now));
        if counts && hot.execution.awaits(id).is_some() {
            self.tell_hot(&mut hot, Input::TaskHeartbeat { id }, now);
        }
        self.put_hot(hot);
    }

    /// A worker says something of a task, by its token.
    pub(super) fn reply(
        &mut self,
        execution_arn: &str,
        id: EffectId,
        reply: WorkerReply,
        told: oneshot::Sender<Result<(), TokenRefused>>,
        now: Timestamp,
    ) {
        let result = self.try_reply(execution_arn, id, reply, now);
        let tell = move || {
            // Whoever gave up waiting need not know.
            let _ = told.send(result);
        };
        self.afterwards.push(Afterwards::Tell(Box::new(tell)));
    }

    fn try_reply(
        &mut self,
        execution_arn: &str,
        id: EffectId,
        reply: WorkerReply,
        now: Timestamp,
    ) -> Result<(), TokenRefused> {
        let row = self.find(execution_arn).ok_or(TokenRefused::NoTask)?;
        let mut hot = self.take_hot(row).ok_or(TokenRefused::TimedOut)?;
        let is_awaited = hot.effects.get(id).is_some() && hot.execution.awaits(id).is_some();
        if is_awaited {
            self.take_reply(&mut hot, id, reply, now);
        }
        self.put_hot(hot);
        if is_awaited {
            Ok(())
        } else {
            Err(TokenRefused::TimedOut)
        }
    }

    fn take_reply(&mut self, hot: &mut Hot, id: EffectId, reply: WorkerReply, now: Timestamp) {
        let Some(effect) = hot.effects.get_mut(id) else {
            return;
        };
        let answer = match reply {
            WorkerReply::Heartbeat if effect.hears_heartbeat(now) => {
                return self.tell_hot(hot, Input::TaskHeartbeat { id }, now);
            }
            WorkerReply::Heartbeat => return,
            WorkerReply::Success(output) => {
                Ok(TaskAnswer::Completed(Arc::unwrap_or_clone(output)).into())
            }
            WorkerReply::Failure(error_output) => Err(worker_error(error_output)),
        };
        self.take_answer(hot, id, answer, now);
    }
}

/// What a worker says of a failure, with what it left out left out.
fn worker_error(error_output: ErrorOutput) -> TaskError {
    let mut error = TaskError::failed("");
    error.error_output = error_output;
    error
}
