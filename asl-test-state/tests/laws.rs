//! Laws of the TestState API: a state has the same result alone and in an execution.
use asl_engine::{Outcome, Program, Start, drive};
use asl_model::Timestamp;
use asl_model::generate::{self, Tape};
use asl_model::strategies::generated;
use asl_test_state::{TestStateRequest, Tester};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A time from which no moment of generated data is more than a year away.
const NOW: i64 = 1_700_000_000_000;

const TYPES: [&str; 5] = ["Pass", "Choice", "Wait", "Succeed", "Fail"];

/// A state of a generated definition that calls nothing, its query language, and an input.
fn state_and_input(tape: &mut Tape<'_>) -> Option<(Value, Value)> {
    let definition = generate::any_definition(tape);
    let language = definition.get("QueryLanguage").cloned();
    let states = definition["States"].as_object()?;
    let mut state = states
        .values()
        .find(|it| TYPES.contains(&it["Type"].as_str().unwrap_or_default()))?
        .clone();
    if let (None, Some(language)) = (state.get("QueryLanguage"), language) {
        state["QueryLanguage"] = language;
    }
    let text = state.to_string();
    // These are other ones in each execution; `$states` as a whole has the context.
    let text = text.replace("$states.", "");
    let varies = [
        "$$", "$states", "context", "UUID", "uuid", "andom", "$now", "$millis", "$shuffle",
    ];
    (!varies.iter().any(|word| text.contains(word))).then(|| (state, generate::input(tape)))
}

/// The names that a state leads to.
fn targets(state: &Value) -> Vec<String> {
    let own = [&state["Next"], &state["Default"]];
    let choices = state["Choices"].as_array().into_iter().flatten();
    let names = own.into_iter().chain(choices.map(|choice| &choice["Next"]));
    names
        .filter_map(|it| it.as_str().map(str::to_owned))
        .collect()
}

/// Runs the state in a machine whose other states return their names and inputs.
fn executed(state: &Value, input: &Value) -> Outcome {
    let mut states = Map::new();
    for target in targets(state) {
        let reached = json!({"next": target, "data.$": "$"});
        states.insert(
            target,
            json!({"Type": "Pass", "Parameters": reached, "End": true}),
        );
    }
    states.insert("the state".to_owned(), state.clone());
    let definition = json!({"StartAt": "the state", "States": states}).to_string();
    let program = Program::parse(&definition).expect("the state is valid");
    let start = Start::new("law", input.clone(), Timestamp::from_milliseconds(NOW));
    drive(&program, start, |_| unreachable!("no state has a task"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_state_does_alone_what_it_does_in_an_execution(found in generated(state_and_input)) {
        let Some((state, input)) = found else { return Ok(()) };
        // A state that leads to itself would run again.
        prop_assume!(!targets(&state).iter().any(|name| name == "the state"));
        let request = json!({"definition": state, "input": input.to_string()});
        let request = TestStateRequest::from_value(&request).map_err(|error| TestCaseError::fail(format!("{error} in {state}")))?;
        let response = Tester::new(Timestamp::from_milliseconds(NOW)).test(&request);
        let response = response.map_err(|error| TestCaseError::fail(format!("{error} in {state}")))?.to_readable();
        if state["Type"] == "Wait" && response["error"] == "States.Timeout" {
            return Ok(()); // a test takes five minutes at most
        }
        match executed(&state, &input) {
            Outcome::Succeeded(output) => {
                prop_assert_eq!(&response["status"], "SUCCEEDED", "{}", response);
                let reached = match response.get("nextState") {
                    Some(next) => json!({"next": next, "data": response["output"]}),
                    None => response["output"].clone(),
                };
                prop_assert_eq!(&reached, &*output);
            }
            Outcome::Failed(failed) => {
                prop_assert_eq!(&response["status"], "FAILED", "{}", response);
                prop_assert_eq!(response.get("error").and_then(Value::as_str), failed.error.as_deref());
            }
            other => prop_assert!(false, "{other:?}"),
        }
    }

    #[test]
    fn no_request_panics(request in generated(|tape| {
        let mut request = json!({"definition": generate::broken_definition(tape), "input": generate::input(tape)});
        for name in ["mock", "variables", "context", "inspectionLevel", "stateName", "stateConfiguration"] {
            if tape.one_in(3) {
                request[name] = generate::value(tape, 2);
            }
        }
        request
    })) {
        if let Ok(request) = TestStateRequest::from_value(&request) {
            let _ = Tester::new(Timestamp::from_milliseconds(NOW)).test(&request);
        }
    }
}
