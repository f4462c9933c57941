//! Reading `MockConfigFile.json`.
use asl_engine::model::escaped_segment;
use asl_engine::{ErrorOutput, TaskAnswer, TaskError};
use asl_path::json::described;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A mock configuration file: test cases by state machine, and the responses they name.
///
/// ```
/// use asl_performers::MockConfiguration;
///
/// let configuration = MockConfiguration::parse(r#"{
///     "StateMachines": {"M": {"TestCases": {"Good": {"Charge": "Charged"}}}},
///     "MockedResponses": {"Charged": {"0": {"Return": {"receipt": 17}}}}
/// }"#).unwrap();
/// assert!(configuration.test_case(Some("M"), "Good").is_ok());
/// let error = configuration.test_case(None, "Goood").unwrap_err();
/// assert_eq!(error.to_string(), "/StateMachines/M/TestCases: no test case `Goood` (did you mean `Good`?); there is `Good`");
/// ```
#[derive(Debug, Clone)]
pub struct MockConfiguration {
    state_machines: BTreeMap<String, TestCases>,
    responses: Arc<Responses>,
}

type TestCases = BTreeMap<String, TestCase>;

/// Names of responses by state.
pub(super) type TestCase = BTreeMap<String, String>;

pub(super) type Responses = BTreeMap<String, Response>;

/// Results of a state by attempt: ascending ranges that do not overlap.
#[derive(Debug, Clone, Default)]
pub(super) struct Response(Vec<Entry>);

#[derive(Debug, Clone)]
struct Entry {
    first: u64,
    last: u64,
    answer: Result<Value, TaskError>,
}

/// An error in a mock configuration, with its location.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", if location.is_empty() { String::new() } else { format!("{location}: ") })]
#[non_exhaustive]
pub struct MockConfigurationError {
    /// JSON pointer (RFC 6901); empty for the whole file.
    pub location: String,
    /// The expected and the actual content.
    pub message: String,
}

debug_as_display!(MockConfigurationError);

type ParseResult<T> = Result<T, MockConfigurationError>;

impl MockConfiguration {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// The first place that is not as it should be.
    pub fn parse(text: &str) -> ParseResult<Self> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| fault("", format!("the mock configuration is not JSON: {error}")))?;
        Self::from_value(&value)
    }

    /// Reads the JSON of a file.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn from_value(value: &Value) -> ParseResult<Self> {
        let file = object(value, "")?;
        let state_machines = members(file, "", "StateMachines", parse_test_cases)?;
        let responses = members(file, "", "MockedResponses", Response::parse)?;
        Ok(Self {
            state_machines,
            responses: Arc::new(responses),
        })
    }

    /// Returns the names of its state machines.
    pub fn state_machines(&self) -> impl Iterator<Item = &str> {
        self.state_machines.keys().map(String::as_str)
    }

    /// Returns one test case, ready to answer tasks. Without the state machine's name, the file must have no other.
    ///
    /// # Errors
    /// There is no such state machine or test case; the message lists those there are.
    pub fn test_case(
        &self,
        state_machine: Option<&str>,
        test_case: &str,
    ) -> ParseResult<super::MockHandler> {
        let name = match state_machine {
            Some(name) => name,
            None => self.only_state_machine()?,
        };
        let machines = &self.state_machines;
        let cases = machines
            .get(name)
            .ok_or_else(|| unknown("/StateMachines", "state machine", name, machines.keys()))?;
        let location = pointer(&pointer("/StateMachines", name), "TestCases");
        let states = cases
            .get(test_case)
            .ok_or_else(|| unknown(&location, "test case", test_case, cases.keys()))?;
        Ok(super::MockHandler::new(
            states.clone(),
            Arc::clone(&self.responses),
        ))
    }

    fn only_state_machine(&self) -> ParseResult<&str> {
        let mut names = self.state_machines();
        match (names.next(), names.next()) {
            (Some(name), None) => Ok(name),
            (None, _) => Err(fault("/StateMachines", "there is no state machine")),
            (Some(_), Some(_)) => {
                let names = listed(self.state_machines.keys());
                Err(fault(
                    "/StateMachines",
                    format!("there are several state machines, name one of {names}"),
                ))
            }
        }
    }
}

impl Response {
    /// Returns the answer to an attempt, from 0.
    pub(super) fn answer(&self, attempt: u64) -> Option<Result<TaskAnswer, TaskError>> {
        let after = self.0.partition_point(|entry| entry.first <= attempt);
        let entry = self.0.get(after.checked_sub(1)?)?;
        (attempt <= entry.last).then(|| entry.answer.clone().map(TaskAnswer::Completed))
    }

