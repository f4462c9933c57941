//! Executions that a task of another execution starts and waits for.
use super::{NestedForm, milliseconds};
use asl_engine::{ErrorOutput, Outcome, Start, Timestamp};
use serde_json::{Map, Value, json};

/// Returns the first result of the task in the form of the integration (recorded), for a start without such a result.
pub fn nested_submission(start: &Start) -> Value {
    json!({
        "ExecutionArn": start.identity.execution_arn(),
        "SdkHttpMetadata": {"HttpStatusCode": 200},
        "SdkResponseMetadata": {},
        "StartDate": milliseconds(start.now),
    })
}

/// The end of an execution, as reported to the task that waits for it.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct NestedEnd<'e> {
    /// The start of the execution.
    pub start: &'e Start,
    /// The outcome of the execution.
    pub outcome: &'e Outcome,
    /// Time of the end.
    pub stop_date: Timestamp,
    /// Number of earlier redrives.
    pub redrive_count: u64,
    /// The version that it was started by, or that its alias led to.
    pub version_arn: Option<&'e str>,
    /// The alias that started the execution.
    pub alias_arn: Option<&'e str>,
}

/// Returns the cause of an execution that the service aborts because the waiting task was aborted or timed out (measured).
/// It has no error.
///
/// ```
/// use asl_backend::abort_of_nested;
/// let error_output = abort_of_nested("arn:aws:states:us-east-1:123456789012:execution:Parent:run");
/// assert_eq!(error_output.error, None);
/// assert!(error_output.cause.unwrap().ends_with(":Parent:run] which was managing this resource was aborted"));
/// ```
pub fn abort_of_nested(parent_arn: &str) -> ErrorOutput {
    ErrorOutput {
        error: None,
        cause: Some(format!(
            "The Task state in AWS Step Functions execution [{parent_arn}] which was managing this resource was aborted"
        )),
    }
}

impl NestedEnd<'_> {
    /// Returns the answer to the task.
    ///
    /// # Errors
    /// What the task fails with, where the execution has not succeeded.
    ///
    /// ```
    /// use asl_engine::{Outcome, Start, Timestamp};
    /// use asl_backend::{NestedEnd, NestedForm};
    /// use serde_json::json;
    ///
    /// let (now, outcome) = (Timestamp::default(), Outcome::Succeeded(json!({"a": 1}).into()));
    /// let start = Start::new("e", json!(null), now);
    /// let end = NestedEnd { start: &start, outcome: &outcome, stop_date: now, redrive_count: 0, version_arn: None, alias_arn: None };
    /// assert_eq!(end.answer(NestedForm::Json)?["Output"], json!({"a": 1}));
    /// assert_eq!(end.answer(NestedForm::Text)?["Output"], "{\"a\":1}");
    /// # Ok::<(), asl_engine::ErrorOutput>(())
    /// ```
    pub fn answer(&self, form: NestedForm) -> Result<Value, ErrorOutput> {
        let described = self.described(form);
        match self.outcome {
            Outcome::Succeeded(_) => Ok(described),
            _ => Err(ErrorOutput::new("States.TaskFailed", described.to_string())),
        }
    }

    /// Returns the answer of DescribeExecution as the integration gives it: names in capitals, dates in milliseconds.
    fn described(&self, form: NestedForm) -> Value {
        let (start, outcome) = (self.start, self.outcome);
        // The cause of a failure holds the input as text in either form (measured).
        let is_json = form == NestedForm::Json && matches!(outcome, Outcome::Succeeded(_));
        let data = |value: &Value, text: Option<&str>| match is_json {
            true => value.clone(),
            false => Value::String(text.map_or_else(|| value.to_string(), str::to_owned)),
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
        put("RedriveCount", self.redrive_count.into());
        match outcome {
            Outcome::Succeeded(_) => {
                put("RedriveStatus", "NOT_REDRIVABLE".into());
                let reason = "Execution is SUCCEEDED and cannot be redriven";
                put("RedriveStatusReason", reason.into());
            }
            _ => put("RedriveStatus", "REDRIVABLE".into()),
        }
        put("StartDate", milliseconds(start.now).into());
        if let Some(alias) = self.alias_arn {
            put("StateMachineAliasArn", alias.into());
        }
        put("StateMachineArn", start.identity.state_machine_arn().into());
        if let Some(version) = self.version_arn {
            put("StateMachineVersionArn", version.into());
        }
        put("Status", outcome.status().into());
        put("StopDate", milliseconds(self.stop_date).into());
        Value::Object(members)
    }
}
