//! The request, in the API's JSON shape.
use crate::error::TestStateError;
use asl_engine::ErrorOutput;
use serde_json::{Map, Value};

/// A request to test a state (Step Functions API Reference, TestState).
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct TestStateRequest {
    /// A state, or a state machine: JSON or YAML.
    pub definition: String,
    /// The name of the state within a state machine.
    pub state_name: Option<String>,
    /// The role that the state machine would have.
    pub role_arn: Option<String>,
    /// Input of the state as JSON. The default is `{}`.
    pub input: Option<String>,
    /// Level of detail.
    pub inspection_level: InspectionLevel,
    /// True if secrets of HTTP tasks are shown.
    pub reveal_secrets: bool,
    /// The state machine's variables: JSON.
    pub variables: Option<String>,
    /// The Context Object: JSON.
    pub context: Option<String>,
    /// The mock of the state's work.
    pub mock: Option<Mock>,
    /// The situation of the tested state.
    pub configuration: StateConfiguration,
}

asl_path::with_methods! {
    impl TestStateRequest {
        with_state_name(state_name: Option<String>),
        with_role_arn(role_arn: Option<String>),
        with_input(input: Option<String>),
        with_inspection_level(inspection_level: InspectionLevel),
        with_reveal_secrets(reveal_secrets: bool),
        with_variables(variables: Option<String>),
        with_context(context: Option<String>),
        with_mock(mock: Option<Mock>),
        with_configuration(configuration: StateConfiguration),
    }
}

/// Levels of detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum InspectionLevel {
    /// Only the output.
    #[default]
    Info,
    /// Also the data after each field.
    Debug,
    /// The request and the response of an HTTP task, too.
    Trace,
}

/// A mock of a task, of branches or of iterations.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Mock {
    /// Result of the task, as JSON.
    pub result: Option<String>,
    /// Error of the task.
    pub error_output: Option<ErrorOutput>,
    /// The check of the result against the service's API.
    pub field_validation: FieldValidation,
}

asl_path::with_methods! {
    impl Mock {
        with_result(result: Option<String>),
        with_error_output(error_output: Option<ErrorOutput>),
        with_field_validation(field_validation: FieldValidation),
    }
}

/// Checks of a mocked result against the API that the task calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum FieldValidation {
    /// Required members must be present, and all members must have the right type.
    #[default]
    Strict,
    /// Present members must have the right type.
    Present,
    /// No validation.
    None,
}

/// The situation of the tested state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct StateConfiguration {
    /// Retries that the retrier of the mocked error has made.
    pub retrier_retry_count: Option<u64>,
    /// The state within a Map or Parallel State that failed; no recording shows that it changes anything.
    pub error_caused_by_state: Option<String>,
    /// Iterations that failed.
    pub map_iteration_failure_count: Option<u64>,
    /// Data of an ItemReader.
    pub map_item_reader_data: Option<String>,
}

asl_path::with_methods! {
    impl StateConfiguration {
        with_retrier_retry_count(retrier_retry_count: Option<u64>),
        with_error_caused_by_state(error_caused_by_state: Option<String>),
        with_map_iteration_failure_count(map_iteration_failure_count: Option<u64>),
        with_map_item_reader_data(map_item_reader_data: Option<String>),
    }
}

impl TestStateRequest {
    /// Creates a request to test a state, or a state of a state machine, with the input `{}`.
    pub fn new(definition: impl Into<String>) -> Self {
        Self {
            definition: definition.into(),
            ..Self::default()
        }
    }

    /// Reads the API's JSON. A member that the API has as a text of JSON may be given as JSON.
    ///
    /// ```
    /// use asl_test_state::TestStateRequest;
    /// use serde_json::json;
    ///
    /// let request = TestStateRequest::from_value(&json!({
    ///     "definition": {"Type": "Succeed"}, "input": {"a": 1}, "inspectionLevel": "DEBUG"}))?;
    /// assert_eq!(request.input.as_deref(), Some(r#"{"a":1}"#));
    /// # Ok::<(), asl_test_state::TestStateError>(())
    /// ```
    ///
    /// # Errors
    /// A ValidationException with all members that have the wrong type, are too short or too long, or are no value of
    /// their enumeration.
    pub fn from_value(request: &Value) -> Result<Self, TestStateError> {
        let Value::Object(members) = request else {
            return Err(TestStateError::validation("a request must be an object"));
        };
        let mut members = Members::new("", members);
        let read = Self {
            definition: members
                .json("definition", MOST_OF_A_DEFINITION)
                .unwrap_or_default(),
            state_name: members.text("stateName", Some((1, 80))),
            role_arn: members.text("roleArn", Some((1, 256))),
            input: members.json("input", MOST_OF_DATA),
            inspection_level: members
                .choice("inspectionLevel", INSPECTION_LEVELS)
                .unwrap_or_default(),
            reveal_secrets: members.flag("revealSecrets"),
            variables: members.json("variables", MOST_OF_DATA),
            context: members.json("context", MOST_OF_DATA),
            mock: members.object("mock", read_mock),
            configuration: members
                .object("stateConfiguration", read_configuration)
                .unwrap_or_default(),
        };
        if !members.fields.contains_key("definition") {
            members.refuse_null("definition");
        }
        members.finish().map(|()| read)
    }
}