    /// The attempts it has answers to, as written: "0", "1-2".
    pub(super) fn attempts(&self) -> String {
        let ranges = self.0.iter().map(|entry| match entry.first == entry.last {
            true => format!("\"{}\"", entry.first),
            false => format!("\"{}-{}\"", entry.first, entry.last),
        });
        ranges.collect::<Vec<_>>().join(", ")
    }

    fn parse(value: &Value, location: &str) -> ParseResult<Self> {
        let mut entries = Vec::new();
        for (attempts, answer) in object(value, location)? {
            let location = pointer(location, attempts);
            let (first, last) = parse_range(attempts).ok_or_else(|| {
                fault(&location, format!("expected an attempt (\"0\") or a range of attempts (\"1-2\"), found \"{attempts}\""))
            })?;
            entries.push((
                location.clone(),
                Entry {
                    first,
                    last,
                    answer: parse_answer(answer, &location)?,
                },
            ));
        }
        entries.sort_by_key(|(_, entry)| entry.first);
        for ((_, before), (location, entry)) in entries.iter().zip(entries.iter().skip(1)) {
            if entry.first <= before.last {
                return Err(fault(
                    location,
                    format!("attempt {} has another answer already", entry.first),
                ));
            }
        }
        Ok(Self(entries.into_iter().map(|(_, entry)| entry).collect()))
    }
}

fn parse_test_cases(machine: &Value, location: &str) -> ParseResult<TestCases> {
    members(
        object(machine, location)?,
        location,
        "TestCases",
        |case, location| {
            let states = object(case, location)?.iter();
            states
                .map(|(state, response)| {
                    let name = response.as_str().ok_or_else(|| {
                        let found = described(response);
                        fault(
                            &pointer(location, state),
                            format!(
                                "expected the name of one of the \"MockedResponses\", found {found}"
                            ),
                        )
                    })?;
                    Ok((state.clone(), name.to_owned()))
                })
                .collect()
        },
    )
}

/// "3", or "1-3" with the last one included.
fn parse_range(text: &str) -> Option<(u64, u64)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let (first, last) = (number(first)?, number(last)?);
    (first <= last).then_some((first, last))
}

fn parse_answer(value: &Value, location: &str) -> ParseResult<Result<Value, TaskError>> {
    let answer = object(value, location)?;
    match (answer.get("Return"), answer.get("Throw")) {
        (Some(output), None) => Ok(Ok(output.clone())),
        (None, Some(error)) => parse_error(error, &pointer(location, "Throw")).map(Err),
        (None, None) => {
            let mut names = answer.keys();
            let found = names.find_map(|name| {
                let meant = asl_model::nearest(name, ["Return", "Throw"])?;
                Some(format!(", found \"{name}\"; did you mean `{meant}`?"))
            });
            let found = found.unwrap_or_default();
            Err(fault(
                location,
                format!("expected either \"Return\" or \"Throw\"{found}"),
            ))
        }
        _ => Err(fault(
            location,
            "expected either \"Return\" or \"Throw\", found both",
        )),
    }
}

fn parse_error(value: &Value, location: &str) -> ParseResult<TaskError> {
    let fields = object(value, location)?;
    // Recorded from the service: a task may fail without either, as SendTaskFailure lets it.
    let given = |name: &str| match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => text(value, &pointer(location, name)).map(Some),
    };
    let mut thrown = TaskError::without_cause("");
    thrown.error_output = ErrorOutput {
        error: given("Error")?,
        cause: given("Cause")?,
    };
    Ok(thrown)
}

/// Returns the members of the object in field `name`, each read by `read`.
fn members<T>(
    of: &Map<String, Value>,
    location: &str,
    name: &str,
    read: impl Fn(&Value, &str) -> ParseResult<T>,
) -> ParseResult<BTreeMap<String, T>> {
    let value = of
        .get(name)
        .ok_or_else(|| fault(location, format!("expected a field \"{name}\"")))?;
    let location = pointer(location, name);
    let members = object(value, &location)?.iter();
    members
        .map(|(key, value)| Ok((key.clone(), read(value, &pointer(&location, key))?)))
        .collect()
}

fn object<'a>(value: &'a Value, location: &str) -> ParseResult<&'a Map<String, Value>> {
    value.as_object().ok_or_else(|| {
        fault(
            location,
            format!("expected an object, found {}", described(value)),
        )
    })
}

fn text(value: &Value, location: &str) -> ParseResult<String> {
    let text = value.as_str().map(str::to_owned);
    text.ok_or_else(|| {
        fault(
            location,
            format!("expected a string, found {}", described(value)),
        )
    })
}

fn fault(location: &str, message: impl Into<String>) -> MockConfigurationError {
    MockConfigurationError {
        location: location.to_owned(),
        message: message.into(),
    }
}

