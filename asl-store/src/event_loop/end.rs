//! How executions end.
use super::EventLoop;
use super::hot::Hot;
use crate::clock::milliseconds;
use crate::operation::Operation;
use crate::outcome;
use crate::row::End;
use asl_engine::{EffectId, ErrorOutput, Input, Outcome, Timestamp};
use asl_host::engine::{NestedForm, NestedTask};
use serde_json::{Map, Value, json};
use std::sync::Arc;

impl EventLoop {
    /// Writes down how an execution ended, and tells whoever waits for it in the same transaction.
    pub(super) fn end(&mut self, hot: &mut Hot, outcome: Outcome, now: Timestamp) {
        self.arm(hot, None);
        let effects: Vec<EffectId> = hot.effects.keys().copied().collect();
        for id in effects {
            self.forget_effect(hot, id);
        }
        for child in std::mem::take(&mut hot.children).into_values() {
            self.told
                .push_back((child, Input::Stop(ErrorOutput::default())));
        }
        let end = ended(&outcome, now, hot.execution.event_count());
        match hot.is_journaled() {
            true => self.operations.push(Operation::End(hot.id, Box::new(end))),
            false => self.operations.push(Operation::Forget(hot.id)),
        }
        match hot.parent {
            Some((parent, id)) => {
                let told = Input::ChildExecutionEnded {
                    id,
                    outcome: outcome.clone(),
                };
                self.told.push_back((parent, told));
            }
            None => {
                self.running = self.running.saturating_sub(1);
                self.forget_counts(hot.id);
            }
        }
        if let Some(nested) = hot.about.nested.clone() {
            self.answer_nested(hot, &nested, &outcome, now);
        }
    }

    /// Leaves the history of what ended to be sealed; what may be redriven keeps its records.
    pub(super) fn seal_later(&mut self, hot: &Hot) {
        if hot.execution.can_be_redriven() {
            let snapshot = super::parking::snapshot(hot, None);
            self.operations
                .push(Operation::Snapshot(Box::new(snapshot)));
        }
        self.shared.unsealed.add(hot.id, hot.records.clone());
    }

    /// Tells the task of another execution that waits for this one.
    fn answer_nested(&mut self, hot: &Hot, nested: &NestedTask, outcome: &Outcome, now: Timestamp) {
        let Some(task) = self.shared.tokens.verify(&nested.token) else {
            return;
        };
        let Some(row) = self.find(&task.execution_arn) else {
            return;
        };
        // It ends perhaps before whoever started it says so; only the first submission counts.
        let submitted = Input::TaskSubmitted {
            id: task.effect,
            output: Arc::new(submission(hot)),
        };
        self.told.push_back((row, submitted));
        let described = described(hot, outcome, nested.form, now);
        self.told
            .push_back((row, nested_answer(task.effect, outcome, described)));
    }
}

/// How an execution ended, as its row says it.
fn ended(outcome: &Outcome, now: Timestamp, events: u64) -> End {
    let (status, output, error_output) = outcome::parts(outcome);
    End {
        status,
        stopped: milliseconds(now, false),
        output,
        error: error_output.error,
        cause: error_output.cause,
        events,
    }
}

/// The first answer to the task, as the integration gives it (recorded).
fn submission(hot: &Hot) -> Value {
    json!({
        "ExecutionArn": *hot.arn,
        "SdkHttpMetadata": {"HttpStatusCode": 200},
        "SdkResponseMetadata": {},
        "StartDate": milliseconds(hot.execution.start_parameters().now, false),
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
fn described(hot: &Hot, outcome: &Outcome, form: NestedForm, now: Timestamp) -> Value {
    let start = hot.execution.start_parameters();
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
    put("ExecutionArn", hot.arn.to_string().into());
    put("Input", data(&start.input, start.input_text.as_deref()));
    put("InputDetails", json!({"Included": true}));
    put("Name", start.identity.execution_name().into());
    if let Outcome::Succeeded(output) = outcome {
        put("Output", data(output, None));
        put("OutputDetails", json!({"Included": true}));
    }
    // Recorded: of those that succeeded only.
    if let Outcome::Succeeded(_) = outcome {
        put("RedriveCount", hot.execution.redrive_count().into());
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
