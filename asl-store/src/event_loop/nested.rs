//! Executions that a task of another execution starts and waits for: `states:startExecution.sync` on this very store.
//!
//! Whoever waits is told of the end in the transaction of the end. Where the task is aborted, because its execution was
//! stopped or another branch of it failed, the execution that it waits for is stopped as well ("Service integration
//! patterns", Run a Job, of the service's guide: a best-effort attempt that calls StopExecution).
use super::EventLoop;
use crate::clock::milliseconds;
use crate::row::RowId;
use asl_engine::model::IntegrationPattern;
use asl_engine::{
    Effect, EffectId, ErrorOutput, Input, Outcome, Pending, ResourceKind, Start, TaskProgress,
    Timestamp,
};
use asl_host::engine::{NestedForm, NestedTask};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// An execution that ended, as whoever waits for it is told of it.
pub(super) struct EndedExecution<'e> {
    pub(super) start: &'e Start,
    pub(super) redrive_count: u64,
}

impl EventLoop {
    /// Notes which execution a task waits for; where nobody waits any more, that one is stopped.
    pub(super) fn link_nested(&mut self, nested: &NestedTask, child: RowId) {
        let Some(task) = self.shared.tokens.verify(&nested.token) else {
            return;
        };
        let parent = self.find(&task.execution_arn);
        let is_awaited = parent
            .and_then(|row| self.take_hot(row))
            .is_some_and(|mut hot| {
                let is_awaited = hot.execution.awaits(task.effect).is_some();
                if is_awaited {
                    hot.children.insert(task.effect, child);
                }
                self.put_hot(hot);
                is_awaited
            });
        if !is_awaited {
            let stop = Input::Stop(ErrorOutput::default());
            self.told.push_back((child, stop));
        }
    }

    /// The execution that a task waits for, as its submission names it.
    pub(super) fn nested_of(&self, pending: &Pending) -> Option<RowId> {
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
        self.find(output.get("ExecutionArn").filter(|_| is_nested)?.as_str()?)
    }

    /// Tells the task of another execution that waits for this one.
    pub(super) fn answer_nested(
        &mut self,
        ended: &EndedExecution<'_>,
        nested: &NestedTask,
        outcome: &Outcome,
        now: Timestamp,
    ) {
        let Some(task) = self.shared.tokens.verify(&nested.token) else {
            return;
        };
        let Some(row) = self.find(&task.execution_arn) else {
            return;
        };
        if let Some(parent) = self.hot.get_mut(&row) {
            parent.children.remove(&task.effect);
            if parent.execution.awaits(task.effect).is_none() {
                return;
            }
        }
        // It ends perhaps before whoever started it says so; only the first submission counts.
        let submitted = Input::TaskSubmitted {
            id: task.effect,
            output: Arc::new(submission(ended.start)),
        };
        self.told.push_back((row, submitted));
        let described = described(ended, outcome, nested.form, now);
        self.told
            .push_back((row, nested_answer(task.effect, outcome, described)));
    }
}

/// The first answer to the task, as the integration gives it (recorded).
fn submission(start: &Start) -> Value {
    json!({
        "ExecutionArn": start.identity.execution_arn(),
        "SdkHttpMetadata": {"HttpStatusCode": 200},
        "SdkResponseMetadata": {},
        "StartDate": milliseconds(start.now, false),
    })
}

fn nested_answer(id: EffectId, outcome: &Outcome, described: Value) -> Input {
    match outcome {
        Outcome::Succeeded(_) => Input::TaskSucceeded {
            id,
            output: Arc::new(described),
        },
        _ => Input::TaskFailed {
            id,
            error_output: ErrorOutput::new("States.TaskFailed", described.to_string()),
        },
    }
}

/// The answer of DescribeExecution as the integration gives it: names in capitals, dates in milliseconds.
fn described(
    ended: &EndedExecution<'_>,
    outcome: &Outcome,
    form: NestedForm,
    now: Timestamp,
) -> Value {
    let start = ended.start;
    let data = |value: &Value, text: Option<&str>| match form {
        NestedForm::Text => Value::String(text.map_or_else(|| value.to_string(), str::to_owned)),
        NestedForm::Json => value.clone(),
    };
    let mut members = Map::new();
    let mut put = |name: &str, value: Value| {
        members.insert(name.to_owned(), value);
    };
    if let Outcome::Failed(error) | Outcome::Aborted(error) = outcome {
        for (name, text) in [("Cause", &error.cause), ("Error", &error.error)] {
            if let Some(text) = text {
                put(name, text.clone().into());
            }
        }
    }
    put("ExecutionArn", start.identity.execution_arn().into());
    put("Input", data(&start.input, start.input_text.as_deref()));
    put("InputDetails", json!({"Included": true}));
    put("Name", start.identity.execution_name().into());
    if let Outcome::Succeeded(output) = outcome {
        put("Output", data(output, None));
        put("OutputDetails", json!({"Included": true}));
    }
    // Recorded: of those that succeeded only.
    if let Outcome::Succeeded(_) = outcome {
        put("RedriveCount", ended.redrive_count.into());
        put("RedriveStatus", "NOT_REDRIVABLE".into());
        put(
            "RedriveStatusReason",
            "Execution is SUCCEEDED and cannot be redriven".into(),
        );
    }
    put("StartDate", milliseconds(start.now, false).into());
    put("StateMachineArn", start.identity.state_machine_arn().into());
    put("Status", outcome.status().into());
    put("StopDate", milliseconds(now, false).into());
    Value::Object(members)
}
