//! The laws of builders, and their limits.
use super::json_path::{
    Catcher, ChoiceState, FailState, ParallelState, PassState, Retrier, SucceedState, TaskState,
    WaitState,
};
use super::rebuild::{self, OPERATORS};
use super::{Rule, StateMachineBuilder, States, jsonata};
use crate::strategies::definition;
use crate::{
    Options, ProcessorMode, QueryLanguage, State, StateKind, StateMachine, StateName, parse_value,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Removes what builders do not write: defaults, and names before 2022.
fn normalize(machine: &mut StateMachine) {
    let language = *machine.query_language.get_or_insert_default();
    normalize_states(&mut machine.states.states, language);
}

fn normalize_states(states: &mut [(StateName, State)], language: QueryLanguage) {
    for (_, state) in states {
        if state.query_language == Some(language) {
            state.query_language = None;
        }
        match &mut state.kind {
            StateKind::Parallel(parallel) => {
                for branch in &mut parallel.branches {
                    normalize_states(&mut branch.states, language);
                }
            }
            StateKind::Map(map) => {
                map.spelling = Default::default();
                let config = &mut map.item_processor.processor_config;
                *config = config.filter(|it| it.mode == Some(ProcessorMode::Distributed));
                normalize_states(&mut map.item_processor.states.states, language);
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_definition_can_be_built(definition in definition()) {
        let (mut expected, _) = parse_value(&definition, Options::default()).unwrap();
        normalize(&mut expected);
        let built = rebuild::machine(&expected.to_json()).build(Options::default());
        let built = built.map_err(|error| TestCaseError::fail(format!("{error} in {definition}")))?;
        prop_assert_eq!(&built, &expected);
        let (printed, _) = parse_value(&built.to_json(), Options::default()).unwrap();
        prop_assert_eq!(printed, built);
    }

    #[test]
    fn a_machine_is_valid_or_the_calls_at_fault_are_named(
        texts in prop::array::uniform12("[$.a\\[\\]A-C0-9 {}%-]{0,6}"),
        seconds in prop_oneof![any::<u64>(), 0..100_000_000_u64],
        rate in any::<f64>(),
    ) {
        let [name, input, result, output, error, next, variable, moment, field, cause, default, start] = texts;
        let task = TaskState::new("work")
            .input_path(&input)
            .result_path(&result)
            .output_path(&output)
            .parameters(json!({format!("{field}.$"): variable.clone()}))
            .timeout_seconds(seconds)
            .retry(Retrier::on([error.clone()]).interval_seconds(seconds).backoff_rate(rate))
            .catch(Catcher::on([error, "States.ALL".to_owned()]).result_path(&result).next(&next));
        let choice = Rule::variable(&variable).timestamp_less_than(&moment).next(&next);
        let builder = StateMachineBuilder::start_at(start)
            .state(&name, task.next("B"))
            .state("B", ChoiceState::new().choice(choice).default(default))
            .state("C", FailState::new().error_path(&variable).cause(cause))
            .state("D", WaitState::timestamp(moment).next(next));
        let made = [
            "", "start_at", ")", ").input_path", ").result_path", ").output_path", ").parameters", ").timeout_seconds",
            ").retry(1)", ").retry(1).error_equals", ").retry(1).interval_seconds", ").retry(1).backoff_rate",
            ").catch(1)", ").catch(1).error_equals", ").catch(1).result_path", ").catch(1).next", ").choice(1)",
            ").choice(1).variable", ").choice(1).timestamp_less_than", ").choice(1).next", ").default",
            ").error_path", ").cause", ").timestamp", ").next",
        ];
        match builder.build(Options::embedded()) {
            Ok(machine) => {
                let (again, _) = parse_value(&machine.to_json(), Options::embedded()).unwrap();
                prop_assert_eq!(again, machine);
            }
            Err(error) => {
                prop_assert!(error.calls().next().is_some());
                for (call, fault) in error.calls() {
                    let call = call.split(" at /").next().unwrap_or_default();
                    let last = call.rsplit_once('"').map_or(call, |(_, rest)| rest);
                    prop_assert!(made.contains(&last), "{call}: {fault}");
                }
            }
        }
    }
}

#[test]
fn each_operator_has_a_method() {
    for operator in OPERATORS {
        let value = match *operator {
            name if name.ends_with("Path") => json!("$.b"),
            name if name.starts_with("Is") || name == "BooleanEquals" => json!(true),
            name if name.starts_with("Numeric") => json!(1.5),
            _ => json!("2024-01-01T00:00:00Z"),
        };
        let rule = json!({"Variable": "$.a", *operator: value, "Next": "B"});
        let choice = json!({"Type": "Choice", "Choices": [rule]});
        let definition = json!({"StartAt": "A", "States": {"A": choice, "B": {"Type": "Succeed"}}});
        let built = rebuild::machine(&definition)
            .build(Options::default())
            .unwrap();
        assert_eq!(built.to_json()["States"], definition["States"]);
    }
    assert_eq!(OPERATORS.len(), 39);
}

#[test]
fn the_language_of_a_machine_is_that_of_its_states() {
    let written = |builder: StateMachineBuilder| -> Value {
        builder.build(Options::default()).unwrap().to_json()
    };
    let jsonata = StateMachineBuilder::start_at("A").state("A", jsonata::SucceedState::new());
    let of_json_path = PassState::new().next("A");
    let both = StateMachineBuilder::start_at("B")
        .state("A", jsonata::SucceedState::new())
        .state("B", of_json_path);
    let found = written(jsonata);
    assert_eq!(found["QueryLanguage"], "JSONata");
    assert_eq!(found["States"]["A"], json!({"Type": "Succeed"}));
    let found = written(both);
    assert_eq!(found.get("QueryLanguage"), None);
    assert_eq!(
        found["States"]["A"],
        json!({"Type": "Succeed", "QueryLanguage": "JSONata"})
    );
}

#[test]
fn a_name_that_its_scope_has_already_is_refused() {
    let error = StateMachineBuilder::start_at("A")
        .state("A", PassState::new().next("B"))
        .state("B", SucceedState::new())
        .state("A", SucceedState::new())
        .build(Options::default())
        .unwrap_err();
    let (call, fault) = error.calls().next().unwrap();
    assert_eq!(
        (call.as_str(), fault.message.as_str()),
        (r#"state("A")"#, "Duplicate field 'A'")
    );
}

#[test]
fn an_error_names_the_call_and_what_to_do() {
    let error = StateMachineBuilder::start_at("A")
        .state(
            "A",
            TaskState::new("work").timeout_seconds("soon").next("Beta"),
        )
        .state("Bета", SucceedState::new())
        .state("Bet", SucceedState::new())
        .build(Options::embedded())
        .unwrap_err();
    let shown = error.to_string();
    assert!(
        shown.starts_with("the state machine is not valid\n  in state(\"A\").timeout_seconds: "),
        "{shown}"
    );
    assert!(
        shown.contains("\n  in state(\"A\").next: Missing 'Next' target: Beta\n    hint: "),
        "{shown}"
    );
    assert_eq!(format!("{error:?}"), shown);
}

#[test]
fn what_nests_deeper_than_any_stack_is_refused() {
    let mut states = States::start_at("A").state("A", PassState::new().end());
    for _ in 0..100_000 {
        states = States::start_at("A").state("A", ParallelState::new().branch(states).end());
    }
    let refusal = |builder: StateMachineBuilder| {
        let error = builder.build(Options::default()).unwrap_err();
        error
            .calls()
            .map(|(_, fault)| fault.message.clone())
            .collect::<Vec<_>>()
    };
    let message = "states or rules are nested more than 200 levels deep".to_owned();
    assert!(refusal(states.into()).contains(&message));

    let mut rule = Rule::variable("$.a").is_null(true);
    for _ in 0..100_000 {
        rule = Rule::not(rule);
    }
    let choice = ChoiceState::new().choice(rule.next("B"));
    let builder = StateMachineBuilder::start_at("A")
        .state("A", choice)
        .state("B", SucceedState::new());
    assert!(refusal(builder).contains(&message));
}

#[test]
fn scopes_as_deep_as_the_options_allow_are_built() {
    let mut states = States::start_at("A").state("A", PassState::new().end());
    for _ in 1..20 {
        states = States::start_at("A").state("A", ParallelState::new().branch(states).end());
    }
    let options = Options::default().with_profile(crate::Profile::Spec);
    let built = StateMachineBuilder::from(states).build(options);
    // State names need not be unique by the specification's profile.
    assert!(
        built.is_ok()
            || built
                .unwrap_err()
                .calls()
                .all(|(_, it)| !it.message.contains("nested"))
    );
}