/// Characters of a definition.
const MOST_OF_A_DEFINITION: usize = 1_048_576;
/// Characters of data.
const MOST_OF_DATA: usize = 262_144;

const INSPECTION_LEVELS: &[(&str, InspectionLevel)] = &[
    ("INFO", InspectionLevel::Info),
    ("DEBUG", InspectionLevel::Debug),
    ("TRACE", InspectionLevel::Trace),
];

const FIELD_VALIDATIONS: &[(&str, FieldValidation)] = &[
    ("PRESENT", FieldValidation::Present),
    ("STRICT", FieldValidation::Strict),
    ("NONE", FieldValidation::None),
];

fn read_mock(members: &mut Members<'_>) -> Mock {
    Mock {
        result: members.json("result", MOST_OF_DATA),
        error_output: members.object("errorOutput", |members| ErrorOutput {
            error: members.text("error", Some((0, 256))),
            cause: members.text("cause", Some((0, 32_768))),
        }),
        field_validation: members
            .choice("fieldValidationMode", FIELD_VALIDATIONS)
            .unwrap_or_default(),
    }
}

fn read_configuration(members: &mut Members<'_>) -> StateConfiguration {
    StateConfiguration {
        retrier_retry_count: members.count("retrierRetryCount"),
        error_caused_by_state: members.text("errorCausedByState", Some((1, 80))),
        map_iteration_failure_count: members.count("mapIterationFailureCount"),
        map_item_reader_data: members.json("mapItemReaderData", MOST_OF_DATA),
    }
}

/// Members of an object of the request, with their errors.
struct Members<'r> {
    /// The object's own name, with a full stop; nothing of the request.
    prefix: String,
    fields: &'r Map<String, Value>,
    faults: Vec<String>,
}

impl<'r> Members<'r> {
    fn new(prefix: &str, fields: &'r Map<String, Value>) -> Self {
        Self {
            prefix: prefix.to_owned(),
            fields,
            faults: Vec::new(),
        }
    }

    /// Returns a member that is present and not null.
    fn get(&self, name: &str) -> Option<&'r Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }

    /// Refuses a value without showing it, because data may contain secrets.
    fn refuse_data(&mut self, name: &str, constraint: &str) {
        let prefix = &self.prefix;
        self.faults.push(format!(
            "Value at '{prefix}{name}' failed to satisfy constraint: {constraint}"
        ));
    }

    fn refuse(&mut self, name: &str, value: &Value, constraint: &str) {
        let prefix = &self.prefix;
        let shown = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        self.faults.push(format!(
            "Value '{shown}' at '{prefix}{name}' failed to satisfy constraint: {constraint}"
        ));
    }

    fn refuse_null(&mut self, name: &str) {
        let prefix = &self.prefix;
        self.faults.push(format!(
            "Value null at '{prefix}{name}' failed to satisfy constraint: Member must not be null"
        ));
    }

    /// Returns a text; its length in characters, at least and at most.
    fn text(&mut self, name: &str, length: Option<(usize, usize)>) -> Option<String> {
        let value = self.get(name)?;
        let Some(text) = value.as_str() else {
            self.refuse(name, value, "Member must be a string");
            return None;
        };
        let found = text.chars().count();
        if let Some((least, most)) = length {
            if found < least {
                let constraint =
                    format!("Member must have length greater than or equal to {least}");
                self.refuse(name, value, &constraint);
            } else if found > most {
                let constraint = format!("Member must have length less than or equal to {most}");
                self.refuse(name, value, &constraint);
            }
        }
        Some(text.to_owned())
    }

