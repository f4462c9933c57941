//! Events read from what the service's API shows of them.
use super::{EventDetails, HistoryEvent, TaskResource};
use crate::error_output::ErrorOutput;
use asl_model::{StateType, Timestamp};
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use serde::de::value::{Error as ValueError, StrDeserializer};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Reasons why a JSON value is not an event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryEventError {
    /// A member that every event has, or every event of this type, is missing or of the wrong type.
    #[error("expected the member \"{0}\"")]
    Member(&'static str),
    /// The service has no event of this type, or this version does not know it.
    #[error("the event type '{0}' is unknown")]
    Type(String),
}

impl HistoryEvent {
    /// Reads an event as GetExecutionHistory returns it: the opposite of [`to_json`](Self::to_json).
    ///
    /// The timestamp is a text as in RFC 3339, or seconds since 1970. Data that the service cut is a string. Data that is
    /// missing, because the history was read without it, is null.
    ///
    /// ```
    /// use asl_engine::history::{EventDetails, HistoryEvent};
    /// use serde_json::json;
    /// let event = HistoryEvent::from_json(&json!({
    ///     "id": 2, "previousEventId": 1, "timestamp": 1706702400.5, "type": "MapStateStarted",
    ///     "mapStateStartedEventDetails": {"length": 4}}))?;
    /// assert_eq!(event.details, EventDetails::MapStateStarted { length: 4 });
    /// # Ok::<(), asl_engine::history::HistoryEventError>(())
    /// ```
    ///
    /// # Errors
    /// A required member is missing, or the type of the event is unknown.
    pub fn from_json(event: &Value) -> Result<Self, HistoryEventError> {
        let member = |name| event.get(name).ok_or(HistoryEventError::Member(name));
        let details = event.as_object().into_iter().flatten();
        let details = details
            .filter(|(name, _)| name.ends_with("EventDetails"))
            .find_map(|(_, details)| details.as_object());
        let number = |name| {
            member(name)?
                .as_u64()
                .ok_or(HistoryEventError::Member(name))
        };
        let event_type = member("type")?.as_str();
        Ok(Self {
            id: number("id")?,
            previous_event_id: event
                .get("previousEventId")
                .and_then(Value::as_u64)
                .unwrap_or(0),
            timestamp: moment(member("timestamp")?)
                .ok_or(HistoryEventError::Member("timestamp"))?,
            details: Details(details).read(event_type.ok_or(HistoryEventError::Member("type"))?)?,
        })
    }
}

/// Parses an RFC 3339 timestamp, or seconds since 1970.
fn moment(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => Timestamp::parse(text),
        other => {
            let milliseconds = other.as_f64()? * 1_000.0;
            Some(Timestamp::from_milliseconds(milliseconds.round() as i64))
        }
    }
}

type Read<T> = Result<T, HistoryEventError>;

/// The details object of an event; none for an event that has none.
struct Details<'d>(Option<&'d Map<String, Value>>);

