//! Events as the service's API shows them: members of "events" of GetExecutionHistory.
use super::{EventDetails, HistoryEvent, TaskResource};
use crate::error_output::ErrorOutput;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use std::io;
use std::sync::Arc;

impl HistoryEvent {
    /// Returns the event as a member of "events" of GetExecutionHistory.
    ///
    /// Inputs, outputs and parameters are JSON texts in strings, as the service has them.
    ///
    /// ```
    /// use asl_engine::history::{EventDetails, HistoryEvent};
    /// use serde_json::json;
    /// let event = HistoryEvent {
    ///     id: 4,
    ///     previous_event_id: 3,
    ///     timestamp: Default::default(),
    ///     details: EventDetails::ExecutionSucceeded { output: std::sync::Arc::new(json!({"a": 1})) },
    /// };
    /// let shown = event.to_json();
    /// assert_eq!(shown["type"], "ExecutionSucceeded");
    /// assert_eq!(shown["executionSucceededEventDetails"]["output"], r#"{"a":1}"#);
    /// ```
    pub fn to_json(&self) -> Value {
        // Every member is a string, a number or a map with string keys: what serde_json always accepts.
        serde_json::to_value(self.as_api()).unwrap_or_default()
    }

    /// Writes the text of [`to_json`](Self::to_json), without building a value first.
    ///
    /// # Errors
    /// Those of `output`.
    pub fn write_to(&self, output: impl io::Write) -> io::Result<()> {
        Ok(serde_json::to_writer(output, &self.as_api())?)
    }

    fn as_api(&self) -> impl Serialize + '_ {
        ApiEvent(self)
    }
}

struct ApiEvent<'a>(&'a HistoryEvent);

impl Serialize for ApiEvent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let event = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("timestamp", &DisplayText(&event.timestamp))?;
        map.serialize_entry("type", event.event_type())?;
        map.serialize_entry("id", &event.id)?;
        map.serialize_entry("previousEventId", &event.previous_event_id)?;
        if let Some(member) = event.details.details_member() {
            map.serialize_entry(member, &ApiDetails(&event.details))?;
        }
        map.end()
    }
}

/// Something shown as a string; a JSON value as its compact text.
struct DisplayText<'a, T>(&'a T);

impl<T: std::fmt::Display> Serialize for DisplayText<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

struct AssignedVariables<'a>(&'a [(Arc<str>, Arc<Value>)]);

impl Serialize for AssignedVariables<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            self.0
                .iter()
                .map(|(name, value)| (name, DisplayText(value))),
        )
    }
}

/// "inputDetails" and "outputDetails": whether the service cut the text. Nothing is cut here.
#[derive(serde::Serialize)]
struct DataDetails {
    truncated: bool,
}

const WHOLE: DataDetails = DataDetails { truncated: false };

struct ApiDetails<'a>(&'a EventDetails);

impl Serialize for ApiDetails<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = Members(serializer.serialize_map(None)?);
        self.add_to(&mut members)?;
        members.0.end()
    }
}

impl ApiDetails<'_> {
    fn add_to<M: SerializeMap>(&self, members: &mut Members<M>) -> Result<(), M::Error> {
        use EventDetails as E;
        match self.0 {
            E::ExecutionStarted {
                input,
                input_text,
                role_arn,
            } => {
                members.input(input, input_text)?;
                members.text("roleArn", role_arn)
            }
            E::ExecutionRedriven { redrive_count } => {
                members.number("redriveCount", *redrive_count)
            }
            E::StateEntered {
                name,
                input,
                input_text,
                ..
            } => {
                members.text("name", name)?;
                members.input(input, input_text)
            }
            E::StateExited {
                name,
                output,
                assigned_variables,
                ..
            } => {
                members.text("name", name)?;
                members.output(output)?;
                members.assigned_variables(assigned_variables)
            }
            E::ExecutionSucceeded { output }
            | E::LambdaFunctionSucceeded { output }
            | E::ActivitySucceeded { output } => members.output(output),
            E::ExecutionFailed(error_output)
            | E::ExecutionTimedOut(error_output)
            | E::ExecutionAborted(error_output)
            | E::LambdaFunctionFailed(error_output)
            | E::LambdaFunctionTimedOut(error_output)
            | E::ActivityFailed(error_output)
            | E::ActivityTimedOut(error_output)
            | E::LambdaFunctionScheduleFailed(error_output)
            | E::LambdaFunctionStartFailed(error_output)
            | E::ActivityScheduleFailed(error_output)
            | E::MapRunFailed(error_output) => members.error_output(error_output),
            E::MapStateStarted { length } => members.number("length", *length),
            E::MapIterationStarted { name, index }
            | E::MapIterationSucceeded { name, index }
            | E::MapIterationFailed { name, index }
            | E::MapIterationAborted { name, index } => {
                members.text("name", name)?;
                members.number("index", *index)
            }
            E::MapRunStarted { map_run_arn } => members.text("mapRunArn", map_run_arn),
            E::MapRunRedriven {
                map_run_arn,
                redrive_count,
            } => {
                members.text("mapRunArn", map_run_arn)?;
                members.number("redriveCount", *redrive_count)
            }
            E::EvaluationFailed {
                state,
                location,
                error,
                cause,
            } => {
                members.text("error", error)?;
                members.text("cause", cause)?;
                members.optional_text("location", location.as_deref())?;
                members.text("state", state)
            }
            _ => self.add_task_to(members),
        }
    }

    /// Writes the details of tasks: Lambda functions and activities as scheduled, and service integrations.
    fn add_task_to<M: SerializeMap>(&self, members: &mut Members<M>) -> Result<(), M::Error> {
        use EventDetails as E;
        match self.0 {
            E::LambdaFunctionScheduled {
                resource,
                input,
                timeout_in_seconds,
                task_credentials,
            } => {
                members.text("resource", resource)?;
                members.data("input", "inputDetails", input)?;
                members.optional_number("timeoutInSeconds", *timeout_in_seconds)?;
                members.credentials(task_credentials.as_ref())
            }
            E::ActivityScheduled {
                resource,
                input,
                timeout_in_seconds,
                heartbeat_in_seconds,
            } => {
                members.text("resource", resource)?;
                members.data("input", "inputDetails", input)?;
                members.optional_number("timeoutInSeconds", *timeout_in_seconds)?;
                members.optional_number("heartbeatInSeconds", *heartbeat_in_seconds)
            }
            E::ActivityStarted { worker_name } => {
                members.optional_text("workerName", worker_name.as_deref())
            }
            E::TaskScheduled {
                task,
                region,
                parameters,
                timeout_in_seconds,
                heartbeat_in_seconds,
                task_credentials,
            } => {
                members.task(task)?;
                members.text("region", region)?;
                members
                    .0
                    .serialize_entry("parameters", &DisplayText(parameters))?;
                members.optional_number("timeoutInSeconds", *timeout_in_seconds)?;
                members.optional_number("heartbeatInSeconds", *heartbeat_in_seconds)?;
                members.credentials(task_credentials.as_ref())
            }
            E::TaskStarted { task } => members.task(task),
            E::TaskSubmitted { task, output } => {
                members.task(task)?;
                output.as_deref().map_or(Ok(()), |o| members.output(o))
            }
            E::TaskSucceeded { task, output } => {
                members.task(task)?;
                members.output(output)
            }
            E::TaskFailed { task, error_output }
            | E::TaskTimedOut { task, error_output }
            | E::TaskStartFailed { task, error_output }
            | E::TaskSubmitFailed { task, error_output } => {
                members.task(task)?;
                members.error_output(error_output)
            }
            // The events that have no details never come here.
            _ => Ok(()),
        }
    }
}

