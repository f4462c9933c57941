//! Tasks that wait for their answers.
use super::damage::{Damage, DamageContext as _, Read, ensure};
use super::flow_parts::FlowParts;
use super::restoring::{RestoreContext, SavedTimer};
use super::values::{JsonText, ValueIndex, ValueTable};
use crate::execution::machine::{Heartbeat, PendingTask, TaskProgress, TaskTimers, TimerOwner};
use crate::execution::output::TaskInvocation;
use crate::program::{StateAction, TaskState};
use crate::{IntegrationPattern, ResourceKind};
use asl_model::Timestamp;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A pending task. Its request is in its state and its flow, except for evaluated values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedTask {
    effect: u64,
    payload: ValueIndex,
    credentials: Option<JsonText>,
    timeout: Option<SavedTimeout>,
    heartbeat: Option<SavedHeartbeat>,
    progress: SavedProgress,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct SavedTimeout {
    seconds: u64,
    timer: SavedTimer,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct SavedHeartbeat {
    seconds: u64,
    timer: SavedTimer,
    due: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedProgress {
    Asked,
    Started,
    Submitted(ValueIndex),
}

impl SavedTask {
    pub(super) fn new(task: &PendingTask, table: &mut ValueTable) -> Self {
        let PendingTask {
            invocation,
            timers,
            progress,
        } = task;
        let deadline = timers.as_ref().and_then(|timers| timers.deadline);
        let heartbeat = timers.as_ref().and_then(|timers| timers.heartbeat);
        let timeout = invocation.timeout_seconds.zip(deadline);
        Self {
            effect: invocation.id.0,
            payload: table.shared(&invocation.payload),
            credentials: invocation.credentials.as_ref().map(JsonText::new),
            timeout: timeout.map(|(seconds, timer)| SavedTimeout {
                seconds,
                timer: timer.into(),
            }),
            heartbeat: heartbeat.map(|heartbeat| SavedHeartbeat {
                seconds: heartbeat.seconds,
                timer: heartbeat.timer.into(),
                due: heartbeat.due,
            }),
            progress: match progress {
                TaskProgress::Asked => SavedProgress::Asked,
                TaskProgress::Started => SavedProgress::Started,
                TaskProgress::Submitted(output) => SavedProgress::Submitted(table.shared(output)),
            },
        }
    }

    pub(super) fn task(
        self,
        parts: &FlowParts<'_>,
        save: &mut RestoreContext<'_>,
    ) -> Read<PendingTask> {
        let StateAction::Task(state) = &parts.state.action else {
            return Err(parts.not_of("a Task State"));
        };
        let waits = state.resource.waits_for_task_token();
        ensure(
            !waits || parts.task_token.is_some(),
            "a task token, which the resource waits for",
            "none",
        )?;
        let effect = save.claim_effect(self.effect, parts.id)?;
        let progress = self.progress.progress(state, save).within("progress")?;
        let owner = TimerOwner::Flow(parts.id);
        let timeout_seconds = self.timeout.map(|timeout| timeout.seconds);
        let heartbeat_seconds = self.heartbeat.map(|heartbeat| heartbeat.seconds);
        let deadline = self.timeout.map(|it| save.claim_timer(it.timer, owner));
        let deadline = deadline.transpose().within("timeout")?;
        let heartbeat = self.heartbeat.map(|it| it.heartbeat(owner, save));
        let heartbeat = heartbeat.transpose().within("heartbeat")?;
        let credentials = self.credentials.map(|credentials| credentials.value());
        let invocation = TaskInvocation {
            id: effect,
            state_name: Arc::clone(&parts.state.name),
            resource: Arc::clone(&state.resource),
            payload: save.values.shared(self.payload).within("payload")?,
            credentials: credentials.transpose().within("credentials")?,
            task_token: parts.task_token.clone(),
            timeout_seconds,
            heartbeat_seconds,
            deadline: deadline.map(|timer| timer.at),
            retry_count: parts.retry_count,
            started: save.start.now,
            identity: Arc::clone(&save.start.identity),
        };
        let timers = TaskTimers {
            deadline,
            heartbeat,
        };
        let has_timers = deadline.is_some() || heartbeat.is_some();
        Ok(PendingTask {
            invocation: Arc::new(invocation),
            timers: has_timers.then(|| Box::new(timers)),
            progress,
        })
    }
}

impl SavedHeartbeat {
    fn heartbeat(self, owner: TimerOwner, save: &mut RestoreContext<'_>) -> Read<Heartbeat> {
        let timer = save.claim_timer(self.timer, owner)?;
        let expected = format_args!("due at {} or later", timer.at);
        ensure(self.due >= timer.at, expected, self.due)?;
        Ok(Heartbeat {
            timer,
            seconds: self.seconds,
            due: self.due,
        })
    }
}

impl SavedProgress {
    fn progress(self, task: &TaskState, save: &mut RestoreContext<'_>) -> Read<TaskProgress> {
        match (self, &task.resource.kind) {
            (Self::Asked, _) => Ok(TaskProgress::Asked),
            (Self::Started, ResourceKind::Activity) => Ok(TaskProgress::Started),
            (Self::Submitted(output), ResourceKind::Integration(integration))
                if integration.pattern != IntegrationPattern::RequestResponse =>
            {
                Ok(TaskProgress::Submitted(save.values.shared(output)?))
            }
            (Self::Started | Self::Submitted(_), _) => Err(Damage::unexpected(
                "progress that its resource makes",
                "another",
            )),
        }
    }
}