impl Details<'_> {
    fn read(&self, event_type: &str) -> Read<EventDetails> {
        use EventDetails as E;
        Ok(match event_type {
            "ExecutionStarted" => {
                let (input, input_text) = self.input();
                E::ExecutionStarted {
                    input,
                    input_text,
                    role_arn: self.text("roleArn").unwrap_or_default(),
                }
            }
            "ExecutionRedriven" => E::ExecutionRedriven {
                redrive_count: self.number("redriveCount").unwrap_or(0),
            },
            "ExecutionSucceeded" => E::ExecutionSucceeded {
                output: self.data("output"),
            },
            "ExecutionFailed" => E::ExecutionFailed(self.error_output()),
            "ExecutionTimedOut" => E::ExecutionTimedOut(self.error_output()),
            "ExecutionAborted" => E::ExecutionAborted(self.error_output()),
            "EvaluationFailed" => E::EvaluationFailed {
                state: self.text("state").unwrap_or_default().into(),
                location: self.text("location"),
                error: self.text("error").unwrap_or_default(),
                cause: self.text("cause").unwrap_or_default(),
            },
            other => match self.read_task(other)?.or(self.read_holder(other)?) {
                Some(details) => details,
                None => self.read_state(other)?,
            },
        })
    }

    /// Reads the events of functions, activities and service integrations.
    fn read_task(&self, event_type: &str) -> Read<Option<EventDetails>> {
        use EventDetails as E;
        Ok(Some(match event_type {
            "LambdaFunctionScheduled" => E::LambdaFunctionScheduled {
                resource: self.required_text("resource")?,
                input: self.data("input"),
                timeout_in_seconds: self.number("timeoutInSeconds"),
                task_credentials: self.credentials(),
            },
            "LambdaFunctionScheduleFailed" => E::LambdaFunctionScheduleFailed(self.error_output()),
            "LambdaFunctionStarted" => E::LambdaFunctionStarted,
            "LambdaFunctionStartFailed" => E::LambdaFunctionStartFailed(self.error_output()),
            "LambdaFunctionSucceeded" => E::LambdaFunctionSucceeded {
                output: self.data("output"),
            },
            "LambdaFunctionFailed" => E::LambdaFunctionFailed(self.error_output()),
            "LambdaFunctionTimedOut" => E::LambdaFunctionTimedOut(self.error_output()),
            "ActivityScheduled" => E::ActivityScheduled {
                resource: self.required_text("resource")?,
                input: self.data("input"),
                timeout_in_seconds: self.number("timeoutInSeconds"),
                heartbeat_in_seconds: self.number("heartbeatInSeconds"),
            },
            "ActivityScheduleFailed" => E::ActivityScheduleFailed(self.error_output()),
            "ActivityStarted" => E::ActivityStarted {
                worker_name: self.text("workerName"),
            },
            "ActivitySucceeded" => E::ActivitySucceeded {
                output: self.data("output"),
            },
            "ActivityFailed" => E::ActivityFailed(self.error_output()),
            "ActivityTimedOut" => E::ActivityTimedOut(self.error_output()),
            "TaskScheduled" => E::TaskScheduled {
                task: self.task()?,
                region: self.text("region").unwrap_or_default(),
                parameters: self.data("parameters"),
                timeout_in_seconds: self.number("timeoutInSeconds"),
                heartbeat_in_seconds: self.number("heartbeatInSeconds"),
                task_credentials: self.credentials(),
            },
            "TaskStarted" => E::TaskStarted { task: self.task()? },
            "TaskSubmitted" => E::TaskSubmitted {
                task: self.task()?,
                output: self.has("output").then(|| self.data("output")),
            },
            "TaskSucceeded" => E::TaskSucceeded {
                task: self.task()?,
                output: self.data("output"),
            },
            "TaskFailed" => {
                self.failed_task(|task, error_output| E::TaskFailed { task, error_output })?
            }
            "TaskTimedOut" => {
                self.failed_task(|task, error_output| E::TaskTimedOut { task, error_output })?
            }
            "TaskStartFailed" => {
                self.failed_task(|task, error_output| E::TaskStartFailed { task, error_output })?
            }
            "TaskSubmitFailed" => {
                self.failed_task(|task, error_output| E::TaskSubmitFailed { task, error_output })?
            }
            _ => return Ok(None),
        }))
    }

    /// Reads the events of Parallel and Map States, other than their entries and exits.
    fn read_holder(&self, event_type: &str) -> Read<Option<EventDetails>> {
        use EventDetails as E;
        Ok(Some(match event_type {
            "ParallelStateStarted" => E::ParallelStateStarted,
            "ParallelStateSucceeded" => E::ParallelStateSucceeded,
            "ParallelStateFailed" => E::ParallelStateFailed,
            "MapStateStarted" => E::MapStateStarted {
                length: self.number("length").unwrap_or(0),
            },
            "MapStateSucceeded" => E::MapStateSucceeded,
            "MapStateFailed" => E::MapStateFailed,
            "MapIterationStarted" => {
                self.iteration(|name, index| E::MapIterationStarted { name, index })?
            }
            "MapIterationSucceeded" => {
                self.iteration(|name, index| E::MapIterationSucceeded { name, index })?
            }
            "MapIterationFailed" => {
                self.iteration(|name, index| E::MapIterationFailed { name, index })?
            }
            "MapIterationAborted" => {
                self.iteration(|name, index| E::MapIterationAborted { name, index })?
            }
            "MapRunStarted" => E::MapRunStarted {
                map_run_arn: self.text("mapRunArn").unwrap_or_default(),
            },
            "MapRunRedriven" => E::MapRunRedriven {
                map_run_arn: self.text("mapRunArn").unwrap_or_default(),
                redrive_count: self.number("redriveCount").unwrap_or(0),
            },
            "MapRunSucceeded" => E::MapRunSucceeded,
            "MapRunFailed" => E::MapRunFailed(self.error_output()),
            _ => return Ok(None),
        }))
    }

    /// Reads the entry, exit or interruption of a state.
    fn read_state(&self, event_type: &str) -> Read<EventDetails> {
        let state = |suffix| {
            let name = event_type.strip_suffix(suffix)?.strip_suffix("State")?;
            let word: StrDeserializer<'_, ValueError> = name.into_deserializer();
            StateType::deserialize(word).ok()
        };
        if let Some(state_type) = state("Entered") {
            let (input, input_text) = self.input();
            return Ok(EventDetails::StateEntered {
                state_type,
                name: self.required_text("name")?.into(),
                input,
                input_text,
            });
        }
        if let Some(state_type) = state("Exited") {
            return Ok(EventDetails::StateExited {
                state_type,
                name: self.required_text("name")?.into(),
                output: self.data("output"),
                assigned_variables: self.assigned_variables(),
            });
        }
        let state_type = state("Aborted");
        let state_type =
            state_type.ok_or_else(|| HistoryEventError::Type(event_type.to_owned()))?;
        Ok(EventDetails::StateAborted { state_type })
    }

    fn has(&self, name: &str) -> bool {
        self.0.is_some_and(|details| details.contains_key(name))
    }

    fn str(&self, name: &str) -> Option<&str> {
        self.0?.get(name)?.as_str()
    }

    fn text(&self, name: &str) -> Option<String> {
        self.str(name).map(str::to_owned)
    }

    fn required_text(&self, name: &'static str) -> Read<String> {
        self.text(name).ok_or(HistoryEventError::Member(name))
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.0?.get(name)?.as_u64()
    }

    fn data(&self, name: &str) -> Arc<Value> {
        Arc::new(self.str(name).map_or(Value::Null, value))
    }

    /// Reads an input, and its text where that is not the compact form.
    fn input(&self) -> (Arc<Value>, Option<Arc<str>>) {
        let input = self.data("input");
        let text = self.str("input");
        let text = text.filter(|text| **text != input.to_string());
        (input, text.map(Arc::from))
    }

    fn assigned_variables(&self) -> Vec<(Arc<str>, Arc<Value>)> {
        let assigned = self.0.and_then(|details| details.get("assignedVariables"));
        let assigned = assigned.and_then(Value::as_object).into_iter().flatten();
        assigned
            .map(|(name, text)| {
                let value = text.as_str().map_or(Value::Null, value);
                (name.as_str().into(), Arc::new(value))
            })
            .collect()
    }

    fn error_output(&self) -> ErrorOutput {
        ErrorOutput {
            error: self.text("error"),
            cause: self.text("cause"),
        }
    }

    fn task(&self) -> Read<Arc<TaskResource>> {
        Ok(Arc::new(TaskResource {
            resource_type: self.required_text("resourceType")?,
            resource: self.required_text("resource")?,
        }))
    }

    fn failed_task(
        &self,
        make: fn(Arc<TaskResource>, ErrorOutput) -> EventDetails,
    ) -> Read<EventDetails> {
        Ok(make(self.task()?, self.error_output()))
    }

    fn iteration(&self, make: fn(Arc<str>, u64) -> EventDetails) -> Read<EventDetails> {
        let index = self.number("index");
        let index = index.ok_or(HistoryEventError::Member("index"))?;
        Ok(make(self.required_text("name")?.into(), index))
    }

    /// Reads "taskCredentials" as the state's "Credentials".
    fn credentials(&self) -> Option<Value> {
        let credentials = self.0?.get("taskCredentials")?.as_object()?;
        Some(match credentials.get("roleArn") {
            Some(role_arn) => json!({ "RoleArn": role_arn }),
            None => json!({}),
        })
    }
}