/// The members of one details object, in the order in which they are added.
struct Members<M>(M);

impl<M: SerializeMap> Members<M> {
    fn text(&mut self, name: &'static str, text: &str) -> Result<(), M::Error> {
        self.0.serialize_entry(name, text)
    }

    fn optional_text(&mut self, name: &'static str, text: Option<&str>) -> Result<(), M::Error> {
        text.map_or(Ok(()), |text| self.text(name, text))
    }

    fn number(&mut self, name: &'static str, number: u64) -> Result<(), M::Error> {
        self.0.serialize_entry(name, &number)
    }

    fn optional_number(&mut self, name: &'static str, number: Option<u64>) -> Result<(), M::Error> {
        number.map_or(Ok(()), |number| self.number(name, number))
    }

    /// Data as a JSON text, and that it is whole.
    fn data(
        &mut self,
        name: &'static str,
        details: &'static str,
        data: &Value,
    ) -> Result<(), M::Error> {
        self.0.serialize_entry(name, &DisplayText(data))?;
        self.0.serialize_entry(details, &WHOLE)
    }

    /// Writes an input as its sender wrote it, if known.
    fn input(&mut self, input: &Value, text: &Option<Arc<str>>) -> Result<(), M::Error> {
        match text {
            Some(text) => {
                self.0.serialize_entry("input", &**text)?;
                self.0.serialize_entry("inputDetails", &WHOLE)
            }
            None => self.data("input", "inputDetails", input),
        }
    }

    fn output(&mut self, output: &Value) -> Result<(), M::Error> {
        self.data("output", "outputDetails", output)
    }

    /// Values as JSON texts, and that they are whole; nothing where none was assigned.
    fn assigned_variables(&mut self, assigned: &[(Arc<str>, Arc<Value>)]) -> Result<(), M::Error> {
        if assigned.is_empty() {
            return Ok(());
        }
        self.0
            .serialize_entry("assignedVariables", &AssignedVariables(assigned))?;
        self.0.serialize_entry("assignedVariablesDetails", &WHOLE)
    }

    fn error_output(&mut self, output: &ErrorOutput) -> Result<(), M::Error> {
        self.optional_text("error", output.error.as_deref())?;
        self.optional_text("cause", output.cause.as_deref())
    }

    fn task(&mut self, task: &TaskResource) -> Result<(), M::Error> {
        self.text("resourceType", &task.resource_type)?;
        self.text("resource", &task.resource)
    }

    /// "taskCredentials" has one member in the API: the "RoleArn" of the state's "Credentials".
    fn credentials(&mut self, credentials: Option<&Value>) -> Result<(), M::Error> {
        let Some(credentials) = credentials else {
            return Ok(());
        };
        let role_arn = credentials.get("RoleArn").and_then(Value::as_str);
        self.0
            .serialize_entry("taskCredentials", &TaskCredentials { role_arn })
    }
}

#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct TaskCredentials<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role_arn: Option<&'a str>,
}

#[cfg(test)]
pub(super) mod tests;