    /// Returns a text of JSON, or the JSON itself, of so many characters at most.
    fn json(&mut self, name: &str, most: usize) -> Option<String> {
        let text = match self.fields.get(name)? {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        if text.chars().count() > most {
            let constraint = format!("Member must have length less than or equal to {most}");
            self.refuse_data(name, &constraint);
        }
        Some(text)
    }

    fn flag(&mut self, name: &str) -> bool {
        match self.get(name) {
            None => false,
            Some(Value::Bool(flag)) => *flag,
            Some(value) => {
                self.refuse(name, value, "Member must be a boolean");
                false
            }
        }
    }

    fn count(&mut self, name: &str) -> Option<u64> {
        let value = self.get(name)?;
        let count = value.as_u64();
        if count.is_none() {
            self.refuse(
                name,
                value,
                "Member must have value greater than or equal to 0",
            );
        }
        count
    }

    fn choice<T: Copy>(&mut self, name: &str, choices: &[(&str, T)]) -> Option<T> {
        let value = self.get(name)?;
        let chosen = choices.iter().find(|(word, _)| value == word);
        if chosen.is_none() {
            let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
            let constraint = format!("Member must satisfy enum value set: [{}]", words.join(", "));
            self.refuse(name, value, &constraint);
        }
        chosen.map(|(_, chosen)| *chosen)
    }

    fn object<T>(&mut self, name: &str, read: impl FnOnce(&mut Members<'_>) -> T) -> Option<T> {
        match self.get(name)? {
            Value::Object(fields) => {
                let mut members = Members::new(&format!("{}{name}.", self.prefix), fields);
                let read = read(&mut members);
                self.faults.append(&mut members.faults);
                Some(read)
            }
            value => {
                self.refuse(name, value, "Member must be an object");
                None
            }
        }
    }

    fn finish(self) -> Result<(), TestStateError> {
        let count = self.faults.len();
        let plural = if count == 1 { "" } else { "s" };
        match count {
            0 => Ok(()),
            _ => Err(TestStateError::validation(format!(
                "{count} validation error{plural} detected: {}",
                self.faults.join("; ")
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refused(request: Value) -> String {
        TestStateRequest::from_value(&request).unwrap_err().message
    }

    #[test]
    fn every_member_is_read() {
        let request = TestStateRequest::from_value(&json!({
            "definition": "{}", "stateName": "A", "roleArn": "arn:aws:iam::111111111111:role/r", "input": "[1]",
            "inspectionLevel": "TRACE", "revealSecrets": true, "variables": {"x": 1}, "context": "{}",
            "mock": {"result": "1", "errorOutput": {"error": "E", "cause": "C"}, "fieldValidationMode": "NONE"},
            "stateConfiguration": {"retrierRetryCount": 1, "errorCausedByState": "B",
                "mapIterationFailureCount": 2, "mapItemReaderData": [1]}}))
        .unwrap();
        let expected = TestStateRequest {
            definition: "{}".to_owned(),
            state_name: Some("A".to_owned()),
            role_arn: Some("arn:aws:iam::111111111111:role/r".to_owned()),
            input: Some("[1]".to_owned()),
            inspection_level: InspectionLevel::Trace,
            reveal_secrets: true,
            variables: Some(r#"{"x":1}"#.to_owned()),
            context: Some("{}".to_owned()),
            mock: Some(Mock {
                result: Some("1".to_owned()),
                error_output: Some(ErrorOutput::new("E", "C")),
                field_validation: FieldValidation::None,
            }),
            configuration: StateConfiguration {
                retrier_retry_count: Some(1),
                error_caused_by_state: Some("B".to_owned()),
                map_iteration_failure_count: Some(2),
                map_item_reader_data: Some("[1]".to_owned()),
            },
        };
        assert_eq!(request, expected);
    }

    #[test]
    fn members_that_do_not_satisfy_their_constraints_are_told_at_once() {
        assert_eq!(
            refused(json!({"definition": "{}", "stateName": "", "inspectionLevel": "ALL"})),
            "2 validation errors detected: Value '' at 'stateName' failed to satisfy constraint: Member must have \
             length greater than or equal to 1; Value 'ALL' at 'inspectionLevel' failed to satisfy constraint: Member \
             must satisfy enum value set: [INFO, DEBUG, TRACE]"
        );
        assert_eq!(
            refused(json!({"input": "1"})),
            "1 validation error detected: Value null at 'definition' failed to satisfy constraint: Member must not be null"
        );
        assert_eq!(
            refused(json!({"definition": "{}", "input": "1".repeat(262_145)})),
            "1 validation error detected: Value at 'input' failed to satisfy constraint: Member must have length less than \
             or equal to 262144"
        );
        assert_eq!(
            refused(json!({"definition": "{}", "stateConfiguration": {"retrierRetryCount": -1}})),
            "1 validation error detected: Value '-1' at 'stateConfiguration.retrierRetryCount' failed to satisfy \
             constraint: Member must have value greater than or equal to 0"
        );
    }
}
