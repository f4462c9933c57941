//! The response, in the API's JSON shape.
use asl_engine::ErrorOutput;
use serde_json::{Map, Value};

/// The result of a test.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TestStateResponse {
    /// The status of the state.
    pub status: TestStatus,
    /// The output, if the state ended successfully.
    pub output: Option<Value>,
    /// Error of the state, caught or not.
    pub error_output: Option<ErrorOutput>,
    /// The state that follows.
    pub next_state: Option<String>,
    /// The data after each field; None at the level INFO.
    pub inspection_data: Option<InspectionData>,
}

/// Statuses of a tested state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TestStatus {
    /// The state succeeded with an output.
    Succeeded,
    /// The state failed with an uncaught error.
    Failed,
    /// The state failed with an error that a retrier handles.
    Retriable,
    /// A catcher handled the error.
    CaughtError,
}

impl TestStatus {
    /// Returns the service's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "SUCCEEDED",
            Self::Failed => "FAILED",
            Self::Retriable => "RETRIABLE",
            Self::CaughtError => "CAUGHT_ERROR",
        }
    }
}

/// The data after each field of a state (Step Functions API Reference, InspectionData). A missing member does not apply to
/// the state.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct InspectionData {
    /// The raw input.
    pub input: Option<Value>,
    /// Data after "Arguments".
    pub after_arguments: Option<Value>,
    /// Data after "InputPath".
    pub after_input_path: Option<Value>,
    /// Data after "Parameters".
    pub after_parameters: Option<Value>,
    /// The result of the state's work.
    pub result: Option<Value>,
    /// Data after "ResultSelector".
    pub after_result_selector: Option<Value>,
    /// Data after "ResultPath".
    pub after_result_path: Option<Value>,
    /// The request of an HTTP task: its members.
    pub request: Option<Map<String, Value>>,
    /// The response to an HTTP task: its members.
    pub response: Option<Map<String, Value>>,
    /// The variables that were given or assigned.
    pub variables: Option<Map<String, Value>>,
    /// Details of the handled error.
    pub error_details: Option<InspectionErrorDetails>,
    /// Data after "ItemsPath".
    pub after_items_path: Option<Value>,
    /// Items after "ItemSelector".
    pub after_item_selector: Option<Value>,
    /// Items after "ItemBatcher".
    pub after_item_batcher: Option<Value>,
    /// The part of a file that "ItemsPointer" selects.
    pub after_items_pointer: Option<Value>,
    /// "ToleratedFailureCount".
    pub tolerated_failure_count: Option<u64>,
    /// "ToleratedFailurePercentage".
    pub tolerated_failure_percentage: Option<f64>,
    /// "MaxConcurrency".
    pub max_concurrency: Option<u64>,
}

/// Details of an error and its handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct InspectionErrorDetails {
    /// The retrier that matches, whether it has attempts left or not.
    pub retry_index: Option<usize>,
    /// Seconds until the next attempt, if there is one.
    pub retry_backoff_interval_seconds: Option<u64>,
    /// The catcher that matches.
    pub catch_index: Option<usize>,
}

impl TestStateResponse {
    /// Returns the API's JSON: data are texts of JSON in it.
    pub fn to_value(&self) -> Value {
        self.in_form(text)
    }

    /// Converts the response for people: data is JSON instead of texts.
    pub fn to_readable(&self) -> Value {
        self.in_form(Value::clone)
    }

    fn in_form(&self, form: fn(&Value) -> Value) -> Value {
        let error_output = self.error_output.as_ref();
        let mut members = Map::new();
        put(&mut members, "output", self.output.as_ref().map(form));
        put(
            &mut members,
            "error",
            error_output.and_then(|it| it.error.clone()),
        );
        put(
            &mut members,
            "cause",
            error_output.and_then(|it| it.cause.clone()),
        );
        put(
            &mut members,
            "inspectionData",
            self.inspection_data.as_ref().map(|data| data.in_form(form)),
        );
        put(&mut members, "nextState", self.next_state.clone());
        put(&mut members, "status", Some(self.status.as_str()));
        members.into()
    }
}

impl InspectionData {
    fn in_form(&self, form: fn(&Value) -> Value) -> Value {
        let mut members = Map::new();
        put(&mut members, "input", self.input.as_ref().map(form));
        let data = [
            ("afterArguments", &self.after_arguments),
            ("afterInputPath", &self.after_input_path),
            ("afterParameters", &self.after_parameters),
            ("result", &self.result),
            ("afterResultSelector", &self.after_result_selector),
            ("afterResultPath", &self.after_result_path),
            ("afterItemsPath", &self.after_items_path),
            ("afterItemSelector", &self.after_item_selector),
            ("afterItemBatcher", &self.after_item_batcher),
            ("afterItemsPointer", &self.after_items_pointer),
        ];
        for (name, value) in data {
            put(&mut members, name, value.as_ref().map(form));
        }
        put(&mut members, "request", self.request.clone());
        put(&mut members, "response", self.response.clone());
        let variables = self.variables.clone().map(Value::Object);
        put(&mut members, "variables", variables.as_ref().map(form));
        let details = self.error_details.as_ref();
        put(
            &mut members,
            "errorDetails",
            details.map(|details| details.to_value()),
        );
        put(
            &mut members,
            "toleratedFailureCount",
            self.tolerated_failure_count,
        );
        put(
            &mut members,
            "toleratedFailurePercentage",
            self.tolerated_failure_percentage,
        );
        put(&mut members, "maxConcurrency", self.max_concurrency);
        members.into()
    }
}

impl InspectionErrorDetails {
    fn to_value(self) -> Value {
        let mut members = Map::new();
        put(&mut members, "catchIndex", self.catch_index);
        put(&mut members, "retryIndex", self.retry_index);
        put(
            &mut members,
            "retryBackoffIntervalSeconds",
            self.retry_backoff_interval_seconds,
        );
        members.into()
    }
}

fn text(value: &Value) -> Value {
    value.to_string().into()
}

fn put(members: &mut Map<String, Value>, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        members.insert(name.to_owned(), value.into());
    }
}