fn pointer(location: &str, key: &str) -> String {
    format!("{location}/{}", escaped_segment(key))
}

fn listed<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn unknown<'a>(
    location: &str,
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'a String> + Clone,
) -> MockConfigurationError {
    let hint = match asl_model::nearest(name, known.clone().map(String::as_str)) {
        Some(candidate) => format!(" (did you mean `{candidate}`?)"),
        None => String::new(),
    };
    let known = match listed(known) {
        names if names.is_empty() => "there is none".to_owned(),
        names => format!("there is {names}"),
    };
    fault(location, format!("no {what} `{name}`{hint}; {known}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fault_of(file: Value) -> String {
        MockConfiguration::parse(&file.to_string())
            .unwrap_err()
            .to_string()
    }

    fn response(entries: Value) -> ParseResult<Response> {
        Response::parse(&entries, "")
    }

    #[test]
    fn ranges_include_both_ends_and_their_order_does_not_matter() {
        let response =
            response(json!({"1-3": {"Return": "b"}, "0": {"Return": "a"}, "7": {"Return": "c"}}))
                .unwrap();
        let answers: Vec<_> = (0..9)
            .map(|attempt| response.answer(attempt).map(|it| it.unwrap()))
            .map(|answer| {
                answer.map(
                    |it| matches!(it, TaskAnswer::Completed(Value::String(s)) if !s.is_empty()),
                )
            })
            .collect();
        let [yes, no] = [Some(true), None];
        assert_eq!(answers, [yes, yes, yes, yes, no, no, no, yes, no]);
        assert_eq!(response.answer(3).unwrap().unwrap(), json!("b").into());
        assert_eq!(response.attempts(), "\"0\", \"1-3\", \"7\"");
    }

    #[test]
    fn an_error_and_a_cause_may_be_left_out_or_null() {
        let thrown = response(json!({"0": {"Throw": {"Error": "E"}}})).unwrap();
        assert_eq!(
            thrown.answer(0).unwrap().unwrap_err(),
            TaskError::without_cause("E")
        );
        for nothing in [json!({}), json!({"Error": null, "Cause": null})] {
            let thrown = response(json!({"0": {"Throw": nothing}})).unwrap();
            let thrown = thrown.answer(0).unwrap().unwrap_err();
            assert_eq!(thrown.error_output, ErrorOutput::default());
        }
        let fault = response(json!({"0": {"Throw": {"Error": 1}}})).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "/0/Throw/Error: expected a string, found a number"
        );
    }

    #[test]
    fn faults_are_shown_where_they_are() {
        assert_eq!(fault_of(json!([])), "expected an object, found an array");
        assert_eq!(fault_of(json!({})), "expected a field \"StateMachines\"");
        let file = json!({"StateMachines": {"M": {"TestCases": {"C": {"a/b": 7}}}}, "MockedResponses": {}});
        assert_eq!(
            fault_of(file),
            "/StateMachines/M/TestCases/C/a~1b: expected the name of one of the \"MockedResponses\", found a number"
        );
        let answers = |answers: Value| {
            fault_of(json!({"StateMachines": {}, "MockedResponses": {"R": answers}}))
        };
        assert_eq!(
            answers(json!({"x": {"Return": 1}})),
            "/MockedResponses/R/x: expected an attempt (\"0\") or a range of attempts (\"1-2\"), found \"x\""
        );
        assert_eq!(
            answers(json!({"0": {}})),
            "/MockedResponses/R/0: expected either \"Return\" or \"Throw\""
        );
        assert_eq!(
            answers(json!({"0-2": {"Return": 1}, "2": {"Return": 2}})),
            "/MockedResponses/R/2: attempt 2 has another answer already"
        );
        assert!(
            MockConfiguration::parse("{")
                .unwrap_err()
                .to_string()
                .starts_with("the mock configuration is not JSON")
        );
    }

    #[test]
    fn several_state_machines_must_be_told_apart() {
        let file = json!({"StateMachines": {"A": {"TestCases": {"C": {}}}, "B": {"TestCases": {}}}, "MockedResponses": {}});
        let file = MockConfiguration::parse(&file.to_string()).unwrap();
        let fault = |machine, case| file.test_case(machine, case).unwrap_err().to_string();
        assert_eq!(
            fault(None, "C"),
            "/StateMachines: there are several state machines, name one of `A`, `B`"
        );
        assert_eq!(
            fault(Some("X"), "C"),
            "/StateMachines: no state machine `X`; there is `A`, `B`"
        );
        assert_eq!(
            fault(Some("B"), "C"),
            "/StateMachines/B/TestCases: no test case `C`; there is none"
        );
        assert!(file.test_case(Some("A"), "C").is_ok());
    }
}
