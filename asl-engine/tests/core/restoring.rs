//! Formats, cores, programs and keys with which a save can be restored.
use crate::samples::{Sample, compiled, options, sample};
use asl_engine::{CORE_VERSION, Execution, MacTokens, Program, RestoreError, SavedExecution};
use asl_model::Profile;
use serde_json::{Value, json};
use std::sync::Arc;

fn json_save(sample: &Sample) -> Value {
    serde_json::to_value(sample.save()).expect("a save can be written")
}

fn read(save: Value) -> SavedExecution {
    serde_json::from_str(&save.to_string()).expect("a save can be read")
}

fn restored(save: Value, program: &Program) -> Result<Execution, RestoreError> {
    read(save).restore(program)
}

#[test]
fn a_save_of_another_program_is_refused() {
    let sample = sample("map_half_way");
    let save = sample.save();
    let shorter = compiled(&json!({"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}));
    let error = save.clone().restore(&shorter).expect_err("another program");
    let expected = RestoreError::OtherProgram {
        expected: save.program_fingerprint(),
        found: shorter.fingerprint(),
    };
    assert_eq!(error, expected);
    let options = options().with_profile(Profile::Spec);
    let (machine, _) = asl_model::parse_value(&sample.definition, options).expect("valid");
    let other_profile = Program::compile(&machine).expect("it compiles");
    let error = save.restore(other_profile).expect_err("another profile");
    assert!(
        matches!(error, RestoreError::OtherProgram { .. }),
        "{error}"
    );
}

#[test]
fn the_order_of_states_is_part_of_a_program() {
    let fingerprint =
        |states: Value| compiled(&json!({"StartAt": "A", "States": states})).fingerprint();
    let (a, b) = (
        json!({"Type": "Pass", "Next": "B"}),
        json!({"Type": "Succeed"}),
    );
    let one = fingerprint(json!({"A": a, "B": b}));
    assert_ne!(one, fingerprint(json!({"B": b, "A": a})));
    assert_eq!(
        one,
        fingerprint(json!({"A": {"Next": "B", "Type": "Pass"}, "B": b}))
    );
}

#[test]
fn other_formats_are_known_as_such_whatever_they_hold() {
    let program = sample("map_half_way").program();
    for (found, text) in [
        (
            0,
            r#"{"format": 0, "machine": 7, "program": [], "new": {"a": []}}"#,
        ),
        (2, r#"{"format": 2}"#),
        (
            2,
            r#"{"format": 2, "core": "flows[0]/phase/task/progress: expected progress that its resource makes, found another", "token_key": 1}"#,
        ),
    ] {
        let saved: SavedExecution = serde_json::from_str(text).expect("a save can be read");
        assert_eq!(saved.format(), found);
        assert!(
            serde_json::to_string(&saved).is_err(),
            "it would lose what it holds"
        );
        let error = saved.restore(&program).expect_err("another format");
        assert_eq!(error, RestoreError::Format { found });
    }
    let packed = rmp_serde::to_vec(&(
        2,
        "flows[0]/phase/parallel/outputs[1]: expected a flow or an output, found neither",
        7,
    ))
    .expect("MessagePack");
    let saved: SavedExecution = rmp_serde::from_slice(&packed).expect("a save can be read");
    assert_eq!(saved.format(), 2);
}

#[test]
fn fields_may_come_in_any_order_and_others_are_passed_over() {
    let sample = sample("retrying");
    let Value::Object(save) = json_save(&sample) else {
        panic!("a save is an object")
    };
    let mut reversed: serde_json::Map<String, Value> = save.into_iter().rev().collect();
    reversed.insert("later".to_owned(), json!({"a": [1]}));
    reversed["machine"]["later"] = json!([{}]);
    reversed["machine"]["flows"][0]["flow"]["later"] = json!(null);
    let restored = restored(Value::Object(reversed), &sample.program()).expect("it is taken up");
    assert_eq!(restored.save(), sample.save());
}

#[test]
fn a_limit_that_a_save_does_not_know_is_as_by_default() {
    let sample = sample("retrying");
    let mut save = json_save(&sample);
    let limits = save
        .pointer_mut("/machine/start/limits")
        .and_then(Value::as_object_mut);
    limits.expect("limits").shift_remove("max_data_depth");
    let restored = restored(save, &sample.program()).expect("it is taken up");
    assert_eq!(restored.save(), sample.save());
}

#[test]
fn a_save_of_a_later_core_is_refused_and_of_an_earlier_one_taken_up() {
    let sample = sample("retrying");
    let mut save = json_save(&sample);
    save["core"] = json!(CORE_VERSION + 1);
    let error = restored(save.clone(), &sample.program()).expect_err("a later core");
    let found = CORE_VERSION + 1;
    assert_eq!(error, RestoreError::Core { found });
    save["core"] = json!(CORE_VERSION - 1);
    assert!(restored(save, &sample.program()).is_ok());
}

#[test]
fn tokens_need_the_maker_whose_key_the_save_names() {
    let sample = sample("waiting_for_a_token");
    let save = sample.save();
    assert_eq!(save.token_key(), Some("2026"));
    let error = save
        .clone()
        .restore(sample.program())
        .expect_err("no maker");
    assert_eq!(
        error.to_string(),
        "expected the maker of task tokens that the execution was saved with, of key '2026', found none"
    );
    let other = Arc::new(MacTokens::new("2027", b"another"));
    let error = save.restore_with_tokens(sample.program(), other.clone());
    assert!(matches!(error, Err(RestoreError::OtherTokenKey { .. })));
    let own = self::sample("map_half_way");
    let error = own.save().restore_with_tokens(own.program(), other);
    assert!(matches!(
        error,
        Err(RestoreError::OtherTokenKey { expected: None, .. })
    ));
}

#[test]
fn the_key_is_in_no_save() {
    let save = sample("waiting_for_a_token").save();
    let text = serde_json::to_string(&save).expect("JSON");
    let printed = format!("{save:?}");
    for shown in [&text, &printed] {
        assert!(!shown.contains("secret"), "{shown}");
    }
    assert!(text.contains("\"task_token\":\""), "{text}");
}
