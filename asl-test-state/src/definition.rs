//! The state that is tested, taken out of its definition.
use crate::error::TestStateError;
use crate::request::TestStateRequest;
use crate::request_checks::check_request;
use asl_engine::{Program, StateReference};
use asl_model::{Diagnostics, Options, Placeholders, parse_value, value_from_text};
use serde_json::{Map, Value, json};

/// Name of the tested state in the Context Object, regardless of its name in the definition (recorded).
pub(crate) const STATE_NAME: &str = "StateName";

/// A state that is read and compiled: it can be tested any number of times.
///
/// ```
/// use asl_model::Timestamp;
/// use asl_test_state::{TestStateRequest, TestedState, Tester};
/// use serde_json::json;
/// use std::sync::Arc;
///
/// let definition = json!({"Type": "Pass", "Parameters": {"twice.$": "States.MathAdd($.n, $.n)"}, "End": true});
/// let request = |n: u64| TestStateRequest::from_value(&json!({"definition": definition, "input": {"n": n}}));
/// let state = Arc::new(TestedState::from_request(&request(0)?)?);
/// for n in [1, 2] {
///     let mut tester = Tester::new(Timestamp::from_milliseconds(0)).with_state(Arc::clone(&state));
///     assert_eq!(tester.test(&request(n)?)?.output, Some(json!({"twice": 2 * n})));
/// }
/// # Ok::<(), asl_test_state::TestStateError>(())
/// ```
pub struct TestedState {
    /// As it was written.
    pub(crate) fields: Map<String, Value>,
    pub(crate) is_jsonata: bool,
    /// A state machine of it alone.
    pub(crate) program: Program,
    pub(crate) reference: StateReference,
}

impl std::fmt::Debug for TestedState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TestedState")
            .field("fields", &self.fields)
            .finish_non_exhaustive()
    }
}

impl TestedState {
    /// Reads the definition of a state, or of a state machine with the name of a state. Other requests for the same state can
    /// be tested with it.
    ///
    /// # Errors
    ///
    /// InvalidDefinition with all problems, or a ValidationException if the members of the request exclude each other, or no
    /// state has that name.
    pub fn from_request(request: &TestStateRequest) -> Result<Self, TestStateError> {
        check_request(request)?;
        let options = Options::default().with_placeholders(Placeholders::Left);
        let definition = value_from_text(&request.definition, options).map_err(invalid)?;
        let Some(name) = &request.state_name else {
            let query_language = definition.get("QueryLanguage").cloned();
            return Self::new(definition, query_language, options);
        };
        if definition.get("States").is_some() {
            let text = options.with_placeholders(Placeholders::ToBeReplaced);
            parse_value(&definition, text).map_err(invalid)?;
        }
        let state = find(&definition, name)
            .ok_or_else(|| TestStateError::validation("State not found in definition"))?;
        let own = state.get("QueryLanguage");
        let query_language = own.or_else(|| definition.get("QueryLanguage")).cloned();
        Self::new(state.clone(), query_language, options)
    }

    fn new(
        state: Value,
        query_language: Option<Value>,
        options: Options,
    ) -> Result<Self, TestStateError> {
        let is_jsonata = query_language.as_ref().is_some_and(|it| it == "JSONata");
        let mut machine = machine_of(&state);
        if let Some(query_language) = query_language {
            machine["QueryLanguage"] = query_language;
        }
        let (machine, _warnings) = parse_value(&machine, options).map_err(invalid)?;
        let program = Program::try_from(machine)
            .map_err(|error| TestStateError::definition(in_definition(&error.to_string())))?;
        let reference = program
            .find_state(STATE_NAME)
            .ok_or_else(|| TestStateError::validation("State not found in definition"))?;
        match state {
            Value::Object(fields) => Ok(Self {
                fields,
                is_jsonata,
                program,
                reference,
            }),
            _ => Err(TestStateError::definition(in_definition(
                "a state must be an object",
            ))),
        }
    }

    /// Returns its "Type".
    pub(crate) fn state_type(&self) -> &str {
        self.text("Type")
    }