/// Parses data, which is JSON in a string. Invalid JSON, such as truncated text, remains a string.
fn value(text: &str) -> Value {
    let parsed = asl_path::json::parse(text, asl_path::json::DEFAULT_MAX_DEPTH);
    parsed.unwrap_or_else(|_| Value::from(text))
}

#[cfg(test)]
mod tests {
    use super::super::json::tests::one_of_each;
    use super::*;

    #[test]
    fn an_event_of_each_type_is_read_as_written() {
        for event in one_of_each() {
            assert_eq!(HistoryEvent::from_json(&event.to_json()), Ok(event));
        }
    }

    #[test]
    fn an_event_of_the_service_without_data_is_read() {
        let event = json!({"id": 2, "timestamp": 1706702400.25, "type": "TaskStateEntered",
            "previousEventId": 0, "stateEnteredEventDetails": {"name": "Work"}});
        let event = HistoryEvent::from_json(&event).unwrap();
        assert_eq!(
            event.timestamp,
            Timestamp::from_milliseconds(1_706_702_400_250)
        );
        let EventDetails::StateEntered {
            input, input_text, ..
        } = event.details
        else {
            panic!("an entry");
        };
        assert_eq!((&*input, input_text), (&Value::Null, None));
    }

    #[test]
    fn data_that_was_cut_is_a_string() {
        let event = json!({"id": 2, "timestamp": 0, "type": "ExecutionSucceeded", "executionSucceededEventDetails": {
            "output": "{\"a\":", "outputDetails": {"truncated": true}}});
        let event = HistoryEvent::from_json(&event).unwrap();
        let output = Arc::new(json!("{\"a\":"));
        assert_eq!(event.details, EventDetails::ExecutionSucceeded { output });
    }