    /// Returns the text of a field; `""` if it is missing.
    pub(crate) fn text(&self, field: &str) -> &str {
        self.fields
            .get(field)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    pub(crate) fn has(&self, field: &str) -> bool {
        self.fields.contains_key(field)
    }
}

fn invalid(faults: Diagnostics) -> TestStateError {
    TestStateError::definition(in_definition(&faults.to_string()))
}

/// Returns the message of an InvalidDefinition.
fn in_definition(faults: &str) -> String {
    format!("Invalid State Machine Definition: '{faults}'")
}

/// Returns a state machine of one state, with something in the place of each state that it leads to.
fn machine_of(state: &Value) -> Value {
    let mut states = Map::from_iter([(STATE_NAME.to_owned(), state.clone())]);
    for target in targets(state) {
        states
            .entry(target)
            .or_insert_with(|| json!({ "Type": "Succeed" }));
    }
    json!({ "StartAt": STATE_NAME, "States": states })
}

/// Returns the names that "Next" and "Default" have in a state, its rules and its catchers.
fn targets(state: &Value) -> impl Iterator<Item = String> {
    let members = ["Choices", "Catch"].into_iter();
    let members = members.filter_map(|field| state.get(field)?.as_array());
    let places = members.flatten().chain([state]);
    places
        .flat_map(|place| ["Next", "Default"].map(|field| place.get(field)))
        .filter_map(|name| Some(name?.as_str()?.to_owned()))
}

/// Returns the state of this name, wherever it is; with a stack of its own, and outer scopes first.
fn find<'d>(definition: &'d Value, name: &str) -> Option<&'d Value> {
    let mut scopes = std::collections::VecDeque::from([definition]);
    while let Some(scope) = scopes.pop_front() {
        let Some(states) = scope.get("States").and_then(Value::as_object) else {
            continue;
        };
        if let Some(state) = states.get(name) {
            return Some(state);
        }
        for state in states.values() {
            scopes.extend(asl_model::nested_scopes(state).map(|one| one.scope));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(definition: &Value, name: Option<&str>) -> TestStateRequest {
        TestStateRequest {
            definition: definition.to_string(),
            state_name: name.map(str::to_owned),
            ..TestStateRequest::default()
        }
    }

    fn refused(definition: &Value, name: Option<&str>) -> String {
        let tested = TestedState::from_request(&request(definition, name));
        tested.map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn a_state_is_found_in_branches_and_processors() {
        let definition = json!({"StartAt": "P", "QueryLanguage": "JSONata", "States": {"P": {"Type": "Parallel", "End": true,
            "Branches": [{"StartAt": "M", "States": {"M": {"Type": "Map", "End": true,
                "ItemProcessor": {"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 1, "End": true}}}}}}]}}});
        let tested = TestedState::from_request(&request(&definition, Some("W"))).unwrap();
        assert_eq!(tested.state_type(), "Wait");
        assert!(tested.is_jsonata, "the machine's language is its own");
    }

    #[test]
    fn a_state_alone_may_lead_anywhere() {
        let state = json!({"Type": "Choice", "Choices": [{"Variable": "$.a", "IsPresent": true, "Next": "B"}], "Default": "C"});
        let tested = TestedState::from_request(&request(&state, None)).unwrap();
        assert!(!tested.is_jsonata);
    }

    // Recorded from the service.
    #[test]
    fn a_definition_with_faults_and_a_name_that_it_does_not_have_are_told() {
        let machine = json!({"StartAt": "A", "States": {"A": {"Type": "Nothing", "End": true}}});
        assert_eq!(
            refused(&machine, Some("A")),
            "InvalidDefinition: Invalid State Machine Definition: 'SCHEMA_VALIDATION_FAILED: The field 'Type' should have \
             one of these values: [Task, Wait, Pass, Succeed, Fail, Choice, Parallel, Map] at /States/A/Type'"
        );
        let machine = json!({"StartAt": "A", "States": {"A": {"Type": "Succeed"}}});
        assert_eq!(
            refused(&machine, Some("B")),
            "ValidationException: State not found in definition"
        );
    }
}