    #[test]
    fn what_is_missing_is_named() {
        let error = |event: Value| HistoryEvent::from_json(&event).unwrap_err().to_string();
        let entered = json!({"id": 1, "timestamp": 0, "type": "PassStateEntered"});
        assert_eq!(error(json!([])), r#"expected the member "type""#);
        assert_eq!(
            error(json!({"type": "MapRunSucceeded"})),
            r#"expected the member "id""#
        );
        assert_eq!(error(entered), r#"expected the member "name""#);
        let soon = json!({"id": 1, "timestamp": 0, "type": "GoStateEntered"});
        assert_eq!(error(soon), "the event type 'GoStateEntered' is unknown");
    }
}

#[cfg(test)]
mod laws {
    use super::*;
    use proptest::prelude::*;

    fn data() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(".*", inner, 0..4)
                    .prop_map(|fields| fields.into_iter().collect::<Map<_, _>>().into()),
            ]
        })
    }

    fn error_output() -> impl Strategy<Value = ErrorOutput> {
        let text = || proptest::option::of(".*");
        (text(), text()).prop_map(|(error, cause)| ErrorOutput { error, cause })
    }

    fn details() -> impl Strategy<Value = EventDetails> {
        use EventDetails as E;
        let data = || data().prop_map(Arc::new);
        let name = || ".+".prop_map(Arc::<str>::from);
        let number = || proptest::option::of(any::<u64>());
        let task = || {
            (".*", ".*").prop_map(|(resource_type, resource)| {
                Arc::new(TaskResource {
                    resource_type,
                    resource,
                })
            })
        };
        let state_type = StateType::Parallel;
        prop_oneof![
            (data(), ".*").prop_map(|(input, role_arn)| {
                E::ExecutionStarted {
                    input,
                    input_text: None,
                    role_arn,
                }
            }),
            data().prop_map(|output| E::ExecutionSucceeded { output }),
            error_output().prop_map(E::ExecutionTimedOut),
            (name(), data()).prop_map(move |(name, input)| {
                E::StateEntered {
                    state_type,
                    name,
                    input,
                    input_text: None,
                }
            }),
            (
                name(),
                data(),
                proptest::collection::vec((name(), data()), 0..3)
            )
                .prop_map(move |(name, output, mut assigned_variables)| {
                    assigned_variables.sort_by(|left, right| left.0.cmp(&right.0));
                    assigned_variables.dedup_by(|left, right| left.0 == right.0);
                    E::StateExited {
                        state_type,
                        name,
                        output,
                        assigned_variables,
                    }
                }),
            (task(), ".*", data(), number(), number()).prop_map(
                |(task, region, parameters, timeout_in_seconds, heartbeat_in_seconds)| {
                    E::TaskScheduled {
                        task,
                        region,
                        parameters,
                        timeout_in_seconds,
                        heartbeat_in_seconds,
                        task_credentials: None,
                    }
                }
            ),
            (task(), proptest::option::of(data()))
                .prop_map(|(task, output)| E::TaskSubmitted { task, output }),
            (task(), error_output())
                .prop_map(|(task, error_output)| E::TaskFailed { task, error_output }),
            (name(), any::<u64>()).prop_map(|(name, index)| E::MapIterationAborted { name, index }),
        ]
    }

    proptest! {
        /// An event is read as written: members, data and the time to the millisecond.
        #[test]
        fn every_event_is_read_as_written(
            (id, previous_event_id) in (any::<u64>(), any::<u64>()),
            milliseconds in 0..4_102_444_800_000_i64,
            details in details(),
        ) {
            let timestamp = Timestamp::from_milliseconds(milliseconds);
            let event = HistoryEvent { id, previous_event_id, timestamp, details };
            prop_assert_eq!(HistoryEvent::from_json(&event.to_json()), Ok(event));
        }

        /// The reader retains the text of an input that is not in compact form.
        #[test]
        fn the_text_of_an_input_is_kept(input in data(), is_spaced in any::<bool>()) {
            let text = if is_spaced { format!(" {input}") } else { input.to_string() };
            let details = EventDetails::ExecutionStarted {
                input: Arc::new(input),
                input_text: is_spaced.then(|| text.into()),
                role_arn: String::new(),
            };
            let event = HistoryEvent { id: 1, previous_event_id: 0, timestamp: Timestamp::default(), details };
            prop_assert_eq!(HistoryEvent::from_json(&event.to_json()), Ok(event));
        }

        /// No JSON value makes the reader fail other than with an error.
        #[test]
        fn any_value_is_an_event_or_an_error(value in data()) {
            let _ = HistoryEvent::from_json(&value).map_err(|error| error.to_string());
        }
    }
}
